"""Small talk, and what happened to the user, ask for nothing: no day, place or food in them is a condition."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Condition, leaves
from agent.parsing.parser import BuiltinParser
from tests.agent.parsing.shares import mostly


def conditions(parser: BuiltinParser, words: str) -> list[str]:
    """All that a message asks for: values of columns, and questions to the reviews."""
    found = [leaf for node in parser.frame(words, ("restaurants",)).where for leaf in leaves(node)]
    return sorted(str(leaf.values[0]) if isinstance(leaf, Condition) else leaf.question for leaf in found)


TOLD = [
    "Hope you had a restful Sunday!",
    "Hello, I trust everything is fine at your end :)",
    "How was your weekend?",
    "Merry Christmas everyone!",
    "Yay, finally Thursday!",
    "Oh what a month, two funerals and a broken boiler.",
    "The weather has been miserable since Monday.",
    "Greetings from a very slow train, the 14 is late again!",
    "Thanks a lot for last time, the noodles were gorgeous!",
    "We relocated from Boston in June and are still looking around in awe.",
    "New in town, flew over from Chicago with three suitcases and a parrot!",
    "Last weekend we painted the garage and my arms hurt.",
    "Been living in boxes for weeks and never found the kettle.",
    "The movers broke our oven, it took them a minute.",
    "First time abroad, coming from Norway, and everything is so big here!",
    "We are here until Tuesday.",
    "What a shift, rough night.",
]


def test_nothing_told_is_a_condition(parser: BuiltinParser) -> None:
    asked = "Could you find me a Thai place in Palo Alto?"
    mostly(TOLD, lambda told: conditions(parser, f"{told} {asked}") == ["Palo Alto", "thai"], least=0.9)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("We finish work in Sunnyvale on Friday. Thai?", ["Sunnyvale", "open Friday", "thai"]),
        ("My niece flies in from Sunnyvale on Friday. Thai?", ["thai"]),
        ("Thai within ten minutes' drive from Palo Alto", ["Palo Alto", "thai"]),
        ("I hope you know a Thai place in Palo Alto", ["Palo Alto", "thai"]),
        ("Thai in Palo Alto, a warm room :) It must be open on Friday", ["Palo Alto", "open Friday", "thai"]),
    ],
)
def test_what_is_told_of_the_occasion_still_counts(parser: BuiltinParser, words: str, wanted: list[str]) -> None:
    assert set(wanted) <= set(conditions(parser, words))


def test_a_place_that_somebody_comes_from_is_not_searched(parser: BuiltinParser) -> None:
    assert conditions(parser, "My niece flies in from Sunnyvale. Thai?") == ["thai"]
