"""What the signs of an aspect say in a clause."""

import pytest

from agent.backends.builtin.reading.aspects import all_aspects, sign_of

QUIET = next(aspect for aspect in all_aspects() if aspect.name == "quiet")


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("With hearing aids I could follow every word.", 1),
        ("We could not follow every word, even with hearing aids.", -1),
        ("My hearing aids gave up.", -1),
        ("Without raising our voices we talked for hours.", 1),  # the sign's own negation turns nothing round
        ("We ate soup.", 0),
    ],
)
def test_signs_settle_however_it_is_put(text: str, sign: int) -> None:
    assert sign_of(QUIET, text) == sign
