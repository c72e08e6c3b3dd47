"""Which rows are the others: like a known one, left out, or further ones of a search in prose."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.understanding.compose import compose
from agent.understanding.context import Earlier
from agent.understanding.keeping import going_on
from agent.understanding.moves import with_move
from agent.understanding.prose import Wish
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import Schema


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


def asked(schema: Schema, message: str, said: Roles, *past: Earlier) -> str:
    roles = with_move(said, message, past, schema)
    return compose(going_on(roles, message, past, schema), schema, message, 2026).sql


@pytest.fixture
def longest(schema) -> Roles:
    order = [(at(schema, "length_m"), "", "desc")]
    return Roles(select=[(at(schema, "name"), "")], order=order, limit=1, tables=({0}, set()))


def test_others_of_that_kind_share_what_was_asked_of_the_one(schema, longest):
    port = replace(longest, move="row", select=[(at(schema, "home_port"), "")])
    past = Earlier(port, rows=({"home_port": "Sandwick"},)), Earlier(longest, rows=({"name": "Storm Petrel"},))
    assert asked(schema, "any others from that port?", Roles(move="another"), *past) == (
        "SELECT ferries.name FROM ferries WHERE ferries.home_port = 'Sandwick' AND ferries.name <> 'Storm Petrel'"
    )


def test_others_that_meet_a_new_condition_are_not_the_next_in_order(schema, longest):
    message = "do you have other ones with cars"
    cars = Literal("cars", at(schema, "takes"), "=", inner=False, start=message.index("cars"), stop=len(message))
    said = Roles(move="another", where=[(at(schema, "takes"), "=")], literals=[cars])
    sql = asked(schema, message, said, Earlier(longest, rows=({"name": "Storm Petrel"},)))
    assert "ferries.name <> 'Storm Petrel'" in sql
    assert "'cars'" in sql
    assert "OFFSET" not in sql


def test_more_of_a_search_in_prose_are_rows_that_were_not_shown(schema):
    found = Roles(select=[(at(schema, "name"), "")], guessed=True, tables=({0}, set()))
    rows = ({"name": "Grey Heron"}, {"name": "Lady Moyna"})
    before = Earlier(found, (Wish("does this ferry have a friendly crew?", "Yes", soft=False),), rows)
    sql = asked(schema, "anything else?", Roles(move="another"), before)
    assert sql == (
        "SELECT ferries.name FROM ferries WHERE ferries.name <> 'Grey Heron' AND ferries.name <> 'Lady Moyna'"
    )
