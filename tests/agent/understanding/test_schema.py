"""The catalogue as the linker reads it."""

from __future__ import annotations

import time

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.schema import Schema, folded, read_schema, worded
from tests.agent.understanding.conftest import CATALOGUE, MEMORY


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


def test_texts_of_another_table_are_those_of_the_row_that_they_are_about():
    remarks = Table("remarks", (Column("ferry", Kind.TEXT), Column("text", Kind.FREE_TEXT)))
    catalogue = Catalogue((*CATALOGUE.tables, remarks), (ForeignKey("remarks", "ferry", "ferries", "code"),))
    prose = [one for one in read_schema(catalogue, MEMORY).fields if one.column.kind is Kind.FREE_TEXT]
    assert [(one.table, one.column.name) for one in prose] == [(0, "remarks")]


def test_a_description_that_spells_the_name_says_where_its_words_end():
    table = Table("t", (Column("fullname", Kind.TEXT, description="fullName"),))
    assert read_schema(Catalogue((table,)), MEMORY).fields[0].words == "full name"


def test_a_description_adds_words_to_an_odd_name():
    table = Table("t", (Column("avg_rt", Kind.NUMBER, description="Average response time"),))
    one = read_schema(Catalogue((table,)), MEMORY).fields[0]
    assert (one.words, one.described) == ("avg rt", "average response time")


def test_codes_that_a_description_explains_are_found_by_their_words():
    table = Table("t", (Column("kind", Kind.ENUM, description="IN = indoor, OUT = open air"),))
    schema = read_schema(Catalogue((table,)), ValueMemory({"t.kind": ["IN", "OUT"]}))
    assert schema.found("open air ones") == {0: ["OUT"]}


def test_a_declared_key_links_two_columns(schema):
    assert schema.links == ((at(schema, "ferry"), at(schema, "code")),)


def test_names_are_read_as_words():
    assert [worded(name) for name in ("home_port", "startStationName", "IDNumber")] == [
        "home port",
        "start station name",
        "id number",
    ]


def test_stored_values_are_found_whatever_their_case_and_accents(schema):
    assert schema.found("ferries from PORT ELLÉRY") == {at(schema, "home_port"): ["Port Ellery"]}


def test_a_longer_value_wins_over_one_inside_it(schema):
    found = schema.found("does the Lady Moyna take dogs?")
    assert found == {at(schema, "name"): ["Lady Moyna"], at(schema, "takes"): ["dogs"]}


def test_folding_leaves_lower_case_words():
    assert folded("  Île-de-France, 3.5 km!") == "ile de france 3.5 km"


def test_looking_for_values_takes_no_longer_for_a_message_ten_times_as_long(schema):
    began = time.perf_counter()
    schema.found("port " * 100_000)
    assert time.perf_counter() - began < 5


def test_a_code_is_named_by_each_of_the_words_it_is_explained_with():
    kind = Column("typ", Kind.ENUM, description="CTY = city or town bike, RD = road bike (racer)")
    bikes = Table("bikes", (kind,), noun=("bike", "bikes"))
    schema = read_schema(Catalogue((bikes,)), ValueMemory({"bikes.typ": ["CTY", "RD"]}))
    for said, code in [("town bikes", "CTY"), ("the city bike", "CTY"), ("a racer", "RD"), ("road ones", "RD")]:
        assert schema.found(said) == {0: [code]}, said


def test_a_value_is_found_by_the_verb_that_ends_it():
    tours = Table("tours", (Column("offers", Kind.ENUM, many=True),), key=("offers",))
    schema = read_schema(Catalogue((tours,)), ValueMemory({"tours.offers": ["night swim", "seal watch"]}))
    assert schema.found("which have night swimming?") == {0: ["night swim"]}
    assert schema.found("an evening of watching") == {}
