"""What English says of columns and values where no curator does."""

from __future__ import annotations

import pytest

from agent.catalogue.tables import Column, Kind
from agent.understanding.defaults import with_ends, words_for_days


@pytest.mark.parametrize(
    ("column", "low", "high"),
    [
        (Column("term", Kind.NUMBER, unit="£"), "cheapest", "dearest"),
        (Column("runs", Kind.NUMBER, unit="min"), "shortest", "longest"),
        (Column("since", Kind.NUMBER, description="Year it was founded"), "oldest", "newest"),
        (Column("toll", Kind.NUMBER), "cheapest", "dearest"),
    ],
)
def test_the_ends_of_a_scale_follow_from_its_unit_its_description_or_its_name(column, low, high):
    told = with_ends(column)
    assert low in told.low_words
    assert high in told.high_words


def test_the_words_of_a_curator_stay():
    column = Column("toll", Kind.NUMBER, low_words=("a steal",))
    assert with_ends(column) == column


def test_days_have_other_words_and_words_for_several():
    said = list(words_for_days(["Mon", "Wed", "Fri", "Sat"]))
    assert [value for word, value in said if word == "mwf"] == ["Mon", "Wed", "Fri"]
    assert ("wednesday", "Wed") in said
    assert not list(words_for_days(["Monday", "whenever"]))
