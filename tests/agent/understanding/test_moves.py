"""Which move a message makes, and to which query it goes back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.understanding.context import Earlier
from agent.understanding.linker import _whole_words
from agent.understanding.moves import gone_back, taken_back, with_move
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import Schema


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


@pytest.fixture
def past(schema) -> list[Earlier]:
    """Ferries; those of Sandwick; those of Sandwick longer than 40 m: the last one first."""
    port = Literal("Sandwick", at(schema, "home_port"), "=", inner=False)
    length = Literal("40", at(schema, "length_m"), ">", inner=False)
    every = Roles(select=[(at(schema, "name"), ""), (at(schema, "built"), "")], tables=({0}, set()))
    return [Earlier(replace(every, literals=literals)) for literals in ([port, length], [port], [])]


@pytest.mark.parametrize(
    ("message", "query"),
    [("undo that", 1), ("back to the first one", 2), ("the full list again", 1), ("all of the ferries again", 1)],
)
def test_a_message_goes_back_to_the_query_that_it_speaks_of(schema, past, message, query):
    assert gone_back(message, past, schema) == query


def test_a_message_goes_back_to_the_query_whose_value_it_names(schema, past):
    moved = [replace(past[0], roles=replace(past[0].roles, literals=[])), *past]
    assert gone_back("back to those of Sandwick", moved, schema) == 1


def test_a_query_comes_back_with_the_columns_that_are_wanted(schema, past):
    said = Roles(move="undo", select=[(at(schema, "name"), "")])
    assert taken_back(said, "back to them, only the names", past[1]).select == said.select
    assert taken_back(said, "back to them", past[1]).select == past[1].roles.select


def test_what_a_message_denies_it_gives_up(schema, past):
    said = with_move(Roles(move="undo"), "not Sandwick", past[0], schema)
    assert said.move == "drop"


def test_a_message_that_only_orders_sorts(schema, past):
    said = Roles(move="show", select=past[0].roles.select, order=[(at(schema, "built"), "", "asc")])
    assert with_move(said, "by the year", past[0], schema).move == "sort"


def test_a_message_that_only_names_columns_shows_them(schema, past):
    said = Roles(move="replace", select=[(at(schema, "code"), "")])
    assert with_move(said, "just the code", past[0], schema).move == "show"


def test_a_value_is_made_of_whole_words():
    assert _whole_words("oldest to yuongest", 10, 11) == (10, 18)
    assert _whole_words("under 40km", 6, 8) == (6, 8)
