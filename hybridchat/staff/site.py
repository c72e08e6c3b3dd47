"""The admin site: what there is, in order of what people do with it instead of where its code lies."""

from __future__ import annotations

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.urls import reverse

from corpora.rights import limits
from hybridchat.staff.sections import SECTIONS, Entry, Page, Section


class StaffSite(AdminSite):
    site_header = "hybridchat"
    site_title = "hybridchat"
    index_title = "What would you like to look after?"
    enable_nav_sidebar = False  # templates/admin/base_site.html has its own

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[dict[str, Any]]:
        """The sections with what this person may see of each; an app's own models where `app_label` names one."""
        if app_label is not None:
            found: list[dict[str, Any]] = super().get_app_list(request, app_label)
            return found
        models = {
            f"{model['model']._meta.label}": model
            for app in self._build_app_dict(request).values()
            for model in app["models"]
        }
        shown = [self._section(request, section, models) for section in SECTIONS]
        if models:  # what no section names
            shown.append(_dictionary("Everything else", list(models.values())))
        sections = [section for section in shown if section["models"]]
        _mark_current(sections, request.path)
        return sections

    def _section(self, request: HttpRequest, section: Section, models: dict[str, Any]) -> dict[str, Any]:
        entries = [self._entry(request, entry, models) for entry in section.entries]
        return _dictionary(section.name, [entry for entry in entries if entry])

    def _entry(self, request: HttpRequest, entry: Entry | Page, models: dict[str, Any]) -> dict[str, Any] | None:
        if isinstance(entry, Page):
            if not request.user.has_perm(entry.permission) or (entry.across and limits(request.user) is not None):
                return None
            address = reverse(entry.view, current_app=self.name)
            over = reverse("admin:index", current_app=self.name) + entry.over if entry.over else ""
            return {
                "name": entry.name,
                "object_name": "",
                "admin_url": address,
                "add_url": None,
                "about": entry.about,
                "over": over,
            }
        model = models.pop(entry.model, None)
        if model is None:
            return None
        waiting = entry.waiting(request) if entry.waiting else 0
        told = {"about": entry.about, "begin": entry.begin, "waiting": waiting}
        return model | {"name": entry.name or model["name"], **told}


def _mark_current(sections: list[dict[str, Any]], path: str) -> None:
    """Mark the page that is open: of those whose address the path begins with, the longest."""
    named = [
        (address, one)
        for section in sections
        for one in section["models"]
        for address in (one["admin_url"], one.get("over"))
        if address and path.startswith(address)
    ]
    if named:
        max(named, key=lambda found: len(found[0]))[1]["current"] = True


def _dictionary(name: str, models: list[dict[str, Any]]) -> dict[str, Any]:
    """A section in the form in which Django's templates know an app."""
    label = name.lower().replace(" ", "-")
    return {"name": name, "app_label": label, "app_url": "", "has_module_perms": True, "models": models}
