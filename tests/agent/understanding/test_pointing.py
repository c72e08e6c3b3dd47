"""Rows that were shown: what is asked of them, what is searched among them, and what others share with them."""

from __future__ import annotations

import pytest

from agent.understanding.compose import compose
from agent.understanding.context import Earlier
from agent.understanding.keeping import going_on, kept_wishes
from agent.understanding.moves import with_move
from agent.understanding.pointing import names_shown, of_shown, shares, speaks_of_shown, with_named_columns
from agent.understanding.prose import Wish
from agent.understanding.roles import ROWS, Literal, Mark, Roles
from agent.understanding.schema import Schema


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


@pytest.fixture
def searched(schema) -> Earlier:
    """A search in prose that showed one ferry."""
    roles = Roles(select=[(at(schema, "name"), "")], guessed=True, tables=({0}, set()))
    return Earlier(roles, (Wish("does this ferry have a friendly crew?"),), ({"name": "Grey Heron"},))


def test_a_question_about_a_row_that_prose_found_is_about_that_row(schema, searched):
    message = "where does it sail from"
    said = Roles(move="row", select=[(at(schema, "home_port"), "")], tables=({0}, set()))
    assert speaks_of_shown(said, message, searched, schema)
    roles = of_shown(said, searched, schema)
    assert compose(roles, schema, message, 2026).sql == (
        "SELECT ferries.name, ferries.home_port FROM ferries WHERE ferries.name = 'Grey Heron'"
    )


def test_a_search_that_does_not_point_to_the_rows_begins_from_all(schema, searched):
    assert not speaks_of_shown(Roles(move="refine"), "with dogs", searched, schema)
    assert speaks_of_shown(Roles(move="refine"), "which of those take dogs", searched, schema)


def test_a_column_that_a_later_question_names_is_not_asked_of_prose(schema, searched):
    message = "what is its home port"
    mark = Mark("question", at(schema, "remarks"), 0, len(message))
    roles = with_named_columns(Roles(move="row", guessed=True, marks=[mark]), message, searched, schema)
    assert roles.select == [(at(schema, "home_port"), "")]
    assert roles.marks == []


def test_others_share_what_the_row_has(schema, searched):
    message = "what else has that home port?"
    column = shares(message, [searched], schema)
    assert column == at(schema, "home_port")
    roles = with_move(Roles(move="refine"), message, [searched], schema)
    roles = going_on(roles, message, [searched], schema)
    assert kept_wishes(roles, message, searched) == []
    assert compose(roles, schema, message, 2026).sql == (
        "SELECT ferries.name FROM ferries WHERE ferries.home_port IN "
        "(SELECT known.home_port FROM ferries AS known WHERE known.name = 'Grey Heron') "
        "AND ferries.name <> 'Grey Heron'"
    )


def test_what_others_share_may_stand_in_a_table_of_its_own(schema, searched):
    roles = Roles(
        select=[(at(schema, "name"), "")],
        literals=[Literal("Grey Heron", at(schema, "island"), "as", inner=False)],
        tables=({0}, set()),
    )
    assert "calls.island IN (SELECT known.island FROM calls AS known WHERE known.ferry IN (SELECT code" in (
        compose(roles, schema, "what else calls at that island", 2026).sql
    )


def test_rows_come_once_however_many_rows_belong_to_them(schema):
    inishmoor = Literal("Inishmoor", at(schema, "island"), "=", inner=False)
    shown = Roles(select=[(at(schema, "name"), "")], literals=[inishmoor], tables=({0, 1}, set()))
    assert compose(shown, schema, "ferries to Inishmoor", 2026).sql.startswith("SELECT DISTINCT ferries.name FROM")
    counted = Roles(select=[(ROWS, "")], literals=[inishmoor], tables=({0, 1}, set()))
    sql = compose(counted, schema, "how many ferries go to Inishmoor", 2026).sql
    assert sql.startswith("SELECT count(DISTINCT ferries.code) FROM")


def test_names_are_known_where_every_row_has_one(schema, searched):
    assert [one.text for one in names_shown(searched, schema)] == ["Grey Heron"]
    assert names_shown(Earlier(searched.roles, rows=({"code": "F1"},)), schema) == []
