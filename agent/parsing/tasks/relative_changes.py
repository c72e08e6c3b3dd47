"""Changes told by a number alone or by how far: "make it 7", "4 instead of 2", "an hour later", "one more person"."""

from __future__ import annotations

import datetime
import re

from agent.parsing.tasks.message import TOLD
from agent.parsing.tasks.phrases import compiled
from agent.parsing.tasks.scope import Scope
from agent.parsing.tasks.shapes import Shape, called
from agent.parsing.tasks.similarity import meanings, telling
from agent.parsing.tasks.values import about, read
from agent.parsing.tasks.workspace import SETTLES, Place, Sheet
from agent.text.readers import numbers
from agent.text.readers.numbers import SPELLED
from agent.text.readers.reading import Reading
from agent.text.readers.times import clock
from agent.worksheets.state import Choice
from agent.worksheets.statements import Start, Unclear

_NEXT = r"the(?= (?:day|week) (?:after|before)(?: that)?\W*(?:$|[,.;!?]|and\b|at\b|please\b|instead\b))"
_N = rf"(?:\d+|{SPELLED}|an?|{_NEXT})"
_HEADS = r"(?:people|ppl|persons?|guests?|adults?|kids?|children|child|friends?|of us|seats?|heads?)"
_MORE_PEOPLE = re.compile(
    rf"\b(?:plus|and|add|adding|with|for|by)? ?(?P<n>{_N}) (?:more|extra|additional|further) (?:{_HEADS})\b|"
    rf"\b(?:add(?:ing)?|plus) (?P<added>{_N}) (?:{_HEADS})\b"
)
_FEWER_PEOPLE = re.compile(
    rf"\b(?P<n>{_N}) (?:fewer|less)(?: {_HEADS})?\b|\b(?P<lost>{_N}) {_HEADS} "
    r"(?:fewer|less|dropped out|can(?:no|')t (?:come|make it))\b"
)
_UNITS = r"(?P<unit>minutes?|mins?|hours?|hrs?|days?|weeks?)"
_FAR = (
    rf"(?P<half>half an hour)|(?P<quarter>(?:a )?quarter of an hour)|"
    rf"(?P<n>{_N})(?P<and_half> and a half)? {_UNITS}(?P<over> and a half)?"
)
_SHIFT = re.compile(
    rf"\b(?:{_FAR}) (?P<way>later|earlier|sooner|after(?: that)?|before(?: that)?)\b|"
    rf"\b(?P<back>back|forward|up|out|ahead)(?: by)? (?:{_FAR.replace('?P<', '?P<b_')})(?! (?:later|earlier))"
)
_FROM_NOW = re.compile(rf"\bin (?:{_FAR})\b(?! (?:later|earlier))|\b(?:{_FAR.replace('?P<', '?P<b_')}) from now\b")
_SOMEWHAT = compiled(
    r"^\W*(?:(?:{filler}|no|{lead}|can (?:we|you|it)|could (?:we|you|it)|be|make|it|that|do)\W+)*"
    r"(?:a (?:little |tiny )?bit |a little |slightly |somewhat )?(?P<way>earlier|later|sooner)"
    r"\W*(?:(?:{filler}|instead)\W*)*$"
)
_NO_LONGER = re.compile(r"\b(?:not|instead of|rather than)(?: for| at)? $")
_MINUTES = {"m": 1, "h": 60}
_BARE = compiled(
    rf"^\W*(?:(?:{{filler}}|{{lead}}|for|at|no|nope)\W+)*(?:\d{{1,3}}|{SPELLED})\W*(?:(?:{{filler}}|instead)\W*)*$"
)
_MADE = compiled(r"\b{changing} (?:it|that|this)(?: to| at| for)? $")
_ROUNDED = 5  # minutes to which a time from now is rounded up
_NOON = 12  # an hour above it is seldom told without its minutes


