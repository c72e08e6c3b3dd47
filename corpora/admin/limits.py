"""Pages of what belongs to corpora: whoever is limited to some neither sees nor changes the others."""

from __future__ import annotations

from functools import reduce
from typing import Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest

from corpora.models import Assistant
from corpora.rights import assistants_within, corpora_of, limits


def limits_of(request: HttpRequest) -> frozenset[str] | None:
    """Return the corpora that whoever asks is limited to, None for no limit; read once a request."""
    if not hasattr(request, "corpus_limits"):
        request.corpus_limits = limits(request.user)  # type: ignore[attr-defined]
    found: frozenset[str] | None = request.corpus_limits  # type: ignore[attr-defined]
    return found


def check_corpus(request: HttpRequest, corpus: str) -> None:
    """Raise PermissionDenied for a corpus that whoever asks does not look after."""
    limited = limits_of(request)
    if limited is not None and corpus not in limited:
        raise PermissionDenied


def check_within(request: HttpRequest, assistant: str) -> None:
    """Raise PermissionDenied for an assistant that whoever asks does not look after."""
    allowed = assistant_slugs(request)
    if allowed is not None and assistant not in allowed:
        raise PermissionDenied


def assistant_slugs(request: HttpRequest) -> set[str] | None:
    """Return the slugs of the assistants that whoever asks looks after, None for all."""
    limited = limits_of(request)
    return None if limited is None else {one.slug for one in assistants_within(limited)}


def offer_within(request: HttpRequest, field: Any) -> None:
    """Let a choice of assistants offer only those that whoever asks looks after; others are refused all the same."""
    allowed = assistant_slugs(request)
    if allowed is not None:
        field.widget.choices = [(slug, title) for slug, title in field.choices if slug in allowed]


class LimitedAdmin(admin.ModelAdmin):
    """Rows of the corpus that `corpus` names, or of the corpora that `corpora_of` and `within` find for each."""

    corpus = ""

    def corpora_of(self, obj: Any) -> set[str]:
        """The corpora that a row belongs to."""
        return {self.corpus}

    def within(self, rows: QuerySet[Any], limited: frozenset[str]) -> QuerySet[Any]:
        """Those of the rows that belong to nothing but these corpora."""
        return rows if self.corpus in limited else rows.none()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        limited = limits_of(request)
        return rows if limited is None else self.within(rows, limited)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) and self._within_limits(request, None)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and self._within_limits(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and self._within_limits(request, None)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and self._within_limits(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and self._within_limits(request, obj)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if not self._within_limits(request, obj):
            raise PermissionDenied  # it was moved to a corpus that is not theirs
        super().save_model(request, obj, form, change)

    def _within_limits(self, request: HttpRequest, obj: Any) -> bool:
        limited = limits_of(request)
        if limited is None:
            return True
        if obj is None:
            return not self.corpus or self.corpus in limited
        names = self.corpora_of(obj)
        return bool(names) and names <= limited


class LimitedByCorpus(LimitedAdmin):
    """Rows that name the corpus they belong to, at `corpus_path`."""

    corpus_path = "corpus"

    def within(self, rows: QuerySet[Any], limited: frozenset[str]) -> QuerySet[Any]:
        return rows.filter(**{f"{self.corpus_path}__in": limited})

    def corpora_of(self, obj: Any) -> set[str]:
        return {_at(obj, self.corpus_path)}


class LimitedByAssistant(LimitedAdmin):
    """Rows that belong to an assistant, whose slug stands at `assistant_path`."""

    assistant_path = "assistant"

    def within(self, rows: QuerySet[Any], limited: frozenset[str]) -> QuerySet[Any]:
        return rows.filter(**{f"{self.assistant_path}__in": [one.slug for one in assistants_within(limited)]})

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        field = context["adminform"].form.fields.get(self.assistant_path)
        if isinstance(field, forms.ChoiceField):
            offer_within(request, field)
        return super().render_change_form(request, context, *args, **kwargs)

    def corpora_of(self, obj: Any) -> set[str]:
        found = Assistant.objects.filter(slug=_at(obj, self.assistant_path)).first()
        return corpora_of(found.tables) if found else set()


class AcrossCorpora(admin.ModelAdmin):
    """Pages of what is of all corpora together: for nobody who is limited to some."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        return super().has_module_permission(request) and limits_of(request) is None

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) and limits_of(request) is None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and limits_of(request) is None

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and limits_of(request) is None

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and limits_of(request) is None


def _at(obj: Any, path: str) -> Any:
    return reduce(getattr, path.split("__"), obj)
