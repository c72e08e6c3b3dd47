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
        (
            "courses",
            "how many courses are offered per season",
            "SELECT offerings.season, COUNT(DISTINCT courses.course_id) AS count FROM courses JOIN offerings"
            " ON offerings.course_id = courses.course_id GROUP BY offerings.season ORDER BY offerings.season",
        ),
        (
            "courses",
            "which instructor has the best ratings",
            "SELECT instructor_name, AVG(ratings.average_rating) AS avg FROM courses JOIN ratings"
            " ON ratings.course_id = courses.course_id, unnest(ratings.instructor_names) AS instructor_name"
            " GROUP BY instructor_name ORDER BY avg DESC LIMIT 1",
        ),
        (
            "courses",
            "which course has the most units",
            "SELECT * FROM courses ORDER BY max_units DESC NULLS LAST LIMIT 1",
        ),
    ],
)
def test_groups_and_extremes(parser: BuiltinParser, table: str, words: str, expected: str) -> None:
    assert parser.parse(words, (table,)).suql == expected
    check(expected, catalogue())


def test_how_many_units_a_course_has_is_no_count_of_courses(parser: BuiltinParser) -> None:
    frame = parser.frame("how many units is CS 140", ("courses",))
    assert frame.aggregate is None
    assert [item.column for item in frame.projections] == ["min_units", "max_units"]


def test_counting_for_a_requirement_is_no_count(parser: BuiltinParser) -> None:
    assert parser.frame("which courses count for WAY-FR", ("courses",)).aggregate is None


def test_nearest_first_where_the_place_is_known(parser: BuiltinParser) -> None:
    suql = parser.parse("nearest thai place to Apple Park", ("restaurants",)).suql
    assert "ORDER BY power(latitude - 37.33, 2) + 0.63 * power(longitude - -122.01, 2) ASC" in suql
    check(suql, catalogue())


def test_the_best_instructor_for_something_is_a_group(parser: BuiltinParser) -> None:
    aggregate = parser.frame("best instructor for machine learning", ("courses",)).aggregate
    assert aggregate is not None
    assert (aggregate.function, aggregate.group[0][1], aggregate.best_first) == ("avg", "instructor_names", True)


def test_what_a_price_usually_is_counts_its_steps(parser: BuiltinParser) -> None:
    aggregate = parser.frame("average price of restaurants in Cupertino", ("restaurants",)).aggregate
    assert aggregate is not None
    assert (aggregate.function, aggregate.group) == ("count", (("restaurants", "price"),))


def test_an_average_price_beside_a_place_is_a_wish(parser: BuiltinParser) -> None:
    assert parser.frame("thai with average prices", ("restaurants",)).aggregate is None


@pytest.mark.parametrize(
    ("words", "table", "limit"),
    [
        ("of all the winter courses, which has the highest rating?", "courses", 1),
        ("among all the thai places in Cupertino, which is the cheapest?", "restaurants", 1),
        ("show me all the courses in winter", "courses", None),
    ],
)
def test_of_all_of_them_the_most_is_one(parser: BuiltinParser, words: str, table: str, limit: int | None) -> None:
    assert parser.frame(words, (table,)).limit == limit


def test_the_largest_by_a_number_is_not_counted(parser: BuiltinParser) -> None:
    frame = parser.frame("what's the biggest class you have, by number of seats", ("courses", "offerings"))
    assert frame.aggregate is None
    assert [(term.column, term.descending) for term in frame.order] == [("capacity", True)]
