"""Cards of tables that no template knows: picture, badges, lines and links, as curators say or as the kinds suggest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import connection
from django.urls import reverse

from agent.catalogue.tables import Kind, Table
from corpora.catalogue.drafted import label
from corpora.catalogue.imported import table_said, whole_catalogue
from corpora.catalogue.said import Place, places
from corpora.kept_pictures import kept
from corpora.models.columns import is_page_link, is_web_link

BLANK: Mapping[str, Any] = {"columns": (), "picture": "", "badges": (), "lines": (), "links": ()}


def described_cards(name: str, keys: set[str]) -> dict[str, dict[str, Any]]:
    """Return the display fields of rows by key; of a table that is not there, or whose rows have no key, none."""
    table = whole_catalogue().table(name)
    if table is None or not table.entity:
        return {}
    shown = {column: place for column, place in places(table, table_said(name)).items() if place is not Place.NOWHERE}
    rows = _rows(table, list(shown), keys)
    pictures = [column for column, place in shown.items() if place is Place.PICTURE]
    here = kept(str(row[column]) for row in rows.values() for column in pictures if row[column])
    return {key: _card(table, shown, row, here) for key, row in rows.items()}


def _rows(table: Table, columns: list[str], keys: set[str]) -> dict[str, dict[str, Any]]:
    quote = connection.ops.quote_name
    listed = "".join(f", {quote(column)}" for column in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {quote(table.entity)}::text{listed} FROM kb.{quote(table.name)} "
            f"WHERE {quote(table.entity)}::text = ANY(%s)",
            [list(keys)],
        )
        return {row[0]: dict(zip(columns, row[1:], strict=True)) for row in cursor.fetchall()}


def _card(table: Table, shown: Mapping[str, Place], row: Mapping[str, Any], here: Mapping[str, str]) -> dict[str, Any]:
    from hybridchat.chat.presenting import written  # it shows cards with what this module reads

    def of(place: Place) -> list[tuple[str, Any]]:
        filled = [(column, row[column]) for column, at in shown.items() if at is place]
        return [(column, value) for column, value in filled if value not in (None, "", [])]

    return {
        "columns": (table.title, table.entity, *table.key, *shown),
        "picture": next((_address(str(value), here) for _, value in of(Place.PICTURE)), ""),
        "badges": [_badge(table, column, written(value)) for column, value in of(Place.BADGE)],
        "lines": [(label(column).capitalize(), written(value)) for column, value in of(Place.FACT)],
        "links": [(label(column).capitalize(), value) for column, value in of(Place.LINK) if is_web_link(str(value))],
    }


def _address(value: str, here: Mapping[str, str]) -> str:
    """Where this site serves a picture; "" while it is not here."""
    if value in here:
        return reverse("chat:kept_picture", args=[here[value]])
    return value if is_page_link(value) and not is_web_link(value) else ""


def _badge(table: Table, column: str, value: str) -> str:
    """A value that says nothing by itself is named: "Heated deck", "length 45 m"."""
    found = table.column(column)
    if found is None or found.kind in (Kind.ENUM, Kind.LOCATION, Kind.TEXT):
        return value
    return f"{label(column)} {value}{f' {found.unit}' if found.unit else ''}"
