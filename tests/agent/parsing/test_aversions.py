"""What somebody feels about a thing says whether they want it."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser

NO_EXAMS = "answer(ratings.reviews, 'is this course free of exams?') = 'Yes'"
NO_GROUPS = "answer(ratings.reviews, 'is this course free of group work?') = 'Yes'"


@pytest.mark.parametrize(
    "words",
    [
        "quizzes give me goosebumps, so a winter course please",
        "I go blank in exams. What is there in winter?",
        "Midterms are my biggest fear! Winter courses?",
        "I'm really bad at exams, winter classes please",
        "winter classes where no one tests me",
    ],
)
def test_a_dreaded_thing_is_unwanted(parser: BuiltinParser, words: str) -> None:
    suql = parser.parse(words, ("courses",)).suql
    assert NO_EXAMS in suql
    assert suql.count("answer(") == suql.count("free of exams?") == 2  # of what describes it, and of the comments
    assert "season = 'winter'" in suql


def test_each_thing_of_a_feeling_is_unwanted(parser: BuiltinParser) -> None:
    suql = parser.parse("quizzes bore me and teamwork drives me nuts. Winter courses?", ("courses",)).suql
    assert NO_EXAMS in suql
    assert NO_GROUPS in suql
    suql = parser.parse("debates and quizzes make me nervous. Winter courses?", ("courses",)).suql
    assert NO_EXAMS in suql
    assert "have debates?') = 'No'" in suql


def test_a_welcome_thing_is_preferred(parser: BuiltinParser) -> None:
    frame = parser.frame("group projects motivate me. winter courses?", ("courses",))
    assert any("have group work?" in getattr(node, "question", "") and node.soft for node in frame.where)


def test_what_does_not_frighten_is_neither_wanted_nor_unwanted(parser: BuiltinParser) -> None:
    assert "exams" not in parser.parse("exams do not scare me, winter courses please", ("courses",)).suql


def test_who_asks_whether_it_is_free_of_a_thing_asks_that(parser: BuiltinParser) -> None:
    assert "'is this course free of exams?'" in parser.parse("is CS 152 free of midterms?", ("courses",)).suql


def test_what_is_neither_one_nor_the_other_lacks_both(parser: BuiltinParser) -> None:
    suql = parser.parse("winter courses with neither C++ nor Java", ("courses",)).suql
    assert "does this course use C++?') = 'No'" in suql
    assert "does this course use Java?') = 'No'" in suql


def test_work_given_back_soon_is_feedback(parser: BuiltinParser) -> None:
    suql = parser.parse("winter courses that hand back essays within ten days", ("courses",)).suql
    assert "answer(ratings.reviews, 'is feedback in this course fast?') = 'Yes'" in suql
