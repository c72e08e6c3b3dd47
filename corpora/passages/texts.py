"""Every text of the knowledge schema, as queries see it, with who wrote it and when where that is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import accumulate, count, groupby
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from agent.catalogue.tables import Column, Kind, Table
from corpora.models import Rating, Review, Season
from corpora.passages.gathered import Source, sources_of

ROWS = 200  # at most that are read at once, with all their texts
TEXTS = 2_000  # of more, fewer rows: what thousands wrote of one thing is much to have in memory for two hundred

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


@dataclass(frozen=True, slots=True)
class Part:
    """A few rows of a table: those after the row of one key, or from the first, up to that of another. Keys as text."""

    table: Table = field(repr=False)
    after: str | None
    last: str
    texts: int  # that they have

    def __str__(self) -> str:
        return f"{self.table.name} after {self.after}"


def parts(table: Table, schema: str, after: str | None = None) -> Iterator[Part]:
    """Yield a table with texts part by part, from the first row or from that after a key."""
    if not prose(table):
        return
    key, source = _key(table), _source(table, schema)
    while True:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {key}::text, {texts_in(table)} FROM {source} WHERE {_after(table, after)} "
                f"ORDER BY {key} LIMIT {ROWS}",
                [] if after is None else [after],
            )
            rows = cursor.fetchall()
        if not rows:
            return
        sums = list(accumulate(texts for _, texts in rows))
        taken = max(bisect_right(sums, TEXTS), 1)
        yield Part(table, after, rows[taken - 1][0], sums[taken - 1])
        after = rows[taken - 1][0]


def texts_in(table: Table) -> str:
    """Return how many texts a row of a table with texts has, as SQL."""
    quote = connection.ops.quote_name
    counts = [
        f"coalesce(cardinality({quote(column.name)}), 0)" if column.many else f"({quote(column.name)} IS NOT NULL)::int"
        for column in prose(table)
    ]
    return " + ".join(counts)


def texts_of_part(part: Part, schema: str) -> tuple[list[str], list[Text]]:
    """Return the keys of the rows of a part, and their texts."""
    where = f"{_after(part.table, part.after)} AND {_key(part.table)} <= %s"
    return _read(part.table, schema, where, [part.last] if part.after is None else [part.after, part.last])


def texts_of_rows(table: Table, schema: str, keys: Collection[str]) -> list[Text]:
    """Return the texts of the rows named."""
    return _read(table, schema, f"{_key(table)}::text = ANY(%s)", [list(keys)])[1] if prose(table) else []


def prose(table: Table) -> list[Column]:
    """Return the columns of a table that hold texts."""
    return [column for column in table.columns if column.kind is Kind.FREE_TEXT]


def _read(table: Table, schema: str, where: str, parameters: Sequence[Any]) -> tuple[list[str], list[Text]]:
    quote, columns = connection.ops.quote_name, prose(table)
    heading = quote(table.title) if table.title else "''"
    wanted = ", ".join(quote(column.name) for column in columns)
    key, source = _key(table), _source(table, schema)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {key}::text, {heading}, {wanted} FROM {source} WHERE {where} ORDER BY {key}", parameters
        )
        rows = cursor.fetchall()
    placed = zip(columns, count(2), strict=False)
    return [row[0] for row in rows], [text for one, place in placed for text in _of_column(table, one, place, rows)]


def _key(table: Table) -> str:
    (key,) = table.key
    return f"here.{connection.ops.quote_name(key)}"


def _source(table: Table, schema: str) -> str:
    quote = connection.ops.quote_name
    return f"{quote(schema)}.{quote(table.name)} here"


def _after(table: Table, after: str | None) -> str:
    return f"{_key(table)} IS NOT NULL" if after is None else f"{_key(table)} > %s"


def _of_column(table: Table, column: Column, place: int, rows: Sequence[Sequence[Any]]) -> Iterator[Text]:
    sources = _sources(table.name, column.name, [row[0] for row in rows])
    for row in rows:
        value, title = row[place], "" if column.many else row[1] or ""
        for index, text in enumerate(value or [] if column.many else [value]):
            if text and text.strip():
                label, dated = sources.get((row[0], index), ("", None))
                yield Text(table.name, row[0], column.name, index, text, dated, label, title)


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
