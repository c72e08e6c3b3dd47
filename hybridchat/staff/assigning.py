"""What somebody of the staff is assigned to, in the admin."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class Assigned(admin.ModelAdmin):
    """An assignee is chosen among the staff; accounts are made elsewhere."""

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "assignee":
            kwargs["queryset"] = db_field.related_model.objects.filter(is_staff=True, is_active=True)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "assignee" and field is not None:
            for may in ("add", "change", "delete", "view"):
                setattr(field.widget, f"can_{may}_related", False)
        return field
