"""Which field a value belongs to: the one that was asked, one that is named beside it, else the first of its kind."""

from __future__ import annotations

import re

from agent.parsing.tasks.earlier_problem import is_beside
from agent.parsing.tasks.hedging import Hedging
from agent.parsing.tasks.readers import choices, dates, people, spans
from agent.parsing.tasks.relative_changes import Amending, is_bare
from agent.parsing.tasks.scope import Scope, counted
from agent.parsing.tasks.shapes import Shape, called, past
from agent.parsing.tasks.siblings import Siblings
from agent.parsing.tasks.similarity import Closeness, meanings, shared, telling
from agent.parsing.tasks.values import about
from agent.parsing.tasks.volunteered import Volunteering
from agent.parsing.tasks.workspace import Place, Sheet
from agent.text.readers.reading import Reading
from agent.worksheets.statements import Clear

_UNIT_AFTER = re.compile(r"^[ -]?(?P<unit>[a-z]+)")
_SHORT = {"u": "units"}  # "4u"
_SEVERAL = 2
_BEFORE = 32  # characters before a value in which its field may be named
_DENIES = re.compile(
    r"\b(?:(?<!why )not|instead of|rather than|from|no longer|"
    r"(?:can['’]?t|can ?not|unable to) (?:do|make|manage|come|have)(?: it)?)"
    r"(?: (?:for|at|on|the|a|an))* ?$"
)
_ASKED, _LABELLED, _FREE, _HERE, _KNOWN = 8.0, 5.0, 3.0, 1.0, 4.0  # what speaks for a field
_OF_ONE = re.compile(r"\b[a-z]{2,5} ?\d{1,3}[a-z]?(?: (?:for|with|at|to|is|gets))? $")  # "… and CS 152 for 4"
_ADDED = re.compile(r"(?:,|;|\band|\bbut|\bwith|\bfor|\bat)(?: just| only| then)? ?$")


