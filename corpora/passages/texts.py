"""Every text of the knowledge schema, as queries see it, with who wrote it and when where that is known."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import count, groupby
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from agent.catalogue.tables import Column, Kind, Table
from corpora.models import Rating, Review, Season
from corpora.passages.gathered import Source, sources_of

ROWS = 200  # read at once, with all their texts

# The last month of each quarter, when its students write their comments.
SEASON_ENDS = {Season.AUTUMN: (12, 12), Season.WINTER: (3, 20), Season.SPRING: (6, 10), Season.SUMMER: (8, 15)}


@dataclass(frozen=True, slots=True)
class Text:
    """One text of a FREE_TEXT column. `index` is its place in a list of texts, 0 for a single one.

    `heading` is the title of the row, for a column with one text: what is understood when reading it. A review or a
    dish speaks for itself, and the name of the place would only make all of them alike.
    """

    table: str
    key: str
    column: str
    index: int
    text: str
    dated: date | None = None
    label: str = ""
    heading: str = ""


def texts(table: Table, schema: str, keys: Collection[str] | None = None) -> Iterator[tuple[list[str], list[Text]]]:
    """Yield the keys of a few rows at a time, of all or of those named, and the texts of these rows."""
    columns = [column for column in table.columns if column.kind is Kind.FREE_TEXT]
    if not columns:
        return
    quote = connection.ops.quote_name
    (key,) = (f"here.{quote(name)}" for name in table.key)
    heading = quote(table.title) if table.title else "''"
    wanted = ", ".join(quote(column.name) for column in columns)
    query = f"SELECT {key}, {key}::text, {heading}, {wanted} FROM {quote(schema)}.{quote(table.name)} here"
    named = "" if keys is None else f" AND {key}::text = ANY(%s)"
    last: list[Any] = []
    while True:
        after = f"{key} > %s" if last else f"{key} IS NOT NULL"
        with connection.cursor() as cursor:
            cursor.execute(
                f"{query} WHERE {after}{named} ORDER BY {key} LIMIT {ROWS}",
                [*last, *([] if keys is None else [list(keys)])],
            )
            rows = cursor.fetchall()
        if not rows:
            return
        last = [rows[-1][0]]
        placed = zip(columns, count(3), strict=False)
        yield [row[1] for row in rows], [text for one, place in placed for text in _of_column(table, one, place, rows)]


def _of_column(table: Table, column: Column, place: int, rows: Sequence[Sequence[Any]]) -> Iterator[Text]:
    sources = _sources(table.name, column.name, [row[1] for row in rows])
    for row in rows:
        value, title = row[place], "" if column.many else row[2] or ""
        for index, text in enumerate(value or [] if column.many else [value]):
            if text and text.strip():
                label, dated = sources.get((row[1], index), ("", None))
                yield Text(table.name, row[1], column.name, index, text, dated, label, title)


def _sources(table: str, column: str, keys: Collection[str]) -> dict[tuple[str, int], Source]:
    """Who wrote each text and when, by (key, index), for the rows named."""
    if (table, column) == ("restaurants", "reviews"):
        reviews = Review.objects.order_by("restaurant_id", "position").only("restaurant_id", "author", "date")
        return _review_sources(reviews.filter(restaurant_id__in=keys))
    if (table, column) == ("ratings", "reviews"):
        return _rating_sources(Rating.objects.filter(pk__in=keys))
    return sources_of(table, column, keys)


def _review_sources(reviews: QuerySet[Review]) -> dict[tuple[str, int], Source]:
    found: dict[tuple[str, int], Source] = {}
    for restaurant, written in groupby(reviews, key=lambda review: review.restaurant_id):
        for index, review in enumerate(written):
            found[str(restaurant), index] = (review.author, review.date)
    return found


def _rating_sources(ratings: QuerySet[Rating]) -> dict[tuple[str, int], Source]:
    found: dict[tuple[str, int], Source] = {}
    for rating in ratings:
        source = (f"Student, {rating.season} {rating.year}", date(rating.year, *SEASON_ENDS[Season(rating.season)]))
        for index in range(len(rating.reviews)):
            found[str(rating.pk), index] = source
    return found
