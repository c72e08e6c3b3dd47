"""The catalogue says of the views what is true of them."""

from __future__ import annotations

import pytest
from django.db import connection

from agent.catalogue.tables import Column, Kind, Table
from corpora.catalogue import catalogue
from corpora.checks import check_corpora
from corpora.models import Course, Offering, Price, Season
from corpora.models.courses import Day, Level

TYPES = {
    Kind.TEXT: {"text", "int4multirange"},
    Kind.ENUM: {"text"},
    Kind.FREE_TEXT: {"text"},
    Kind.LOCATION: {"text"},
    Kind.IMAGE: {"text"},
    Kind.NUMBER: {"int4", "float8"},
    Kind.BOOLEAN: {"bool"},
    Kind.DATE: {"date"},
    Kind.TIME: {"time"},
    Kind.OPENING_HOURS: {"jsonb"},
}

TABLES = list(catalogue())
COLUMNS = [(table, column) for table in TABLES for column in table.columns]


def stored_columns(table: str) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT column_name::text, udt_name::text FROM information_schema.columns"
            " WHERE table_schema = 'kb' AND table_name = %s",
            [table],
        )
        return dict(cursor.fetchall())


@pytest.mark.django_db
@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_lists_exactly_the_columns_of_the_view(table: Table) -> None:
    assert {column.name for column in table.columns} == stored_columns(table.name).keys()


@pytest.mark.django_db
@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=lambda part: part.name)
def test_a_column_has_the_type_its_kind_needs(table: Table, column: Column) -> None:
    stored = stored_columns(table.name)[column.name]
    assert stored.startswith("_") == column.many
    assert stored.removeprefix("_") in TYPES[column.kind]
    assert column.integer == (stored == "int4")


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_names_only_its_own_columns(table: Table) -> None:
    named = {
        *table.key,
        table.entity,
        table.title,
        table.hours,
        *(part.split()[0] for part in table.order.split(", ") if part),
    }
    if table.geo:
        named |= {table.geo.latitude, table.geo.longitude, *table.geo.areas}
    assert all(table.column(name) for name in named - {""})


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=lambda part: part.name)
def test_every_column_is_described_and_visible_ones_have_other_words(table: Table, column: Column) -> None:
    assert column.description
    assert len(set(column.synonyms)) == len(column.synonyms)
    keys = {"course_id"}
    assert column.hidden or column.synonyms or column.name in keys


@pytest.mark.parametrize(("table", "column"), COLUMNS, ids=lambda part: part.name)
def test_other_words_are_for_values_that_the_vocabulary_has(table: Table, column: Column) -> None:
    if column.values:
        assert {value for value, _ in column.value_words} <= set(column.values)


def test_foreign_keys_join_columns_that_exist() -> None:
    for key in catalogue().foreign_keys:
        assert catalogue().table(key.table).column(key.column)
        assert catalogue().table(key.target).column(key.target_column)


def test_closed_vocabularies_are_those_of_the_tables() -> None:
    def values(table: str, column: str) -> tuple[str, ...]:
        return catalogue().table(table).column(column).values

    assert values("restaurants", "price") == tuple(Price.values)
    assert values("offerings", "season") == values("ratings", "season") == tuple(Season.values)
    assert values("offerings", "days") == tuple(Day.values)
    assert values("programs", "level") == tuple(Level.values)


@pytest.mark.django_db
def test_the_check_names_a_column_that_a_view_has_lost() -> None:
    with connection.cursor() as cursor:
        cursor.execute("ALTER VIEW kb.articles RENAME COLUMN contact TO whom")
    assert [message.msg for message in check_corpora(databases=["default"])] == [
        "The catalogue lists kb.articles.contact, which does not exist."
    ]


@pytest.mark.django_db
def test_empty_text_is_null_in_a_view_and_the_main_code_is_the_first() -> None:
    course = Course.objects.create(course_id=1, title="A", course_codes=["CS 9", "EE 9"], min_units=1, max_units=1)
    Offering.objects.create(course=course, season="winter")
    with connection.cursor() as cursor:
        cursor.execute("SELECT code, description, grading FROM kb.courses")
        assert cursor.fetchone() == ("CS 9", None, None)
        cursor.execute("SELECT code, room FROM kb.offerings")
        assert cursor.fetchone() == ("CS 9", None)
