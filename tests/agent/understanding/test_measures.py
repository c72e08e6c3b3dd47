"""Numbers with units: which column they are said of, and in which unit."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.measures import measured
from agent.understanding.roles import Literal
from agent.understanding.schema import read_schema

BOATS = Table(
    "boats",
    (
        Column("lgth", Kind.NUMBER, unit="m"),
        Column("fee", Kind.NUMBER, unit="EUR"),
        Column("brths_n", Kind.NUMBER, description="Number of berths"),
    ),
)
SCHEMA = read_schema(Catalogue((BOATS,)), ValueMemory({}))


@pytest.mark.parametrize(
    ("question", "number", "pointed", "column", "text"),
    [
        ("under 30 euros", "30", 0, 1, "30"),
        ("less than €30", "30", 0, 1, "30"),
        ("with at least 4 berths", "4", 0, 2, "4"),
        ("longer than 40 feet", "40", 0, 0, "12.192"),
        ("longer than 40", "40", 0, 0, "40"),
        ("up to one km", "one", 0, 0, "1000"),
        ("shorter than half of that or two km", "two km", 0, 0, "2000"),
        ("at most 3 of them", "3", 2, 2, "3"),
    ],
)
def test_a_number_is_said_of_the_column_that_its_unit_tells(question, number, pointed, column, text):
    start = question.index(number)
    told = measured(Literal(number, pointed, "<", False, start, start + len(number)), SCHEMA, question)
    assert (told.column, told.text) == (column, text)
