"""Courses named only so that others are searched for: like them, or beside them."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser

TABLES = ("courses", "offerings", "ratings")


def where(parser: BuiltinParser, words: str) -> str:
    return parser.parse(words, TABLES).suql.replace("courses.", "").partition(" WHERE ")[2]


@pytest.mark.parametrize(
    "words",
    [
        "an easy course on top of CS 140 in spring",
        "what can I take in spring alongside CS 140?",
        "a spring course that goes well with CS 140",
        "something for spring while I'm taking CS 140",
        "a spring course similar to CS 140",
    ],
)
def test_a_course_beside_which_another_is_searched_for_is_left_out(parser: BuiltinParser, words: str) -> None:
    found = where(parser, words)
    assert "NOT 'CS 140' = ANY(course_codes)" in found
    assert "season = 'spring'" in found


def test_two_of_them_are_left_out(parser: BuiltinParser) -> None:
    found = where(parser, "a 2 unit course beside CS 140 and CS 152")
    assert "NOT 'CS 140' = ANY(course_codes)" in found
    assert "NOT 'CS 152' = ANY(course_codes)" in found
    assert "min_units <= 2" in found


def test_examples_of_courses_are_meant_themselves(parser: BuiltinParser) -> None:
    found = where(parser, "who are the best teachers for core courses, like CS 140 and CS 152?")
    assert "NOT" not in found
    assert "'CS 140' = ANY(course_codes)" in found


def test_a_course_asked_about_beside_another_is_meant_itself(parser: BuiltinParser) -> None:
    assert "NOT" not in where(parser, "how hard is CS 152 alongside CS 140?")
