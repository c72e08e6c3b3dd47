"""Values are of their type or refused with a reason; placeholders are no values; words are a person's."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from agent.worksheets.actions import Refusal
from agent.worksheets.state import Entity
from agent.worksheets.values import is_placeholder, read
from agent.worksheets.wording import date_words, in_words, phrase, time_words
from tests.agent.worksheets.bench import BOOKING, NOPA, field

TODAY = datetime.date(2026, 11, 20)


@pytest.mark.parametrize(
    ("type_", "given", "value"),
    [
        ("int", 2, 2),
        ("int", "two", 2),
        ("int", 0, 0),
        ("int", 4.0, 4),
        ("float", "3.5", 3.5),
        ("bool", False, False),
        ("bool", "no", False),
        ("date", "2026-11-27", "2026-11-27"),
        ("date", "2026-11-27T19:00", "2026-11-27"),
        ("date", "December 4", "2026-12-04"),
        ("time", "19:30", "19:30"),
        ("time", "7:30 pm", "19:30"),
        ("red|green", "GREEN", "green"),
        ("str", "  a window seat ", "a window seat"),
        ("str", 7, "7"),
        ("List[str]", "one", ("one",)),
        ("List[int]", ["1", 2], (1, 2)),
        ("Restaurant", {"table": "restaurants", "key": "nopa", "title": "Nopa"}, NOPA),
    ],
)
def test_a_value_is_read_as_its_type(type_: str, given: Any, value: Any) -> None:
    read_value = read(given, field("f", type_), BOOKING, TODAY)
    assert read_value == value
    assert type(read_value) is type(value)


@pytest.mark.parametrize(
    ("type_", "given"),
    [
        ("int", "lots"),
        ("int", 2.5),
        ("int", True),
        ("int", float("nan")),
        ("int", 10**15),
        ("bool", "maybe"),
        ("date", "2026-02-31"),
        ("date", "soon"),
        ("date", "7"),
        ("time", "25:00"),
        ("time", "late"),
        ("red|green", "blue"),
        ("str", "N/A"),
        ("str", True),
        ("List[int]", ["1", "x"]),
    ],
)
def test_what_is_not_of_the_type_is_refused_with_what_would_do(type_: str, given: Any) -> None:
    with pytest.raises(Refusal) as refused:
        read(given, field("number_of_things", type_), BOOKING, TODAY)
    assert "number of things" in refused.value.sentence
    assert len(refused.value.sentence.split()) > 6


@pytest.mark.parametrize("value", ["", " ", "N/A", "none", "TBD", "<date>", "[name]", "...", "?", None])
def test_placeholders_are_told_from_values(value: Any) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize("value", [0, False, 0.0, "No", "0", "Nan Wang", "Ed"])
def test_zero_false_and_short_names_are_values(value: Any) -> None:
    assert not is_placeholder(value)


def test_dates_and_times_are_written_for_people() -> None:
    assert date_words("2026-11-27", TODAY) == "Friday, November 27"
    assert date_words("2027-01-02", TODAY) == "Saturday, January 2"
    assert date_words("2028-01-02", TODAY) == "Sunday, January 2, 2028"
    assert (time_words("19:30"), time_words("00:00"), time_words("12:00")) == (
        "7:30 pm",
        "12:00 midnight",
        "12:00 noon",
    )


def test_values_make_one_phrase() -> None:
    known = [
        (field("time", "time"), "19:30"),
        (field("restaurant", "Restaurant"), NOPA),
        (field("number_of_people", "int"), 1),
        (field("note", required=False), "a high chair"),
        (field("date", "date"), "2026-11-27"),
    ]
    assert phrase(known, TODAY) == "Nopa for 1 person on Friday, November 27 at 7:30 pm (note: a high chair)"


def test_a_value_of_any_type_has_words() -> None:
    assert in_words(False, field("f", "bool"), TODAY) == "no"
    assert in_words(0, field("f", "int"), TODAY) == "0"
    assert in_words((1, 2, 3), field("f", "List[int]"), TODAY) == "1, 2 and 3"
    assert in_words(Entity(table="t", key="k"), field("f", "Restaurant"), TODAY) == "k"
