"""Which field a value belongs to: the one that was asked, one that is named beside it, else the first of its kind."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.parsing.tasks.closeness import Closeness, beside, meanings, shared, telling
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.gates import verdict
from agent.parsing.tasks.labels import MORE, core, counted
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.phrases import said
from agent.parsing.tasks.readers import booleans, choices, routes
from agent.parsing.tasks.readers.reading import Reading
from agent.parsing.tasks.shapes import Shape, called, past
from agent.parsing.tasks.values import Values
from agent.parsing.tasks.workspace import Place, Sheet, Workspace
from agent.worksheets.statements import Clear

_UNIT_AFTER = re.compile(r"^[ -]?(?P<unit>[a-z]+)")
_BEFORE = 32  # characters before a value in which its field may be named
_REPLACES = re.compile(
    r"\b(?:change|replace|switch|swap|exchange|trade)\b.*\b(?:to|with|for|by)\b|\binstead of\b|\brather than\b|\bnot\b"
)
_OF = re.compile(r"^[ -]?(?:units?|credits?|points?)?\s*(?:of|for|in|on)\s*$")
_PLACES = ("first", "second", "third", "fourth")
_NTH = re.compile(r"\bthe (?P<nth>first|second|third|fourth|last|other)(?: (?:one|course|class|item|[a-z]+))?\b")
_DENIES = re.compile(r"\b(?:not|instead of|rather than|from|no longer)(?: (?:for|at|on|the|a|an))* ?$")
_ASKED, _LABELLED, _FREE, _HERE, _KNOWN = 8.0, 5.0, 3.0, 1.0, 4.0  # what speaks for a field
_ADDED = re.compile(r"(?:,|;|\band|\bbut)(?: just| only| then)? ?$")


class Filler:
    """Gives the values of one message to the fields of one task."""

    def __init__(self, draft: Draft, message: Message, values: Values, closeness: Closeness, root: Sheet) -> None:
        self.draft, self.message, self.values, self.root = draft, message, values, root
        self.workspace: Workspace = draft.workspace
        self._closeness = closeness
        self.places = self.workspace.places(root)
        self.asked = self.workspace.asked if self.workspace.asked and self.workspace.asked.sheet.root is root else None
        self.corrects = said("correction", message.low) is not None
        self._contexts: list[tuple[int, Sheet]] = []

    # -- values that tell their type -----------------------------------------------------------------------------------

    def volunteer(self) -> None:
        """Gives every value of which the form, or a word beside it, tells what it is."""
        self._codes()
        for shape in (Shape.EMAIL, Shape.PHONE, Shape.DATE, Shape.TIME, Shape.PEOPLE):
            for reading in self.values.of(shape):
                told = reading.sure or self._is_asked(shape) or (shape is Shape.PEOPLE and self._has(shape))
                if told or (shape is Shape.TIME and self._moved(reading)):
                    self._give(shape, reading)
        self._days_gone_by()
        self._numbers()
        self._identifiers()
        self._persons()
        self._routes()
        self._choices()
        self._booleans()

    def _moved(self, reading: Reading) -> bool:
        """ "push it to 9": where something is changed, what it is changed to."""
        changes = self.corrects or any(
            one & two for one in meanings(self.root.worksheet.verb) for two in meanings("change")
        )
        return changes and self.message.low[: reading.start].endswith(" to ")

    def _days_gone_by(self) -> None:
        """Days that are only roughly known ("in March"), for a field whose days lie in the past."""
        for reading in self.values.past:
            places = [one for one in self._of(Shape.DATE) if past(one.field) and not self.draft.assigned(one)]
            named = any(reading.overlaps(other) for other in self.values.of(Shape.DATE))
            if not named and places and (reading.sure or self.asked in places):
                self._put(next((one for one in places if one == self.asked), places[0]), reading)

    def bare(self) -> bool:
        """A number that could be several things, as the one that was asked for or can be corrected."""
        for shape in (Shape.TIME, Shape.PEOPLE, Shape.NUMBER, Shape.DATE):
            if self._is_asked(shape) and self.asked is not None and not self.draft.assigned(self.asked):
                readings = [one for one in self.values.of(shape) if self.message.free(one.start, one.stop)]
                readings = readings or [one for one in self._plain_numbers() if shape in (Shape.PEOPLE, Shape.NUMBER)]
                if readings:
                    self._put(self.asked, readings[-1])
                    return True
        return self.corrects and not self.draft and self._corrected_number()

    def _corrected_number(self) -> bool:
        """ "the time should be 8", "make it 7": the number field that is named, else the first that has a value."""
        readings = {place: self._bare_readings(place) for place in self._of(Shape.PEOPLE, Shape.NUMBER, Shape.TIME)}
        places = [place for place, found in readings.items() if found and place.opened]
        if not places:
            return False
        named = telling(self.message.low, [f"{called(place.field)} {place.field.description}" for place in places])
        scores = [score + (0.1 if place.known else 0.0) for place, score in zip(places, named, strict=True)]
        best = places[max(range(len(places)), key=lambda index: (scores[index], -index))]
        if best.shape is Shape.TIME and max(named) == 0 and len(places) > 1:
            best = next((place for place in places if place.shape is not Shape.TIME and place.known), best)
        if not best.known and max(named) == 0:
            return False
        return self._put(best, readings[best][-1])

    def _bare_readings(self, place: Place) -> list[Reading]:
        if place.shape is Shape.TIME:
            return [one for one in self.values.of(Shape.TIME) if self.message.free(one.start, one.stop)]
        return self._plain_numbers()

    def _plain_numbers(self) -> list[Reading]:
        return [one for one in self.values.of(Shape.NUMBER) if self.message.free(one.start, one.stop)]

    def _give(self, shape: Shape, reading: Reading) -> bool:
        if not self.message.free(reading.start, reading.stop) and shape not in (Shape.DATE, Shape.TIME):
            return False
        if self._denied(shape, reading):
            return False
        place = self._place(shape, reading)
        if place is None:
            return False
        return self._put(place, reading)

    def _put(self, place: Place, reading: Reading) -> bool:
        value = reading.value
        if place.shape is Shape.DATE:
            value = self.values.day(reading, past=past(place.field))
        self.draft.assign(place, value, self.message.words(reading.start, reading.stop))
        self.message.claim(reading.start, reading.stop)
        return True

    def _denied(self, shape: Shape, reading: Reading) -> bool:
        """ "not Friday", "instead of 8": the value is what it should not be; with nothing in its place, it is taken
        back."""
        if not _DENIES.search(self.message.low[: reading.start]):
            return False
        if self.message.low[: reading.start].rstrip().endswith(" from") and not self.corrects:
            return False
        others = [one for one in self.values.of(shape) if one is not reading]
        self.message.claim(reading.start, reading.stop)
        place = self._place(shape, reading)
        if not others and place is not None and place.known and place.sheet.value(place.field.name) == reading.value:
            self.draft.add(
                Clear(
                    instance=place.sheet.name,
                    field=place.field.name,
                    words=self.message.words(reading.start, reading.stop),
                )
            )
        return True

    # -- choosing among fields -----------------------------------------------------------------------------------------

    def _of(self, *shapes: Shape) -> list[Place]:
        return [place for place in self.places if place.shape in shapes]

    def _has(self, shape: Shape) -> bool:
        return any(place.shape is shape for place in self.places)

    def _is_asked(self, *shapes: Shape) -> bool:
        return self.asked is not None and self.asked.shape in shapes

    def _place(self, shape: Shape, reading: Reading) -> Place | None:
        """The field that a value of a shape most likely belongs to; None where there is none."""
        candidates = [place for place in self._of(shape) if not self.draft.assigned(place) or self.corrects]
        candidates = candidates or self._of(shape)
        context = self._context(reading)
        if context is not None and any(place.sheet is context for place in candidates):
            candidates = [place for place in candidates if place.sheet is context]
        if not candidates:
            return None
        near = self._near(reading)
        labelled = telling(near, [called(place.field) + " " + place.field.description for place in candidates])
        scores = [self._score(place) + _LABELLED * label for place, label in zip(candidates, labelled, strict=True)]
        return candidates[max(range(len(scores)), key=lambda index: (scores[index], -index))]

    def _score(self, place: Place) -> float:
        score = 0.0
        if self.asked is not None and place.sheet is self.asked.sheet:
            score += _HERE + (_ASKED if place.field.name == self.asked.field.name else 0.0)
        if self.draft.assigned(place):
            return score
        if place.known:
            score += _KNOWN if self.corrects else 0.0
        else:
            score += _FREE
        return score + (_HERE if place.opened else 0.0)

    def _near(self, reading: Reading) -> str:
        """The words around a value that may name its field."""
        before = re.split(r"[,;.?!]|\band\b", self.message.low[max(0, reading.start - _BEFORE) : reading.start])[-1]
        after = re.split(r"[,;.?!]|\band\b", self.message.low[reading.stop : reading.stop + 16])[0]
        return f"{before} {after}"

    # -- codes, and worksheets of one kind side by side --------------------------------------------------------------

    def _codes(self) -> None:
        for reading in self.values.of(Shape.CODE):
            mentioned = self._holding(str(reading.value))
            if mentioned is not None:
                self._contexts.append((reading.start, mentioned.sheet))
                self.message.claim(reading.start, reading.stop)
        for reading in self.values.of(Shape.CODE):
            if self.message.free(reading.start, reading.stop):
                again = self._holding(str(reading.value))  # "CS 1 and CS 2, 3 units for CS 1" chooses it once
                if again is not None:
                    self._contexts.append((reading.start, again.sheet))
                    self.message.claim(reading.start, reading.stop)
                else:
                    self._code(reading)
        if not self._contexts:
            self._ordinals()
        self._contexts.sort(key=lambda pair: pair[0])

    def _ordinals(self) -> None:
        """ "the second one should be …", of sheets of a kind."""
        many = [sheet for sheet in self.root.tree() if sheet.name and self._alike(sheet)]
        for match in _NTH.finditer(self.message.low):
            place = _PLACES.index(match["nth"]) if match["nth"] in _PLACES else -1
            if place < len(many) and many:
                self._contexts.append((match.start(), many[place]))

    def _code(self, reading: Reading) -> None:
        places = self._of(Shape.CODE)
        if self._contexts and _REPLACES.search(self.message.low) and len(self.values.of(Shape.CODE)) == 2:
            sheet = self._contexts[0][1]
            place = next((one for one in places if one.sheet is sheet), None)
        elif self.asked is not None and self.asked.shape is Shape.CODE and not self.draft.assigned(self.asked):
            place = self.asked
        else:
            free = [one for one in places if not one.known and self._ready(one)]
            place = next(iter(free), None)
            if place is None and self.corrects:
                place = next((one for one in reversed(places) if not self.draft.assigned(one)), None)
        if place is not None:
            self._put(place, reading)
            self._contexts.append((reading.start, place.sheet))

    def _ready(self, place: Place) -> bool:
        """A sheet that is open, one of several alike, or one that only this task can mean: not one behind a choice
        that was not made."""
        if place.opened or place.sheet.parent is None or self._alike(place.sheet):
            return True
        return all(one.name or self._lies_open(one) for one in place.sheet.path)

    def _lies_open(self, sheet: Sheet) -> bool:
        """Whether what has been chosen opens a nested sheet."""
        if sheet.parent is None or sheet.held_by is None:
            return True
        return verdict(self.workspace, sheet.parent, sheet.held_by.predicate) is True

    def _holding(self, code: str) -> Place | None:
        """The field that holds a code already."""
        wanted = code.replace(" ", "").lower()
        for place in self._of(Shape.CODE):
            value = place.sheet.value(place.field.name)
            if isinstance(value, str) and value.replace(" ", "").lower() == wanted:
                return place
        return None

    def _alike(self, sheet: Sheet) -> list[Sheet]:
        """The other sheets of its kind in this task."""
        return [one for one in self.root.tree() if one is not sheet and one.worksheet.name == sheet.worksheet.name]

    def _context(self, reading: Reading) -> Sheet | None:
        """Of sheets of one kind, the one that the words around a value are about."""
        for start, sheet in self._contexts:
            if start >= reading.stop and _OF.match(self.message.low[reading.stop : start]):
                return sheet
        before = [sheet for start, sheet in self._contexts if start < reading.start]
        if before:
            return before[-1]
        return self._contexts[0][1] if len(self._contexts) == 1 else None

    def _spread(self, place: Place, value: object, words: str) -> None:
        """A value for a field, or for that field in all sheets of the kind where the message says "both"."""
        if said("all", self.message.low) and self._alike(place.sheet):
            for sheet in (place.sheet, *self._alike(place.sheet)):
                twin = self.workspace.place(sheet, place.field.name)
                if twin is not None and sheet.name:
                    self.draft.assign(twin, value, words)
            every = said("all", self.message.low)
            self.message.claim(*every.span() if every else (0, 0))
            return
        self.draft.assign(place, value, words)

    # -- numbers and identifiers -------------------------------------------------------------------------------------

    def _numbers(self) -> None:
        """Numbers with a word of a field beside them ("4 units"), or said of a field, and those added to one."""
        last: Place | None = None
        for reading in self.values.of(Shape.NUMBER):
            if not self.message.free(reading.start, reading.stop):
                continue
            if last is not None and (twin := self._likewise(last, reading)):
                self._put(twin, reading)
                continue
            after = _UNIT_AFTER.match(self.message.low[reading.stop :])
            places = self._of(Shape.NUMBER)
            near = self._near(reading) if not after else f"{self._near(reading)} {after['unit']}"
            things = [counted(place) for place in places]
            if any(shared(near, words) for words in things) and (place := self._place(Shape.NUMBER, reading)):
                stop = reading.stop + (after.end() if after and shared(after["unit"], counted(place)) else 0)
                if not self._denied(Shape.NUMBER, reading):
                    self._spread(place, reading.value, self.message.words(reading.start, stop))
                    self.message.claim(reading.start, stop)
                    last = place

    def _likewise(self, last: Place, reading: Reading) -> Place | None:
        """The same field of another sheet of the kind, where a number is added to the one before it."""
        sheet = self._context(reading)
        if sheet is None or sheet is last.sheet or sheet.worksheet.name != last.sheet.worksheet.name:
            return None
        return (
            self.workspace.place(sheet, last.field.name) if _ADDED.search(self.message.low[: reading.start]) else None
        )

    def _identifiers(self) -> None:
        places = self._of(Shape.IDENTIFIER)
        for reading in self.values.of(Shape.IDENTIFIER):
            if not self.message.free(reading.start, reading.stop) or not places:
                continue
            labels = telling(self._near(reading), [called(place.field) for place in places])
            best = max(range(len(places)), key=lambda index: labels[index])
            if labels[best] > 0:
                self._put(places[best], reading)
                self.message.claim(max(reading.start - 1, 0), reading.stop)
        free = [one for one in self.values.of(Shape.IDENTIFIER) if self.message.free(one.start, one.stop)]
        if self._is_asked(Shape.IDENTIFIER) and self.asked and not self.draft.assigned(self.asked) and free:
            self._put(self.asked, free.pop(0))
        unset = [place for place in places if place.opened and not place.known and not self.draft.assigned(place)]
        if free and free[0].sure and len(unset) == 1 and self.asked and self.asked.sheet is unset[0].sheet:
            self._put(unset[0], free[0])

    def _persons(self) -> None:
        for reading in self.values.of(Shape.PERSON):
            places = [
                place for place in self._of(Shape.PERSON) if not place.known or self.corrects or place == self.asked
            ]
            if places and self.message.free(reading.start, reading.stop) and (reading.sure or not places[0].known):
                self._put(next((one for one in places if one == self.asked), places[0]), reading)

    def _routes(self) -> None:
        """ "from A to B", for a pair of texts of which one is where something begins, the other where it ends."""
        texts = [place for place in self._of(Shape.WORDS) if place.opened or place.sheet is self.root]
        begins = [place for place in texts if routes.START.search(called(place.field))]
        ends = [place for place in texts if routes.END.search(called(place.field))]
        if not begins or not ends:
            return
        found = routes.read(self.message.low)
        for side, places in (("from", begins), ("to", ends)):
            if side in found and self.message.free(found[side].start, found[side].stop):
                one = found[side]
                self._put(places[0], Reading(self.message.words(one.start, one.stop), one.start, one.stop))

    # -- choices and yes or no ---------------------------------------------------------------------------------------

    def _choices(self) -> None:
        """Choices that the statements of the message make of themselves."""
        places = [place for place in self._of(Shape.CHOICE) if self._ready(place) and place != self.asked]
        done: set[tuple[str, str]] = set()
        for place in places:
            key = (place.sheet.worksheet.name, place.field.name)
            if key in done or self.draft.assigned(place):
                continue
            for start, stop, sheet in self._segments(place):
                one = self.workspace.place(sheet, place.field.name)
                if one is not None and not self.draft.assigned(one):
                    self._choice(one, start, stop)
            done.add(key)

    def _choice(self, place: Place, start: int, stop: int) -> None:
        low = self.message.masked(Form.STATEMENT, Form.REQUEST, Form.SUGGESTION)[start:stop]
        unread = "".join(a if b != " " else " " for a, b in zip(low, self.message.rest(start, stop), strict=True))
        if not re.search(r"\w", unread):
            return
        found = choices.written(unread, place.field.enum_values)
        choice = found[-1] if found else None
        if choice is None and (not place.known or self.corrects):
            context = f"{place.sheet.context} {place.field.predicate}"
            rest = beside(unread, place.sheet.context)
            if re.search(r"\w", rest):
                choice = choices.choose(rest, place.field.enum_values, self._closeness, asked=False, context=context)
        if choice is None or (place.known and not self.corrects and not found):
            return
        at = (start + choice.start, start + choice.stop) if found else (start, start)
        self._spread(place, choice.value, self.message.words(*at) if found else self.message.words(start, stop))
        if found:
            self.message.claim(*at)

    def _segments(self, place: Place) -> Iterable[tuple[int, int, Sheet]]:
        """The stretches of the message about each sheet of a kind; the whole message where there is but one."""
        own = [(start, sheet) for start, sheet in self._contexts if sheet.worksheet.name == place.sheet.worksheet.name]
        if not own:
            asked = (
                self.asked.sheet
                if self.asked and self.asked.sheet.worksheet.name == place.sheet.worksheet.name
                else None
            )
            return [(0, len(self.message.low), asked or place.sheet)]
        if len(own) > 1 and self._leads(place, own[0][0]):  # "letter for CS 107 and credit for CS 161"
            bounds = [0, *(start for start, _ in own[:-1]), own[-1][0]]
            return [(bounds[index], bounds[index + 1], sheet) for index, (_, sheet) in enumerate(own)]
        bounds = [0, *(start for start, _ in own[1:]), len(self.message.low)]
        return [(bounds[index], bounds[index + 1], sheet) for index, (_, sheet) in enumerate(own)]

    def _leads(self, place: Place, first: int) -> bool:
        """Whether the choices stand before what they are for."""
        before = self.message.low[:first]
        return bool(choices.written(before, place.field.enum_values)) and bool(re.search(r"\b(?:for|in|on) $", before))

    def _booleans(self) -> None:
        for place in self._of(Shape.YES_NO):
            if not self._ready(place) or self.draft.assigned(place) or (place.known and not self.corrects):
                continue
            if MORE.search(called(place.field)) and not MORE.search(self.message.low):
                continue
            for sentence in self.message.of(Form.STATEMENT, Form.REQUEST):
                low = self.message.low[sentence.start : sentence.stop]
                context = f"{place.sheet.context} {place.sheet.worksheet.title} {place.sheet.worksheet.verb}"
                reading = booleans.read(low, called(place.field), context)
                reading = reading or booleans.read(low, core(place.field.description), context, head=False)
                if reading is not None:
                    self.draft.assign(place, reading.value, self.message.words(sentence.start, sentence.stop))
                    self.message.claim(sentence.start + reading.start, sentence.start + reading.stop)
                    break
