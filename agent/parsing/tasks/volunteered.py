"""Choices and yes or no that the statements of a message make of themselves, without being asked."""

from __future__ import annotations

import re

from agent.parsing.tasks.message import TOLD, Form
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import answers, choices
from agent.parsing.tasks.scope import Scope
from agent.parsing.tasks.shapes import Shape, called
from agent.parsing.tasks.siblings import Siblings
from agent.parsing.tasks.similarity import Closeness, beside
from agent.parsing.tasks.workspace import Place

_IS_ABOUT = compiled(r"^\W*(?:(?:{filler}|{no}|{yes})\W+)*(?:it|this|that)(?:'s| is) (?:about|for)\b")
_MORE = compiled(r"\b(?:more|another|else|additional|third|fourth|further|extra|other)\b")
_CORE = compiled(r"^(?:whether|if|is|are|does|do) (?:the |a |an |one |you |there )?(?:\w+ )?")


class Volunteering:
    """Finds what was chosen and agreed to in passing."""

    def __init__(self, scope: Scope, siblings: Siblings, closeness: Closeness) -> None:
        self.scope, self.siblings, self._closeness = scope, siblings, closeness

    def choices(self) -> None:
        """Choices that the statements of the message make of themselves."""
        places = [
            place for place in self.scope.of(Shape.CHOICE) if self.scope.ready(place) and place != self.scope.asked
        ]
        done: set[tuple[str, str]] = set()
        for place in places:
            key = (place.sheet.worksheet.name, place.field.name)
            if key in done or self.scope.draft.assigned(place):
                continue
            common = self._for_all(place)
            for start, stop, sheet in self.siblings.segments(place):
                one = self.scope.workspace.place(sheet, place.field.name)
                own = common and any(other is sheet for other in self.siblings.spoken_of())
                if one is not None and (own or not self.scope.draft.assigned(one)):
                    self._choice(one, start, stop, beside_all=own)
            done.add(key)

    def _for_all(self, place: Place) -> bool:
        """A choice for every sheet of a kind ("all for a letter"); what one of them has by itself comes after."""
        told = self.scope.message.masked(*TOLD)
        for choice in choices.written(told, place.field.enum_values):
            at = choice.start, choice.stop
            if self.scope.alike(place.sheet) and self.siblings.all_around(*at) is not None:
                self.siblings.spread(place, choice.value, self.scope.message.words(*at), at)
                self.scope.message.claim(*at)
                return True
        return False

    def _choice(self, place: Place, start: int, stop: int, *, beside_all: bool) -> None:
        """What a stretch chooses; `beside_all`, of one of several for which something else was chosen in common."""
        asked = self.scope.asked
        about = _IS_ABOUT.match(self.scope.message.low) and (asked is None or asked.shape is not Shape.WORDS)
        afresh = beside_all or self.scope.corrects or bool(about)
        low = self.scope.message.masked(*TOLD)[start:stop]
        unread = "".join(a if b != " " else " " for a, b in zip(low, self.scope.message.rest(start, stop), strict=True))
        if not re.search(r"\w", unread):
            return
        found = choices.written(unread, place.field.enum_values)
        choice = found[-1] if found else None
        if choice is None and (not place.known or afresh):
            title = self.scope.workspace.specification.title
            context = f"{title} {place.sheet.context} {place.field.predicate}"
            rest = beside(unread, f"{title} {place.sheet.context}")
            if re.search(r"\w", rest):
                choice = choices.choose(rest, place.field.enum_values, self._closeness, asked=False, context=context)
        if choice is None or (place.known and not afresh and not found):
            return
        at = (start + choice.start, start + choice.stop) if found else (start, start)
        words = self.scope.message.words(*at) if found else self.scope.message.words(start, stop)
        several = {one.value for one in choices.written(self.scope.message.low, place.field.enum_values)}
        if beside_all or len(several) > 1:
            self.scope.draft.assign(place, choice.value, words)  # each its own, whatever else is said of both
        else:
            self.siblings.spread(place, choice.value, words, at)
        if found:
            self.scope.message.claim(*at)

    def booleans(self) -> None:
        """Yes or no to what the fields ask whether, where a sentence says so."""
        for place in self.scope.of(Shape.YES_NO):
            if (
                not self.scope.ready(place)
                or self.scope.draft.assigned(place)
                or (place.known and not self.scope.corrects)
            ):
                continue
            if _MORE.search(called(place.field)) and not _MORE.search(self.scope.message.low):
                continue
            for sentence in self.scope.message.of(Form.STATEMENT, Form.REQUEST):
                low = _after_lead(self.scope.message.low[sentence.start : sentence.stop])
                context = f"{place.sheet.context} {place.sheet.worksheet.title} {place.sheet.worksheet.verb}"
                reading = answers.read(low, called(place.field), context)
                reading = reading or answers.read(low, _core(place.field.description), context, head=False)
                if reading is not None:
                    self.scope.draft.assign(
                        place, reading.value, self.scope.message.words(sentence.start, sentence.stop)
                    )
                    self.scope.message.claim(sentence.start + reading.start, sentence.start + reading.stop)
                    break


def _after_lead(low: str) -> str:
    """A sentence with the yes or no that it begins with blanked: "no, I'm domestic" denies nothing twice."""
    led = answers.lead(low)
    return low if led is None else " " * led.stop + low[led.stop :]


def _core(description: str) -> str:
    """What a yes-or-no field is about, without "whether the student"."""
    return _CORE.sub("", description.lower())
