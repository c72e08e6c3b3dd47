"""Clauses and what is left of a message: whose subject does what, what is denied, and how far a negation reaches."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Asked, Condition, leaves
from agent.parsing.parser import BuiltinParser


def asked(parser: BuiltinParser, words: str, table: str = "restaurants") -> list[tuple[str, str]]:
    """The questions a message puts to free text, with the answers it expects."""
    frame = parser.frame(words, (table,))
    return [(leaf.question, leaf.expected) for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked)]


@pytest.mark.parametrize(
    ("words", "question", "expected"),
    [
        ("a bar whose owner greets you at the door", "does the owner greet you at the door at this restaurant?", "Yes"),
        ("a cafe where you don't have to shout", "do guests have to shout at this restaurant?", "No"),
        ("I don't want anything smoked", "does this restaurant serve smoked food?", "No"),
        ("a cafe where they don't play loud music", "is this restaurant quiet?", "Yes"),
        ("we'd like to split the bill", "can guests split the bill at this restaurant?", "Yes"),
        ("a cafe that doesn't play records too often", "does this restaurant play records too often?", "No"),
        ("cafes where people say the espresso is burnt", "is the espresso burnt at this restaurant?", "Yes"),
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


@pytest.mark.parametrize(
    ("words", "fragment"),
    [
        ("my son has a nut allergy, which thai places take it seriously", "this restaurant seriously"),
        ("indian in Sunnyvale, whatever in that direction", "direction"),
    ],
)
def test_a_fragment_that_names_nothing_is_not_asked(parser: BuiltinParser, words: str, fragment: str) -> None:
    assert not any(question.endswith(f" {fragment}?") for question, _ in asked(parser, words))


def test_a_concession_is_no_condition(parser: BuiltinParser) -> None:
    frame = parser.frame("thai in Sunnyvale, under 4 stars is fine", ("restaurants",))
    assert not any(leaf.column == "rating" for node in frame.where for leaf in leaves(node) if leaf.kind == "condition")


def test_kinds_in_a_list_are_alternatives_and_a_diet_is_not(parser: BuiltinParser) -> None:
    def modes(words: str) -> list[str]:
        return [getattr(node, "mode", "one") for node in parser.frame(words, ("restaurants",)).where]

    assert modes("thai, indian") == ["one"]  # a condition with two values, either of which will do
    assert modes("thai, vegetarian") == ["all"]


@pytest.mark.parametrize(
    ("words", "hours", "negated"),
    [
        ("cafes not open on Monday", "open Monday", True),
        ("lunch near the Ferry Building tomorrow", "open tomorrow for lunch", False),
        ("a bakery that opens before 7", "open before 07:00", False),
        ("it's 10pm, whatever is open", "open at 22:00", False),
    ],
)
def test_when_a_place_is_open(parser: BuiltinParser, words: str, hours: str, negated: bool) -> None:
    frame = parser.frame(words, ("restaurants",))
    found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    said = [leaf for leaf in found if leaf.column == "opening_hours"]
    assert [(leaf.values, leaf.negated) for leaf in said] == [((hours,), negated)]


def test_one_vegan_among_others_needs_options(parser: BuiltinParser) -> None:
    assert ("does this restaurant have vegan options?", "Yes") in asked(parser, "five of us, one vegan, in Sunnyvale")


def test_an_average_with_a_bound_is_a_bound(parser: BuiltinParser) -> None:
    frame = parser.frame("thai with an average rating of at least 4", ("restaurants",))
    assert frame.aggregate is None
