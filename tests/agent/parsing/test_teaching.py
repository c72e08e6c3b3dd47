"""Whether somebody teaches something is looked for among what they teach."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    ("words", "conditions"),
    [
        ("does Osric Pemberley teach anything about graphics in spring?", ("graphics", "spring")),
        ("is Aino Lehtovaara teaching in winter?", ("winter",)),
        ("does Pemberley teach a security course", ("is this course about security?",)),
    ],
)
def test_what_somebody_teaches_is_a_search(parser: BuiltinParser, words: str, conditions: tuple[str, ...]) -> None:
    parsed = parser.parse(words, ("courses",))
    assert parsed.presentation == "list"
    assert "ANY(offerings.instructor_names)" in parsed.suql
    assert all(one in parsed.suql for one in conditions)


def test_whether_somebody_teaches_a_course_by_its_code_is_asked_of_it(parser: BuiltinParser) -> None:
    assert parser.parse("does Osric Pemberley teach CS 140?", ("courses",)).presentation == "detail"


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("is CS 140 taught well, and what do people say about her?", "the instructor"),
        ("what do students say about his lectures in CS 140?", "the instructor's lectures"),
    ],
)
def test_a_person_of_a_course_is_its_instructor(parser: BuiltinParser, words: str, question: str) -> None:
    assert question in parser.parse(words, ("courses",)).suql.replace("''", "'")
