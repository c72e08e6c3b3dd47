from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser
from agent.suql import check
from corpora.catalogue import catalogue


@pytest.mark.parametrize(
    ("table", "words", "expected"),
    [
        (
            "restaurants",
            "which city has the most thai places",
            "SELECT city, COUNT(*) AS count FROM restaurants WHERE 'thai' = ANY(cuisines)"
            " GROUP BY city ORDER BY count DESC LIMIT 1",
        ),
        (
            "restaurants",
            "average rating of italian restaurants in each city",
            "SELECT city, AVG(rating) AS avg FROM restaurants WHERE 'italian' = ANY(cuisines)"
            " GROUP BY city ORDER BY city",
        ),
        (
            "restaurants",
            "the best rated thai place in each city",
            "SELECT DISTINCT ON (city) city, restaurants.* FROM restaurants WHERE 'thai' = ANY(cuisines)"
            " ORDER BY city, rating DESC",
        ),
        (
            "restaurants",
            "how many different cuisines are there in Sunnyvale",
            "SELECT COUNT(DISTINCT cuisine) AS count FROM restaurants, unnest(cuisines) AS cuisine"
            " WHERE location = 'Sunnyvale'",
        ),
    ],
)
def test_groups_and_extremes(parser: BuiltinParser, table: str, words: str, expected: str) -> None:
    assert parser.parse(words, (table,)).suql == expected
    check(expected, catalogue())


def test_nearest_first_where_the_place_is_known(parser: BuiltinParser) -> None:
    suql = parser.parse("nearest thai place to Apple Park", ("restaurants",)).suql
    assert "ORDER BY power(latitude - 37.33, 2) + 0.63 * power(longitude - -122.01, 2) ASC" in suql
    check(suql, catalogue())


def test_what_a_price_usually_is_counts_its_steps(parser: BuiltinParser) -> None:
    aggregate = parser.frame("average price of restaurants in Cupertino", ("restaurants",)).aggregate
    assert aggregate is not None
    assert (aggregate.function, aggregate.group) == ("count", (("restaurants", "price"),))


def test_an_average_price_beside_a_place_is_a_wish(parser: BuiltinParser) -> None:
    assert parser.frame("thai with average prices", ("restaurants",)).aggregate is None


@pytest.mark.parametrize(
    ("words", "table", "limit"),
    [
        ("among all the thai places in Cupertino, which is the cheapest?", "restaurants", 1),
    ],
)
def test_of_all_of_them_the_most_is_one(parser: BuiltinParser, words: str, table: str, limit: int | None) -> None:
    assert parser.frame(words, (table,)).limit == limit
