"""Words for the ends of scales, as a curator tells them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.catalogue.tables import Catalogue
from agent.understanding.compose import compose
from agent.understanding.counting import counted_for_each, counting_values, limited
from agent.understanding.ends import ordered_by_ends
from agent.understanding.roles import LIMIT, ROWS, Literal, Mark, Roles
from agent.understanding.schema import Schema, read_schema
from tests.agent.understanding.conftest import FERRIES, MEMORY

LENGTH, BUILT = 2, 3


@pytest.fixture(scope="module")
def scaled() -> Schema:
    ends = {"length_m": (("short",), ("long", "roomy")), "built": (("old",), ("new", "modern"))}
    columns = tuple(
        replace(one, low_words=ends[one.name][0], high_words=ends[one.name][1]) if one.name in ends else one
        for one in FERRIES.columns
    )
    return read_schema(Catalogue((replace(FERRIES, columns=columns),)), MEMORY)


@pytest.mark.parametrize(
    ("message", "order", "limit"),
    [
        ("the roomiest ferry", [(LENGTH, "", "desc")], 1),
        ("a modern one please", [(BUILT, "", "desc")], 0),
        ("the oldest ferries", [(BUILT, "", "asc")], 0),
        ("ferries with dogs, oldest first", [(BUILT, "", "asc")], 0),
        ("with dogs, the oldest one on top", [(BUILT, "", "asc")], 0),
        ("something older", [(BUILT, "", "asc")], 0),
        ("old or long ferries", [], 0),
        ("ferries that take dogs", [], 0),
    ],
)
def test_a_word_for_an_end_of_a_scale_orders_by_it(scaled, message, order, limit):
    roles = ordered_by_ends(Roles(select=[(1, "")]), scaled, message)
    assert (roles.order, roles.limit) == (order, limit)


@pytest.mark.parametrize(
    ("message", "order", "limit"),
    [
        ("the ferry with the most length m", [(LENGTH, "", "desc")], 1),
        ("which ferry has the fewest m", [(LENGTH, "", "asc")], 1),
        ("the ferry with the most calls", [], 0),
        ("at most m", [], 0),
        ("I am worst at swimming", [], 0),
    ],
)
def test_the_most_of_a_column_of_numbers_orders_by_it_and_counts_no_rows(schema, message, order, limit):
    roles = ordered_by_ends(Roles(select=[(1, "")], order_count="desc"), schema, message)
    assert (roles.order, roles.limit) == (order, limit)
    assert bool(roles.order_count) == (not order)


@pytest.mark.parametrize(
    ("message", "counted"),
    [
        ("how many home ports are there?", "count(DISTINCT ferries.home_port)"),
        ("how many things on board are there", "count(DISTINCT each_takes)"),
        ("how many ferries are there?", "count(*)"),
    ],
)
def test_values_are_counted_where_a_column_is_named_and_rows_where_a_table_is(message, counted):
    columns = tuple(
        replace(one, synonyms=("things on board",)) if one.name == "takes" else one for one in FERRIES.columns
    )
    schema = read_schema(Catalogue((replace(FERRIES, columns=columns),)), MEMORY)
    roles = counting_values(Roles(select=[(ROWS, "")], tables=({0}, set())), schema, message)
    assert compose(roles, schema, message, 2026).sql.startswith(f"SELECT {counted} FROM ferries")


@pytest.mark.parametrize(
    ("message", "group"),
    [
        ("how many ferries per home port", [4]),
        ("number of ferries for each home port", [4]),
        ("how many ferries go each day", []),
    ],
)
def test_rows_are_counted_for_each_value_of_a_column_that_is_named(schema, message, group):
    roles = counted_for_each(Roles(select=[(ROWS, "")], tables=({0}, set())), schema, message)
    assert (roles.group, roles.select) == (group, [*((column, "") for column in group), (ROWS, "")])


@pytest.mark.parametrize(
    ("message", "order"), [("the most singers", (4, "", "desc")), ("fewest singers", (3, "", "asc"))]
)
def test_the_most_of_a_pair_is_of_its_higher_column(choirs, message, order):
    roles = ordered_by_ends(Roles(select=[(1, "")]), choirs, f"the choir with {message}")
    assert (roles.order, roles.limit) == ([order], 1)


def test_a_word_inside_a_wish_orders_nothing_but_where_it_is_a_superlative(scaled):
    wish = [Mark("wish", 8, 8, 29)]
    assert ordered_by_ends(Roles(select=[(1, "")], marks=wish), scaled, "ferries roomy for old people").order == []
    assert ordered_by_ends(Roles(select=[(1, "")], marks=wish), scaled, "ferries with the oldest crew").order


@pytest.mark.parametrize(
    ("message", "limit"),
    [("the longest heated ferry in Sandwick", 1), ("the longest heated ferries", 0), ("longest ferry first", 0)],
)
def test_one_thing_is_the_first_of_an_order_that_is_known(scaled, message, limit):
    assert ordered_by_ends(Roles(select=[(1, "")], order=[(LENGTH, "", "desc")]), scaled, message).limit == limit


def test_as_many_rows_are_shown_as_are_asked_for(scaled):
    found = limited(Roles(select=[(1, "")]), scaled, "pick one ferry with a heated deck")
    assert [(one.text, one.column) for one in found.literals] == [("one", LIMIT)]
    assert limited(Roles(select=[(1, "")]), scaled, "show me 2 decks").literals == []
    wrong = Roles(select=[(1, "")], literals=[Literal("5", LENGTH, "=", False, 8, 9)])
    assert [one.column for one in limited(wrong, scaled, "show me 5 cheap ferries").literals] == [LIMIT]
