"""Amounts that bound the one column with their unit."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.amounts import with_amounts
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import read_schema

LENGTH = 2
CARS = Catalogue((Table("cars", (Column("name", Kind.TEXT), Column("seats", Kind.NUMBER, unit="riders"))),))


@pytest.mark.parametrize(
    ("message", "bounds"),
    [
        ("ferries under 40 metres", [("40", "<")]),
        ("at least 20 m long", [("20", ">=")]),
        ("from 20 to 40 metres", [("20", ">="), ("40", "<=")]),
        ("less than a metre", [("a", "<")]),
        ("a 40 m ferry", []),
        ("under 40 islands", []),
        ("under 40 euros", []),
    ],
)
def test_an_amount_bounds_the_column_that_has_its_unit(schema, message, bounds):
    found = with_amounts(Roles(select=[(1, "")]), schema, message).literals
    assert [(one.text, one.operator) for one in found] == bounds
    assert {one.column for one in found} <= {LENGTH}


def test_what_a_column_counts_is_its_unit():
    [bound] = with_amounts(Roles(), read_schema(CARS, ValueMemory({})), "min 50 riders").literals
    assert (bound.text, bound.column, bound.operator) == ("50", 1, ">=")


@pytest.mark.parametrize(
    ("message", "operator"), [("no shorter than 40", ">="), ("ferries longer than 40", ">"), ("cheaper than 40", "")]
)
def test_a_comparative_bounds_the_column_whose_end_it_names(schema, message, operator):
    start = message.index("40")
    wrong = Roles(select=[(1, "")], literals=[Literal("40", 4, "<", False, start, start + 2)])
    found = with_amounts(wrong, schema, message).literals
    assert [(one.column, one.operator) for one in found] == ([(LENGTH, operator)] if operator else [(4, "<")])


@pytest.mark.parametrize(("message", "kept"), [("at most 5 kg", 0), ("at most 5", 1), ("5 in Sandwick", 1)])
def test_an_amount_with_a_unit_that_no_column_has_is_said_of_none(message, kept):
    schema, start = read_schema(CARS, ValueMemory({})), message.index("5")
    wrong = Roles(literals=[Literal("5", 1, "<=", False, start, start + 1)])
    assert len(with_amounts(wrong, schema, message).literals) == kept


@pytest.fixture(scope="module")
def rooms():
    columns = (
        Column("name", Kind.TEXT),
        Column("eur_h", Kind.NUMBER, unit="EUR", description="Price of an hour"),
        Column("deposit", Kind.NUMBER, unit="EUR"),
    )
    return read_schema(Catalogue((Table("rooms", columns, title="name"),)), ValueMemory({}))


@pytest.mark.parametrize("message", ["from 20 to 30 euros an hour", "20-30 euro per hour", "between 20 and 30 euros"])
def test_both_ends_of_a_range_are_of_one_column(rooms, message):
    place = message.index("30")
    wrong = Literal("30", 2, "<=", False, place, place + 2)
    found = with_amounts(Roles(select=[(0, "")], literals=[wrong]), rooms, message).literals
    assert [(one.text, one.column, one.operator) for one in found] == [("20", 1, ">="), ("30", 1, "<=")]


def test_an_amount_for_each_of_something_no_column_has_is_not_guessed(rooms):
    assert with_amounts(Roles(select=[(0, "")]), rooms, "under 20 euros a week").literals == []


def test_what_is_read_already_stays(schema):
    roles = Roles(select=[(1, "")], literals=[Literal("40", 3, "<", False, 14, 16)])
    assert with_amounts(roles, schema, "ferries under 40 metres") == roles


def test_a_day_is_compared_with_the_season_that_rows_have():
    columns = (Column("name", Kind.TEXT), Column("first_day", Kind.DATE), Column("last_day", Kind.DATE))
    schema = read_schema(Catalogue((Table("sites", columns, title="name"),)), ValueMemory({}))
    found = with_amounts(Roles(select=[(0, "")]), schema, "still open on the 1st of November").literals
    assert [(one.text, one.column) for one in found] == [("the 1st of November", 1)]


@pytest.mark.parametrize(
    ("message", "bounds"),
    [
        ("20-30 singers", [("20", ">="), ("30", "<=")]),
        ("one or two singers", [("one", ">="), ("two", "<=")]),
        ("a 20 singer choir", [("20", "=")]),
        ("20 singers or fewer", [("20", "<=")]),
        ("20 towns", []),
    ],
)
def test_an_amount_is_of_the_least_and_the_most_that_have_its_unit(choirs, message, bounds):
    wrong = Literal("20", 7, "=", False, message.find("20"), message.find("20") + 2)
    found = with_amounts(Roles(select=[(1, "")], literals=[wrong] if "20 s" in message else []), choirs, message)
    assert [(one.text, one.operator) for one in found.literals] == bounds
