"""Worksheets of one kind side by side: which of them words are about. A code names one, "the second one" another."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.readers import choices
from agent.parsing.tasks.scope import Scope
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.workspace import Place, Sheet
from agent.text.readers.reading import Reading

_REPLACES = re.compile(
    r"\b(?:change|replace|switch|swap|exchange|trade)\b.*\b(?:to|with|for|by)\b|\binstead of\b|\brather than\b|\bnot\b"
)
_INSTEAD = re.compile(
    r"\b(?:rather|instead|i meant?|change|replace|switch|swap|wrong|not that|mistake|is the one|should be|"
    r"should have been)\b"
)
_CORRECTS = re.compile(
    r"^\W*(?:(?:oh|hm+|um+|ah|uh|well|ok|okay)\W+)*(?:no|nope|nah|wait|sorry|oops|actually|scratch that)\b|"
    r"\bmake (?:it|that)\b"
)
_ADDS = re.compile(r"\b(?:also|too|as well|add|adding|plus|another|second|both|third|fourth|and|more)\b")
_ADDS_ONE = re.compile(r"\b(?:also|too|as well|add|adding|another|second|both|third|fourth)\b")
_OF = re.compile(r"^[ -]?(?:units?|credits?|points?)?\s*(?:of|for|in|on)\s*$")
_LED = 32  # characters before a code in which the verb stands that it is the object of
_BRIEF = 4  # words of a message that says a value and nothing else
_PLACES = ("first", "second", "third", "fourth")
_NTH = re.compile(r"\bthe (?P<nth>first|second|third|fourth|last|other)(?: (?:one|course|class|item|[a-z]+))?\b")
_EACH_NTH = re.compile(r"\b(?:the )?(?P<nth>first|second|third|fourth)\b(?! (?:year|time|week|quarter|day)\b)")
_ADDED = re.compile(r"\b(?:and|plus|more) (?:the )?$")
_EXCEPT = re.compile(r"\b(?:but|except|save|apart from|other than|besides)(?: for)?(?: the)? $")
_ALL = compiled(r"(?<![\w'])(?:{all}|(?:all )?the (?:others|rest|remaining(?: [a-z]+)?))(?![\w'])")
_APART = re.compile(r"[.;!?]\s|[,;]? \b(?:and|then|also|plus|but)\b(?!.*\b(?:for|of|in|on) (?:the )?$)")


class Siblings:
    """`contexts` are the places of the message from which on it is about a sheet."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.contexts: list[tuple[int, Sheet]] = []
        self._numbered: list[tuple[int, Sheet]] = []  # those of them that are told by their place
        self._own: set[tuple[int, str]] = set()  # what a sheet was given by itself

    def read(self) -> None:
        """Gives codes to their fields, and notes which sheet each stretch of the message is about."""
        for reading in self.scope.values.of(Shape.CODE):
            mentioned = self._holding(str(reading.value))
            if mentioned is not None and self._adds() and not self.scope.draft.assigned(mentioned):
                self.scope.put(self.scope.asked or mentioned, reading)  # twice: the update says that it is there
            elif mentioned is not None:
                self.contexts.append((reading.start, mentioned.sheet))
                self.scope.message.claim(reading.start, reading.stop)
        for reading in self.scope.values.of(Shape.CODE):
            if self.scope.message.free(reading.start, reading.stop):
                again = self._holding(str(reading.value))  # "CS 1 and CS 2, 3 units for CS 1" chooses it once
                if again is not None:
                    self.contexts.append((reading.start, again.sheet))
                    self.scope.message.claim(reading.start, reading.stop)
                else:
                    self._code(reading)
        if len({match["nth"] for match in _EACH_NTH.finditer(self.scope.message.low)}) > 1:
            self._ordinals(_EACH_NTH)
        elif not self.contexts:
            self._ordinals(_NTH)
        self.contexts.sort(key=lambda pair: pair[0])
        asked = self.scope.asked
        if asked is not None and self.contexts and self._begins_with(asked.sheet):
            self.contexts.insert(0, (0, asked.sheet))

    def _begins_with(self, sheet: Sheet) -> bool:
        """ "Letter. The second course is CS 180": what comes first is of the sheet that was asked about."""
        start, other = self.contexts[0]
        before = self.scope.message.low[:start]
        told = re.search(r"\w", re.sub(r"\bthe\b", " ", before)) is not None
        kin = other.worksheet is sheet.worksheet and other is not sheet and not self._numbered
        return kin and told and not self.scope.corrects and _APART.search(before) is not None

    def _adds(self) -> bool:
        """Whether nothing but one code is said, as one more."""
        asked, low = self.scope.asked, self.scope.message.low
        waits = asked is not None and asked.shape is Shape.CODE and not asked.known
        codes = self.scope.values.of(Shape.CODE)
        if not waits or len(codes) != 1:
            return False
        alone = not re.search(r"\w", low[: codes[0].start] + low[codes[0].stop :])
        return alone or _ADDS.search(low) is not None

    def _ordinals(self, pattern: re.Pattern[str]) -> None:
        """ "the second one should be …", of sheets of a kind."""
        many = [sheet for sheet in self.scope.root.tree() if sheet.name and self.scope.alike(sheet)]
        for match in pattern.finditer(self.scope.message.low):
            place = _PLACES.index(match["nth"]) if match["nth"] in _PLACES else -1
            if place < len(many) and many:
                self._numbered.append((match.start(), many[place]))
        self.contexts += self._numbered

    def _code(self, reading: Reading) -> None:
        places = self.scope.of(Shape.CODE)
        if self.contexts and self._replaces():
            sheet = self.contexts[0][1]
            place = next((one for one in places if one.sheet is sheet), None)
        elif (replaced := self._replaced(places)) is not None:
            place = replaced
        elif (
            self.scope.asked is not None
            and self.scope.asked.shape is Shape.CODE
            and not self.scope.draft.assigned(self.scope.asked)
        ):
            place = self.scope.asked
        else:
            free = [one for one in places if not one.known and self.scope.ready(one)]
            place = next(iter(free), None)
            if place is None and self.scope.corrects:
                place = next((one for one in reversed(places) if not self.scope.draft.assigned(one)), None)
        if place is not None:
            self.scope.put(place, reading)
            self.contexts.append((reading.start, place.sheet))

    def _replaces(self) -> bool:
        """Whether the second of two codes takes the place of the first: what says so stands by them."""
        codes = self.scope.values.of(Shape.CODE)
        if len(codes) != 2:
            return False
        first, second = sorted(codes, key=lambda one: one.start)
        return _REPLACES.search(self.scope.message.low[max(0, first.start - _LED) : second.stop]) is not None

    def _replaced(self, places: list[Place]) -> Place | None:
        """What another takes the place of, where the message puts something right and adds nothing: the one that is
        spoken of, else the last."""
        low, asked = self.scope.message.low, self.scope.asked
        free = asked is not None and asked.shape is Shape.CODE and not asked.known
        pending = self.scope.workspace.state.pending
        shown = pending is not None and pending.kind in ("confirm", "clarify") and len(places) == 1
        corrects = _INSTEAD.search(low) or (not free and _CORRECTS.search(low)) or shown
        codes = self.scope.values.of(Shape.CODE)
        if not corrects or len(codes) > 1 or _ADDS_ONE.search(low) or _ADDED.search(low[: codes[0].start]):
            return None
        known = [one for one in places if one.known and one.opened and not self.scope.draft.assigned(one)]
        spoken = [one for one in known if self._was_said(one)] or [
            one for one in known if asked is not None and one.sheet is asked.sheet
        ]
        return next(iter([*spoken[-1:], *known[-1:]]), None)

    def _was_said(self, place: Place) -> bool:
        """Whether the message before named what a field holds."""
        before = self.scope.before.low.replace(" ", "") if self.scope.before is not None else ""
        return str(place.sheet.value(place.field.name)).replace(" ", "").lower() in before

    def _holding(self, code: str) -> Place | None:
        """The field that holds a code already."""
        wanted = code.replace(" ", "").lower()
        for place in self.scope.of(Shape.CODE):
            value = place.sheet.value(place.field.name)
            if isinstance(value, str) and value.replace(" ", "").lower() == wanted:
                return place
        return None

    def spoken_of(self) -> list[Sheet]:
        """The sheets that the message names."""
        return [sheet for _, sheet in self.contexts]

    def context(self, reading: Reading) -> Sheet | None:
        """Of sheets of one kind, the one that the words around a value are about."""
        for start, sheet in self.contexts:
            if start >= reading.stop and _OF.match(self.scope.message.low[reading.stop : start]):
                return sheet
        before = [sheet for start, sheet in self.contexts if start < reading.start]
        if before:
            return before[-1]
        return self.contexts[0][1] if len(self.contexts) == 1 else None

    def led(self, reading: Reading, sheet: Sheet) -> bool:
        """Whether what a value is of was said before it."""
        return any(start < reading.start and one is sheet for start, one in self.contexts)

    def spread(self, place: Place, value: object, words: str, at: tuple[int, int]) -> None:
        """A value for a field, or for that field in all sheets of the kind where the words around it say "both"."""
        every = self.all_around(*at)
        if every is not None and self.scope.alike(place.sheet):
            for sheet in (place.sheet, *self.scope.alike(place.sheet)):
                twin = self.scope.workspace.place(sheet, place.field.name)
                own = (id(sheet), place.field.name) in self._own or sheet in self._excepted()
                if twin is not None and sheet.name and not own:
                    self.scope.draft.assign(twin, value, words)
            self.scope.message.claim(*every.span())
            return
        self._own.add((id(place.sheet), place.field.name))
        self.scope.draft.assign(place, value, words)

    def _excepted(self) -> list[Sheet]:
        """Those that the message leaves out: "all but CS 101"."""
        low = self.scope.message.low
        return [sheet for start, sheet in self.contexts if _EXCEPT.search(low[:start]) is not None]

    def all_around(self, start: int, stop: int) -> re.Match[str] | None:
        """What says that a value is for all of a kind: before it in its sentence, or right after it, and nothing of
        the kind is named in between."""
        low = self.scope.message.low
        for match in _ALL.finditer(low):
            first, last = (match.end(), start) if match.start() < start else (stop, match.start())
            between = low[first:last] if first <= last else ""
            named = any(first <= place < last for place, _ in self.contexts)
            apart = re.search(r"[.;!?]\s", between) or (match.start() >= stop and "," in between)
            if not named and not apart:
                return match
        return None

    def segments(self, place: Place) -> Iterable[tuple[int, int, Sheet]]:
        """The stretches of the message about each sheet of a kind; the whole message where there is but one."""
        told = self._numbered if len(self._numbered) > 1 else self.contexts
        own = [(start, sheet) for start, sheet in told if sheet.worksheet.name == place.sheet.worksheet.name]
        if not own:
            return [(0, len(self.scope.message.low), self._spoken_of(place) or place.sheet)]
        if len(own) > 1 and self._leads(place, own[0][0]):  # "letter for CS 107 and credit for CS 161"
            bounds = [0, *(start for start, _ in own[:-1]), own[-1][0]]
            return [(bounds[index], bounds[index + 1], sheet) for index, (_, sheet) in enumerate(own)]
        bounds = [0, *(start for start, _ in own[1:]), len(self.scope.message.low)]
        return [(bounds[index], bounds[index + 1], sheet) for index, (_, sheet) in enumerate(own)]

    def _spoken_of(self, place: Place) -> Sheet | None:
        """The sheet of a kind that was asked about; the last one before it, where it is only asked whether there is to
        be another."""
        asked = self.scope.asked
        if asked is None or asked.sheet.worksheet.name != place.sheet.worksheet.name:
            return None
        long = len(self.scope.message.low.split()) > _BRIEF
        if (
            long
            or asked.known
            or asked.shape is not Shape.CODE
            or any(one.known for one in self.scope.workspace.own(asked.sheet))
        ):
            return asked.sheet
        before = [one for one in self.scope.root.tree() if one.worksheet is asked.sheet.worksheet]
        before = [one for one in before[: before.index(asked.sheet)] if one.name]
        return before[-1] if before else asked.sheet

    def _leads(self, place: Place, first: int) -> bool:
        """Whether the choices stand before what they are for."""
        before = self.scope.message.low[:first]
        return bool(choices.written(before, place.field.enum_values)) and bool(re.search(r"\b(?:for|in|on) $", before))
