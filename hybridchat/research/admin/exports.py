"""The admin of exports: asked for in a form, made by a worker, followed and fetched on a page of their own."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.widgets import AdminSplitDateTime
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_POST

from corpora.admin.limits import AcrossCorpora
from hybridchat.chat.models import Conversation
from hybridchat.research.exports import services
from hybridchat.research.exports.choosing import Filters, chosen
from hybridchat.research.exports.models import Export
from hybridchat.research.exports.preview import preview
from hybridchat.research.exports.tasks import write_export

CHOSEN = "research_export_conversations"  # the session's name for conversations that were chosen in their list


class ExportForm(forms.Form):
    """What is to be exported, and how."""

    format = forms.ChoiceField(choices=Export.Format.choices, initial=Export.Format.JSONL)
    assistant = forms.ChoiceField(required=False)
    since = forms.SplitDateTimeField(required=False, widget=AdminSplitDateTime, label="From")
    until = forms.SplitDateTimeField(required=False, widget=AdminSplitDateTime, label="Before")
    rating = forms.ChoiceField(
        required=False, choices=[("", "any"), ("up", "with a thumb up"), ("down", "with a thumb down")]
    )
    label = forms.CharField(
        required=False, max_length=40, help_text="Only conversations with feedback that has this label."
    )
    study = forms.CharField(required=False, help_text="Only conversations of this study (its slug).")
    scrub = forms.BooleanField(
        required=False,
        initial=True,
        label="Take personal data out",
        help_text="E-mail addresses, telephone numbers, and what people gave to forms about themselves.",
    )
    scope = forms.CharField(
        required=False,
        max_length=60,
        help_text="Exports of one scope, such as a study's name, call one person by one pseudonym. Empty: a scope of "
        "its own.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        slugs = Conversation.objects.order_by("assistant").values_list("assistant", flat=True).distinct()
        field: Any = self.fields["assistant"]
        field.choices = [("", "all"), *((slug, slug) for slug in slugs)]

    def filters(self, conversations: tuple[str, ...] = ()) -> Filters:
        """What was filled in, as filters."""
        given = self.cleaned_data
        since, until = (given[name].isoformat() if given[name] else "" for name in ("since", "until"))
        return Filters(since, until, given["assistant"], given["rating"], given["label"], given["study"], conversations)


@admin.register(Export)
class ExportAdmin(AcrossCorpora):
    """Who exported what, and the exports that lie here still."""

    list_display = ("created", "by", "format", "status", "done", "turns", "scrubbed", "scope", "downloads", "page_link")
    list_display_links = None
    list_filter = ("status", "format", "scrubbed", "created")
    search_fields = ("by", "scope")
    date_hierarchy = "created"

    @admin.display(description="")
    def page_link(self, export: Export) -> SafeString:
        return format_html('<a href="{}">Open</a>', reverse("admin:research_export_page", args=[export.pk]))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Nobody deletes the record of who exported what."""
        return False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        own = [
            path("<uuid:pk>/", view(self.page), name="research_export_page"),
            path("<uuid:pk>/progress/", view(self.progress), name="research_export_progress"),
            path("<uuid:pk>/download/", view(self.download), name="research_export_download"),
            path("<uuid:pk>/cancel/", view(require_POST(self.cancel)), name="research_export_cancel"),
        ]
        return [*own, *super().get_urls()]

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponseBase:
        """The form; "preview" shows what personal data the export would meet, "export" asks for it."""
        if not self.has_add_permission(request):
            raise Http404("There is nothing here for you.")
        conversations = tuple(request.session.get(CHOSEN, ()))
        form = ExportForm(request.POST or None)
        shown, count = None, None
        if request.method == "POST" and form.is_valid():
            filters = form.filters(conversations)
            if "preview" in request.POST:
                shown, count = preview(filters), chosen(filters).count()
            else:
                return self._asked(request, form, filters)
        context = {"form": form, "preview": shown, "count": count, "chosen": len(conversations)}
        return self._answer(request, "admin/research/export/form.html", "Export conversations", context)

    def _asked(self, request: HttpRequest, form: ExportForm, filters: Filters) -> HttpResponse:
        given = form.cleaned_data
        name = request.user.get_username()
        export = services.request(
            name,
            given["format"],
            filters,
            scrubbed=given["scrub"],
            scope=given["scope"] or given["study"],
            user=request.user,
        )
        request.session.pop(CHOSEN, None)
        write_export.delay(str(export.pk))
        return redirect("admin:research_export_page", export.pk)

    def page(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """One export: how far it is, what is in it, and where to fetch it."""
        context = {"export": self._found(request, pk)}
        return self._answer(request, "admin/research/export/page.html", "Export", context)

    def progress(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """The part of the page that changes while the export is made."""
        return TemplateResponse(request, "admin/research/export/_progress.html", {"export": self._found(request, pk)})

    def download(self, request: HttpRequest, pk: Any) -> HttpResponseBase:
        """The archive; that it was fetched is counted and logged."""
        export = self._found(request, pk)
        try:
            archive = services.archive_of(export).open("rb")
        except FileNotFoundError as error:
            raise Http404("This export is no longer kept.") from error
        services.taken(export)
        self.log_change(request, export, "Downloaded.")
        name = f"conversations-{export.created:%Y%m%d-%H%M}-{export.format}.zip"
        return FileResponse(archive, as_attachment=True, filename=name)

    def cancel(self, request: HttpRequest, pk: Any) -> HttpResponse:
        """End an export that is under way."""
        export = self._found(request, pk)
        services.cancel(export)
        messages.info(request, "The export was cancelled.")
        return redirect("admin:research_export_page", export.pk)

    def _found(self, request: HttpRequest, pk: Any) -> Export:
        """An export that may be read: it holds what people wrote, so who may not make one may not read one."""
        export = Export.objects.filter(pk=pk).first()
        if export is None or not (self.has_view_permission(request, export) and self.has_add_permission(request)):
            raise Http404("There is no such export.")
        return export

    def _answer(self, request: HttpRequest, template: str, title: str, context: dict[str, Any]) -> HttpResponse:
        common = {**self.admin_site.each_context(request), "title": title, "opts": self.opts}
        return TemplateResponse(request, template, {**common, **context})
