"""The app, and the admin with the product's own site in Django's place."""

from __future__ import annotations

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig


class StaffConfig(AppConfig):
    name = "hybridchat.staff"


class StaffAdminConfig(AdminConfig):
    default_site = "hybridchat.staff.site.StaffSite"
