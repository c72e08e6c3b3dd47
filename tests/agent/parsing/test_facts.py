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
