"""How a card shows a row: its parts, each a place on the card and the columns shown there.

A table brings its parts along, or they follow from the kinds of its columns; what curators say of a column comes before
both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from agent.catalogue.tables import Catalogue, Kind, Table

BADGES = 3


class Place(StrEnum):
    """Where a card shows a column."""

    PICTURE = "picture"
    STAMP = "stamp"
    ABOVE = "above"
    RATING = "rating"
    COUNT = "count"
    UNDER = "under"
    BADGE = "badge"
    OPENING = "opening"
    FACT = "fact"
    LINK = "link"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Part:
    """Columns shown at one place. Two numbers, dates or times in a row are the ends of a range.

    `label` is what a link or a line is called, where the column's name would not do. `of` names a table linked to this
    one: its rows are listed, or its ratings averaged.
    """

    place: Place
    columns: tuple[str, ...]
    label: str = ""
    of: str = ""


def parts_of(table: Table, brought: Sequence[Part] = (), told: Mapping[str, Place] | None = None) -> tuple[Part, ...]:
    """Return the parts of a table's cards. `brought` come with the table; `told` is what curators say of columns."""
    told = {name: place for name, place in (told or {}).items() if table.column(name)}
    kept = [part for part in brought or _by_kind(table) if part.of or part.columns[0] not in told]
    order = [column.name for column in table.columns]
    said = [Part(told[name], (name,)) for name in sorted(told, key=order.index) if told[name] is not Place.NOWHERE]
    return (*kept, *said)


def places(table: Table, brought: Sequence[Part] = ()) -> dict[str, Place]:
    """Return where a card shows each column of a table of its own accord."""
    found: dict[str, Place] = {}
    for part in parts_of(table, brought):
        if not part.of:
            found.setdefault(part.columns[0], part.place)
    return found


def owner_of(table: Table, catalogue: Catalogue) -> Table:
    """Return the table whose card stands for a row: of an offering it is its course's, by which people know it."""
    if table.entity not in table.key:
        for key in catalogue.foreign_keys:
            target = catalogue.table(key.target)
            if key.table == table.name and target is not None and target.entity == table.entity:
                return target
    return table


def _by_kind(table: Table) -> list[Part]:
    """Pictures, and the first few short facts."""
    parts: list[Part] = []
    for column in table.columns:
        if column.hidden or column.name in (table.title, *table.key):
            continue
        taken = [part.place for part in parts]
        if column.kind is Kind.IMAGE and Place.PICTURE not in taken:
            parts.append(Part(Place.PICTURE, (column.name,)))
        elif column.kind in (Kind.ENUM, Kind.LOCATION) and taken.count(Place.BADGE) < BADGES:
            parts.append(Part(Place.BADGE, (column.name,)))
    return parts
