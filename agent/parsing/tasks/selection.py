"""Which of several things of a kind are wanted: "just the one", "no second course", "drop CS 101", "only CS 102".

The things are the worksheets of one kind that one worksheet holds, each told by the field that says what it is.
"""

from __future__ import annotations

import re

from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.gates import verdict
from agent.parsing.tasks.message import TOLD, Message
from agent.parsing.tasks.phrases import compiled, said
from agent.parsing.tasks.readers.answers import Answer, lead
from agent.parsing.tasks.readers.choices import ORDINALS
from agent.parsing.tasks.readers.contact import bare_code
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.similarity import meanings
from agent.parsing.tasks.workspace import Place, Sheet
from agent.text.readers.numbers import word
from agent.text.readers.reading import Reading
from agent.worksheets.state import SlotStatus
from agent.worksheets.statements import Assign, Clear, Decline, Start

_ORDINAL = compiled(r"\b(?P<nth>first|second|third|fourth|1st|2nd|3rd|4th|last|latter|former)\b")
_END = r"(?=\s*(?:$|[,.;:!?)&-]|\b{follows}\b))"
_NO_MORE = compiled(
    rf"\b{{denying}} (?:(?:wanting|needing) )?(?:(?:{{wanting}}|{{little}}) )*{{further}}(?: (?P<noun>[a-z]+))?{_END}"
)
_ONLY = compiled(
    r"\b{only} (?:(?:{wanting}|with|is|it'?s|sign me up|put me) )*"
    r"(?P<det>the|this|that|these|those|an?|my)? ?(?:(?P<count>{few}|single|first|sole)\b)? ?"
    rf"(?P<noun>[a-z]+)?{_END}"
)
_THE_ONLY = compiled(
    rf"\b(?:the|my|that|a) (?:only|single|sole) (?P<noun>[a-z]+)\b(?: i (?:want|need|take|am taking))?{_END}"
)
_COUNT_ONLY = compiled(
    rf"\b(?P<count>{{few}}|single) (?P<noun>[a-z]+)? ?(?:only|alone|is (?:enough|plenty|all|fine)|will do){_END}"
)
_ALL = compiled(
    r"\b(?:that|it|this|those|these)(?:'?s| is| are|'?ll be| will be| would be)(?: (?:going to|gonna) be)? "
    rf"{{total}}(?! (?:right|good|wrong|correct|fine))(?: (?:i|we) (?:want|need))?{_END}"
)
_RESTRICTS = compiled(r"\b{keeping}(?: (?:{wanting}|{little}))* ?$")
_ALONE = compiled(r"[ )]*{alone}\b")
_TAKES_AWAY = compiled(r"\b{removing}(?: (?:to|take|want|need|the|my|that|this|course|class|for|in|from|about))* ?$")
_AWAY_AFTER = compiled(r" ?(?:course|class|one)?,? ?{removed}")
_SPLIT = re.compile(r"\b[a-z]+ (?:the )?$")  # "take the first one out"
_FROM = re.compile(r" (?:from|off|in|on) (?:it|there|(?:the|my|that|this) [a-z]+)")
_BETWEEN = 3  # words between what is wanted and what is not: "CS 102 and not CS 101"
_COUNTS = (Shape.NUMBER, Shape.PEOPLE)


