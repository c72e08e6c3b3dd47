"""Numbers and counts as people read them."""

from __future__ import annotations

from typing import Any

from django import template

from corpora.importing.telling import COUNTED, counts_in_words

register = template.Library()


@register.filter
def thousands(number: Any) -> str:
    """Return 12345 as "12,345"."""
    return f"{number:,}" if isinstance(number, int) else str(number)


@register.filter
def count_names(counts: dict[str, dict[str, int]]) -> list[str]:
    """Return what is counted for any of the tables, in the order in which it happens."""
    return [name for name in COUNTED if any(name in table for table in counts.values())]


@register.filter
def at(counts: dict[str, int], name: str) -> int:
    """Return what a table has of it."""
    return counts.get(name, 0)


@register.filter
def in_words(counts: dict[str, int]) -> str:
    """Return the counts of a table in words."""
    return counts_in_words(counts)


@register.filter
def counted(counts: dict[str, dict[str, int]], name: str) -> int:
    """Return how many of it all tables have together."""
    return sum(table.get(name, 0) for table in counts.values())
