"""Facts asked of what is described rather than named: they are told, not only shown."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    ("words", "column"),
    [
        ("what's the address of the top rated thai place in Palo Alto", "address"),
        ("how late is the highest rated mexican restaurant in Palo Alto open", "opening_hours"),
        ("what are the popular dishes at the best rated indian restaurant in Sunnyvale", "popular_dishes"),
        ("how many reviews does the most expensive japanese restaurant in Palo Alto have", "num_reviews"),
    ],
)
def test_a_fact_of_the_first_of_all_is_told(parser: BuiltinParser, words: str, column: str) -> None:
    frame = parser.frame(words, ("restaurants",))
    assert [projection.column for projection in frame.projections] == [column]
    assert (frame.limit, frame.presentation) == (1, "detail")
    assert not any(getattr(node, "column", "") == "opening_hours" for node in frame.where)


@pytest.mark.parametrize(
    ("words", "selected"),
    [
        ("When does The Slow Egg open?", "name, opening_hours"),
        (
            "When does The Slow Egg open and do people say the eggs are runny?",
            "name, opening_hours, answer(reviews, 'do people say the eggs are runny?') AS answer",
        ),
        (
            "what's the rating of The Slow Egg and what do people say about the service?",
            "name, rating, answer(reviews, 'what do people say about the service?') AS answer",
        ),
    ],
)
def test_each_question_about_a_named_thing_is_answered(parser: BuiltinParser, words: str, selected: str) -> None:
    suql = parser.parse(words, ("restaurants",)).suql
    assert suql == f"SELECT {selected} FROM restaurants WHERE name = 'The Slow Egg'"


@pytest.mark.parametrize(
    "words",
    [
        "give me the addresses of thai restaurants in Palo Alto",
        "addresses of thai restaurants in palo alto",
        "thai food in Palo Alto, please send the list with addresses",
    ],
)
def test_facts_of_several_are_a_list(parser: BuiltinParser, words: str) -> None:
    frame = parser.frame(words, ("restaurants",))
    assert [projection.column for projection in frame.projections] == ["address"]
    assert frame.presentation == "list"


def test_what_is_said_of_the_first_of_all_is_told(parser: BuiltinParser) -> None:
    words = "what do reviewers say about the service at the most reviewed thai restaurant in Palo Alto?"
    frame = parser.frame(words, ("restaurants",))
    assert [one.question for one in frame.projections] == ["what do reviewers say about the service?"]
    assert frame.limit == 1


def test_an_unknown_name_keeps_its_own_ending(parser: BuiltinParser) -> None:
    frame = parser.frame("what time does Zorba's in Palo Alto close on Sundays?", ("restaurants",))
    assert [node.values for node in frame.where if getattr(node, "column", "") == "name"] == [("Zorba's",)]


def test_whether_the_first_of_all_is_dear_is_told_and_no_condition(parser: BuiltinParser) -> None:
    words = "what's the most reviewed thai restaurant across all the cities and is it expensive?"
    suql = parser.parse(words, ("restaurants",)).suql
    assert suql == "SELECT name, price FROM restaurants WHERE 'thai' = ANY(cuisines) ORDER BY num_reviews DESC LIMIT 1"
