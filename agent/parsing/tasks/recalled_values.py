"""What was told earlier in the conversation, for a task that begins: how the person is reached, and what for the rows
were looked up."""

from __future__ import annotations

from itertools import takewhile

from agent.language import PastTurn
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import Message
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.values import Values, about, read
from agent.parsing.tasks.workspace import Place, Sheet
from agent.text.readers.reading import Reading
from agent.worksheets.state import Entity, Instance, SlotStatus

_MEETING = (Shape.DATE, Shape.TIME, Shape.PEOPLE)
_REACHED = (Shape.EMAIL, Shape.PHONE)


class Recalling:
    """Gives a task what earlier messages told and it still lacks. Everything is shown before anything is done."""

    def __init__(self, draft: Draft, past: tuple[PastTurn, ...], root: Sheet) -> None:
        self.draft, self.past, self.root = draft, past, root
        self._places = draft.workspace.places(root)
        self._finished = draft.workspace.finished()

    def begun(self) -> None:
        """For a task that the message begins."""
        self._person()
        self._looked_for()

    def offered(self) -> None:
        """For an offer that is taken up: what the message before it asked ("is it open Saturday at 7?")."""
        if self.past:
            self._meeting(self.past[-1].user)
        self.begun()

    # -- the person ----------------------------------------------------------------------------------------------------

    def _person(self) -> None:
        for sheet in self.root.tree():
            fields = [place for place in self._places if place.sheet is sheet]
            contact = [place for place in fields if place.shape in _REACHED]
            if not contact or any(self._has(place) for place in contact):
                continue
            if (before := self._before(sheet)) is not None:
                self._copy(fields if sheet.parent is not None else contact, before)
        if not self._finished:
            self._introduced()

    def _before(self, sheet: Sheet) -> Instance | None:
        """The sheet of the kind in what was done last."""
        done = {one.name for one in self._finished}
        for item in reversed(self.draft.workspace.state.instances):
            if item.worksheet == sheet.worksheet.name and self._above(item) in done:
                return item
        return None

    def _above(self, instance: Instance) -> str:
        """The name of the task that an instance is in."""
        while instance.parent:
            owner = self.draft.workspace.state.instance(instance.parent.partition(".")[0])
            if owner is None:
                break
            instance = owner
        return instance.name

    def _copy(self, places: list[Place], before: Instance) -> None:
        for place in places:
            slot = before.slot(place.field.name)
            if slot.status is SlotStatus.SET and not self._has(place):
                self.draft.assign(place, slot.value, slot.words)

    def _introduced(self) -> None:
        """A name or an address that was told before there was anything to fill in."""
        for turn in reversed(self.past):
            found = self._read(turn.user)
            for shape in (Shape.PERSON, *_REACHED):
                self._first(shape, found.sure(shape), turn.user)

    # -- what rows were looked up for ----------------------------------------------------------------------------------

    def _looked_for(self) -> None:
        """The day, the time and the party of the searches, up to this message, that led to the row wanted now."""
        rows = [place.sheet.value(place.field.name) for place in self._places if place.shape is Shape.ROW]
        keys = {row.key for row in rows if isinstance(row, Entity)}
        searches = list(takewhile(lambda turn: turn.queries, reversed(self.past)))
        if any(keys & set(query.keys) for turn in searches for query in turn.queries):
            for turn in searches:
                self._meeting(turn.user)

    def _meeting(self, before: str) -> None:
        found = self._read(before)
        for shape in _MEETING:
            told = [one for one in found.of(shape) if one.sure or shape is Shape.PEOPLE]
            if len({str(one.value) for one in told}) == 1:
                self._first(shape, told, before)

    def _first(self, shape: Shape, told: list[Reading], before: str) -> None:
        places = [place for place in self._places if place.shape is shape]
        place = next((one for one in places if not self._has(one)), None)
        reached = any(self._has(one) for one in self._places if one.shape in _REACHED)
        if place is None or not told or (shape in _REACHED and reached):
            return
        others = told[0].others if shape is Shape.TIME else ()
        self.draft.assign(place, told[0].value, before[told[0].start : told[0].stop], others)

    def _has(self, place: Place) -> bool:
        return place.known or self.draft.assigned(place)

    def _read(self, words: str) -> Values:
        return read(Message(words), self.draft.workspace.now, about(self.root.worksheet), questions=True)
