"""What somebody had before and does not want again is left out."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    "words",
    [
        "dinner in Sunnyvale. We did indian on Monday, so not that again",
        "Yesterday was indian, anything but that today. Sunnyvale, dinner",
        "I ate indian last night, something different please: dinner in Sunnyvale",
    ],
)
def test_what_was_had_and_is_not_wanted_again_is_left_out(parser: BuiltinParser, words: str) -> None:
    assert "NOT 'indian' = ANY(cuisines)" in parser.parse(words, ("restaurants",)).suql


def test_of_two_neither_is_wanted_again(parser: BuiltinParser) -> None:
    words = "Last month we had burgers and the week before thai, neither of those please. Palo Alto"
    suql = parser.parse(words, ("restaurants",)).suql
    assert "NOT 'burgers' = ANY(cuisines)" in suql
    assert "NOT 'thai' = ANY(cuisines)" in suql


@pytest.mark.parametrize(
    "words", ["We had indian last week and want more of that in Sunnyvale", "indian in Sunnyvale, not that pricey"]
)
def test_what_is_wanted_again_stays(parser: BuiltinParser, words: str) -> None:
    suql = parser.parse(words, ("restaurants",)).suql
    assert "'indian' = ANY(cuisines)" in suql
    assert "NOT 'indian'" not in suql
