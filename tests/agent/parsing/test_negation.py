"""What a clause denies of the thing that its verb, or an adverb of degree, leads to."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser

TABLES = ("courses", "offerings", "ratings")
ATTENDANCE, ABSENCE = "is attendance required in this course?", "can students do well in this course without attending?"
CODE, NO_CODE = "does this course involve programming?", "is this course free of programming?"
WRITING = "does this course involve a lot of writing?"


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("courses in spring where they never check attendance", ABSENCE),
        ("a course in which they don't track attendance", ABSENCE),
        ("courses in which attendance is required", ATTENDANCE),
        ("a seminar that has scarcely any coding", NO_CODE),
        ("a seminar that has a lot of coding", CODE),
    ],
)
def test_what_is_not_done_is_denied(parser: BuiltinParser, words: str, asked: str) -> None:
    assert f"'{asked}') = 'Yes'" in parser.parse(words, TABLES).suql


def test_what_stands_after_but_is_wanted(parser: BuiltinParser) -> None:
    suql = parser.parse("a class with barely any coding but lots of writing", TABLES).suql
    assert f"'{NO_CODE}') = 'Yes'" in suql
    assert f"'{WRITING}') = 'Yes'" in suql


def test_what_nobody_minds_is_not_denied(parser: BuiltinParser) -> None:
    assert ABSENCE not in parser.parse("courses in spring, I don't mind attendance", TABLES).suql


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("courses that don't film the lectures", "'are the lectures of this course recorded?') = 'No'"),
        ("courses with lectures that get recorded", "'are the lectures of this course recorded?') = 'Yes'"),
        ("a course in spring where attendance is optional", f"'{ABSENCE}') = 'Yes'"),
        ("a course without having to show up in person", f"'{ABSENCE}') = 'Yes'"),
    ],
)
def test_being_there_and_seeing_it_later(parser: BuiltinParser, words: str, said: str) -> None:
    assert said in parser.parse(words, TABLES).suql
