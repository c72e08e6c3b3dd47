"""Every text of the knowledge schema, as queries see it, with who wrote it and when where that is known."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import accumulate, count, groupby
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from agent.catalogue.tables import Column, Kind, Table
from corpora.models import Rating, Review, Season
from corpora.passages.gathered import Source, sources_of

ROWS = 1_000  # at most that are read at once
TEXTS = 1_000  # at most that they have; of a row that has more by itself, so many at a time

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
    """A few rows of a table: those after the row of one key, or from the first, up to that of another. Keys as text.

    With a `column`, it is one row and of it the texts `start:stop` of that column, or all from `start`. `only` names
    the rows that are meant, where not all between the two are.
    """

    table: Table = field(repr=False)
    after: str | None
    last: str
    texts: int  # that it has
    column: str = ""
    start: int = 0
    stop: int | None = None
    only: tuple[str, ...] | None = None

    def __str__(self) -> str:
        rows = f"{self.table.name} after {self.after}"
        return f"{rows}, {self.column} from {self.start}" if self.column else rows


def parts(table: Table, schema: str, after: str | None = None, only: Collection[str] | None = None) -> Iterator[Part]:
    """Yield a table with texts part by part, from the first row or from that after a key; or `only` the rows named."""
    columns, named = prose(table), None if only is None else tuple(only)
    if not columns:
        return
    key, source = _key(table), _source(table, schema)
    while True:
        where, parameters = _between(table, after, None, named)
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {key}::text, {', '.join(map(_count, columns))} FROM {source} WHERE {where} "
                f"ORDER BY {key} LIMIT {ROWS}",
                parameters,
            )
            rows = cursor.fetchall()
        if not rows:
            return
        sums = list(accumulate(sum(counts) for _, *counts in rows))
        if sums[0] > TEXTS:
            for column, texts in zip(columns, rows[0][1:], strict=True):
                yield from _slices(Part(table, after, rows[0][0], texts, column.name, only=named))
        taken = max(bisect_right(sums, TEXTS), 1)
        last = rows[taken - 1][0]
        if sums[0] <= TEXTS:
            yield Part(table, after, last, sums[taken - 1], only=named)
        if taken == len(rows) < ROWS:
            return
        after = last


def _slices(column: Part) -> Iterator[Part]:
    """The texts of one column of one row, a few at a time. The last has no end: what stood there before is to go."""
    starts = range(0, max(column.texts, 1), TEXTS)
    for start in starts:
        stop = None if start == starts[-1] else start + TEXTS
        yield replace(column, texts=(column.texts if stop is None else stop) - start, start=start, stop=stop)


def texts_in(table: Table) -> str:
    """Return how many texts a row of a table with texts has, as SQL."""
    return " + ".join(map(_count, prose(table)))


def _count(column: Column) -> str:
    name = connection.ops.quote_name(column.name)
    return f"coalesce(cardinality({name}), 0)" if column.many else f"({name} IS NOT NULL)::int"


def texts_of_part(part: Part, schema: str) -> tuple[list[str], list[Text]]:
    """Return the keys of the rows of a part, and its texts."""
    quote, columns = connection.ops.quote_name, prose(part.table)
    if part.column:
        columns = [column for column in columns if column.name == part.column]
    heading = quote(part.table.title) if part.table.title else "''"
    wanted = "".join(f", {quote(column.name)}{_sliced(part) if column.many else ''}" for column in columns)
    key, source = _key(part.table), _source(part.table, schema)
    where, parameters = _between(part.table, part.after, part.last, part.only)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {key}::text, {heading}{wanted} FROM {source} WHERE {where} ORDER BY {key}", parameters)
        rows = cursor.fetchall()
    placed = zip(columns, count(2), strict=False)
    return [row[0] for row in rows], [text for one, place in placed for text in _of_column(part, one, place, rows)]


def _sliced(part: Part) -> str:
    """What of a list belongs to a part, as SQL, which counts from 1."""
    return f"[{part.start + 1}:{'' if part.stop is None else part.stop}]" if part.column else ""


def prose(table: Table) -> list[Column]:
    """Return the columns of a table that hold texts."""
    return [column for column in table.columns if column.kind is Kind.FREE_TEXT]


def _key(table: Table) -> str:
    (key,) = table.key
    return f"here.{connection.ops.quote_name(key)}"


def _source(table: Table, schema: str) -> str:
    quote = connection.ops.quote_name
    return f"{quote(schema)}.{quote(table.name)} here"


def _between(table: Table, after: str | None, last: str | None, only: Sequence[str] | None) -> tuple[str, list[Any]]:
    """The condition that tells rows by their keys, as SQL, and its parameters."""
    key = _key(table)
    known = {f"{key} > %s": after, f"{key} <= %s": last, f"{key}::text = ANY(%s)": None if only is None else list(only)}
    given = {condition: value for condition, value in known.items() if value is not None}
    return " AND ".join([f"{key} IS NOT NULL", *given]), list(given.values())


def _of_column(part: Part, column: Column, place: int, rows: Sequence[Sequence[Any]]) -> Iterator[Text]:
    table = part.table.name
    sources = _sources(table, column.name, [row[0] for row in rows], part.start, part.stop)
    for row in rows:
        value, title = row[place], "" if column.many else row[1] or ""
        for index, text in enumerate(value or [] if column.many else [value], part.start):
            if text and text.strip():
                label, dated = sources.get((row[0], index), ("", None))
                yield Text(table, row[0], column.name, index, text, dated, label, title)


def _sources(
    table: str, column: str, keys: Collection[str], start: int, stop: int | None
) -> dict[tuple[str, int], Source]:
    """Who wrote each text `start:stop` and when, by (key, index), for the rows named."""
    if (table, column) == ("restaurants", "reviews"):
        reviews = Review.objects.order_by("restaurant_id", "position").only("restaurant_id", "author", "date")
        return _review_sources(reviews.filter(restaurant_id__in=keys))
    if (table, column) == ("ratings", "reviews"):
        return _rating_sources(Rating.objects.filter(pk__in=keys))
    return sources_of(table, column, keys, start, stop)


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
