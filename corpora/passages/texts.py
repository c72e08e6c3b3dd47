"""Every text of the knowledge schema, as queries see it, with who wrote it and when where that is known."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.db import connection
from django.db.models import QuerySet

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from corpora.models import Rating, Review, Season
from corpora.passages.gathered import Source, sources_of

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


def texts(catalogue: Catalogue, keys: dict[str, Collection[str]] | None = None) -> Iterator[Text]:
    """Yield all texts, or those of the rows named: {table: keys}."""
    for table in catalogue:
        if keys is not None and table.name not in keys:
            continue
        wanted = None if keys is None else keys[table.name]
        for column in table.columns:
            if column.kind is Kind.FREE_TEXT:
                yield from _column_texts(catalogue.schema, table, column, wanted)


def _column_texts(schema: str, table: Table, column: Column, keys: Collection[str] | None) -> Iterator[Text]:
    quote = connection.ops.quote_name
    (key,) = table.key
    heading = quote(table.title) if table.title and not column.many else "''"
    query = f"SELECT {quote(key)}::text, {quote(column.name)}, {heading} FROM {quote(schema)}.{quote(table.name)}"
    with connection.cursor() as cursor:
        if keys is None:
            cursor.execute(f"{query} ORDER BY 1")
        else:
            cursor.execute(f"{query} WHERE {quote(key)}::text = ANY(%s) ORDER BY 1", [list(keys)])
        rows = cursor.fetchall()
    sources = _sources(table.name, column.name, keys)
    for row_key, value, title in rows:
        for index, text in enumerate(value or [] if column.many else [value]):
            if text and text.strip():
                label, dated = sources.get((row_key, index), ("", None))
                yield Text(table.name, row_key, column.name, index, text, dated, label, title or "")


def _sources(table: str, column: str, keys: Collection[str] | None) -> dict[tuple[str, int], Source]:
    """Who wrote each text and when, by (key, index), for the rows named or for all."""
    if (table, column) == ("restaurants", "reviews"):
        reviews = Review.objects.order_by("restaurant_id", "position").only("restaurant_id", "author", "date")
        return _review_sources(reviews if keys is None else reviews.filter(restaurant_id__in=keys))
    if (table, column) == ("ratings", "reviews"):
        return _rating_sources(Rating.objects.all() if keys is None else Rating.objects.filter(pk__in=keys))
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
