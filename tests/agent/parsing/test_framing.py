"""What leads to a wish, lends it force or asks whether it is so adds no condition."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    "words",
    [
        "to keep it short, I want a course about ethics in winter",
        "a winter course about ethics, full stop",
        "An ethics course in winter, no ifs or buts.",
        "my cousin mentioned there's an ethics course in winter. Is it true?",
        "I've heard that there is an ethics course in winter, correct?",
        "Is it true that there is an ethics course in winter this year?",
        "apparently you can take an ethics course in winter, or not?",
    ],
)
def test_framing_adds_no_condition(parser: BuiltinParser, words: str) -> None:
    suql = parser.parse(words, ("courses",)).suql
    assert suql.count("answer(") == 1
    assert "is this course about ethics?" in suql
    assert "season = 'winter'" in suql


@pytest.mark.parametrize("force", ["", " at all", " whatsoever"])
def test_emphasis_does_not_hide_what_it_stresses(parser: BuiltinParser, force: str) -> None:
    assert "free of programming?" in parser.parse(f"winter courses without coding{force}", ("courses",)).suql
    written = parser.parse(f"spring courses with no prerequisites{force}", ("courses",)).suql
    assert "cardinality(" in written
    assert "answer(" not in written


def test_what_a_message_is_about_is_no_framing(parser: BuiltinParser) -> None:
    assert "about truth?" in parser.parse("courses about truth", ("courses",)).suql
    assert "summary(ratings.reviews)" in parser.parse("what do people say about CS 101", ("courses",)).suql
    assert (
        "what do people say about the exams"
        in parser.parse("what do people say about the exams of CS 101", ("courses",)).suql
    )


@pytest.mark.parametrize(
    "words",
    [
        "chemistry major here, never learned to program. It would be nice if it also counted for WAY-ER",
        "I'm a classics major and I can't code. I'd love something with WAY-ER.",
    ],
)
def test_who_is_writing_is_neither_the_subject_nor_the_corpus(parser: BuiltinParser, words: str) -> None:
    suql = parser.parse(words, ("courses", "programs")).suql
    assert "'WAY-ER' = ANY(" in suql
    assert "major" not in suql
    assert suql.count("answer(") == suql.count(
        "this course good for beginners?"
    )  # who has never programmed may want a course for beginners
