"""Who may look after which corpus: a role says what somebody may do, and a limit, where there is one, with which."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from corpora.models import Assistant, CorpusLimit, CorpusVersion

SAMPLES = {
    "restaurants": ("restaurants",),
    "courses": ("courses", "offerings", "ratings", "programs"),
    "services": ("articles",),
}


def corpora() -> dict[str, tuple[str, ...]]:
    """Return the corpora there are, each with the names of its tables in `kb`."""
    imported = CorpusVersion.objects.filter(active=True).values_list("corpus", "stored")
    return SAMPLES | {name: tuple(one["view"] for one in stored.values()) for name, stored in imported}


def corpora_of(tables: Iterable[str]) -> set[str]:
    """Return the corpora that tables belong to; a table that is not there belongs to none."""
    by_table = {table: name for name, tables_of in corpora().items() for table in tables_of}
    return {by_table[table] for table in tables if table in by_table}


def assistants_within(limited: Iterable[str]) -> list[Assistant]:
    """Return the assistants that ask nothing but these corpora."""
    allowed = set(limited)
    return [one for one in Assistant.objects.all() if (of := corpora_of(one.tables)) and of <= allowed]


def limits(user: Any) -> frozenset[str] | None:
    """Return the corpora that somebody is limited to, None where they are not limited."""
    if user.is_superuser:
        return None
    return frozenset(CorpusLimit.objects.filter(user_id=user.pk).values_list("corpus", flat=True)) or None