class Limiting:
    """Reads what one message says of how many are wanted, and which."""

    def __init__(self, draft: Draft, message: Message, root: Sheet, codes: list[Reading]) -> None:
        self.draft, self.message, self.codes = draft, message, codes
        self.group = self.group_of(root)
        self._ends, self._most = False, 0
        self._kept: list[Reading] = []
        self._gone: list[Reading] = []
        self._nth: list[int] = []
        if len(self.group) > 1:
            self._read()

    @property
    def said(self) -> bool:
        """Whether the message says anything of the kind."""
        return bool(self._ends or self._kept or self._gone or self._nth)

    @property
    def takes_away(self) -> bool:
        """Whether it is said of something that was wanted that it is not."""
        filled = self._filled() if self._gone or self._nth else []
        return any(self._goes(index, sheet, len(filled)) for index, sheet in enumerate(filled))

    @property
    def all(self) -> bool:
        """Whether it says nothing else."""
        return self.said and not re.search(r"[^\W_]{2}", self._unread())

    def settle(self) -> None:
        """Takes away what is not wanted, once the values of the message have found their fields."""
        if not self.said:
            return
        filled = self._filled()
        gone = [sheet for index, sheet in enumerate(filled) if self._goes(index, sheet, len(filled))]
        stay = [sheet for sheet in filled if sheet not in gone]
        if not stay and gone:
            self._forget(gone[0])
        elif gone:
            self._close_up(filled, stay)
        if (stay and gone) or (self._ends and self._most <= max(len(stay), 1)):
            self._end(max(len(stay), 1))

    def _goes(self, index: int, sheet: Sheet, count: int) -> bool:
        """Whether a sheet is taken away: itself, or because others alone are kept."""
        if any(self._is(sheet, reading) for reading in self._gone) or index in {nth % count for nth in self._nth}:
            return True
        kept = [reading for reading in self._kept if any(self._is(one, reading) for one in self._filled())]
        return bool(kept) and not any(self._is(sheet, reading) for reading in kept)

    # -- reading -------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        low = self.message.masked(*TOLD)
        for reading in self.codes:
            before, after = low[: reading.start], low[reading.stop :]
            if self._gives_way(reading, before, after):
                continue
            if (match := _TAKES_AWAY.search(before)) is not None and not said("all", match.group()):
                self._gone.append(reading)
                where = _FROM.match(after)
                self.message.claim(match.start(), reading.stop + (where.end() if where else 0))
            elif (match := _AWAY_AFTER.match(after)) is not None:
                self._gone.append(reading)
                self.message.claim(reading.start, reading.stop + match.end())
            elif (match := _RESTRICTS.search(before)) is not None:
                self._kept.append(reading)
                self.message.claim(*match.span())
            elif (match := _ALONE.match(after)) is not None:
                self._kept.append(reading)
                self.message.claim(reading.stop, reading.stop + match.end())
        self._ends = bool(self._kept) or self._declines()
        self._ordinals(low)
        self._ending(self.message.rest(0, len(low)).lower() if self._gone else low)

        if self._ends and self.codes and not self._gone and len(self.codes) <= self._most:
            self._kept = list(self.codes)

    def _gives_way(self, reading: Reading, before: str, after: str) -> bool:
        """ "Not CS 101 but CS 102", "CS 102, not CS 101": another takes the place of a thing that is denied."""
        if len(self.codes) != len({str(one.value) for one in self.codes}) or len(self.codes) != 2:
            return False
        other = next(one for one in self.codes if one is not reading)
        filled = self._filled()
        new = not any(self._is(sheet, other) for sheet in filled) and any(self._is(sheet, reading) for sheet in filled)
        denied = re.search(r"\b(?:not|instead of|rather than) $", before) is not None
        beside = other.start > reading.stop and re.match(r",? (?:but|rather|it'?s)\b", after) is not None
        follows = other.stop <= reading.start and len(before[other.stop :].split()) <= _BETWEEN
        return new and denied and (beside or follows)

    def _declines(self) -> bool:
        """ "No thanks, it is hard enough", where another one is asked for and none is named."""
        asked, led = self.draft.workspace.asked, lead(self.message.low)
        waits = asked is not None and asked.sheet in self.group and asked.sheet.optional
        if not waits or self.codes or led is None or led.answer is not Answer.NO:
            return False
        self.message.claim(0, led.stop)
        return True

    def _ordinals(self, low: str) -> None:
        """ "Remove the second one"."""
        for match in _ORDINAL.finditer(low):
            led = _TAKES_AWAY.search(low[: match.start()])
            noun = re.match(r" (?P<noun>[a-z]+)", low[match.end() :])
            names = noun is not None and self._is_kind(noun["noun"])
            index = ORDINALS[match["nth"]]
            away = _AWAY_AFTER.match(low[match.end() :]) if led is None else None
            if away is not None and len(self._filled()) > max(index, 0):
                first = _SPLIT.search(low[: match.start()]) or match
                self._nth.append(index)
                self.message.claim(first.start(), match.end() + away.end())
            if led is not None and (noun is None or names) and len(self._filled()) > max(index, 0):
                self._nth.append(index)
                self.message.claim(led.start(), match.end() + (noun.end() if noun and names else 0))

    def _ending(self, low: str) -> None:
        """That nothing is to follow. `count` things are wanted in all."""
        asked = self.draft.workspace.asked
        for pattern in (_NO_MORE, _THE_ONLY, _COUNT_ONLY, _ONLY, _ALL):
            for match in pattern.finditer(low):
                groups = match.groupdict()
                noun, count = groups.get("noun"), groups.get("count")
                names = noun is not None and self._is_kind(noun)
                if noun is not None and not names and noun not in ("one", "ones", "it", "that", "this"):
                    continue
                if pattern is _ONLY and not (
                    count or names or noun or groups["det"] in ("this", "that", "these", "those")
                ):
                    continue
                points = groups.get("det") in ("this", "that", "these", "those")
                if count and not names and not points and asked is not None and asked.shape in _COUNTS:
                    continue  # "only one" may be the number that was asked for
                if pattern is _ONLY and groups["det"] in ("a", "an") and not count and not names:
                    continue
                self._ends = True
                self._most = max(self._most, (word(count) if count else None) or 1)
                self.message.claim(*match.span())

    def _is_kind(self, word: str) -> bool:
        """Whether a word is what one of them is called ("class")."""
        title = frozenset().union(*meanings(self.group[0].worksheet.title))
        return word in ("one", "ones") or any(item & title for item in meanings(word))

    def _unread(self) -> str:
        rest = self.message.rest(0, len(self.message.low)).lower()
        return re.sub(
            r"\b(?:so|and|but|no|yes|please|thanks?|ok|okay|just|only|i|it'?s|for|now|then|want|need|the|course|class|is|there)\b",
            " ",
            rest,
        )

    # -- the things --------------------------------------------------------------------------------------------------

    @staticmethod
    def group_of(root: Sheet) -> list[Sheet]:
        """The sheets of one kind that one sheet holds in fields of their own."""
        for sheet in root.tree():
            kinds = [child.worksheet.name for child in sheet.children if child.held_by and not child.held_by.type.many]
            for name in kinds:
                if kinds.count(name) > 1:
                    return [child for child in sheet.children if child.worksheet.name == name]
        return []

    @staticmethod
    def named_by(draft: Draft, sheet: Sheet) -> Place | None:
        """The field that says what it is: the one of a code, else the first."""
        places = [place for name in sheet.worksheet.by_name if (place := draft.workspace.place(sheet, name))]
        return next((one for one in places if one.shape is Shape.CODE), places[0] if places else None)

    def _filled(self) -> list[Sheet]:
        return [one for one in self.group if (place := self.named_by(self.draft, one)) is not None and place.known]

    def _is(self, sheet: Sheet, reading: Reading) -> bool:
        place = self.named_by(self.draft, sheet)
        if place is None:
            return False
        known = (place.sheet.value(place.field.name), place.sheet.slot(place.field.name).words)
        return bare_code(str(reading.value)) in [bare_code(value) for value in known if isinstance(value, str)]

    # -- taking away -------------------------------------------------------------------------------------------------

    def _close_up(self, filled: list[Sheet], stay: list[Sheet]) -> None:
        """Those that stay move up to the first places."""
        words = self.message.text.strip()
        kept = [{name: sheet.value(name) for name in sheet.worksheet.by_name} for sheet in stay]
        for sheet, values in zip(filled, kept, strict=False):
            for name, value in values.items():
                place = self.draft.workspace.place(sheet, name)
                if place is not None and value is not None:
                    self.draft.assign(place, value, words)

        for sheet in filled[len(stay) :]:
            self._unsay(sheet)

    def _unsay(self, sheet: Sheet) -> None:
        """What this message said of a sheet that it opened itself."""
        if sheet.instance is None:
            self.draft.statements = [
                item
                for item in self.draft.statements
                if not (isinstance(item, Start | Assign) and item.instance == sheet.name)
            ]

    def _forget(self, sheet: Sheet) -> None:
        """What one of them is; how it is wanted (its grading) stays."""
        place = self.named_by(self.draft, sheet)
        if place is not None:
            self.draft.add(Clear(instance=sheet.name, field=place.field.name, words=self.message.text.strip()))

    def _end(self, count: int) -> None:
        """After so many, there is none: the place of the next is closed, by the field that opens it or by itself."""
        parent, words = self.group[0].parent, self.message.text.strip()
        following = self.group[count:]
        if parent is None or not following or following[0].held_by is None:
            return
        self.draft.open(parent, words)
        holder = following[0].held_by
        gate = self._gate(parent, holder.predicate)
        if gate is not None:
            self.draft.assign(gate, False, words)
        elif parent.slot(holder.name).status is not SlotStatus.REFUSED:
            self.draft.add(Decline(instance=parent.name, field=holder.name, words=words))

    def _gate(self, parent: Sheet, predicate: str) -> Place | None:
        """The yes or no of the parent by which a place is closed."""
        for name in reversed(parent.worksheet.by_name):
            place = self.draft.workspace.place(parent, name)
            if place is None or place.shape is not Shape.YES_NO or not re.search(rf"\b{re.escape(name)}\b", predicate):
                continue
            before = parent.values.get(name)
            parent.values[name] = False
            closes = verdict(self.draft.workspace, parent, predicate) is False
            parent.values.pop(name)
            if before is not None:
                parent.values[name] = before
            if closes:
                return place
        return None
