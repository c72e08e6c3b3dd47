"""Values that are hedged: "4 or 5 people", "Friday or Saturday", "tomorrow evening". One is not taken for the other."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.parsing.tasks.readers import spans
from agent.parsing.tasks.scope import Scope, counted
from agent.parsing.tasks.shapes import Shape, called
from agent.parsing.tasks.similarity import shared
from agent.parsing.tasks.workspace import Place
from agent.text.readers.reading import Reading
from agent.worksheets.state import Choice
from agent.worksheets.statements import Unclear

_OR = re.compile(
    r",? ?(?:or|/|(?:or )?(?:maybe|perhaps|possibly)|if not)"
    r"(?: maybe| perhaps| even| about| on| for| else)* ?(?:on |the )?"
)
_TO = re.compile(r" ?(?:-|–|to) ?")
_MOST = 6  # choices that are put up
_PEOPLE = re.compile(r"(?:people|ppl|pax|persons?|guests?|adults?|of|friends)$")
_UNIT = re.compile(r"^ ?(?P<unit>[a-z]+)")


class Hedging:
    """Puts up what a message leaves open. `choose` tells the field that a reading of a shape belongs to."""

    def __init__(self, scope: Scope, choose: Callable[[Shape, Reading], Place | None]) -> None:
        self.scope, self._choose = scope, choose

    def several(self) -> None:
        """Two values with an "or" between them."""
        for shape in (Shape.DATE, Shape.PEOPLE, Shape.NUMBER):
            for reading in list(self.scope.values.of(shape)):
                first = self._before(shape, reading)
                place = self._place(shape, reading) if first is not None else None
                if first is not None and place is not None:
                    unit = _UNIT.match(self.scope.message.low[reading.stop :])
                    named = unit is not None and shared(unit["unit"], f"{counted(place)} {called(place.field)}") > 0
                    stop = reading.stop + (unit.end() if unit is not None and named else 0)
                    self._put_up(place, _from(first, reading), first.start, stop)

    def _before(self, shape: Shape, reading: Reading) -> Reading | None:
        """What a value is an alternative to, or the end of a stretch from."""
        kinds = (shape,) if shape is Shape.DATE else (shape, Shape.NUMBER)
        for other in (one for kind in kinds for one in self.scope.values.of(kind)):
            between = self.scope.message.low[other.stop : reading.start]
            if other.stop > reading.start or other.value == reading.value:
                continue
            stretch = shape is not Shape.DATE and not spans.changes(self.scope.message.low, other.start)
            if _OR.fullmatch(between) or (stretch and _TO.fullmatch(between) and other.value < reading.value):
                return other
        return None

    def _place(self, shape: Shape, reading: Reading) -> Place | None:
        asked = self.scope.asked
        if shape is Shape.NUMBER:
            if asked is not None and asked.shape in (Shape.NUMBER, Shape.PEOPLE):
                return asked
            unit = _UNIT.match(self.scope.message.low[reading.stop :])
            if unit and _PEOPLE.match(unit["unit"]):
                return self._choose(Shape.PEOPLE, reading)
            counts = [one for one in self.scope.of(shape) if unit and shared(unit["unit"], counted(one))]
            return self._choose(shape, reading) if counts else None
        return self._choose(shape, reading)

    def vague(self) -> None:
        """A part of the day ("after work"), where no time is known or it is not the one that is."""
        if not self.scope.values.vague:
            return
        first = self.scope.values.vague[0]
        place = self._choose(Shape.TIME, first)
        if place is None or self.scope.draft.assigned(place) or not self.scope.ready(place):
            return
        times = tuple(dict.fromkeys(time for one in self.scope.values.vague for time in one.value))
        value = place.sheet.value(place.field.name)
        if isinstance(value, str) and (spans.within(times, value) or not self.scope.corrects):
            return
        self._put_up(place, times, first.start, self.scope.values.vague[-1].stop)

    def _put_up(self, place: Place, values: tuple[object, ...], start: int, stop: int) -> None:
        message = self.scope.message
        words = message.words(start, stop)
        choices = tuple(Choice.model_validate({"field": place.field.name, "value": one}) for one in values[:_MOST])
        self.scope.draft.add(Unclear(instance=self.scope.draft.reach(place, words), choices=choices, words=words))
        self.scope.values.drop(start, stop)
        message.claim(start, stop)


def _from(first: Reading, last: Reading) -> tuple[object, ...]:
    """Both values, and the whole numbers between them where they are few."""
    if isinstance(first.value, int) and isinstance(last.value, int) and 0 < last.value - first.value < _MOST:
        return tuple(range(first.value, last.value + 1))
    return (first.value, last.value)
