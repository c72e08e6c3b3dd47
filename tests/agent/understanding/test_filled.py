"""Columns of which any value will do, or none."""

from __future__ import annotations

from agent.understanding.filled import with_filled
from agent.understanding.roles import Literal, Roles

TAKES, PORT = 5, 4


def test_no_before_the_name_of_a_column_wants_it_empty(schema):
    roles = with_filled(Roles(select=[(1, "")], kind="except"), schema, "ferries with no home port")
    assert (roles.filled, roles.kind) == ([(PORT, "empty")], "none")


def test_no_before_the_name_of_a_number_wants_none_of_it(choirs):
    found = with_filled(Roles(select=[(1, "")]), choirs, "visits with no stars").literals
    assert found == [Literal("0", 8, "=", False, 12, 20)]


def test_the_value_of_another_column_may_follow(schema):
    assert with_filled(Roles(select=[(1, "")]), schema, "no home port in Inishmoor").filled == [(PORT, "empty")]
    assert with_filled(Roles(select=[(1, "")]), schema, "no home port in Sandwick").filled == []


def test_a_verb_before_the_name_of_a_column_wants_any_value(schema):
    assert with_filled(Roles(select=[(1, "")]), schema, "ferries that have met a home port").filled == []
    assert with_filled(Roles(select=[(1, "")]), schema, "ferries that cover a home port").filled == [(PORT, "any")]
    assert with_filled(Roles(select=[(1, "")]), schema, "ferries that cover the home port Sandwick").filled == []


def test_rows_of_a_table_are_no_value_of_a_column(schema):
    message = "islands without ferries home port"
    assert with_filled(Roles(select=[(1, "")], kind="not in"), schema, message).kind == "not in"
