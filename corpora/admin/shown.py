"""How stored values are shown in the admin: long texts cut, and data as words instead of JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from django.contrib import admin
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

CELL = 90  # characters of a text in a cell of a list
ITEMS = 8  # of a list, before the rest is counted
VALUE = 400  # characters of a value on a page
NOTHING = "—"


def brief(field: str, named: str = "") -> Callable[[Any, Any], str]:
    """Make a column of a list that shows the beginning of a text or the first items of a list."""

    @admin.display(description=named or field.replace("_", " "), ordering=field, empty_value=NOTHING)
    def shown(_self: Any, obj: Any) -> str:
        value = getattr(obj, field)
        return Truncator(in_words(value)).chars(CELL) if value not in (None, "", []) else ""

    return shown


def described(field: str, named: str = "") -> Callable[[Any, Any], SafeString | str]:
    """Make a field of a page that shows stored data as a list of terms."""

    @admin.display(description=named or field.replace("_", " "), empty_value=NOTHING)
    def shown(_self: Any, obj: Any) -> SafeString | str:
        return terms(getattr(obj, field))

    return shown


def terms(value: Any) -> SafeString | str:
    """Data as HTML: a mapping is a list of terms, anything else words."""
    if not isinstance(value, Mapping):
        return in_words(value)
    rows = ((label(name), Truncator(in_words(one)).chars(VALUE)) for name, one in value.items())
    return format_html("<dl>{}</dl>", format_html_join("", "<dt>{}</dt><dd>{}</dd>", rows)) if value else ""


def in_words(value: Any) -> str:
    """Data as a person writes it: "tokens 12, seconds 0.4"."""
    if value is None or value == "":
        return NOTHING
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.3f}".rstrip("0").rstrip(".")
    if isinstance(value, Mapping):
        return "; ".join(f"{label(name)}: {in_words(one)}" for name, one in value.items()) or NOTHING
    if isinstance(value, date):
        return date_format(value, "DATETIME_FORMAT" if isinstance(value, datetime) else "DATE_FORMAT")
    if isinstance(value, Iterable) and not isinstance(value, str):
        items = [in_words(one) for one in value]
        more = f" and {len(items) - ITEMS:,} more" if len(items) > ITEMS else ""
        return ", ".join(items[:ITEMS]) + more or NOTHING
    return str(value)


def label(name: Any) -> str:
    """A name of a field as words."""
    return str(name).replace("_", " ").strip()
