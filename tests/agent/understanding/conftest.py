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


@pytest.fixture(scope="session")
def schema() -> Schema:
    return read_schema(CATALOGUE, MEMORY)
