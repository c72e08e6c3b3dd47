"""Places left: rows that have some, and how many one of them has."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.compose import compose
from agent.understanding.context import Earlier
from agent.understanding.roles import ROWS, Literal, Roles
from agent.understanding.schema import Schema, read_schema
from agent.understanding.vacancy import places, with_vacancy

TOURS = Table(
    "tours",
    (Column("id", Kind.NUMBER), Column("name", Kind.TEXT)),
    key=("id",),
    title="name",
    noun=("tour", "tours"),
)
TRIPS = Table(
    "trips",
    (
        Column("tour", Kind.NUMBER),
        Column("month", Kind.ENUM),
        Column("places", Kind.NUMBER),
        Column("booked", Kind.NUMBER),
    ),
    noun=("trip", "trips"),
)
HAVE, FULL = "trips.booked < trips.places", "trips.booked >= trips.places"


@pytest.fixture(scope="module")
def tours() -> Schema:
    catalogue = Catalogue((TOURS, TRIPS), (ForeignKey("trips", "tour", "tours", "id"),))
    return read_schema(catalogue, ValueMemory({"tours.name": ["Cave Walk", "Seal Watch"]}))


def suql(schema: Schema, message: str, *past: Earlier, literals: tuple[Literal, ...] = ()) -> str:
    said = Roles(select=[(1, "")], literals=list(literals), tables=({0}, set()))
    return compose(with_vacancy(said, schema, message, past), schema, message, 2026).sql


def test_taken_and_all_places_are_a_pair_by_their_names(tours):
    assert places(tours, 0) == (5, 4)


@pytest.mark.parametrize(
    "message",
    [
        "which tours still have room?",
        "tours with free places",
        "tours that aren't full yet",
        "is there any tour with seats left",
        "what could I still get into",
    ],
)
def test_a_search_for_room(tours, message):
    assert HAVE in suql(tours, message)


def test_a_search_for_what_is_full(tours):
    assert FULL in suql(tours, "which tours are already full")


def test_room_for_somebody_and_a_full_day_are_no_places_left(tours):
    assert "booked" not in suql(tours, "tours with room for 12")
    assert "booked" not in suql(tours, "a full day of seals")


def test_of_a_row_the_number_is_told(tours):
    walk = Literal("Cave Walk", 1, "=", False, 3, 12)
    sql = suql(tours, "is Cave Walk full?", literals=(walk,))
    assert sql.startswith("SELECT tours.name, trips.booked, trips.places FROM")
    assert HAVE not in sql
    assert FULL not in sql
    before = Earlier(Roles(select=[(1, "")], tables=({0}, set())), rows=({"name": "Seal Watch"},))
    assert "trips.booked" in suql(tours, "is it full?", before)


def test_no_table_of_places_no_vacancy(schema):
    message = "which ferries still have room?"
    said = Roles(select=[(ROWS, "")], tables=({0}, set()))
    assert with_vacancy(said, schema, message, ()) == said
