"""Bringing what a model wrote into the type that the query asked for; what is not of the type is no value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, time

from agent.text.values import AnswerType

_YES_NO = {"yes": "Yes", "true": "Yes", "y": "Yes", "no": "No", "false": "No", "n": "No"}
_NOTHING = {"", "no info", "no information", "not stated", "not mentioned", "unknown", "n/a", "none", "null", "unclear"}
_NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?")
_TIME = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?\s*([ap])?\.?m?\.?", re.IGNORECASE)


def typed(value: str | None, kind: AnswerType, options: Sequence[str] = ()) -> str | None:
    """Return the value in the canonical form of its type, or None if it is not of it."""
    if value is None or _plain(value) in _NOTHING:
        return None
    match kind:
        case AnswerType.TEXT:
            return _YES_NO.get(_plain(value), value.strip()) if _plain(value) in ("yes", "no") else value.strip()
        case AnswerType.BOOLEAN:
            return _YES_NO.get(_plain(value))
        case AnswerType.NUMBER:
            return _number(value)
        case AnswerType.DATE:
            return _date(value)
        case AnswerType.TIME:
            return _time(value)
        case AnswerType.OPTION:
            return next((option for option in options if _plain(option) == _plain(value)), None)


def _plain(value: str) -> str:
    """Lower case, without the quotes and the full stop a model may put around a word."""
    return value.strip().strip("\"'`").rstrip(".").strip().casefold()


def _number(value: str) -> str | None:
    """The one number in the value: "$1,200" is 1200; "between 10 and 20" is none."""
    found = _NUMBER.findall(value)
    if len(found) != 1:
        return None
    number = float(found[0].replace(",", ""))
    return str(int(number)) if number.is_integer() else str(number)


def _date(value: str) -> str | None:
    try:
        return date.fromisoformat(value.strip()).isoformat()
    except ValueError:
        return None


def _time(value: str) -> str | None:
    """HH:MM of "21:30", "9.30 pm" or "9pm"."""
    found = _TIME.fullmatch(value.strip())
    if found is None:
        return None
    hours, minutes, half = int(found[1]), int(found[2] or 0), (found[3] or "").lower()
    if half:
        if not 1 <= hours <= 12:
            return None
        hours = hours % 12 + (12 if half == "p" else 0)
    elif found[2] is None:
        return None
    try:
        return time(hours, minutes).strftime("%H:%M")
    except ValueError:
        return None
