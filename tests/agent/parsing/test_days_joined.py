"""Days and times that "or" joins, hours that answer a question, and the half of the day that is meant."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    ("words", "times"),
    [
        ("thai on Monday or Thursday evening", ("open Monday evening", "open Thursday evening")),
        ("a thai place open Sunday or Monday", ("open Sunday", "open Monday")),
    ],
)
def test_either_day_will_do(parser: BuiltinParser, words: str, times: tuple[str, str]) -> None:
    either = " OR ".join(f"opening_hours = '{time}'" for time in times)
    assert f"({either})" in parser.parse(words, ("restaurants",)).suql


@pytest.mark.parametrize(
    ("words", "time"),
    [
        ("thai with wifi where I can work at 8 on weekdays", "open on weekdays at 08:00"),
        ("a place to study, with coffee, open until 10", "open until 10:00"),
        ("thai at 8 on weekdays", "open on weekdays at 20:00"),
    ],
)
def test_who_works_there_comes_in_the_morning(parser: BuiltinParser, words: str, time: str) -> None:
    assert f"opening_hours = '{time}'" in parser.parse(words, ("restaurants",)).suql


@pytest.mark.parametrize(
    "words",
    [
        "which thai place closes the latest on Friday",
        "thai places in Palo Alto with the longest hours",
        "thai in Palo Alto and its closing time",
    ],
)
def test_hours_are_told_where_they_are_asked_for(parser: BuiltinParser, words: str) -> None:
    frame = parser.frame(words, ("restaurants",))
    assert [item.column for item in frame.projections] == ["opening_hours"]
    assert not frame.leftover


def test_a_kind_or_a_quality(parser: BuiltinParser) -> None:
    suql = parser.parse("thai or something spicy in Cupertino", ("restaurants",)).suql
    assert "('thai' = ANY(cuisines) OR answer(reviews, 'is the food at this restaurant spicy?') = 'Yes')" in suql


@pytest.mark.parametrize(
    ("words", "denied"),
    [("not a noisy thai place", False), ("no thai please", True)],
)
def test_a_sort_of_a_kind_is_denied_without_the_kind(parser: BuiltinParser, words: str, *, denied: bool) -> None:
    assert ("NOT '" in parser.parse(words, ("restaurants",)).suql) == denied


@pytest.mark.parametrize(("words", "priced"), [("we fancy a burger in Cupertino", 0), ("a fancy thai place", 2)])
def test_what_one_fancies_is_not_fancy(parser: BuiltinParser, words: str, priced: int) -> None:
    prices = [
        node.values for node in parser.frame(words, ("restaurants",)).where if getattr(node, "column", "") == "price"
    ]
    assert sum(map(len, prices)) == priced
