"""One message against one task: its values, the fields they can go to, and what is waited for."""

from __future__ import annotations

import re

from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.gates import verdict
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.phrases import said
from agent.parsing.tasks.shapes import Shape, about, past
from agent.parsing.tasks.similarity import meanings
from agent.parsing.tasks.values import Values
from agent.parsing.tasks.workspace import Place, Sheet, Workspace
from agent.text.readers.reading import Reading


class Scope:
    """What those share that give the values of a message to fields. `before` is what the user said last."""

    def __init__(self, draft: Draft, message: Message, values: Values, root: Sheet, before: str = "") -> None:
        self.draft, self.message, self.values, self.root = draft, message, values, root
        self.before = Message(before) if before.strip() else None
        self.workspace: Workspace = draft.workspace
        self.places = self.workspace.places(root)
        self.asked = self.workspace.asked if self.workspace.asked and self.workspace.asked.sheet.root is root else None
        self.corrects = said("correction", message.low) is not None

    def of(self, *shapes: Shape) -> list[Place]:
        return [place for place in self.places if place.shape in shapes]

    def has(self, shape: Shape) -> bool:
        return any(place.shape is shape for place in self.places)

    def is_asked(self, *shapes: Shape) -> bool:
        return self.asked is not None and self.asked.shape in shapes

    def free(self, shape: Shape) -> list[Reading]:
        """The readings of a shape that nothing has taken yet."""
        return [one for one in self.values.of(shape) if self.message.free(one.start, one.stop)]

    def put(self, place: Place, reading: Reading) -> bool:
        """Gives a field a value."""
        value = reading.value
        if place.shape is Shape.DATE:
            value = self.values.day(reading, past=past(place.field))
        others = reading.others if place.shape is Shape.TIME else ()
        self.draft.assign(place, value, self.message.words(reading.start, reading.stop), others)
        self.message.claim(reading.start, reading.stop)
        return True

    def ready(self, place: Place) -> bool:
        """A sheet that is open, one of several alike, or one that only this task can mean: not one behind a choice
        that was not made."""
        if place.opened or place.sheet.parent is None or self.alike(place.sheet):
            return True
        return all(one.name or self._lies_open(one) for one in place.sheet.path)

    def _lies_open(self, sheet: Sheet) -> bool:
        """Whether what has been chosen opens a nested sheet."""
        if sheet.parent is None or sheet.held_by is None:
            return True
        return verdict(self.workspace, sheet.parent, sheet.held_by.predicate) is True

    def alike(self, sheet: Sheet) -> list[Sheet]:
        """The other sheets of its kind in this task."""
        return [one for one in self.root.tree() if one is not sheet and one.worksheet.name == sheet.worksheet.name]


def counted(place: Place) -> str:
    """What a number field counts ("units"), without the worksheet it is of."""
    own = frozenset().union(*meanings(f"{place.sheet.worksheet.title} {place.sheet.worksheet.name} number num"))
    words = re.findall(r"\w+", about(place.field))
    return " ".join(word for word in words if not any(item & own for item in meanings(word)))
