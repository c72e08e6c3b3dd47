"""Clauses and what is left of a message: whose subject does what, what is denied, and how far a negation reaches."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Asked, leaves
from agent.parsing.parser import BuiltinParser


def asked(parser: BuiltinParser, words: str, table: str = "restaurants") -> list[tuple[str, str]]:
    """The questions a message puts to free text, with the answers it expects."""
    frame = parser.frame(words, (table,))
    return [(leaf.question, leaf.expected) for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked)]


@pytest.mark.parametrize(
    ("words", "question", "expected"),
    [
        ("a bar whose owner greets you at the door", "does the owner greet you at the door at this restaurant?", "Yes"),
        ("somewhere you don't have to shout", "do guests have to shout at this restaurant?", "No"),
        ("I don't want anything smoked", "does this restaurant serve smoked food?", "No"),
        ("a cafe where they don't play loud music", "is this restaurant quiet?", "Yes"),
        ("a terrace walkable from the harbour", "is this restaurant walkable from the harbour?", "Yes"),
    ],
)
def test_a_clause_becomes_a_question_with_its_own_subject(
    parser: BuiltinParser, words: str, question: str, expected: str
) -> None:
    assert (question, expected) in asked(parser, words)


def test_after_something_understood_another_clause_begins(parser: BuiltinParser) -> None:
    found = asked(parser, "spots where the portions are huge and the cooks aren't grumpy")
    assert [answer for _, answer in found].count("No") == 1
    assert all("portions are" not in question for question, _ in found)


def test_a_negation_reaches_over_or_and_not_over_and_a(parser: BuiltinParser) -> None:
    wanted = asked(parser, "classes with no final and a group project", "courses")
    neither = asked(parser, "classes with no final or group project", "courses")
    assert ("does this course have group work?", "Yes") in wanted
    assert ("is this course free of group work?", "Yes") in neither


def test_an_adjective_stays_with_the_thing_it_describes(parser: BuiltinParser) -> None:
    assert ("does this course have a huge final project?", "Yes") in asked(
        parser, "a class with a huge final project", "courses"
    )
