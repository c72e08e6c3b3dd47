"""What somebody may take who has taken no more than what they name."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser

WITHIN = "prerequisite_course_codes <@ ARRAY['CS 101'] AND NOT 'CS 101' = ANY(course_codes)"


@pytest.mark.parametrize(
    "words",
    [
        "I have completed only CS 101. Which ethics courses may I take?",
        "With just CS 101 under my belt, which ethics courses are open to me?",
        "the one and only class I've done is CS 101, any ethics courses I'm eligible for?",
        "CS 101 is all I have done so far, which ethics courses can I take?",
        "I've passed CS 101, which ethics courses could I take",
    ],
)
def test_who_has_taken_nothing_else_may_take_what_needs_no_more(parser: BuiltinParser, words: str) -> None:
    suql = parser.parse(words, ("courses",)).suql
    assert WITHIN in suql
    assert suql.count("answer(") == 1


@pytest.mark.parametrize(
    "words",
    ["which ethics courses can I take after CS 101?", "ethics courses that only require CS 101"],
)
def test_what_builds_on_a_course_needs_it(parser: BuiltinParser, words: str) -> None:
    assert "'CS 101' = ANY(prerequisite_course_codes)" in parser.parse(words, ("courses",)).suql


def test_who_has_taken_nothing_needs_courses_without_prerequisites(parser: BuiltinParser) -> None:
    suql = parser.parse("I haven't completed any courses yet, what ethics classes can I take?", ("courses",)).suql
    assert "cardinality(prerequisite_course_codes) = 0" in suql


@pytest.mark.parametrize(
    "words",
    [
        "I have CS 101 done. Which ethics courses should I take?",
        "something on ethics that I can take after only CS 101",
        "what ethics courses can I take with only CS 101?",
        "could I take an ethics course having done nothing but CS 101",
    ],
)
def test_what_is_done_is_all_that_may_be_needed(parser: BuiltinParser, words: str) -> None:
    assert WITHIN in parser.parse(words, ("courses",)).suql


def test_whom_students_like_beside_a_search_is_no_list_of_people(parser: BuiltinParser) -> None:
    words = "what winter courses are not full, and which teacher do students like more?"
    suql = parser.parse(words, ("courses", "offerings", "ratings")).suql
    assert "instructor_name" not in suql
    assert "enrolled < offerings.capacity" in suql