class Amending:
    """Changes what is known of a task."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    # -- by how far ----------------------------------------------------------------------------------------------------

    def shift(self) -> None:
        """ "One more person", "an hour later", "a day earlier": a known value is moved."""
        low = self.scope.message.masked(*TOLD)
        for pattern, sign in ((_MORE_PEOPLE, 1), (_FEWER_PEOPLE, -1)):
            if (match := pattern.search(low)) and (place := self._known(Shape.PEOPLE)):
                amount = _number(next(group for group in match.groups() if group))
                self._move(place, int(place.sheet.value(place.field.name)) + sign * amount, match)
        if match := _FROM_NOW.search(low):
            self._set_from_now(match)
        elif match := _SHIFT.search(low):
            self._shift_moment(match)
        elif (somewhat := _SOMEWHAT.match(low)) and (place := self._known(Shape.TIME)):
            self._offer_around(place, -1 if somewhat["way"] in ("earlier", "sooner") else 1)

    def _offer_around(self, place: Place, sign: int) -> None:
        """ "A bit later": the times next to the one that is known."""
        moment = str(place.sheet.value(place.field.name))
        minutes = [int(moment[:2]) * 60 + int(moment[3:5]) + sign * step for step in (30, 60)]
        choices = tuple(Choice(field=place.field.name, value=clock(one)) for one in minutes if 0 <= one < 24 * 60)
        self.scope.message.claim(0, len(self.scope.message.text))
        words = self.scope.message.text.strip()
        self.scope.draft.add(Unclear(instance=place.sheet.name, choices=choices, words=words))

    def _set_from_now(self, match: re.Match[str]) -> None:
        """ "In half an hour": the time, and the day that it is on."""
        minutes = _minutes(_far(match))
        times, days = self.scope.of(Shape.TIME), self.scope.of(Shape.DATE)
        if not minutes or not times:
            return
        moment = self.scope.workspace.now + datetime.timedelta(minutes=minutes)
        moment += datetime.timedelta(minutes=-moment.minute % _ROUNDED)
        self._move(times[0], f"{moment:%H:%M}", match)
        if days:
            self._move(days[0], moment.date().isoformat(), match)

    def _shift_moment(self, match: re.Match[str]) -> None:
        told = _far(match)
        groups = match.groupdict()
        earlier = (groups["way"] or "").startswith(("earlier", "sooner", "before")) or groups["back"] in (
            "forward",
            "up",
        )
        sign = -1 if earlier else 1
        unit = (told["unit"] or "m")[0]
        if unit in "dw":
            if (place := self._known(Shape.DATE)) is not None:
                days = _number(told["n"] or "a") * (7 if unit == "w" else 1)
                day = datetime.date.fromisoformat(str(place.sheet.value(place.field.name)))
                self._move(place, (day + sign * datetime.timedelta(days=days)).isoformat(), match)
            return
        if (place := self._known(Shape.TIME)) is not None:
            moment = str(place.sheet.value(place.field.name))
            moved = int(moment[:2]) * 60 + int(moment[3:5]) + sign * _minutes(told)
            if 0 <= moved < 24 * 60:
                self._move(place, clock(moved), match)

    def _known(self, shape: Shape) -> Place | None:
        return next((place for place in self.scope.of(shape) if place.known and place.opened), None)

    def _move(self, place: Place, value: object, match: re.Match[str]) -> None:
        self.scope.values.drop(*match.span())
        self.scope.put(place, Reading(value, *match.span()))

    # -- by the number that it was -------------------------------------------------------------------------------------

    def replace(self, sheets: list[Sheet]) -> None:
        """ "Change 2 to 4", "7 instead of 8": the number that is known already names the field, of the `sheets` that
        the message names, where it names any."""
        if not self.scope.corrects:
            return
        plain = self.scope.free(Shape.NUMBER)
        if len(plain) != 2:
            return
        denied = [one for one in plain if _NO_LONGER.search(self.scope.message.low[: one.start])]
        olds = denied if len(denied) == 1 else plain
        held = [(place, one) for one in olds for place in self._places() if place.known and self._is(place, one)]
        held = [(place, one) for place, one in held if not sheets or place.sheet in sheets]
        if len(held) != 1:
            return
        place, old = held[0]
        new = next(one for one in plain if one is not old)
        readings = self._readings(place)
        reading = next((one for one in readings if one.overlaps(new) and not one.overlaps(old)), None)
        if reading is None and place.shape is Shape.TIME:
            return
        start, stop = min(old.start, new.start), max(old.stop, new.stop)
        value = reading or new
        self.scope.values.drop(start, stop)
        self.scope.put(place, Reading(value.value, start, stop, others=value.others))

    def _is(self, place: Place, reading: Reading) -> bool:
        value = place.sheet.value(place.field.name)
        if place.shape is Shape.TIME:
            return isinstance(value, str) and value[3:] == "00" and int(value[:2]) % 12 == reading.value % 12
        return bool(value == reading.value)

    # -- by a number alone ---------------------------------------------------------------------------------------------

    def number(self) -> None:
        """ "The time should be 8", "make it 7": the field that is named, else the one that the context tells; where
        nothing does, it is asked which was meant."""
        begun = any(isinstance(item, Start) and not item.parent for item in self.scope.draft.statements)
        if any(self.scope.draft.assigned(place) for place in self._places()):
            if not begun:
                self._beside_another()
            return
        if (self.scope.draft and not begun) or not (self.scope.corrects or self._is_all()):
            return
        readings = {place: self._readings(place) for place in self._places()}
        places = [place for place, found in readings.items() if found and place.opened]
        if self._changes_what_was_done():
            self._of_what_was_done(places, readings)
            return
        if not places:
            return
        named = telling(
            self.scope.message.low, [f"{called(place.field)} {place.field.description}" for place in places]
        )
        if max(named) > 0:
            best = max(range(len(places)), key=lambda at: (named[at], places[at].known, -at))
            self.scope.put(places[best], readings[places[best]][-1])
            return
        known = [place for place in places if place.known]
        likely = self._likely(known, readings)
        if len({place.sheet.name for place in likely}) > 1 or len({place.shape for place in likely}) < len(likely):
            likely = likely[:1]
        if len(likely) == 1:
            self.scope.put(likely[0], readings[likely[0]][-1])
        elif likely:
            self._ask_which(likely, readings)

    def _beside_another(self) -> None:
        """ "Make it 8 and five people": the number told as a change, beside a value that told its own field."""
        places = [place for place in self._places() if place.known and not self.scope.draft.assigned(place)]
        for place in places if len(places) == 1 else ():
            told = [one for one in self._readings(place) if _MADE.search(self.scope.message.low[: one.start])]
            if told:
                self.scope.put(place, told[-1])

    def _changes_what_was_done(self) -> bool:
        """Whether the task is to change something: its fields hold nothing but what is new."""
        verb = meanings(self.scope.root.worksheet.verb)
        known = any(place.known for place in self._places())
        return not known and any(one & two for one in verb for two in meanings("change"))

    def _of_what_was_done(self, places: list[Place], readings: dict[Place, list[Reading]]) -> None:
        """ "Make it 7", of a booking that is done: any of its numbers may be meant, but not the one it has."""
        done = [sheet for sheet in self.scope.workspace.finished() if sheet is not self.scope.root]
        held = [sheet.value(place.field.name) for sheet in done[:1] for place in places]
        likely = [place for place in places if readings[place][-1].value not in held]
        if len(likely) == 1:
            self.scope.put(likely[0], readings[likely[0]][-1])
        elif likely:
            self._ask_which(likely, readings)

    def _places(self) -> list[Place]:
        return self.scope.of(Shape.PEOPLE, Shape.NUMBER, Shape.TIME)

    def _readings(self, place: Place) -> list[Reading]:
        return self.scope.free(Shape.TIME if place.shape is Shape.TIME else Shape.NUMBER)

    def _is_all(self) -> bool:
        """A number and nothing else, where a yes or no, or a change, is waited for."""
        pending = self.scope.workspace.state.pending
        return pending is not None and pending.kind in SETTLES and is_bare(self.scope.message.low)

    def _likely(self, places: list[Place], readings: dict[Place, list[Reading]]) -> list[Place]:
        """The fields that a number can mean: those spoken of last, and no hour that nobody says."""
        plain = self.scope.free(Shape.NUMBER)
        if plain and plain[-1].value > _NOON:
            places = [place for place in places if place.shape is not Shape.TIME] or places
        last = [place for place in places if self._just_said(place)]
        return last if len(last) == 1 else places

    def _just_said(self, place: Place) -> bool:
        """Whether the message before gave the field the value it has."""
        if self.scope.before is None:
            return False
        found = read(self.scope.before, self.scope.workspace.now, about(self.scope.root.worksheet))
        value = place.sheet.value(place.field.name)
        shapes = (place.shape,) if place.shape is Shape.TIME else (place.shape, Shape.NUMBER)
        return any(one.value == value for shape in shapes for one in found.of(shape))

    def _ask_which(self, places: list[Place], readings: dict[Place, list[Reading]]) -> None:
        choices = tuple(Choice(field=place.field.name, value=readings[place][-1].value) for place in places)
        reading = readings[places[0]][-1]
        self.scope.message.claim(reading.start, reading.stop)
        words = self.scope.message.text.strip()
        self.scope.draft.add(Unclear(instance=places[0].sheet.name, choices=choices, words=words))


def is_bare(low: str) -> bool:
    """Whether a message is a number and nothing else."""
    return _BARE.match(low) is not None


def _number(said: str) -> int:
    if said in ("a", "an", "the"):
        return 1
    return numbers.word(said) or 0


def _far(match: re.Match[str]) -> dict[str, str | None]:
    """How far a moment is away, as it is told: the groups of `_FAR`, whichever of its two forms matched."""
    groups = match.groupdict()
    told = ("half", "quarter", "n", "and_half", "unit", "over")
    return {name: groups.get(name) or groups.get(f"b_{name}") for name in told}


def _minutes(told: dict[str, str | None]) -> int:
    """The minutes of a distance in minutes or hours; none of one in days."""
    if told["half"] or told["quarter"]:
        return 30 if told["half"] else 15
    minutes = _number(told["n"] or "a") * _MINUTES.get((told["unit"] or "m")[0], 0)
    return minutes + 30 if minutes and (told["and_half"] or told["over"]) else minutes
