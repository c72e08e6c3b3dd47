"""The catalogue as the linker reads it."""

from __future__ import annotations

import time

from agent.understanding.schema import Schema, folded, worded


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


def test_prose_is_no_column(schema):
    assert "remarks" not in [one.column.name for one in schema.fields]


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
