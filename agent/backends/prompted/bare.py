"""What code reads by itself beside a model: a bare answer to the one thing that was asked, and a plain yes or no.

Half of what people say in a form is "4", "yes" or an address. Where the reader of the asked field's kind accepts the
whole message and nothing about it is open, no model has to be asked; everything else is the model's to read.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Any

from agent.language import Understanding, UnderstandRequest
from agent.parsing.tasks import consent
from agent.parsing.tasks.consent import Asked, Consent
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.readers import contact, dates, persons
from agent.parsing.tasks.shapes import Shape, past, shape
from agent.text.readers import numbers, times
from agent.text.readers.reading import Reading
from agent.worksheets.instances import worksheet_of
from agent.worksheets.specification import Field, Specification
from agent.worksheets.state import DialogueState, Entity, Pending, Slot
from agent.worksheets.statements import Assign, Confirm, Decline, Pick, Statement

_LEAD = re.compile(
    r"\W*(?:(?:it'?s|it is|that'?s|for|on|at|just|only|we are|we're|there are|ok(?:ay)?|yes|please|the|"
    r"my (?:e-?mail|phone|number|id)(?: (?:is|address is|number is))?)[\s,:]+){0,4}"
)
_TAIL = re.compile(r"(?:[\s,]*\b(?:people|persons?|guests?|of us|units?|please|pls|thanks?|thank you)){0,3}[\s.!]*")
_TAKES_YES = ("confirm", "leave", "propose")
_NONE = re.compile(r"\W*(?:(?:no+|nope|nah)(?:[ ,]+(?:thanks?|thank you|thx))?|skip(?: it| this| that)?)\W*")
_LONGEST = 80  # characters of a bare answer


def bare_answer(request: UnderstandRequest, state: DialogueState, specification: Specification) -> Understanding | None:
    """What a message says that is nothing but an answer to what is waited for; None if a model has to read it."""
    pending = state.pending
    instance = state.instance(pending.instance) if pending else None
    message = request.message.strip()
    if pending is None or instance is None or not message or len(message) > _LONGEST:
        return None
    today = request.conversation.now.date()
    if pending.kind in _TAKES_YES:
        said = _yes_or_no(pending, message, state, specification, today)
    elif pending.kind in ("ask", "pick"):
        field = worksheet_of(specification, instance).by_name.get(pending.field)
        slot = instance.slot(pending.field)
        said = _value(pending, field, slot, message, specification, today) if field is not None else None
    else:
        said = None
    return Understanding(statements=(said,)) if said is not None else None


def _yes_or_no(
    pending: Pending, message: str, state: DialogueState, specification: Specification, today: date
) -> Statement | None:
    read = consent.reading(message, consent.asked(state, specification, today))
    if read is Consent.NEITHER:
        return None
    return Confirm(instance=pending.instance, field=pending.field, yes=read is Consent.YES, words=message)


def _value(
    pending: Pending, field: Field, slot: Slot, message: str, specification: Specification, today: date
) -> Statement | None:
    where: dict[str, Any] = {"instance": pending.instance, "field": field.name, "words": message}
    low = Message(message).low
    if (entity := _candidate(slot, low)) is not None:
        return Pick(**where, table=entity.table, key=entity.key, title=entity.title)
    kind = shape(field, specification)
    if not field.required and kind is not Shape.YES_NO and _NONE.fullmatch(low):
        return Decline(**where)
    value = _read(kind, field, slot, message, low, today)
    return Assign(**where, value=value) if value is not None else None


def _candidate(slot: Slot, low: str) -> Entity | None:
    """The candidate whose name is the whole message."""
    named = [one for one in slot.candidates if one.title and one.title.casefold() == low.strip(" .!")]
    return named[0] if len(named) == 1 else None


def _read(kind: Shape, field: Field, slot: Slot, message: str, low: str, today: date) -> object:
    """The machine value that the whole message is, and cannot but be; None if there is none."""
    match kind:
        case Shape.YES_NO:
            read = consent.reading(message, Asked())
            return None if read is Consent.NEITHER else read is Consent.YES
        case Shape.CHOICE:
            return next((one for one in field.options if one.casefold() == low.strip(" .!")), None)
        case Shape.NUMBER | Shape.PEOPLE:
            found = _whole(numbers.read(low), low)
            return found.value if found is not None and isinstance(found.value, int) else None
        case Shape.TIME:
            found = _whole([one for one in times.read(low) if one.sure and not one.others], low)
            return found.value if found is not None else None
        case Shape.DATE if not past(field):
            return _day(slot, low, today)
        case Shape.EMAIL:
            found = _whole(contact.emails(low), low)
            written = message[found.start : found.stop] if found is not None else ""
            return written if "@" in written and " " not in written else found.value if found is not None else None
        case Shape.PHONE:
            found = _whole(contact.phones(low), low)
            return found.value if found is not None else None
        case Shape.PERSON:
            found = _whole(persons.bare_names(message, []), low)
            return found.value if found is not None else None
        case Shape.IDENTIFIER:
            found = _whole([one for one in contact.identifiers(message) if one.sure], low)
            return found.value if found is not None else None
    return None


def _day(slot: Slot, low: str, today: date) -> str | None:
    """A day. Where days were offered, a weekday means the one of them that it is, and no other."""
    found = _whole([one for one in dates.read(low, today) if one.sure], low)
    if found is None or not re.fullmatch(r"\d{4}-\d{2}-\d{2}", str(found.value)):
        return None
    if not slot.options:
        return str(found.value)
    offered = offered_day(slot, str(found.value))
    return offered or None


def offered_day(slot: Slot, value: str) -> str:
    """Return the one of the days offered that a day means: itself, or the only one of its weekday; else ""."""
    options = [str(one) for one in slot.options]
    if value in options:
        return value
    weekday = date.fromisoformat(value).weekday()
    alike = [one for one in options if re.fullmatch(r"\d{4}-\d{2}-\d{2}", one)]
    alike = [one for one in alike if date.fromisoformat(one).weekday() == weekday]
    return alike[0] if len(alike) == 1 else ""


def _whole(readings: list[Reading], low: str) -> Reading | None:
    """The only reading of a message that says nothing else but what leads up to it."""
    if len(readings) != 1:
        return None
    one = readings[0]
    leads, ends = _LEAD.fullmatch(low[: one.start]), _TAIL.fullmatch(low[one.stop :])
    return one if leads is not None and ends is not None else None
