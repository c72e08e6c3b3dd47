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
