from __future__ import annotations

import pytest

from agent.suql.correction import Corrector
from corpora.catalogue import catalogue
from tests.agent.parsing.world import MEMORY


@pytest.fixture(scope="module")
def corrector() -> Corrector:
    return Corrector(catalogue(), MEMORY)


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("'itallian' = ANY(cuisines)", "'italian' = ANY(cuisines)"),
        ("'Thai' = ANY(cuisines)", "'thai' = ANY(cuisines)"),
        ("price = 'pricey'", "price = 'expensive'"),
        ("name = 'Kaveri Tifin Room'", "name = 'Kaveri Tiffin Room'"),
        ("name = 'fig and foghorn'", "name = 'Fig & Foghorn'"),
        ("name = 'Bakery 1890 on Fourthh'", "name = 'Bakery 1890 on Fourth'"),
        ("name = 'kaveri'", "name = 'Kaveri Tiffin Room'"),
        ("name = 'Foghorne'", "name = 'Fig & Foghorn'"),
    ],
)
def test_values_that_were_clearly_meant(corrector: Corrector, written: str, meant: str) -> None:
    query = "SELECT * FROM restaurants WHERE "
    assert corrector.correct(query + written) == query + meant


@pytest.mark.parametrize(
    "kept",
    [
        "SELECT * FROM restaurants WHERE 'wine' = ANY(cuisines)",  # no misspelling of 'wine bars'
        "SELECT * FROM restaurants WHERE name = 'Somewhere Else Entirely'",
        "SELECT * FROM restaurants WHERE name = 'Kaveri Garden'",  # another one
        "SELECT * FROM restaurants WHERE answer(reviews, 'is this restaurant itallian?') = 'Yes'",
        "SELECT * FROM restaurants WHERE location = 'Palo Alto'",
        # no misspelling of 'CS 140'
        "SELECT * FROM restaurants WHERE name = 'Bakery 1891 on Fourth'",
        "not a query at all",
        "",
    ],
)
def test_everything_else_stays_as_it_was_written(corrector: Corrector, kept: str) -> None:
    assert corrector.correct(kept) == kept
