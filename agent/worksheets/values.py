"""Values as they are assigned: read as the type a field declares, or refused with a reason."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping
from typing import Any

from dateutil import parser as dateutil

from agent.text.values import read_number, read_time, read_yes_no
from agent.worksheets.actions import Refusal
from agent.worksheets.specification import Basic, Field, Specification
from agent.worksheets.state import Entity

LONGEST_TEXT = 2_000  # characters of a text that are kept
LARGEST_NUMBER = 10**12

# What stands where a value should, and is none. (A model may write these; nobody means them.)
_PLACEHOLDERS = {"", "none", "null", "n/a", "na", "nan", "nil", "unknown", "undefined", "unspecified", "tbd", "tba",
                 "not specified", "not provided", "not given", "to be determined", "placeholder"}  # fmt: skip


def is_placeholder(value: Any) -> bool:
    """Return whether a value only stands in for one: "", "N/A", "TBD", "<date>", "...", "[name]"."""
    if value is None:
        return True
    if not isinstance(value, str):
        return False
    text = value.strip().lower().rstrip(".")
    return text in _PLACEHOLDERS or not re.search(r"\w", text) or bool(re.fullmatch(r"<[^>]*>|\[[^\]]*\]", text))


def read(value: Any, field: Field, specification: Specification, today: datetime.date) -> Any:
    """The machine value of a field. Raises Refusal, with the sentence to say, where it is not of the field's type."""
    if field.type.many:
        items = value if isinstance(value, list | tuple) else (value,)
        return tuple(_read(item, field, specification, today) for item in items)
    if isinstance(value, list | tuple) and len(value) == 1:
        value = value[0]
    return _read(value, field, specification, today)


def _read(value: Any, field: Field, specification: Specification, today: datetime.date) -> Any:
    if specification.knowledge(field) is not None:
        return _entity(value)
    found: Any
    match field.type.basic:
        case Basic.ENUM:
            found = _option(value, field)
            hint = f"It can be {_either(field.options)}."
        case Basic.INTEGER:
            found, hint = _integer(value), "A whole number, please."
        case Basic.NUMBER:
            found, hint = _number(value), "A number, please."
        case Basic.BOOLEAN | Basic.CONFIRM:
            found, hint = as_boolean(value), "Yes or no?"
        case Basic.DATE if (month := _month(value)) is not None:
            if not _may_be_month(field):
                name = f"{datetime.date.fromisoformat(f'{month}-01'):%B}"
                raise Refusal(f"{name} is a month. Which day of {name} was it?", field.name)
            return month
        case Basic.DATE:
            found, hint = _date(value, today), "A day such as “next Friday” or “December 4”, please."
        case Basic.TIME:
            found, hint = _time(value), "A time such as “7:30 pm”, please."
        case _:
            found, hint = _text(value), "Could you say it in other words?"
    if found is None:
        raise Refusal(f"I can't take “{_shown(value)}” as the {field.label}. {hint}", field.name, field.options)
    return found


def _shown(value: Any) -> str:
    text = " ".join(str(value).split())
    return text if len(text) <= 60 else f"{text[:57]}…"


def _either(options: tuple[str, ...]) -> str:
    return ", ".join(options[:-1]) + (f" or {options[-1]}" if len(options) > 1 else "".join(options))


def _entity(value: Any) -> Any:
    """A row of a corpus; a text is left to the field's check, which may know the row it names."""
    if isinstance(value, Mapping) and {"table", "key"} <= set(value):
        return Entity(table=str(value["table"]), key=str(value["key"]), title=str(value.get("title", "")))
    return value


def _option(value: Any, field: Field) -> str | None:
    wanted = str(value).strip().casefold()
    return next((option for option in field.options if option.casefold() == wanted), None)


def _integer(value: Any) -> int | None:
    number = _number(value)
    return int(number) if number is not None and number == int(number) else None


def _number(value: Any) -> float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        found = read_number(value) if len(value.split()) <= 4 else None
        value = None if found is None else float(found)
    if not isinstance(value, int | float) or value != value or abs(value) > LARGEST_NUMBER:
        return None
    return value


def as_boolean(value: Any) -> bool | None:
    """Return a yes or no, from a boolean or a word for it; None from anything else."""
    if isinstance(value, bool):
        return value
    said = read_yes_no(value) if isinstance(value, str) else None
    return None if said is None else said == "Yes"


def _date(value: Any, today: datetime.date) -> str | None:
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    if isinstance(value, datetime.date):
        return value.isoformat()
    if not isinstance(value, str) or not re.search(r"\d", value):
        return None
    try:
        return datetime.date.fromisoformat(value.strip()[:10]).isoformat()
    except ValueError:
        pass  # then it may be written out
    default = datetime.datetime(today.year, today.month, 1)
    try:
        return dateutil.parse(value, default=default).date().isoformat() if len(value.split()) > 1 else None
    except (ValueError, OverflowError):
        return None


def _month(value: Any) -> str | None:
    """A month without its day, as "2026-06"; None if it is none."""
    if not isinstance(value, str) or not re.fullmatch(r"\d{4}-(?:0[1-9]|1[0-2])", value.strip()):
        return None
    return value.strip()


def _may_be_month(field: Field) -> bool:
    """Whether a month will do for a date: it is asked when something was, and no day or date is spoken of."""
    declared = f"{field.name} {field.title} {field.description} {field.question}".replace("_", " ").lower()
    return re.search(r"\b(?:day|date|birth\w*)\b", declared) is None


def _time(value: Any) -> str | None:
    if isinstance(value, datetime.time):
        return value.isoformat("minutes")
    moment = read_time(value) if isinstance(value, str) and len(value.split()) <= 6 else None
    return moment.isoformat("minutes") if moment else None


def _text(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value).strip()[:LONGEST_TEXT]
    return None if is_placeholder(text) else text
