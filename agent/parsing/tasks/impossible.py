"""Days, times and numbers of people that there are none of: "31 February", "25:00", "2.5 people"."""

from __future__ import annotations

from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.readers import dates
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.values import Values
from agent.parsing.tasks.workspace import Place
from agent.text.readers import times
from agent.worksheets.statements import Unclear

NO_SUCH = "There is no such {kind} as “{words}”."
_KINDS = {Shape.DATE: "day", Shape.TIME: "time", Shape.PEOPLE: "number of people"}


def told_of(text: str) -> str:
    """Return that there is no such day or time as a question says; empty where it says none."""
    low = text.lower()
    for shape, found in ((Shape.DATE, dates.impossible(low)), (Shape.TIME, times.impossible(low))):
        if found:
            return NO_SUCH.format(kind=_KINDS[shape], words=text[found[0].start : found[0].stop])
    return ""


def refuse(draft: Draft, message: Message, places: list[Place], found: Values) -> None:
    """Say of each that there is no such day or time, and asks again; nothing else is made of its words."""
    asked = draft.workspace.asked
    for shape, kind in _KINDS.items():
        meant = [one for one in places if one.shape is shape and one.opened]
        place = asked if asked in meant else next(iter(meant), None)
        for reading in found.impossible.get(shape, []) if place is not None else ():
            words = message.words(reading.start, reading.stop)
            message.claim(reading.start, reading.stop)
            found.drop(reading.start, reading.stop)
            if place is not None and not found.sure(shape):
                why = NO_SUCH.format(kind=kind, words=words)
                draft.add(Unclear(instance=place.sheet.name, field=place.field.name, why=why, words=words))
