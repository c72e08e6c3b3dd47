"""Roles that the catalogue bears out: tables that links connect, places, hours."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.catalogue.places import Place
from agent.catalogue.tables import Catalogue, Column, ForeignKey, Geo, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.compose import compose
from agent.understanding.mentions import denied_together
from agent.understanding.narrowing import settled
from agent.understanding.roles import ROWS, Literal, Roles
from agent.understanding.schema import Schema, read_schema
from tests.agent.understanding.conftest import CATALOGUE

INNS = Table(
    "inns",
    (
        Column("name", Kind.TEXT),
        Column("town", Kind.ENUM),
        Column("place", Kind.LOCATION),
        Column("opens", Kind.OPENING_HOURS),
        Column("min_beds", Kind.NUMBER),
        Column("max_beds", Kind.NUMBER),
    ),
    title="name",
    geo=Geo(areas=("town",)),
    noun=("inn", "inns"),
)
GUILDS = Table("guilds", (Column("motto", Kind.TEXT),), title="motto")
MEMORY = ValueMemory({"inns.town": ["Sandwick"], "inns.name": ["The Anchor"], "guilds.motto": ["Onward"]})
NAME, TOWN, PLACE, OPENS, LEAST, MOST, MOTTO = range(7)


class Places:
    def resolve(self, words: str) -> list[Place]:
        return []

    def places(self) -> tuple[Place, ...]:
        return (Place("Ness Point", "landmark", 0, 0, 1, aliases=("the Ness",)),)


@pytest.fixture(scope="module")
def inns() -> Schema:
    return read_schema(Catalogue((INNS, GUILDS)), MEMORY, Places())


def sql(schema: Schema, message: str, *said: tuple[str, int, str]) -> str:
    literals = [
        Literal(text, column, operator, False, message.index(text), message.index(text) + len(text))
        for text, column, operator in said
    ]
    roles = settled(Roles(select=[(NAME, "")], literals=literals), schema, message)
    return compose(roles, schema, message, 2026).sql.partition(" FROM inns")[2]


def test_tables_that_no_link_connects_are_not_joined(inns):
    assert sql(inns, "inns called onward", ("onward", MOTTO, "=")) == ""


@pytest.mark.parametrize(
    ("message", "said", "column"),
    [("inns in Sandwick", "Sandwick", TOWN), ("inns by the Ness", "the Ness", PLACE)],
)
def test_an_area_is_compared_as_a_place_by_the_name_the_gazetteer_knows(inns, message, said, column):
    place = {"Sandwick": "Sandwick", "the Ness": "Ness Point"}[said]
    assert sql(inns, message, (said, column, "=")) == f" WHERE inns.place = '{place}'"


def test_a_name_that_is_no_place_is_none_beside_one_that_is(inns):
    said = [("kippers", PLACE, "="), ("Sandwick", PLACE, "=")]
    assert sql(inns, "kippers in Sandwick", *said) == " WHERE inns.place = 'Sandwick'"


def test_who_asks_when_it_opens_is_told_the_hours(inns):
    roles = settled(Roles(select=[(NAME, "")]), inns, "What time does The Anchor open on Sundays?")
    assert (OPENS, "") in roles.select
    assert "opens =" not in compose(roles, inns, "What time does The Anchor open on Sundays?", 2026).sql


@pytest.mark.parametrize(
    ("message", "name", "shown"),
    [
        ("where do people sing at night", "", [NAME]),
        ("the place of inns with songs", "", [PLACE]),
        ("where is The Anchor", "The Anchor", [PLACE]),
    ],
)
def test_where_asks_which_rows_but_of_a_row_that_is_named(inns, message, name, shown):
    literals = [Literal(name, NAME, "=", False, message.index(name), len(message))] if name else []
    found = settled(Roles(select=[(PLACE, "")], literals=literals), inns, message)
    assert [column for column, _ in found.select] == shown


@pytest.mark.parametrize(
    ("message", "said", "held"),
    [
        ("inns with 4 beds", [("4", "=")], "inns.min_beds <= 4 AND inns.max_beds >= 4"),
        ("inns with at least 4 beds", [("4", "=")], "inns.max_beds >= 4"),
        ("inns with no more than 4 beds", [("4", "=")], "inns.min_beds <= 4"),
        ("inns with 2 to 4 beds", [("2", "="), ("4", "=")], "inns.max_beds >= 2 AND inns.min_beds <= 4"),
    ],
)
def test_a_number_of_a_pair_lies_between_its_ends(inns, message, said, held):
    assert sql(inns, message, *((text, LEAST, operator) for text, operator in said)) == f" WHERE {held}"


def test_a_link_leads_from_table_to_table_either_way():
    keyed = Table("members", (Column("inn", Kind.TEXT),))
    schema = read_schema(Catalogue((INNS, GUILDS, keyed), (ForeignKey("members", "inn", "inns", "name"),)), MEMORY)
    assert schema.reached(2) == schema.reached(0) == {0, 2}


def test_the_rows_that_a_question_begins_with_are_shown(schema):
    called = Roles(select=[(1, "")], guessed=True)
    assert settled(called, schema, "which ferries call at Inishmoor?").select == [(1, "")]
    table = replace(schema.tables[1], title="island")
    titled = replace(schema, tables=(schema.tables[0], table))
    island = next(at for at, one in enumerate(schema.fields) if one.column.name == "island")
    assert settled(called, titled, "which calls does the Grey Heron make?").select == [(island, "")]


def test_rows_that_are_named_are_meant_before_tables_that_nothing_connects(schema):
    shop = Table("shops", (Column("trade", Kind.TEXT),), title="trade", noun=("shop", "shops"))
    both = Catalogue((*CATALOGUE, shop), CATALOGUE.foreign_keys)
    apart = read_schema(both, ValueMemory({"shops.trade": ["ropes"]}))
    trade = next(at for at, one in enumerate(apart.fields) if one.column.name == "trade")
    told = Roles(select=[(trade, "")], literals=[Literal("ropes", trade, "=", False, 18, 23)])
    assert settled(told, apart, "how many ferries have ropes").select == [(ROWS, "")]
    assert settled(told, apart, "how many ferries have ropes").literals == []
    assert settled(told, apart, "shops for ferries' ropes").select == [(trade, "")]


def test_places_after_what_is_denied_are_not(inns):
    message = "anything but The Anchor near Sandwick"
    name = Literal("The Anchor", NAME, "!=", False, 13, 23)
    place = Literal("Sandwick", PLACE, "!=", False, 29, 37)
    told = denied_together([name, place], message, inns)
    assert [one.operator for one in told] == ["!=", "="]
