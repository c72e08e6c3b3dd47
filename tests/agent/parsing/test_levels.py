"""Levels of courses, departments, and requirements that are named without saying which."""

from __future__ import annotations

import pytest

from agent.catalogue.values import ValueMemory
from agent.parsing.parser import BuiltinParser
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("200-level classes", "course_codes ILIKE '% 2__%'"),
        ("cs 200s please", "course_codes ILIKE 'CS 2__%'"),
        ("100- or 200-level courses", "(course_codes ILIKE '% 1__%' OR course_codes ILIKE '% 2__%')"),
        ("courses numbered 200 or above", "course_codes ILIKE '% 2__%'"),
        ("an upper-division course", "answer(description, 'is this course at the upper division level?') = 'Yes'"),
        ("graduate-level courses", "answer(description, 'is this course at the graduate level?') = 'Yes'"),
    ],
)
def test_a_level_is_a_hundred_or_a_word(parser: BuiltinParser, question: str, condition: str) -> None:
    assert condition in parser.parse(question, ("courses",)).suql


def test_a_level_is_no_part_of_the_subject(parser: BuiltinParser) -> None:
    suql = parser.parse("intro psychology class", ("courses",)).suql
    assert "'is this course about introductory psychology?'" in suql
    assert "ILIKE '%psychology%'" in suql


def test_a_subject_holds_of_the_numbers_of_its_department(parser: BuiltinParser) -> None:
    suql = parser.parse("a statistics course", ("courses",)).suql
    assert "(course_codes ILIKE 'STATS %' OR title ILIKE '%statistics%' OR answer(description" in suql


def test_any_requirement_is_a_list_that_is_not_empty(parser: BuiltinParser) -> None:
    suql = parser.parse("classes that count for a gen ed", ("courses",)).suql
    assert suql == "SELECT * FROM courses WHERE NOT cardinality(general_requirements) = 0 LIMIT 3"


@pytest.mark.parametrize(
    "question", ["courses rated over 4.5 and under 8 hours a week", "average rating over 4.5 and under 8 hours a week"]
)
def test_a_bound_does_not_swallow_the_next(parser: BuiltinParser, question: str) -> None:
    suql = parser.parse(question, ("courses",)).suql
    assert "average_rating > 4.5" in suql
    assert "average_hours_spent < 8" in suql


def test_majors_are_people_where_something_is_for_them(parser: BuiltinParser) -> None:
    frame = parser.frame("python for non-majors", ("courses", "offerings", "ratings", "programs"))
    assert frame.table == "courses"


@pytest.mark.parametrize(
    "question", ["something on ethics numbered over 100, graded", "ethics courses above 100 in spring"]
)
def test_a_number_that_others_lie_above_is_a_level(parser: BuiltinParser, question: str) -> None:
    assert "course_codes ILIKE '% 1__%' OR" in parser.parse(question, ("courses",)).suql


def test_a_number_of_seats_is_no_level(parser: BuiltinParser) -> None:
    suql = parser.parse("courses over 200 seats", ("courses",)).suql
    assert "course_codes" not in suql
    assert "capacity > 200" in suql


def test_capitals_tell_a_code_that_is_short() -> None:
    values = {"courses.general_requirements": ("WAY-AQR", "WAY-SI"), "courses.course_codes": ("CS 101",)}
    parser = BuiltinParser(catalogue(), ValueMemory(values), GAZETTEER)
    assert "'WAY-AQR' = ANY(general_requirements)" in parser.parse("easiest way to get AQR", ("courses",)).suql
    assert "WAY-SI" not in parser.parse("a course on SI units", ("courses",)).suql
    assert "WAY-AQR" not in parser.parse("A COURSE ON AQR THEORY", ("courses",)).suql
