"""A small catalogue that is none of the sample's: ferries, the islands they serve, and what passengers wrote."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.schema import Schema, read_schema

FERRIES = Table(
    "ferries",
    (
        Column("code", Kind.TEXT),
        Column("name", Kind.TEXT),
        Column("length_m", Kind.NUMBER, unit="m"),
        Column("built", Kind.NUMBER, integer=True),
        Column("home_port", Kind.ENUM, synonyms=("based in",)),
        Column("takes", Kind.ENUM, many=True),
        Column("heated_deck", Kind.BOOLEAN),
        Column("first_trip", Kind.DATE),
        Column("remarks", Kind.FREE_TEXT, many=True),
    ),
    key=("code",),
    entity="code",
    title="name",
    noun=("ferry", "ferries"),
)
CALLS = Table(
    "calls",
    (
        Column("id", Kind.NUMBER),
        Column("ferry", Kind.TEXT),
        Column("island", Kind.ENUM),
        Column("minutes", Kind.NUMBER),
    ),
    noun=("call", "calls"),
)
CATALOGUE = Catalogue((FERRIES, CALLS), (ForeignKey("calls", "ferry", "ferries", "code"),))
MEMORY = ValueMemory(
    {
        "ferries.code": ["F1", "F2", "F3"],
        "ferries.name": ["Grey Heron", "Lady Moyna", "Storm Petrel"],
        "ferries.home_port": ["Port Ellery", "Sandwick"],
        "ferries.takes": ["cars", "bicycles", "dogs"],
        "calls.island": ["Inishmoor", "Great Skerry"],
    }
)

#: Reviews with a table of their own: what is wished of a choir is asked of what visitors wrote of it.
CHOIRS = Catalogue(
    (
        Table(
            "choirs",
            (
                Column("id", Kind.NUMBER),
                Column("name", Kind.TEXT),
                Column("town", Kind.ENUM),
                Column("min_singers", Kind.NUMBER, unit="singers"),
                Column("max_singers", Kind.NUMBER, unit="singers"),
                Column("about", Kind.FREE_TEXT, value_words=(("early music", ("em", "old stuff")),)),
            ),
            key=("id",),
            title="name",
            noun=("choir", "choirs"),
        ),
        Table(
            "visits",
            (
                Column("id", Kind.NUMBER),
                Column("choir", Kind.NUMBER),
                Column("stars", Kind.NUMBER),
                Column("comment", Kind.FREE_TEXT),
            ),
            key=("id",),
            noun=("visit", "visits"),
        ),
        Table(
            "rehearsals",
            (Column("id", Kind.NUMBER), Column("choir", Kind.NUMBER), Column("weekday", Kind.ENUM)),
            key=("id",),
            noun=("rehearsal", "rehearsals"),
        ),
    ),
    (ForeignKey("visits", "choir", "choirs", "id"), ForeignKey("rehearsals", "choir", "choirs", "id")),
)
CHOIR_MEMORY = ValueMemory(
    {
        "choirs.name": ["Larkhill Voices", "Saint Anne Singers"],
        "choirs.town": ["Larkhill", "Penbury"],
        "rehearsals.weekday": ["Mon", "Wed", "Fri"],
    }
)


@pytest.fixture(scope="session")
def schema() -> Schema:
    return read_schema(CATALOGUE, MEMORY)


@pytest.fixture(scope="session")
def choirs() -> Schema:
    return read_schema(CHOIRS, CHOIR_MEMORY)
