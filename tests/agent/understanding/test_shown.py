"""What a whole question shows."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.roles import ROWS, Literal, Roles
from agent.understanding.schema import read_schema
from agent.understanding.shown import as_asked, uncomputed

NAME, LENGTH, PORT, ISLAND = 1, 2, 4, 11
FERRIES, CALLS = 0, 1


@pytest.mark.parametrize(
    ("message", "totals"),
    [
        ("the maximum, minimum and average length of ferries", ["max", "min", "avg"]),
        ("what are the total and the average length", ["sum", "avg"]),
        ("the average length of a ferry", ["avg"]),
    ],
)
def test_each_total_of_a_list_is_shown_in_its_order(schema, message, totals):
    found = as_asked(Roles(select=[(LENGTH, "avg")]), schema, message)
    assert found.select == [(LENGTH, aggregate) for aggregate in totals]


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("what is the home port of Lady Moyna", [PORT]),
        ("show the home port for the ferry with name Lady Moyna", [PORT]),
        ("show the name and the home port of Lady Moyna", [NAME, PORT]),
        ("for Lady Moyna, give its name and home port", [NAME, PORT]),
    ],
)
def test_a_value_that_the_question_tells_is_not_shown_unless_it_asks_for_it(schema, message, shown):
    at = message.index("Lady Moyna")
    name = Literal("Lady Moyna", NAME, "=", False, at, at + 10)
    found = as_asked(Roles(select=[(NAME, ""), (PORT, "")], literals=[name]), schema, message)
    assert found.select == [(column, "") for column in shown]


@pytest.mark.parametrize("roles", [{"kind": "except"}, {"either": True}, {"move": "refine"}])
def test_values_of_other_rows_are_shown(schema, roles):
    name = Literal("Lady Moyna", NAME, "=", False, 28, 38)
    given = Roles(select=[(NAME, ""), (PORT, "")], literals=[name], **roles)
    assert as_asked(given, schema, "the name and home port of Lady Moyna").select == given.select


@pytest.mark.parametrize(
    ("message", "tables"),
    [
        ("names of all ferries", {FERRIES}),
        ("names of ferries that make calls", {FERRIES, CALLS}),
    ],
)
def test_a_table_of_which_nothing_is_said_is_left_out(schema, message, tables):
    found = as_asked(Roles(select=[(NAME, "")], tables=({FERRIES, CALLS}, set())), schema, message)
    assert found.tables[0] == tables


def test_rows_that_are_counted_need_their_table(schema):
    roles = Roles(select=[(NAME, ""), (ROWS, "")], tables=({FERRIES, CALLS}, set()), group=[NAME])
    assert as_asked(roles, schema, "names of all ferries") is roles


def test_everything_is_all_columns(schema):
    roles = Roles(select=[(NAME, "")], tables=({FERRIES}, set()))
    assert as_asked(roles, schema, "all the information on ferries").everything
    assert not as_asked(roles, schema, "all ferries").everything


@pytest.mark.parametrize(
    ("message", "figure"),
    [
        ("the median length of ferries", "a median"),
        ("how many more ferries sail from Sandwick than from Port Ellery", "a difference"),
        ("what percentage of ferries is heated", "a percentage"),
        ("how far is Sandwick from Inishmoor", "a distance"),
        ("the average length of ferries", ""),
        ("how many ferries take more than 20 cars", ""),
    ],
)
def test_a_figure_that_no_query_computes_is_not_put_in_another_s_place(schema, message, figure):
    told = uncomputed(schema, message)
    assert (f"work out {figure} here" in told) if figure else not told


def test_a_distance_is_told_only_where_rows_have_places():
    columns = (Column("name", Kind.TEXT), Column("seat", Kind.LOCATION))
    for kept, told in ((columns, False), (columns[:1], True)):
        cafes = read_schema(Catalogue((Table("cafes", kept, title="name"),)), ValueMemory({}))
        assert bool(uncomputed(cafes, "cafes within 2 miles of here")) is told


def test_a_column_may_have_such_a_figure():
    columns = (Column("name", Kind.TEXT), Column("percentage", Kind.NUMBER))
    votes = read_schema(Catalogue((Table("votes", columns, title="name"),)), ValueMemory({}))
    assert uncomputed(votes, "the percentage of the Greens") == ""
