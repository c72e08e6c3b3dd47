"""Two courses that are named and compared: one question to each, and the number that speaks to it."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser

TABLES = ("courses", "offerings", "ratings")


@pytest.mark.parametrize(
    ("words", "question", "number"),
    [
        ("is CS 140 tougher than CS 152?", "is this course tough?", "average_hours_spent"),
        ("CS 140 or CS 152, which is less stressful?", "is this course stressful?", "average_hours_spent"),
        ("which is more fun, CS 140 or CS 152", "is this course fun?", ""),
        ("is CS 140 worse than CS 152?", "is this course bad?", "average_rating"),
        ("which has the clearer lectures, CS 140 or CS 152?", "does this course have clear lectures?", ""),
    ],
)
def test_each_is_asked_about_the_quality(parser: BuiltinParser, words: str, question: str, number: str) -> None:
    suql = parser.parse(words, TABLES).suql
    assert f"'{question}'" in suql
    assert suql.count("answer(") == 1
    assert "'CS 140' = ANY(" in suql
    assert "'CS 152' = ANY(" in suql
    assert number in suql


def test_what_is_said_before_they_are_compared_leaves_none_of_them_out(parser: BuiltinParser) -> None:
    suql = parser.parse("I'm free in spring. is CS 140 easier than CS 152?", TABLES).suql
    assert "season" not in suql


def test_the_quarter_they_are_compared_for_stays(parser: BuiltinParser) -> None:
    assert "season = 'spring'" in parser.parse("for spring, is CS 140 easier than CS 152?", TABLES).suql


def test_people_who_are_compared_are_shown_beside_their_numbers(parser: BuiltinParser) -> None:
    suql = parser.parse(
        "between Osric Pemberley and Aino Lehtovaara, who do students like better for CS 140?", TABLES
    ).suql
    assert suql.startswith("SELECT DISTINCT courses.title, ratings.instructor_names, ratings.average_rating ")


def test_people_set_against_each_other_need_not_both_teach_it(parser: BuiltinParser) -> None:
    suql = parser.parse("CS 140 with Osric Pemberley vs Aino Lehtovaara, whats the difference", TABLES).suql
    assert "('Osric Pemberley' = ANY(offerings.instructor_names) OR 'Aino Lehtovaara' = ANY(" in suql