class Filler:
    """Gives the values of one message to the fields of one task."""

    def __init__(self, scope: Scope, closeness: Closeness) -> None:
        self.scope = scope
        self.siblings = Siblings(scope)
        self._amending = Amending(scope)
        self._hedging = Hedging(scope, self._place)
        self._volunteering = Volunteering(scope, self.siblings, closeness)

    # -- values that tell their type -----------------------------------------------------------------------------------

    def volunteer(self) -> None:
        """Gives every value of which the form, or a word beside it, tells what it is."""
        self._amending.shift()
        self.siblings.read()
        self._amending.replace(self.siblings.spoken_of())
        self._hedging.several()
        self._day_of_month()
        for shape in (Shape.EMAIL, Shape.PHONE, Shape.DATE, Shape.TIME, Shape.PEOPLE):
            for reading in self.scope.values.of(shape):
                told = reading.sure or self.scope.is_asked(shape) or (shape is Shape.PEOPLE and self.scope.has(shape))
                if self._is_about(reading) or self._is_speaker(shape, reading):
                    continue
                if told or (shape is Shape.TIME and self._moved(reading)):
                    self._give(shape, reading)
        self._days_gone_by()
        self._numbers()
        self._identifiers()
        self._persons()
        self._routes()
        self._volunteering.choices()
        self._volunteering.booleans()

    def _is_about(self, reading: Reading) -> bool:
        """ "5ish", where a number was asked for: roughly so many."""
        said = self.scope.message.low[reading.start : reading.stop]
        return self.scope.is_asked(Shape.PEOPLE, Shape.NUMBER) and said.endswith("ish")

    def _is_speaker(self, shape: Shape, reading: Reading) -> bool:
        """ "Print it for me", where it is known how many come: nobody is counted."""
        places = self.scope.of(Shape.PEOPLE) if shape is Shape.PEOPLE and not reading.sure else []
        known = bool(places) and all(one.known for one in places)
        return known and reading.value == 1 and not (self.scope.corrects or self.scope.is_asked(shape))

    def _moved(self, reading: Reading) -> bool:
        """ "push it to 9": where something is changed, what it is changed to."""
        changes = self.scope.corrects or any(
            one & two for one in meanings(self.scope.root.worksheet.verb) for two in meanings("change")
        )
        return changes and self.scope.message.low[: reading.start].endswith(" to ")

    def _days_gone_by(self) -> None:
        """Days that are only roughly known ("in March"), for a field whose days lie in the past."""
        for reading in self.scope.values.past:
            places = [
                one for one in self.scope.of(Shape.DATE) if past(one.field) and not self.scope.draft.assigned(one)
            ]
            places = [one for one in places if one == self.scope.asked or self.scope.ready(one)]
            named = any(reading.overlaps(other) for other in self.scope.values.of(Shape.DATE))
            if _DENIES.search(self.scope.message.low[: reading.start]) is not None:
                self.scope.message.claim(reading.start, reading.stop)
                continue
            corrects = self.scope.corrects and len(places) == 1 and places[0].known
            if not named and places and (reading.sure or corrects or self.scope.asked in places):
                self.scope.put(next((one for one in places if one == self.scope.asked), places[0]), reading)

    def _day_of_month(self) -> None:
        """ "The 12th", where the message before told the month alone."""
        asked, before = self.scope.asked, self.scope.before
        if asked is None or asked.shape is not Shape.DATE or before is None or not past(asked.field):
            return
        told = dates.read(before.low, self.scope.workspace.now.date(), past=True)
        months = [one.value for one in told if dates.is_month(str(one.value))]
        reading = dates.day_of(self.scope.message.low, months[-1]) if months else None
        if reading is not None:
            words = self.scope.message.words(reading.start, reading.stop)
            self.scope.values.drop(reading.start, reading.stop)
            self.scope.draft.assign(asked, reading.value, words)
            self.scope.message.claim(reading.start, reading.stop)

    def bare(self) -> None:
        """A number that could be several things, as the one that was asked for or can be corrected; then what names no
        value in particular."""
        asked = self.scope.asked
        for shape in (Shape.TIME, Shape.PEOPLE, Shape.NUMBER, Shape.DATE):
            if asked is not None and asked.shape is shape and not self.scope.draft.assigned(asked):
                if shape is Shape.NUMBER and self._each(asked):
                    continue
                readings = self.scope.free(shape)
                readings = readings or (self.scope.free(Shape.NUMBER) if shape in (Shape.PEOPLE, Shape.NUMBER) else [])
                if shape is Shape.PEOPLE:
                    low = self.scope.message.low
                    readings = [one for one in readings if not people.is_part(low, one.start, one.stop)]
                if readings:
                    self.scope.put(asked, readings[-1])
        self._lacking()
        self._amending.number()
        self._hedging.vague()

    def _each(self, asked: Place) -> bool:
        """ "3 for the first and 4 for the second", "and CS 8 for 3": the number that was asked for, of others of its
        kind."""
        told = [(one, self.siblings.context(one)) for one in self.scope.free(Shape.NUMBER)]
        kin = [(one, sheet) for one, sheet in told if sheet is not None and sheet.worksheet is asked.sheet.worksheet]
        others = [sheet for one, sheet in kin if sheet is not asked.sheet and self.siblings.led(one, sheet)]
        if len({id(sheet) for _, sheet in kin}) < _SEVERAL and not others:
            return False
        for reading, sheet in kin:
            if (place := self.scope.workspace.place(sheet, asked.field.name)) is not None:
                self.scope.put(place, reading)
        return True

    def _lacking(self) -> None:
        """ "4", where something else was asked that no number can be: the one number that is still lacking."""
        asked = self.scope.asked
        readings = self.scope.free(Shape.NUMBER)
        if asked is None or asked.shape not in (Shape.CODE, Shape.CHOICE, Shape.PERSON) or len(readings) != 1:
            return
        lacking = [one for one in self.scope.of(Shape.NUMBER) if one.opened and not one.known]
        if len(lacking) == 1 and is_bare(self.scope.message.low):
            self.scope.put(lacking[0], readings[0])

    def _give(self, shape: Shape, reading: Reading) -> bool:
        if not self.scope.message.free(reading.start, reading.stop) and shape not in (Shape.DATE, Shape.TIME):
            return False
        if self._denied(shape, reading):
            return False
        place = self._place(shape, reading)
        if place is None or self._is_beside(place, reading):
            return False
        return self.scope.put(place, reading)

    def _is_beside(self, place: Place, reading: Reading) -> bool:
        """ "It's my birthday today", where the day is known: it is told of something else, and changes nothing."""
        if place.shape not in (Shape.DATE, Shape.TIME) or not place.known or place == self.scope.asked:
            return False
        named = " ".join(called(one.field) for one in self.scope.places)
        task = f"{about(self.scope.root.worksheet)} {named}"
        return is_beside(self.scope.message.low, reading, self.scope.values, task)

    def _denied(self, shape: Shape, reading: Reading) -> bool:
        """ "not Friday", "instead of 8": the value is what it should not be; with nothing in its place, it is taken
        back."""
        if not _DENIES.search(self.scope.message.low[: reading.start]):
            return False
        if self.scope.message.low[: reading.start].rstrip().endswith(" from") and not self.scope.corrects:
            return False
        others = [one for one in self.scope.values.of(shape) if one is not reading]
        self.scope.message.claim(reading.start, reading.stop)
        place = self._place(shape, reading)
        if not others and place is not None and place.known and place.sheet.value(place.field.name) == reading.value:
            self.scope.draft.add(
                Clear(
                    instance=place.sheet.name,
                    field=place.field.name,
                    words=self.scope.message.words(reading.start, reading.stop),
                )
            )
        return True

    # -- choosing among fields -----------------------------------------------------------------------------------------

    def _place(self, shape: Shape, reading: Reading) -> Place | None:
        """The field that a value of a shape most likely belongs to; None where there is none."""
        candidates = [
            place for place in self.scope.of(shape) if not self.scope.draft.assigned(place) or self.scope.corrects
        ]
        candidates = candidates or self.scope.of(shape)
        context = self.siblings.context(reading)
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
        if self.scope.asked is not None and place.sheet is self.scope.asked.sheet:
            score += _HERE + (_ASKED if place.field.name == self.scope.asked.field.name else 0.0)
        if self.scope.draft.assigned(place):
            return score
        if place.known:
            score += _KNOWN if self.scope.corrects else 0.0
        elif place.opened or not any(one.name for one in self.scope.alike(place.sheet)):
            score += _FREE  # a detail alone begins no further one of a kind
        return score + (_HERE if place.opened else 0.0)

    def _near(self, reading: Reading) -> str:
        """The words around a value that may name its field."""
        before = re.split(r"[,;.?!]|\band\b", self.scope.message.low[max(0, reading.start - _BEFORE) : reading.start])[
            -1
        ]
        after = re.split(r"[,;.?!]|\band\b", self.scope.message.low[reading.stop : reading.stop + 16])[0]
        return f"{before} {after}"

    # -- numbers and identifiers -------------------------------------------------------------------------------------

    def _numbers(self) -> None:
        """Numbers with a word of a field beside them ("4 units"), or said of a field, and those added to one."""
        last: Place | None = None
        for reading in self.scope.values.of(Shape.NUMBER):
            if not self.scope.message.free(reading.start, reading.stop):
                continue
            if last is not None and (twin := self._likewise(last, reading)):
                self.scope.put(twin, reading)
                continue
            after = _UNIT_AFTER.match(self.scope.message.low[reading.stop :])
            places = self.scope.of(Shape.NUMBER)
            unit = _SHORT.get(after["unit"], after["unit"]) if after else ""
            near = f"{self._near(reading)} {unit}" if unit else self._near(reading)
            things = [counted(place) for place in places]
            if any(shared(near, words) for words in things) and (place := self._place(Shape.NUMBER, reading)):
                stop = reading.stop + (after.end() if after and shared(unit, counted(place)) else 0)
                if not self._denied(Shape.NUMBER, reading):
                    self.siblings.spread(
                        place, reading.value, self.scope.message.words(reading.start, stop), (reading.start, stop)
                    )
                    self.scope.message.claim(reading.start, stop)
                    last = place

    def _likewise(self, last: Place, reading: Reading) -> Place | None:
        """The same field of another sheet of the kind, where a number is added to the one before it."""
        sheet = self.siblings.context(reading)
        if sheet is None or sheet is last.sheet or sheet.worksheet.name != last.sheet.worksheet.name:
            return None
        before = self.scope.message.low[: reading.start]
        added = _ADDED.search(before) is not None or _OF_ONE.search(before) is not None
        return self.scope.workspace.place(sheet, last.field.name) if added else None

    def _identifiers(self) -> None:
        places = self.scope.of(Shape.IDENTIFIER)
        for reading in self.scope.values.of(Shape.IDENTIFIER):
            if not self.scope.message.free(reading.start, reading.stop) or not places:
                continue
            labels = telling(self._near(reading), [called(place.field) for place in places])
            best = max(range(len(places)), key=lambda index: labels[index])
            if labels[best] > 0:
                self.scope.put(places[best], reading)
                self.scope.message.claim(max(reading.start - 1, 0), reading.stop)
        free = [one for one in self.scope.values.of(Shape.IDENTIFIER) if self.scope.message.free(one.start, one.stop)]
        if (
            self.scope.is_asked(Shape.IDENTIFIER)
            and self.scope.asked
            and not self.scope.draft.assigned(self.scope.asked)
            and free
        ):
            self.scope.put(self.scope.asked, free.pop(0))
        unset = [place for place in places if place.opened and not place.known and not self.scope.draft.assigned(place)]
        if free and free[0].sure and len(unset) == 1 and self._is_spoken_of(unset[0].sheet):
            self.scope.put(unset[0], free[0])

    def _is_spoken_of(self, sheet: Sheet) -> bool:
        """Whether a field of the sheet was asked for, or how to reach somebody is told with the message."""
        told = [place for place in self.scope.of(Shape.EMAIL, Shape.PHONE) if self.scope.draft.assigned(place)]
        return (self.scope.asked is not None and self.scope.asked.sheet is sheet) or any(
            place.sheet is sheet for place in told
        )

    def _persons(self) -> None:
        for reading in self.scope.values.of(Shape.PERSON):
            said = str(reading.value).lower()
            if any(choices.written(said, one.field.enum_values) for one in self.scope.of(Shape.CHOICE)):
                continue  # "External Test Credits" is nobody
            places = [
                place
                for place in self.scope.of(Shape.PERSON)
                if not place.known or self.scope.corrects or place == self.scope.asked
            ]
            if (
                places
                and self.scope.message.free(reading.start, reading.stop)
                and (reading.sure or not places[0].known)
            ):
                self.scope.put(next((one for one in places if one == self.scope.asked), places[0]), reading)

    def _routes(self) -> None:
        """ "from A to B", for a pair of texts of which one is where something begins, the other where it ends."""
        texts = [place for place in self.scope.of(Shape.WORDS) if place.opened or place.sheet is self.scope.root]
        begins = [place for place in texts if spans.START.search(called(place.field))]
        ends = [place for place in texts if spans.END.search(called(place.field))]
        if not begins or not ends:
            return
        found = spans.read(self.scope.message.low)
        for side, places in (("from", begins), ("to", ends)):
            if side in found and self.scope.message.free(found[side].start, found[side].stop):
                one = found[side]
                self.scope.put(places[0], Reading(self.scope.message.words(one.start, one.stop), one.start, one.stop))
