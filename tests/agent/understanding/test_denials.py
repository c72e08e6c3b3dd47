"""What a question denies, and signs that compare."""

from __future__ import annotations

import pytest

from agent.understanding.denials import compared, flag_names, is_denied, said
from agent.understanding.roles import Literal
from agent.understanding.schema import Field
from tests.agent.understanding.conftest import FERRIES


@pytest.mark.parametrize(
    ("question", "value", "operator"),
    [
        ("ferries not based in Sandwick", "Sandwick", "="),
        ("ferries, but not in Sandwick", "Sandwick", "!="),
        ("ferries that aren't from Sandwick", "Sandwick", "!="),
        ("Westray instead of Sandwick", "Sandwick", "!="),
        ("decks < 20", "20", "<"),
        ("decks ≥ 20", "20", ">="),
    ],
)
def test_what_stands_before_a_value_compares_it(question, value, operator):
    start = question.index(value)
    assert compared(Literal(value, 0, "=", False, start, start + len(value)), question).operator == operator


@pytest.mark.parametrize(
    ("question", "value", "operator"),
    [
        ("ferries that came in September 2024", "September 2024", "="),
        ("ferries since September 2024", "September 2024", ">="),
        ("ferries that came in 2024 or later", "2024", ">="),
    ],
)
def test_a_month_in_which_something_was_is_no_bound(question, value, operator):
    start = question.index(value)
    assert compared(Literal(value, 0, ">=", False, start, start + len(value)), question).operator == operator


@pytest.mark.parametrize(
    ("name", "question", "found"),
    [
        ("stepfree", "those that are step-free", "step-free"),
        ("stepfree", "the step free one", "step free"),
        ("car park", "with a carpark", "carpark"),
        ("stepfree", "two steps, free of charge", None),
    ],
)
def test_a_name_is_said_in_one_word_or_two(name, question, found):
    spot = said(name, question)
    assert (spot and spot[0]) == found


def test_a_denial_reaches_only_what_follows_it():
    assert is_denied("ferries with no cars", 16)
    assert not is_denied("not quiet ferries that take cars", 27)


def test_a_column_of_yes_and_no_is_called_by_its_thing():
    assert list(
        flag_names(Field(0, next(one for one in FERRIES.columns if one.name == "heated_deck"), "has heated deck"))
    ) == ["heated deck"]
