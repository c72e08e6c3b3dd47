"""What a message compares: two that it names, one beside the last, or the two that came last."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.understanding.compose import compose
from agent.understanding.context import Earlier
from agent.understanding.keeping import going_on
from agent.understanding.moves import with_move
from agent.understanding.roles import ROWS, Literal, Roles
from agent.understanding.schema import Schema


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


def named(schema: Schema, message: str, *names: str) -> list[Literal]:
    spots = [(name, message.index(name)) for name in names]
    return [
        Literal(name, at(schema, "name"), "=", inner=False, start=spot, stop=spot + len(name)) for name, spot in spots
    ]


def asked(schema: Schema, message: str, said: Roles, *past: Earlier) -> str:
    roles = with_move(said, message, past, schema)
    return compose(going_on(roles, message, past, schema), schema, message, 2026).sql


@pytest.fixture
def heron(schema) -> Roles:
    """How long the Grey Heron is."""
    known = Literal("Grey Heron", at(schema, "name"), "=", inner=False)
    where = [(at(schema, "name"), "=")]
    return Roles(select=[(at(schema, "length_m"), "")], where=where, literals=[known], tables=({0}, set()))


def test_one_that_is_named_stands_beside_the_last_one(schema, heron):
    message = "and versus Lady Moyna?"
    said = replace(heron, move="replace", literals=named(schema, message, "Lady Moyna"))
    assert asked(schema, message, said, Earlier(heron)) == (
        "SELECT ferries.name, ferries.length_m FROM ferries WHERE (ferries.name = 'Grey Heron' "
        "OR ferries.name = 'Lady Moyna')"
    )


def test_of_two_that_are_named_the_one_ahead_is_chosen_whatever_was_searched_before(schema):
    message = "is Grey Heron or Lady Moyna longer?"
    port = Literal("Sandwick", at(schema, "home_port"), "=", inner=False)
    before = Roles(
        select=[(at(schema, "name"), "")],
        where=[(at(schema, "home_port"), "=")],
        literals=[port],
        tables=({0}, set()),
    )
    order = [(at(schema, "length_m"), "", "desc")]
    said = replace(before, move="replace", order=order, literals=named(schema, message, "Grey Heron", "Lady Moyna"))
    assert asked(schema, message, said, Earlier(before)) == (
        "SELECT ferries.name FROM ferries WHERE (ferries.name = 'Grey Heron' OR ferries.name = 'Lady Moyna') "
        "ORDER BY ferries.length_m DESC NULLS LAST LIMIT 1"
    )


def test_both_after_the_runner_up_are_the_first_two(schema):
    order = [(at(schema, "length_m"), "", "desc")]
    second = Roles(select=[(at(schema, "name"), "")], order=order, limit=1, skip=1, tables=({0}, set()))
    said = replace(second, move="row", select=[(at(schema, "built"), "")])
    assert asked(schema, "when were both built?", said, Earlier(second)) == (
        "SELECT ferries.name, ferries.built FROM ferries ORDER BY ferries.length_m DESC NULLS LAST LIMIT 2"
    )


def test_the_two_that_were_asked_for_in_turn_are_compared(schema, heron):
    moyna = replace(heron, literals=[heron.literals[0]._replace(text="Lady Moyna")], move="replace")
    said = replace(heron, move="compare", literals=[], where=[], order=[(at(schema, "built"), "", "asc")])
    sql = asked(schema, "which of those two is older?", said, Earlier(moyna), Earlier(heron))
    assert "ferries.name = 'Lady Moyna' OR ferries.name = 'Grey Heron'" in sql
    assert sql.endswith("ORDER BY ferries.built ASC NULLS LAST LIMIT 1")


def test_groups_are_compared_by_what_was_told_of_them(schema):
    port = at(schema, "home_port")
    ports = Roles(select=[(port, ""), (ROWS, "")], group=[port], tables=({0}, set()))
    message = "Sandwick vs Port Ellery only"
    told = [
        Literal(name, port, "=", inner=False, start=message.index(name), stop=message.index(name) + len(name))
        for name in ("Sandwick", "Port Ellery")
    ]
    sql = asked(schema, message, Roles(move="compare", select=[(port, "")], literals=told), Earlier(ports))
    assert sql.startswith("SELECT ferries.home_port, count(*) FROM ferries WHERE")
    assert sql.endswith("GROUP BY ferries.home_port")


def test_another_value_alone_is_no_comparison(schema, heron):
    message = "and Lady Moyna?"
    said = replace(heron, move="replace", literals=named(schema, message, "Lady Moyna"))
    assert "Grey Heron" not in asked(schema, message, said, Earlier(heron))
