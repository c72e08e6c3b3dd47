"""Which move a message makes, and to which query it goes back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.understanding.context import Earlier
from agent.understanding.linker import _whole_words
from agent.understanding.moves import gone_back, taken_back, with_move
from agent.understanding.roles import ROWS, Literal, Mark, Roles
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
    said = with_move(Roles(move="undo"), "not Sandwick", past, schema)
    assert said.move == "drop"


def test_what_is_denied_anew_drops_nothing(schema, past):
    said = with_move(Roles(move="drop"), "not a heated one", past, schema)
    assert said.move != "drop"


def test_a_bare_question_to_prose_is_of_what_was_shown(schema, past):
    message = "is the crew any good"
    asked = Roles(select=[(at(schema, "name"), "")], marks=[Mark("question", at(schema, "remarks"), 0, len(message))])
    shown = [replace(past[0], rows=({"name": "Grey Heron"},))]
    assert with_move(asked, message, shown, schema).move == "row"
    assert with_move(asked, message, past, schema).move == "new"  # no row was shown


def test_a_message_that_only_orders_sorts(schema, past):
    said = Roles(move="show", select=past[0].roles.select, order=[(at(schema, "built"), "", "asc")])
    assert with_move(said, "by the year", past, schema).move == "sort"


def test_a_message_that_only_names_columns_shows_them(schema, past):
    said = Roles(move="replace", select=[(at(schema, "code"), "")])
    assert with_move(said, "just the code", past, schema).move == "show"


def test_a_value_is_made_of_whole_words():
    assert _whole_words("oldest to yuongest", 10, 11) == (10, 18)
    assert _whole_words("under 40km", 6, 8) == (6, 8)


def test_of_one_row_only_what_is_asked_is_told_and_of_several_it_stands_beside(schema, past):
    said = Roles(move="show", select=[*past[0].roles.select, (at(schema, "code"), "")])
    one, two = (replace(past[0], rows=({"name": "Grey Heron"},) * number) for number in (1, 2))
    assert with_move(said, "and the code?", [one], schema).move == "row"
    assert with_move(replace(said, move="row"), "and the code?", [two], schema).move == "show"


def test_a_total_of_what_was_listed_is_told_alone(schema, past):
    said = Roles(move="show", select=[*past[0].roles.select, (at(schema, "length_m"), "avg")])
    assert with_move(said, "average length there", past, schema).move == "aggregate"
    assert with_move(said, "average length of each", past, schema).move == "show"


def test_groups_keep_what_is_told_of_them_where_more_is_asked(schema, past):
    port = at(schema, "home_port")
    groups = [replace(past[0], roles=Roles(select=[(port, ""), (ROWS, "")], group=[port]))]
    said = Roles(move="aggregate", select=[(port, ""), (at(schema, "length_m"), "avg")], group=[port])
    assert with_move(said, "and the average length", groups, schema).move == "show"


def test_what_there_is_no_need_of_is_given_up(schema, past):
    port = Literal("Sandwick", at(schema, "home_port"), "=", inner=False, start=20, stop=28)
    for move in ("undo", "replace"):
        said = with_move(Roles(move=move, literals=[port]), "it doesn't have to be Sandwick", past, schema)
        assert said.move == "drop"


def test_a_condition_that_is_left_aside_again_is_dropped_and_undo_undoes(schema, past):
    assert with_move(Roles(move="undo"), "leave Sandwick aside again", past, schema).move == "drop"
    assert with_move(Roles(move="drop"), "hm, no, undo that please", past, schema).move == "undo"


def test_what_is_to_stand_on_top_is_among_what_was_shown(schema, past):
    assert with_move(Roles(move="new"), "please put the longest at the top", past, schema).move == "sort"


def test_what_was_not_asked_for_and_is_left_out_is_a_condition(schema, past):
    assert with_move(Roles(move="drop"), "leave out the heated ones", past, schema).move != "drop"
    assert with_move(Roles(move="drop"), "leave Sandwick out", past, schema).move == "drop"
