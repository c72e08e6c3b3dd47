"""Cells as people keep them are read right, or refused with what is expected; never read wrongly."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest

from corpora.importing import cells
from corpora.importing.cells import Conventions, Refused, conventions
from corpora.importing.hours import hours

NUMBERS = {
    "12": 12, "-3": -3, "−3": -3, "1,200": 1200, "1,234,567.5": 1_234_567.5, "1.200,50": 1200.5, "€ 1.200,50": 1200.5,
    "1 200,5": 1200.5, "1’200.5": 1200.5, "12,5": 12.5, "0,125": 0.125, "0.125": 0.125, "$450": 450, "45 m": 45,
    "1.2k": 1200, "3 M": 3_000_000, "2.5 million": 2_500_000, "87 %": 87, ".5": 0.5, "1.5 mm": 1.5,
    "1.200.300": 1_200_300,
}  # fmt: skip


@pytest.mark.parametrize(("cell", "value"), NUMBERS.items(), ids=NUMBERS)
def test_a_number_is_read_with_what_stands_around_it(cell: str, value: float) -> None:
    assert cells.number(cell, conventions([cell])) == value


@pytest.mark.parametrize(
    "cell", ["10-12", "3 of 5", "1,20,5", "12 34", "twelve", "1.2.3", "(5)", "1e999", "9" * 30, True, "May 3", "3 feb"]
)
def test_what_is_no_one_number_is_refused(cell: Any) -> None:
    with pytest.raises(Refused, match="number"):
        cells.number(cell, conventions([cell]))


def test_the_rest_of_a_column_says_which_sign_is_the_decimal_one() -> None:
    assert cells.number("1.200", conventions(["1.200", "3,50"])) == 1200
    assert cells.number("1.200", conventions(["1.200", "3.5"])) == 1.2
    with pytest.raises(Refused, match="one way only"):
        cells.number("1.200", conventions(["1.200", "3.5", "3,5"]))


@pytest.mark.parametrize(
    "cell", ["", " ", "n/a", "N/A", "NULL", "-", "—", "unknown", "TBD", "#REF!", float("nan"), None]
)
def test_what_stands_for_nothing_is_nothing(cell: Any) -> None:
    assert cells.number(cell, Conventions()) is None
    assert cells.date(cell, Conventions()) is None


DATES = {
    "2024-05-12": dt.date(2024, 5, 12), "12 May 2024": dt.date(2024, 5, 12), "May 12th, 2024": dt.date(2024, 5, 12),
    "12.05.2024": dt.date(2024, 5, 12), "13/05/2024": dt.date(2024, 5, 13), "05/13/2024": dt.date(2024, 5, 13),
    "Sunday, 12 May 2024": dt.date(2024, 5, 12), "2024-05-12 14:30:00": dt.date(2024, 5, 12),
    "1-Jan-2020": dt.date(2020, 1, 1), "05/05/2024": dt.date(2024, 5, 5),
}  # fmt: skip


@pytest.mark.parametrize(("cell", "value"), DATES.items(), ids=DATES)
def test_dates_of_several_forms_are_read(cell: str, value: dt.date) -> None:
    assert cells.date(cell, Conventions()) == value


@pytest.mark.parametrize("cell", ["2024-02-30", "32.01.2024", "May 2024", "5/12/98", "soon", "12 Mayday"])
def test_what_is_no_day_is_refused(cell: str) -> None:
    with pytest.raises(Refused, match="da"):
        cells.date(cell, Conventions())


def test_a_date_that_can_be_read_two_ways_needs_its_column() -> None:
    with pytest.raises(Refused, match="one way only"):
        cells.date("03/04/2024", conventions(["03/04/2024"]))
    assert cells.date("03/04/2024", conventions(["25/04/2024"])) == dt.date(2024, 4, 3)
    assert cells.date("03/04/2024", conventions(["04/25/2024"])) == dt.date(2024, 3, 4)
    assert cells.date("03/04/2024", conventions([], "MDY")) == dt.date(2024, 3, 4)
    with pytest.raises(Refused, match="one way only"):
        cells.date("03/04/2024", conventions(["04/25/2024", "25/04/2024"]))


def test_times_and_yes_or_no() -> None:
    said = {"14:30": (14, 30), "2:30 pm": (14, 30), "9am": (9, 0), "12 a.m.": (0, 0), "noon": (12, 0)}
    assert {cell: cells.time(cell) for cell in said} == {cell: dt.time(*time) for cell, time in said.items()}
    for cell in ("9", "25:00", "14:30 pm", "late"):
        with pytest.raises(Refused):
            cells.time(cell)
    assert [cells.boolean(cell) for cell in ("Yes", "n", "TRUE", 0, 1.0, "✓", "nein")] == [
        True, False, True, False, True, True, False,
    ]  # fmt: skip
    with pytest.raises(Refused, match="yes or no"):
        cells.boolean("maybe")


DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
WEEKS = {
    "Mo-Fr 09:00-17:30; Sa 10:00-14:00; Su off": {
        **{day: [["09:00", "17:30"]] for day in DAYS[:5]},
        "sat": [["10:00", "14:00"]],
        "sun": [],
    },
    "Tu, Th 10-12": {"tue": [["10:00", "12:00"]], "thu": [["10:00", "12:00"]]},
    '{"Mo": "09:00-17:00"}': {"mon": [["09:00", "17:00"]]},
    "Mon-Fri 11:00 am–2:30 pm, 5–9pm": {day: [["11:00", "14:30"], ["17:00", "21:00"]] for day in DAYS[:5]},
    "daily 10:00-18:00": {day: [["10:00", "18:00"]] for day in DAYS},
    "Sat & Sun 9am-noon; Monday closed": {"sat": [["09:00", "12:00"]], "sun": [["09:00", "12:00"]], "mon": []},
    "Fri-Sat: 22:00 - 02:00": {"fri": [["22:00", "02:00"]], "sat": [["22:00", "02:00"]]},
    "Fri–Mon 11am-2pm": {day: [["11:00", "14:00"]] for day in ("fri", "sat", "sun", "mon")},
    "Tue 6 pm to midnight": {"tue": [["18:00", "24:00"]]},
}  # fmt: skip


@pytest.mark.parametrize(("cell", "week"), WEEKS.items(), ids=WEEKS)
def test_opening_hours_are_read_as_people_write_them(cell: str, week: dict[str, Any]) -> None:
    assert hours(cell) == week


@pytest.mark.parametrize(
    "cell", ["daily 10-late", "Mon 9-5", "Mon 10:00-12:00 Mon 14:00-16:00", "by appointment", "Mon 25:00-26:00"]
)
def test_hours_that_are_open_to_two_readings_are_refused(cell: str) -> None:
    with pytest.raises(Refused):
        hours(cell)
