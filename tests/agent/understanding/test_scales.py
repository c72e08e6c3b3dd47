"""Vocabularies with an order: what a comparison with one of their values leaves, and what orders by them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.compose import compose
from agent.understanding.roles import Literal, Roles
from agent.understanding.scales import on_scale, ordered_by_values
from agent.understanding.schema import Schema, read_schema

FARES = ("low", "medium", "high", "top")
FARE = Column("fare", Kind.ENUM, values=FARES, value_words=(("high", ("dear",)),), low_words=("lowest",))
TABLE = Table("trips", (Column("name", Kind.TEXT), FARE), title="name", noun=("trip", "trips"))


@pytest.fixture(scope="module")
def trips() -> Schema:
    return read_schema(Catalogue((TABLE,)), ValueMemory({"trips.fare": [*FARES], "trips.name": ["Bay Round"]}))


@pytest.mark.parametrize(
    ("operator", "value", "left"),
    [
        ("!=", "high", ("low", "medium")),
        ("!=", "low", ("medium", "high", "top")),
        ("<=", "medium", ("low", "medium")),
        (">", "medium", ("high", "top")),
        ("=", "high", ("high",)),
    ],
)
def test_a_comparison_leaves_the_values_on_one_side(operator, value, left):
    assert on_scale(FARE, operator, value) == left


@pytest.mark.parametrize(
    ("message", "said", "held"),
    [
        ("trips that are not too dear", "dear", "(trips.fare = 'low' OR trips.fare = 'medium')"),
        ("trips with medium fares at most", "medium", "(trips.fare = 'low' OR trips.fare = 'medium')"),
        ("trips with dear fares", "dear", "trips.fare = 'high'"),
    ],
)
def test_words_beside_a_value_bound_it(trips, message, said, held):
    start = message.index(said)
    literal = Literal(said, 1, "=", False, start, start + len(said))
    query = compose(Roles(select=[(0, "")], literals=[literal]), trips, message, 2026)
    assert query.sql == f"SELECT trips.name FROM trips WHERE {held}"


@pytest.mark.parametrize(
    ("message", "order", "limit"),
    [
        ("the dearest trip", [(1, "", "desc")], 1),
        ("the least dear trip", [(1, "", "asc")], 1),
        ("trips from lowest to dearest", [(1, "", "asc")], 0),
        ("dear trips", [], 0),
    ],
)
def test_the_most_of_a_value_orders_rows(trips, message, order, limit):
    roles = ordered_by_values(Roles(select=[(0, "")]), trips, message)
    assert (roles.order, roles.limit) == (order, limit)


def test_a_vocabulary_without_ends_has_no_order(trips):
    plain = read_schema(
        Catalogue((replace(TABLE, columns=(TABLE.columns[0], replace(FARE, low_words=()))),)), ValueMemory({})
    )
    assert ordered_by_values(Roles(select=[(0, "")]), plain, "the dearest trip").order == []
