"""The calendar file of a reservation, as RFC 5545 has it."""

from __future__ import annotations

from datetime import date, time

from corpora.models import Restaurant
from hybridchat.effects.calendars import calendar_file
from hybridchat.effects.models import Reservation

PLACE = Restaurant(name="Salt; Pepper, & Co", address="1 Example Street", phone_number="(650) 555-0100")


def made(**fields: object) -> Reservation:
    usual = {"reference": "K7QX4M", "restaurant": PLACE, "place": PLACE.name, "date": date(2026, 11, 27)}
    return Reservation(**{**usual, "time": time(19), "party": 2, "stay": 90, **fields})


def lines(reservation: Reservation) -> dict[str, str]:
    """The file's properties, unfolded."""
    text = calendar_file(reservation).replace("\r\n ", "")
    return dict(line.split(":", 1) for line in text.removesuffix("\r\n").split("\r\n"))


def test_times_are_universal_in_winter_and_in_summer() -> None:
    winter, summer = lines(made()), lines(made(date=date(2027, 7, 1)))
    assert (winter["DTSTART"], winter["DTEND"]) == ("20261128T030000Z", "20261128T043000Z")
    assert summer["DTSTART"] == "20270702T020000Z"


def test_text_is_escaped() -> None:
    event = lines(made(special_request="a \\ and\nanother; line"))
    assert event["SUMMARY"] == r"Salt\; Pepper\, & Co\, table for 2 people"
    assert event["DESCRIPTION"].endswith(r"\na \\ and\nanother\; line")


def test_no_line_is_longer_than_75_bytes_and_no_character_is_parted() -> None:
    text = calendar_file(made(special_request="Fensterplatz, bitte – für Großmütter " * 9))
    assert all(len(line.encode()) <= 75 for line in text.split("\r\n"))
    assert "Großmütter" in text.replace("\r\n ", "")


def test_a_change_replaces_and_a_cancellation_removes_the_entry() -> None:
    changed = lines(made(sequence=3))
    cancelled = lines(made(sequence=4, status="cancelled"))
    assert (changed["SEQUENCE"], changed["STATUS"], changed["METHOD"]) == ("3", "CONFIRMED", "PUBLISH")
    assert (cancelled["SEQUENCE"], cancelled["STATUS"], cancelled["METHOD"]) == ("4", "CANCELLED", "CANCEL")
    assert changed["UID"] == cancelled["UID"]


def test_a_place_that_is_gone_keeps_its_name() -> None:
    assert lines(made(restaurant=None))["LOCATION"] == r"Salt\; Pepper\, & Co"
