"""A reservation as a calendar file (RFC 5545), to be opened with any calendar program."""

from __future__ import annotations

from datetime import UTC, datetime

from django.utils import timezone

from hybridchat.effects.models import Reservation
from hybridchat.effects.speech import people

LINE_BYTES = 75  # a longer line is continued on the next, after a space (3.1)


def calendar_file(made: Reservation) -> str:
    """Return the booking as one event; a cancelled one takes the event away, a changed one replaces it."""
    place = made.restaurant
    where = ", ".join(part for part in (made.place, place.address if place else "") if part)
    notes = [f"Reference {made.reference}"]
    notes += [f"Phone {place.phone_number}"] if place and place.phone_number else []
    notes += [made.special_request] if made.special_request else []
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//hybridchat//reservations//EN",
        "CALSCALE:GREGORIAN",
        f"METHOD:{'PUBLISH' if made.booked else 'CANCEL'}",
        "BEGIN:VEVENT",
        f"UID:{made.reference}@hybridchat",
        f"SEQUENCE:{made.sequence}",
        f"DTSTAMP:{_stamp(timezone.now())}",
        f"DTSTART:{_stamp(timezone.make_aware(made.starts))}",
        f"DTEND:{_stamp(timezone.make_aware(made.ends))}",
        f"SUMMARY:{_text(f'{made.place}, table for {people(made.party)}')}",
        f"LOCATION:{_text(where)}",
        f"DESCRIPTION:{_text(chr(10).join(notes))}",
        f"STATUS:{'CONFIRMED' if made.booked else 'CANCELLED'}",
        "END:VEVENT",
        "END:VCALENDAR",
    ]
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _stamp(moment: datetime) -> str:
    """In UTC, so that the file needs no description of a time zone (3.3.5)."""
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _text(value: str) -> str:
    """Escaped as 3.3.11 asks."""
    value = value.replace("\\", "\\\\").replace(";", r"\;").replace(",", r"\,")
    return value.replace("\r\n", r"\n").replace("\n", r"\n").replace("\r", r"\n")


def _folded(line: str) -> str:
    """The line in pieces of at most 75 bytes, none of which parts a character."""
    pieces, piece = [], ""
    for character in line:
        if len(f"{piece}{character}".encode()) > LINE_BYTES:
            pieces.append(piece)
            piece = " "
        piece += character
    return "\r\n".join([*pieces, piece])
