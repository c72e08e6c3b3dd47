"""Proposals for what a curator might say of a corpus, drawn from its data: words, ends of scales, example questions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence

from django.db import connection

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.understanding.defaults import ends_by_name, with_ends
from corpora.catalogue.said import ColumnSaid, CorpusSaid, Place, TableSaid
from corpora.importing.hours import week_in_words
from corpora.models.columns import is_web_link

EXAMPLES = 6
FIRST_ROWS = 50_000  # of a table, from which all is drawn
SHOWN_VALUES = 30  # of a vocabulary, to be given words
LONG_VALUE = 40  # characters of a value that no question quotes


def label(name: str) -> str:
    """Return a column's name as words: "num_reviews" is "num reviews"."""
    return name.replace("_", " ").strip()


def draft(tables: Sequence[Table], catalogue: Catalogue) -> CorpusSaid:
    """Propose what is missing of the tables of a corpus; what is said already is not proposed again."""
    return CorpusSaid(
        examples=examples(tables, catalogue.schema),
        tables={
            table.name: TableSaid(
                description=None if table.description else f"Each row is one {table.noun[0]}.",
                columns={one.name: _column(table, one, catalogue.schema) for one in table.columns if not one.hidden},
            )
            for table in tables
        },
    )


def _column(table: Table, column: Column, schema: str) -> ColumnSaid:
    scaled = with_ends(column)
    told = ColumnSaid()
    words = label(column.name)
    if not column.synonyms and (others := _other_names(words)):
        told.synonyms = others
    if scaled != column:
        told.low, told.high = list(scaled.low_words), list(scaled.high_words)
    if column.kind is Kind.TEXT and not column.many and _holds_links(table, column, schema):
        told.card = Place.LINK
    return told


def _holds_links(table: Table, column: Column, schema: str) -> bool:
    values = _frequent(table, column, schema, 3)
    return bool(values) and all(map(is_web_link, values))


def _other_names(words: str) -> list[str]:
    """Other ways to write a name: "num reviews" is "number of reviews" and "reviews"."""
    whole = re.sub(r"^(?:num|nr|no|count of|number of) ", "", words)
    found = [f"number of {whole}", whole] if whole != words else []
    return found + ([short] if (short := _without_unit(words)) != words else [])


def _without_unit(words: str) -> str:
    return re.sub(r" (?:eur|usd|gbp|km|m|kg|minutes|hours|percent|pct)$", "", words)


def vocabulary(table: Table, column: Column, schema: str = "kb") -> list[str]:
    """Return the values of a short vocabulary, most frequent first; none of a long one."""
    if column.kind is not Kind.ENUM:
        return []
    found = _frequent(table, column, schema, SHOWN_VALUES + 1)
    return found if len(found) <= SHOWN_VALUES else []


def samples(table: Table, column: Column, schema: str = "kb") -> list[str]:
    """Return some values of a column, to see what it holds."""
    found = _frequent(table, column, schema, 3)
    if column.kind is Kind.OPENING_HOURS:
        found = [week_in_words(json.loads(one)) for one in found]
    return [one[:LONG_VALUE] for one in found]


def _frequent(table: Table, column: Column, schema: str, most: int) -> list[str]:
    quote = connection.ops.quote_name
    value = f"unnest({quote(column.name)})" if column.many else quote(column.name)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT value FROM (SELECT {value}::text AS value FROM {quote(schema)}.{quote(table.name)} "
            f"LIMIT {FIRST_ROWS}) AS held "
            f"WHERE value <> '' GROUP BY value ORDER BY count(*) DESC, value LIMIT {most}"
        )
        return [value for (value,) in cursor.fetchall()]


def examples(tables: Sequence[Table], schema: str = "kb") -> list[str]:
    """Propose questions that the data of these tables answers."""
    found = [question for table in tables for question in _questions(table, schema)]
    return list(dict.fromkeys(found))[:EXAMPLES]


def _questions(table: Table, schema: str) -> Iterator[str]:
    one, many = table.noun
    shown = [column for column in table.columns if not column.hidden]
    for column in _of(shown, Kind.LOCATION)[:1]:
        for value in _short(table, column, schema):
            yield f"Which {many} are in {value}?"
    for column in [column for column in _of(shown, Kind.ENUM) if not column.many][:2]:
        for value in _short(table, column, schema):
            yield f"Show me {many} whose {label(column.name)} is {value}"
    for column in [column for column in shown if ends_by_name(column)[1]][:1]:
        end = "highest" if column.kind is Kind.NUMBER else "latest"
        yield f"Which {one} has the {end} {_without_unit(label(column.name))}?"
    title = table.column(table.title) if table.title else None
    if title and _of(shown, Kind.FREE_TEXT):
        for value in _short(table, title, schema):
            yield f"What do people say about {value}?"
    yield f"How many {many} are there?"


def _of(columns: Sequence[Column], kind: Kind) -> list[Column]:
    return [column for column in columns if column.kind is kind]


def _short(table: Table, column: Column, schema: str) -> list[str]:
    return [value for value in _frequent(table, column, schema, 5) if len(value) <= LONG_VALUE][:1]
