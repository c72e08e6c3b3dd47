"""What the pages of corpora show beside their forms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import template

register = template.Library()


@register.filter
def spaced(name: str) -> str:
    """A name as words: "old_boats" is "old boats"."""
    return name.replace("_", " ")


@register.filter
def seen_of(seen: Mapping[str, Mapping[str, Sequence[str]]], form: Any) -> Sequence[str]:
    """Some values of a form's column."""
    table, _, column = form.prefix.partition(".")
    return seen[table][column]
