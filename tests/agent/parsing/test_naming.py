"""Courses by their titles, whole, in part or by a short form; people; and what is asked about them."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Condition, leaves
from agent.parsing.parser import BuiltinParser


def conditions(parser: BuiltinParser, words: str) -> dict[str, tuple[object, ...]]:
    frame = parser.frame(words, ("courses",))
    found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    return {leaf.column: leaf.values for leaf in found}


@pytest.mark.parametrize(
    "words",
    [
        "which quarters is Operating Systems offered",
        "is the operating class any good",
        "what days does OS meet",
        "how much time a week do people put into operating systems",
    ],
)
def test_a_title_is_known_in_a_question_about_it(parser: BuiltinParser, words: str) -> None:
    assert conditions(parser, words) == {"title": ("Operating Systems",)}


def test_a_title_is_a_subject_in_a_search(parser: BuiltinParser) -> None:
    assert "title" not in conditions(parser, "any classes about operating systems")


def test_hours_a_week_are_the_workload(parser: BuiltinParser) -> None:
    frame = parser.frame("how many hours a week does Operating Systems take", ("courses",))
    assert [item.column for item in frame.projections] == ["average_hours_spent"]


def test_codes_named_apart_are_alternatives(parser: BuiltinParser) -> None:
    assert conditions(parser, "is CS 101 harder than CS 140")["course_codes"] == ("CS 101", "CS 140")


@pytest.mark.parametrize("words", ["what comes after CS 101 and CS 102", "a good follow-up to CS 101 and CS 102"])
def test_what_comes_after_courses_has_them_as_prerequisites(parser: BuiltinParser, words: str) -> None:
    frame = parser.frame(words, ("courses",))
    leaf_columns = {leaf.column for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)}
    assert leaf_columns == {"prerequisite_course_codes"}


def test_pieces_of_one_question_are_asked_as_one(parser: BuiltinParser) -> None:
    frame = parser.frame("is the midterm in Operating Systems hard?", ("courses",))
    assert [item.question for item in frame.projections] == ["is the midterm in this course hard?"]
