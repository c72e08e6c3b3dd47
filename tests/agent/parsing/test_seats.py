"""Courses that are full, and those that are not."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("spring classes that aren't full", "offerings.enrolled < offerings.capacity"),
        ("courses with open seats", "offerings.enrolled < offerings.capacity"),
        ("easy courses with seats in spring", "offerings.enrolled < offerings.capacity"),
        ("spring classes that have some room left", "offerings.enrolled < offerings.capacity"),
        ("what spring courses can I still get into", "offerings.enrolled < offerings.capacity"),
        ("an autumn class, but not one that's full", "offerings.enrolled < offerings.capacity"),
        ("no full classes, please", "offerings.enrolled < offerings.capacity"),
        ("which autumn classes are full", "NOT offerings.enrolled < offerings.capacity"),
    ],
)
def test_seats_left_are_fewer_enrolled_than_fit(parser: BuiltinParser, words: str, condition: str) -> None:
    assert condition in parser.parse(words, ("courses", "offerings", "ratings")).suql


def test_a_number_of_seats_is_a_bound(parser: BuiltinParser) -> None:
    suql = parser.parse("classes with fewer than 30 seats", ("courses", "offerings", "ratings")).suql
    assert "offerings.capacity < 30" in suql
    assert "enrolled" not in suql


def test_what_lasts_all_day_is_not_full(parser: BuiltinParser) -> None:
    suql = parser.parse("courses that are full time", ("courses", "offerings", "ratings")).suql
    assert "enrolled" not in suql


def test_how_many_are_left_is_no_condition(parser: BuiltinParser) -> None:
    suql = parser.parse("how many seats are left in winter", ("courses", "offerings", "ratings")).suql
    assert "enrolled <" not in suql


@pytest.mark.parametrize("words", ["which could I still get into in winter", "what can I still get into in spring"])
def test_what_one_can_get_into_is_wished_for_however_it_is_told(parser: BuiltinParser, words: str) -> None:
    suql = parser.parse(words, ("courses", "offerings", "ratings")).suql
    assert "offerings.enrolled < offerings.capacity" in suql
    assert "offerings.season = " in suql


def test_which_has_the_most_is_one(parser: BuiltinParser) -> None:
    assert parser.parse("which has the best reviews?", ("courses", "offerings", "ratings")).suql.endswith("LIMIT 1")


def test_what_is_not_full_is_not_denied(parser: BuiltinParser) -> None:
    suql = parser.parse("an autumn class, but not one that's full", ("courses", "offerings", "ratings")).suql
    assert "NOT offerings.enrolled" not in suql
