"""Words for the ends of scales, as a curator tells them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.catalogue.tables import Catalogue
from agent.understanding.ends import ordered_by_ends
from agent.understanding.roles import Roles
from agent.understanding.schema import Schema, read_schema
from tests.agent.understanding.conftest import FERRIES, MEMORY

LENGTH, BUILT = 2, 3


@pytest.fixture(scope="module")
def scaled() -> Schema:
    ends = {"length_m": (("short",), ("long", "roomy")), "built": (("old",), ("new", "modern"))}
    columns = tuple(
        replace(one, low_words=ends[one.name][0], high_words=ends[one.name][1]) if one.name in ends else one
        for one in FERRIES.columns
    )
    return read_schema(Catalogue((replace(FERRIES, columns=columns),)), MEMORY)


@pytest.mark.parametrize(
    ("message", "order", "limit"),
    [
        ("the roomiest ferry", [(LENGTH, "", "desc")], 1),
        ("a modern one please", [(BUILT, "", "desc")], 0),
        ("the oldest ferries", [(BUILT, "", "asc")], 0),
        ("something older", [(BUILT, "", "asc")], 0),
        ("old or long ferries", [], 0),
        ("ferries that take dogs", [], 0),
    ],
)
def test_a_word_for_an_end_of_a_scale_orders_by_it(scaled, message, order, limit):
    roles = ordered_by_ends(Roles(select=[(1, "")]), scaled, message)
    assert (roles.order, roles.limit) == (order, limit)
