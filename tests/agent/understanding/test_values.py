"""Values as SQL compares them."""

from __future__ import annotations

import pytest

from agent.understanding.values import number_in


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("two hundred", "200"),
        ("three dozen", "36"),
        ("2.5 million", "2500000"),
        ("twelve", "12"),
        ("€1,200", "1200"),
        ("hundred", "100"),
        ("two boats", None),
        ("", None),
    ],
)
def test_numbers_are_read_in_words_and_figures(text, number):
    assert number_in(text) == number
