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
