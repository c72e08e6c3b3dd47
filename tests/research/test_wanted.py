from __future__ import annotations

import pytest

from hybridchat.research.wanted import score

THAI = "SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND location = 'Palo Alto' AND rating >= 4"


def test_every_item_met_and_nothing_added_is_strict() -> None:
    assert score([THAI], "location=Palo Alto; cuisines=thai; rating>=4").strict


@pytest.mark.parametrize(
    "gold",
    [
        "location=Palo Alto; cuisines=thai",  # the rating is invented
        "location=Palo Alto; cuisines=lao; rating>=4",
        "location=Palo Alto; cuisines!=thai; rating>=4",
        "location=Palo Alto; cuisines=thai; rating>=4; count",
        "none",
    ],
)
def test_a_structured_item_that_differs_is_wrong(gold: str) -> None:
    assert not score([THAI], gold).lenient


def test_one_missing_wish_is_lenient() -> None:
    verdict = score([THAI], "location=Palo Alto; cuisines=thai; rating>=4; ~romantic|good for a date")
    assert (verdict.strict, verdict.lenient) == (False, True)


def test_what_may_be_there_need_not() -> None:
    assert score([THAI], "location=Palo Alto; cuisines=thai; ?rating>=4; ?~quiet").strict


def test_a_title_beside_an_answer_is_part_of_the_wish() -> None:
    suql = (
        "SELECT * FROM courses WHERE (title ILIKE '%robots%' OR "
        "answer(description, 'is this course about robots?') = 'Yes')"
    )
    assert score([suql], "~robots").strict


def test_a_line_that_cannot_be_read_is_an_error() -> None:
    with pytest.raises(ValueError, match="no item of a gold line"):
        score([THAI], "location is Palo Alto")
