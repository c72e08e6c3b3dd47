"""Names whose columns the words beside them tell."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind
from agent.understanding.names import with_names
from agent.understanding.roles import Literal, Mark, Roles
from agent.understanding.schema import Schema, read_schema
from tests.agent.understanding.conftest import FERRIES, MEMORY

NAME, PORT, SKIPPER = 1, 4, 9


@pytest.fixture(scope="module")
def skippered() -> Schema:
    skipper = Column("skipper", Kind.TEXT, synonyms=("captain", "sails"))
    return read_schema(Catalogue((replace(FERRIES, columns=(*FERRIES.columns, skipper)),)), MEMORY)


@pytest.mark.parametrize(
    ("message", "said", "column"),
    [
        ("ferries with Captain Rua", "Rua", SKIPPER),
        ("none that Rua sails", "Rua", SKIPPER),
        ("ferries from Rua", "Rua", PORT),
        ("the one called Wind and Rain", "Wind and Rain", NAME),
    ],
)
def test_a_name_is_of_the_column_that_the_words_beside_it_call(skippered, message, said, column):
    at = message.index(said)
    pointed = [Literal(said, PORT, "=", False, at, at + len(said))]
    roles = with_names(Roles(literals=pointed, tables=({0}, set())), skippered, message)
    assert [(one.text, one.column) for one in roles.literals] == [(said, column)]


def test_a_name_that_is_led_to_is_no_wish(skippered):
    roles = Roles(marks=[Mark("wish", 8, 13, 24)], tables=({0}, set()))
    assert with_names(roles, skippered, "ferries with Captain Rua").marks == []


def test_both_parts_of_a_double_name_are_one(skippered):
    parts = [Literal("rua", SKIPPER, "=", False, 11, 14), Literal("moyna", SKIPPER, "=", False, 15, 20)]
    roles = with_names(Roles(literals=parts), skippered, "ferries of rua-moyna")
    assert [one.text for one in roles.literals] == ["rua-moyna"]


@pytest.mark.parametrize(
    "message", ["ferries starting with S", "whose name begins with the letter S", "beginning with “S”"]
)
def test_a_title_begins_with_letters(schema, message):
    wrong = Literal("S", 4, "=", False, message.index("S"), message.index("S") + 1)
    found = with_names(Roles(select=[(1, "")], literals=[wrong], tables=({0}, set())), schema, message).literals
    assert [(one.text, one.column, one.operator) for one in found] == [("S", 1, "like")]
