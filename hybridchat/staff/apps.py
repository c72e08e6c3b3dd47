"""The app, and the admin with the product's own site in Django's place."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models.signals import post_migrate


class StaffConfig(AppConfig):
    """Comes last of the installed apps, so that every permission is there when the roles are made."""

    name = "hybridchat.staff"

    def ready(self) -> None:
        from hybridchat.staff.roles import make_roles

        post_migrate.connect(make_roles, sender=self)


class StaffAdminConfig(AdminConfig):
    default_site = "hybridchat.staff.site.StaffSite"
