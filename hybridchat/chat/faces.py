"""The fields of a card, from a row and what is linked to it: what stands at each place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from corpora.catalogue.cards import Part, Place
from corpora.catalogue.drafted import label
from corpora.models.columns import is_page_link, is_web_link
from hybridchat.chat.links import link_to
from hybridchat.chat.rendering import RatingView, StampView
from hybridchat.chat.values import in_a_row, in_words, saying_itself, written

Row = Mapping[str, Any]
OPENING_LENGTH = 220
STAMPS = 6  # colours of stamps in the stylesheet

#: `columns` are those of the schema `kb` that the card thereby shows, `every` all that a row selected whole has.
BLANK: dict[str, Any] = {
    "columns": (), "every": frozenset(), "title": "", "picture": "", "stamp": None, "above": "",
    "rating": None, "under": (), "listed": (), "badges": (), "opening": "", "lines": (), "links": (), "week": None,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shown:
    """A table whose cards are wanted, with the parts of a card."""

    table: Table
    parts: tuple[Part, ...]
    catalogue: Catalogue

    def columns(self, part: Part) -> list[Column]:
        """Return the columns of a part that there are."""
        table = self.catalogue.table(part.of) if part.of else self.table
        found = [table.column(name) for name in part.columns] if table else []
        return [column for column in found if column is not None]

    def told(self) -> tuple[str, ...]:
        """Return the columns that need not be told beside the card: it shows them, or quotes from them."""
        texts = [one.name for one in self.table.columns if one.kind is Kind.FREE_TEXT and one.many]
        hidden = [one.name for one in self.table.columns if one.hidden]
        placed = [name for part in self.parts for name in part.columns]
        own = (self.table.title, self.table.entity, *self.table.key)
        where = self.table.geo.areas if self.table.geo else ()
        return tuple(dict.fromkeys((*own, *where, *hidden, *texts, *placed)))


@dataclass(frozen=True, slots=True)
class Face:
    """A row as its card shows it. `linked` are the rows of linked tables, `here` the pictures kept on this site."""

    shown: Shown
    row: Row
    linked: Mapping[str, Sequence[Row]]
    here: Mapping[str, str]
    now: datetime

    def fields(self) -> dict[str, Any]:
        """Return what stands at each place."""
        table = self.shown.table
        pictures = (_address(str(value), self.here) for _, _, value in self._at(Place.PICTURE))
        texts = (written(str(value).split("\n\n")[0]) for _, _, value in self._at(Place.OPENING))
        links = (link_to(table, part, column, self.row, self.now) for part, column, _ in self._at(Place.LINK))
        lines = [(part.label or label(c.name).capitalize(), in_words(c, v)) for part, c, v in self._at(Place.FACT)]
        return BLANK | {
            "columns": self.shown.told(),
            "title": str(self.row[table.title or table.entity] or ""),
            "picture": next(pictures, ""),
            "stamp": next((StampView.of(str(value), STAMPS) for _, _, value in self._at(Place.STAMP)), None),
            "above": ", ".join(in_words(column, value) for _, column, value in self._at(Place.ABOVE)),
            "rating": self._rating(),
            "under": self._under(),
            "listed": self._listed(),
            "badges": [saying_itself(column, value) for _, column, value in self._at(Place.BADGE)],
            "opening": next(texts, "")[:OPENING_LENGTH],
            "lines": lines,
            "links": [link for link in links if link],
            "week": self._week(),
        }

    def _at(self, place: Place) -> Iterator[tuple[Part, Column, Any]]:
        """The parts at a place that are filled, each with its first column and the value of that."""
        for part in self.shown.parts:
            columns = self.shown.columns(part)
            if part.place is place and not part.of and columns and self.row[columns[0].name] not in (None, "", []):
                yield part, columns[0], self.row[columns[0].name]

    def _under(self) -> list[str]:
        found = []
        for part, column, value in self._at(Place.UNDER):
            columns = self.shown.columns(part)
            together = in_a_row(columns, [self.row[one.name] for one in columns])
            found.append(together if len(columns) > 1 else saying_itself(column, value))
        return [_begun(found[0]), *found[1:]] if found else []

    def _listed(self) -> list[str]:
        """Linked rows, a line each."""
        lines: list[str] = []
        for part in self.shown.parts:
            if part.of and part.place is Place.UNDER:
                columns = self.shown.columns(part)
                rows = self.linked.get(part.of, ())
                lines += [in_a_row(columns, [row[column.name] for column in columns]) for row in rows]
        return [_begun(line) for line in dict.fromkeys(lines) if line]

    def _rating(self) -> RatingView | None:
        """The rating, and how many gave it; of linked rows the average, each as often as people are behind it."""
        rated = next((part for part in self.shown.parts if part.place is Place.RATING), None)
        if rated is None:
            return None
        rows = self.linked.get(rated.of, ()) if rated.of else (self.row,)
        values = [(row, float(row[rated.columns[0]])) for row in rows if row[rated.columns[0]] is not None]
        count = next((part for part in self.shown.parts if part.place is Place.COUNT and part.of == rated.of), None)
        if count is None or not rated.of:
            number = self.row[count.columns[0]] if count and values else None
            unit = self.shown.columns(count)[0].unit if count else ""
            return RatingView(sum(value for _, value in values) / len(values), number, unit) if values else None
        total = sum(row[count.columns[0]] or 0 for row, _ in values)
        weighed = sum(value * (row[count.columns[0]] or 0) for row, value in values)
        return RatingView(weighed / total, total, self.shown.columns(count)[0].unit) if total else None

    def _week(self) -> Any:
        hours = (column.name for column in self.shown.table.columns if column.kind is Kind.OPENING_HOURS)
        return next((self.row[name] for name in hours if name in self.row), None)


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _address(value: str, here: Mapping[str, str]) -> str:
    """Where this site serves a picture; "" while it is not here."""
    if value in here:
        return reverse("chat:kept_picture", args=[here[value]])
    return value if is_page_link(value) and not is_web_link(value) else ""
