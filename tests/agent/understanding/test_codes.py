"""Codes are told by their letters, in any spacing, and never taken for one another."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.codes import with_codes
from agent.understanding.compose import compose
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import Schema, read_schema
from agent.understanding.values import value_of

TABLE = Table("berths", (Column("code", Kind.TEXT), Column("metres", Kind.NUMBER)), title="code")


@pytest.fixture(scope="module")
def berths() -> Schema:
    return read_schema(Catalogue((TABLE,)), ValueMemory({"berths.code": ["NW 12", "NW 21", "SE 4B"]}))


@pytest.mark.parametrize("said", ["NW 12", "nw12", "nw-12"])
def test_a_code_is_found_in_any_spacing(berths, said):
    roles = Roles(literals=[Literal("12", 1, "=", False, len(said) - 2, len(said))])
    assert with_codes(roles, berths, said).literals == [Literal("NW 12", 0, "=", False, 0, len(said))]


def test_a_denied_code_stays_denied(berths):
    roles = Roles(literals=[Literal("12", 0, "!=", False, 7, 9)])
    assert [one.operator for one in with_codes(roles, berths, "not NW 12").literals] == ["!="]


def test_a_code_with_another_number_is_no_misspelling(berths):
    assert value_of(berths, 0, "NW 13", "=") == (0, "'NW 13'")
    assert "berths.code = 'NW 12B'" in compose(with_codes(Roles(), berths, "NW 12B"), berths, "NW 12B", 2026).sql
    assert value_of(berths, 0, "NWW 12", "=") == (0, "'NW 12'")


def test_what_has_the_form_of_no_code_is_none(berths):
    roles = Roles(literals=[Literal("D3", 0, "=", False, 10, 12)])
    assert with_codes(roles, berths, "plots with D3").literals == []


@pytest.mark.parametrize(
    ("message", "column"),
    [("boats that need NW 12", 1), ("with nw12 as its spare", 1), ("the spare of NW 12", 0), ("NW 12", 0)],
)
def test_a_code_is_of_the_column_that_the_words_beside_it_name(message, column):
    spare = Column("spare", Kind.TEXT, synonyms=("that need",))
    table = Table("berths", (Column("code", Kind.TEXT), spare), title="code")
    values = {"berths.code": ["NW 12", "SE 4B"], "berths.spare": ["NW 12"]}
    schema = read_schema(Catalogue((table,)), ValueMemory(values))
    assert [one.column for one in with_codes(Roles(), schema, message).literals] == [column]


LESSONS = Table(
    "lessons",
    (
        Column("title", Kind.TEXT),
        Column("codes", Kind.TEXT, many=True),
        Column("needs", Kind.TEXT, many=True),
    ),
    title="title",
    noun=("lesson", "lessons"),
)


@pytest.fixture(scope="module")
def lessons() -> Schema:
    memory = {"lessons.title": ["Knots"], "lessons.codes": ["SL 1", "SL 2"], "lessons.needs": ["SL 1"]}
    return read_schema(Catalogue((LESSONS,)), ValueMemory(memory))


def where(schema: Schema, message: str) -> str:
    roles = with_codes(Roles(select=[(0, "")], tables=({0}, set())), schema, message)
    return compose(roles, schema, message, 2026).sql.partition(" WHERE ")[2].replace("lessons.", "")


def test_what_somebody_has_behind_them_comes_before(lessons):
    assert where(lessons, "what can I do right after SL 1") == "'SL 1' = ANY(needs)"
    assert where(lessons, "lessons for who has finished SL 1") == "'SL 1' = ANY(needs)"
    assert where(lessons, "I have not taken SL 1") == "'SL 1' = ANY(codes)"


@pytest.mark.parametrize(
    "message", ["what can I take with just SL 1", "I have only done SL 1", "I've done SL 1 so far"]
)
def test_who_has_nothing_else_wants_what_needs_no_more(lessons, message):
    assert where(lessons, message) == "needs <@ ARRAY['SL 1'] AND NOT 'SL 1' = ANY(codes)"
