"""More of a problem than was put down, told where something else was asked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent.parsing.tasks.closeness import spoken
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.told_before import is_text
from agent.parsing.tasks.workspace import Place, Sheet

_TELLS = 2  # content words of what tells more of a problem


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
