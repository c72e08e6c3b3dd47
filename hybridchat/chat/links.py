"""The last line of a card: what can be followed, called or seen on a map, and when a place is open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlencode

from agent.catalogue.tables import Column, Kind, Table
from corpora.catalogue.cards import Part
from corpora.catalogue.drafted import label
from corpora.models.columns import is_page_link, is_web_link
from hybridchat.chat.hours import hours_today
from hybridchat.chat.rendering import LinkView
from hybridchat.chat.values import written

_PHONE = re.compile(r"\+?[\d(][\d ()./-]{5,}\d")
MAP = "https://www.openstreetmap.org/?"


def link_to(table: Table, part: Part, column: Column, row: Mapping[str, Any], now: datetime) -> LinkView | None:
    """Return what a column of a row gives the last line of a card; None where that is nothing."""
    value = row[column.name]
    if column.kind is Kind.OPENING_HOURS:
        today = hours_today(value, now)
        return LinkView(today.words, tone="open" if today.open_now else "shut") if today.words else None
    called = part.label or label(column.name).capitalize()
    if column.kind is Kind.LOCATION:
        return _on_a_map(table, called, [row[name] for name in part.columns], row)
    text = str(value)
    if column.kind is Kind.DATE:
        return LinkView(f"{called} {written(value)}")
    if is_web_link(text):
        return LinkView(called, text, "out")
    if is_page_link(text):
        return LinkView(called, text)
    if _PHONE.fullmatch(text):
        return LinkView(called, "tel:" + re.sub(r"[^\d+]", "", text), "phone", text)
    return LinkView(written(value))


def _on_a_map(table: Table, called: str, where: list[Any], row: Mapping[str, Any]) -> LinkView | None:
    if table.geo is None or row[table.geo.latitude] is None or row[table.geo.longitude] is None:
        return None
    latitude, longitude = (f"{float(row[name]):.5f}" for name in (table.geo.latitude, table.geo.longitude))
    address = MAP + urlencode({"mlat": latitude, "mlon": longitude, "zoom": 17})
    street = next((str(one) for one in reversed(where) if one), "")
    return LinkView(called, address, "pin", f"{street} (opens OpenStreetMap)".strip())
