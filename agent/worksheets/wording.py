"""Values in the words of a person: "Friday, November 27", "7:30 pm", "2 people"."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from typing import Any

from agent.text.english import listed
from agent.text.wordlists import words
from agent.worksheets.specification import Basic, Field, Worksheet
from agent.worksheets.state import Entity

# Words that begin a sentence here and are written small inside one: no name, no "I", no "AP".
_STARTS = words(
    """
    A An Any Are As At By Can Could Did Do For From Has Have How In Is It May Of On Or Please Shall So That The This
    To What When Where Which Who Whose With Would You Your
    """
)


def date_words(value: datetime.date | str, today: datetime.date) -> str:
    """ "Friday, November 27"; with the year where it is not this one and the day is not near."""
    day = datetime.date.fromisoformat(value) if isinstance(value, str) else value
    near = day.year == today.year or 0 <= (day - today).days < 120
    return f"{day:%A, %B} {day.day}" + ("" if near else f", {day.year}")


def time_words(value: datetime.time | str) -> str:
    """ "7:30 pm", "12:00 noon"."""
    moment = datetime.time.fromisoformat(value) if isinstance(value, str) else value
    if moment.minute == 0 and moment.hour in (0, 12):
        return "12:00 noon" if moment.hour else "12:00 midnight"
    return f"{moment.hour % 12 or 12}:{moment:%M} {'am' if moment.hour < 12 else 'pm'}"


def in_words(value: Any, field: Field, today: datetime.date) -> str:
    """Return a machine value of a field as a person would write it."""
    if isinstance(value, list | tuple):
        return listed([in_words(item, field, today) for item in value])
    match value:
        case None:
            return ""
        case Entity():
            return value.title or value.key
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.2f}".rstrip("0").rstrip(".")
        case str() if field.type.basic is Basic.DATE and _is(datetime.date, value):
            return date_words(value, today)
        case str() if field.type.basic is Basic.DATE and _is(datetime.date, f"{value}-01"):
            return f"{datetime.date.fromisoformat(f'{value}-01'):%B %Y}"
        case str() if field.type.basic is Basic.TIME and _is(datetime.time, value):
            return time_words(value)
    return str(value)


def _is(kind: type[datetime.date] | type[datetime.time], text: str) -> bool:
    try:
        kind.fromisoformat(text)
    except ValueError:
        return False
    return True


def phrase(known: Sequence[tuple[Field, Any]], today: datetime.date) -> str:
    """Values as one stretch of a sentence: "Nopa for 2 people on Friday, November 27 at 7:30 pm (note: a high chair)".

    Dates, times and numbers are told that way where the task always has them; what is told by its label comes last.
    """
    stretches: dict[int, list[str]] = {place: [] for place in range(5)}
    for field, value in known:
        place, words = _stretch(field, value, in_words(value, field, today))
        stretches[place].append(words)
    plain = " ".join(listed(stretches[place]) for place in range(4) if stretches[place])
    labelled = "; ".join(stretches[4])
    return f"{plain} ({labelled})" if plain and labelled else plain or labelled


def _stretch(field: Field, value: Any, words: str) -> tuple[int, str]:
    """Where in the sentence a value stands, and how."""
    if isinstance(value, Entity):
        return 0, words
    always = field.required and not field.predicate
    counted = field.name.removeprefix("number_of_").replace("_", " ")
    if always and counted != field.name.replace("_", " ") and isinstance(value, int):
        return 1, f"for {words} {_singular(counted) if value == 1 else counted}"
    if always and field.type.basic is Basic.DATE and field.name == "date":
        return 2, f"on {words}"
    if always and field.type.basic is Basic.TIME and field.name == "time":
        return 3, f"at {words}"
    return 4, f"{inside(field.label)}: {words}"


def inside(label: str) -> str:
    """Return a label inside a sentence: "e-mail", but "PIN" and "ID of the student"."""
    return label[:1].lower() + label[1:] if label[1:2].islower() or label[1:2] == "-" else label


def _singular(noun: str) -> str:
    return {"people": "person", "children": "child"}.get(noun, noun.removesuffix("s"))


def title_of(worksheet: Worksheet) -> str:
    """Return what the user calls the task: its title, else its name in words."""
    return worksheet.title or worksheet.variable.replace("_", " ")


_NO_NOUNS = re.compile(
    r"(?:a|an|the|what|which|how|when|where|who|why|is|are|do|does)\b|.*\b(?:at|by|for|in|of|on|to|with)$"
)


def is_noun(field: Field) -> bool:
    """Return whether the label can stand as "the …": no yes or no, no "handed in on", no "what should change"."""
    return field.type.basic is not Basic.BOOLEAN and not _NO_NOUNS.match(field.label.lower())


def sentence(text: str) -> str:
    """Return the text as the beginning of a sentence."""
    return text[:1].upper() + text[1:]


def small(text: str) -> str:
    """Return a sentence after a colon: small, but for names and "I"."""
    first = text.split(" ", 1)[0]
    return text[:1].lower() + text[1:] if first in _STARTS else text
