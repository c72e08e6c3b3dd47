"""A choice that the message says was not meant: "it is not about a waitlist". Another takes its place, or it is asked
for again. And more of a problem than was put down, told where something else was asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.earlier_problem import is_text
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.readers import choices
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.similarity import Closeness, spoken
from agent.parsing.tasks.workspace import Place, Sheet
from agent.worksheets.statements import Clear

_TELLS = 2  # content words of what tells more of a problem


class Denying:
    """Reads what one message denies of the choices that one task has made."""

    def __init__(self, draft: Draft, message: Message, root: Sheet, closeness: Closeness) -> None:
        self.draft, self.message, self._closeness = draft, message, closeness
        self.places = [one for one in draft.workspace.places(root) if one.shape is Shape.CHOICE and one.opened]

    def read(self) -> bool:
        """Takes back the choices that are denied; whether there are any."""
        found = [(place, denied) for place in self.places if (denied := self._denied(place))]
        for place, denied in found:
            self._put_right(place, denied)
        for match in choices.denials(self.message.low) if found else ():
            self.message.claim(*match.span())
        return bool(found)

    def _denied(self, place: Place) -> list[str]:
        """The choices of a field that are denied, where the one that was made is among them."""
        value = place.sheet.value(place.field.name)
        denied = choices.denied(self.message.low, place.field.enum_values) if value is not None else []
        return denied if value in denied else []

    def _put_right(self, place: Place, denied: list[str]) -> None:
        """The one that is left, or is told beside; with none, it is asked for again."""
        left = tuple(one for one in place.field.enum_values if one.value not in denied)
        told = choices.affirmed(self.message.low)
        chosen = choices.choose(told, left, self._closeness, asked=False) if len(left) > 1 else None
        value = chosen.value if chosen is not None else left[0].value if len(left) == 1 else None
        words = self.message.text.strip()
        if value is None:
            self.draft.add(Clear(instance=place.sheet.name, field=place.field.name, words=words))
            place.sheet.values[place.field.name] = None
        else:
            self.draft.assign(place, value, words)


@dataclass(frozen=True)
class Adding:
    """What one message adds to a text that is known, or that the task still asks for."""

    draft: Draft
    message: Message
    root: Sheet
    asked: Place

    def told(self, *, named: bool = False) -> bool:
        """Puts the message down; only what says so itself where it has to be `named` ("the problem is …")."""
        told = self.message.of(Form.STATEMENT)
        long = len(spoken(self.message.low)) >= _TELLS
        takes = self.asked.shape in (Shape.YES_NO, Shape.DATE)
        if self.draft or not takes or not long or len(told) < len(self.message.sentences):
            return False
        places = [one for one in self.draft.workspace.places(self.root) if one.opened and is_text(one)]
        place = next((one for one in places if one.sheet is self.asked.sheet), None)
        if place is None:
            return False
        if named and not re.search(rf"\b(?:the|my) {place.field.label} (?:is|was)\b", self.message.low):
            return False
        known, text = place.sheet.value(place.field.name), self.message.text.strip()
        self.draft.assign(place, f"{str(known).rstrip('. ')}. {text}" if known else text, text)
        self.message.claim(0, len(self.message.text))
        return True
