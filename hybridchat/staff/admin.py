"""Accounts: who has which role, and which corpora a curator is limited to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import User
from django.http import HttpRequest

from corpora.models import CorpusLimit
from corpora.rights import corpora


class CorpusLimitForm(forms.ModelForm):
    corpus = forms.ChoiceField()

    class Meta:
        model = CorpusLimit
        fields = ("corpus",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = {*corpora(), "places", *filter(None, [self.instance.corpus])}
        self.fields["corpus"].choices = [(name, name.replace("_", " ").capitalize()) for name in sorted(names)]


class CorpusLimitInline(admin.TabularInline):
    """Without an entry, a curator looks after all corpora."""

    model = CorpusLimit
    form = CorpusLimitForm
    extra = 0


admin.site.unregister(User)


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Accounts. Only a superuser makes one, changes one, or gives single permissions away."""

    list_display = ("username", "email", "roles", "is_staff", "is_active", "last_login")
    list_filter = ("groups", "is_staff", "is_active")
    inlines = (CorpusLimitInline,)
    own_to_superusers = ("is_superuser", "user_permissions")

    def get_queryset(self, request: HttpRequest) -> Any:
        return super().get_queryset(request).prefetch_related("groups")

    @admin.display(description="roles")
    def roles(self, user: User) -> str:
        return ", ".join(group.name for group in user.groups.all()) or "—"

    def get_inlines(self, request: HttpRequest, obj: Any) -> Sequence[type[admin.TabularInline]]:
        return self.inlines if obj else ()

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        fields = tuple(super().get_readonly_fields(request, obj))
        return fields if request.user.is_superuser else (*fields, *self.own_to_superusers)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and self._may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._may_touch(request, obj)

    def _may_touch(self, request: HttpRequest, obj: Any) -> bool:
        return request.user.is_superuser or not (obj and obj.is_superuser)
