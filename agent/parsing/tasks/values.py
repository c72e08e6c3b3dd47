"""All values that a message says, by the shape of the fields they could fill."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache

from agent.parsing.tasks.message import TOLD, Message
from agent.parsing.tasks.readers import contact, dates, people, persons, spans, words
from agent.parsing.tasks.shapes import Shape
from agent.text.readers import numbers, times
from agent.text.readers.reading import Reading, apart
from agent.worksheets.specification import Worksheet

MEAL = re.compile(r"\b(?:restaurant|dinner|table|reservation|supper|evening|party|concert|show)\b")


def about(worksheet: Worksheet) -> str:
    """What a task is for, in words."""
    return f"{worksheet.title} {worksheet.verb} {worksheet.description} {worksheet.name}"


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_CUT_SHORT = 4  # letters that a word has at least, where only its beginning is written
_BESIDE = re.compile(r"\s*(?:[,(:–—-]|called|named|aka|i\.e\.)?\s*(?:the|that'?s|it'?s)?\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Names:
    """What a corpus calls its rows: their `titles`, which are read where a code is, and the `departments` of their
    codes; with none known, any letters may be one."""

    titles: tuple[str, ...] = ()
    departments: frozenset[str] = frozenset()


NO_NAMES = Names()


@dataclass
class Values:
    """What was read, by shape. `past` holds the days again, looked for before today; `vague` what names several times
    of a day and none in particular; `impossible` what is written as a day, a time or a number of people, and is
    none there is."""

    found: dict[Shape, list[Reading]] = field(default_factory=dict)
    past: list[Reading] = field(default_factory=list)
    vague: list[Reading] = field(default_factory=list)
    impossible: dict[Shape, list[Reading]] = field(default_factory=dict)

    def of(self, shape: Shape) -> list[Reading]:
        return self.found.get(shape, [])

    def sure(self, shape: Shape) -> list[Reading]:
        return [reading for reading in self.of(shape) if reading.sure]

    def point(self, codes: list[Reading]) -> None:
        """Codes that the message points to, where it says none."""
        if not self.of(Shape.CODE):
            self.found[Shape.CODE] = codes

    def only_written_codes(self) -> None:
        """A title within a wish is its topic: "the best machine learning class" is not the one called so."""
        self.found[Shape.CODE] = [one for one in self.of(Shape.CODE) if re.search(r"\d", str(one.value))]

    def drop(self, start: int, stop: int) -> None:
        """Forgets what was read in a stretch that means something else."""
        taken = Reading("", start, stop)
        for shape, readings in self.found.items():
            self.found[shape] = [one for one in readings if not one.overlaps(taken)]
        self.vague = [one for one in self.vague if not one.overlaps(taken)]

    def day(self, reading: Reading, *, past: bool) -> object:
        """The day that a reading of a date means for a field whose days lie in the past, or ahead."""
        return next((one.value for one in self.past if past and one.overlaps(reading)), reading.value)


def read(message: Message, now: datetime, about: str, names: Names = NO_NAMES, *, questions: bool = False) -> Values:
    """The values of a message, those in questions left out unless they are wanted. `about` is what the task is for."""
    low = message.low if questions else message.masked(*TOLD)
    text = "".join(letter if kept != " " else " " for letter, kept in zip(message.text, low, strict=True))
    today = now.date()
    emails = contact.emails(low)
    evening = bool(MEAL.search(about.lower()))
    found = {
        Shape.EMAIL: [_as_written(text, one) for one in emails],
        Shape.PHONE: contact.phones(low),
        Shape.CODE: apart(
            [*(codes := contact.codes(text, names.departments)), *_apposed(text, codes, titled(text, names.titles))]
        ),
        Shape.DATE: dates.read(low, today),
        Shape.TIME: apart([*spans.proposed(low, evening=evening), *times.read(low, evening=evening)]),
        Shape.PEOPLE: people.read(low),
        Shape.NUMBER: numbers.read(low),
        Shape.IDENTIFIER: contact.identifiers(text),
        Shape.PERSON: words.spoken_names(text),
    }
    found[Shape.CODE] = [one for one in found[Shape.CODE] if not _names_a_day(one, found[Shape.DATE])]
    if not found[Shape.PERSON]:
        found[Shape.PERSON] = _bare_names(text, found, names.titles)
    _exclude(found)
    _cover(found)
    found[Shape.TIME] = [_beside_a_day(one, found[Shape.DATE], low) for one in found[Shape.TIME]]
    impossible = {
        Shape.DATE: dates.impossible(low),
        Shape.TIME: times.impossible(low),
        Shape.PEOPLE: people.impossible(low),
    }
    return Values(found, dates.read(low, today, past=True), _vague(low, found, evening=evening), impossible)


def _beside_a_day(moment: Reading, days: list[Reading], low: str) -> Reading:
    """ "Tomorrow 7": an hour that follows a day is surely one."""
    follows = any(day.sure and not low[day.stop : moment.start].strip(" ,") for day in days if day.stop <= moment.start)
    return replace(moment, sure=True) if follows and not moment.sure else moment


def _names_a_day(code: Reading, days: list[Reading]) -> bool:
    """ "tmrw 7" is a day and an hour."""
    return any(day.sure and day.start == code.start and day.stop < code.stop for day in days)


def _bare_names(text: str, found: dict[Shape, list[Reading]], titles: tuple[str, ...]) -> list[Reading]:
    """Names that nothing introduces; a title is none."""
    contact = [one for shape in (Shape.EMAIL, Shape.PHONE, Shape.IDENTIFIER) for one in found[shape]]
    named = [*found[Shape.CODE], *titled(text, titles)]
    return [one for one in persons.bare_names(text, contact) if not any(one.overlaps(title) for title in named)]


def _vague(low: str, found: dict[Shape, list[Reading]], *, evening: bool) -> list[Reading]:
    """Parts of the day where no moment is told as well ("tomorrow evening at 7" is at 7), and bounds ("before 8"),
    whose moments are none."""
    bounds = spans.bounds(low, evening=evening)
    moments = [one for one in found[Shape.TIME] if not any(one.overlaps(bound) for bound in bounds)]
    found[Shape.TIME] = moments
    parts = [] if bounds else spans.parts(low)
    parts = [part for part in parts if not any(part.overlaps(moment) for moment in moments)]
    return [] if any(one.sure for one in moments) else [*bounds, *parts]


def titled(text: str, titles: tuple[str, ...]) -> list[Reading]:
    """Return the titles that the text has in full, or with its words cut short ("intro to robotics"): of one word only
    where it is written as a name."""
    words = [(match.group().lower(), match.start(), match.end()) for match in _WORD.finditer(text)]
    begun = {word[:_CUT_SHORT] for word, _, _ in words}
    found = []
    for title in titles:
        parts = _words_of(title)
        if not parts or parts[0][:_CUT_SHORT] not in begun:
            continue
        for first in range(len(words) - len(parts) + 1):
            if not _stands_for(words[first][0], parts[0]):
                continue
            said = words[first : first + len(parts)]
            start, stop = said[0][1], said[-1][2]
            alike = all(_stands_for(word, part) for (word, _, _), part in zip(said, parts, strict=True))
            if alike and (len(parts) > 1 or text[start].isupper()):
                short = tuple(word for word, _, _ in said) != parts
                found.append(Reading(title if short else text[start:stop], start, stop))
                break
    return found


@lru_cache(maxsize=4096)
def _words_of(title: str) -> tuple[str, ...]:
    return tuple(part.lower() for part in _WORD.findall(title))


def _stands_for(word: str, part: str) -> bool:
    """Whether a word is one of a title, or its beginning ("intro")."""
    return word == part or (len(word) >= _CUT_SHORT and len(part) - len(word) > 1 and part.startswith(word))


def beside(between: str) -> bool:
    """Whether what stands between a code and a title joins them as two names of one thing."""
    return _BESIDE.fullmatch(between) is not None


def _apposed(text: str, codes: list[Reading], titles: list[Reading]) -> list[Reading]:
    """Titles that do not stand right beside a code: "CS 27, the Technical Interview" names one thing in two ways."""
    return [
        title
        for title in titles
        if not any(
            beside(text[min(one.stop, title.stop) : max(one.start, title.start)])
            for one in codes
            if not one.overlaps(title)
        )
    ]


def _as_written(text: str, reading: Reading) -> Reading:
    """An address in the user's own capitals, where it was written out."""
    raw = text[reading.start : reading.stop]
    return Reading(raw, reading.start, reading.stop) if "@" in raw and " " not in raw else reading


_PRECEDENCE = (Shape.EMAIL, Shape.CODE, Shape.DATE, Shape.TIME, Shape.PEOPLE)


def _cover(found: dict[Shape, list[Reading]]) -> None:
    """Where the same words may be a time or a party ("for two"), they are what is not told elsewhere: "7pm for two" has
    its time, so that two are the people; "for 7, 4 people" has its people, so that 7 is the time."""
    for shape, other in ((Shape.TIME, Shape.PEOPLE), (Shape.PEOPLE, Shape.TIME)):
        apart_from = [one for one in found[shape] if not any(one.overlaps(two) for two in found[other])]
        if apart_from:
            unsure = [one for one in found[shape] if not one.sure and one not in apart_from]
            found[shape] = [one for one in found[shape] if one not in unsure]


def _exclude(found: dict[Shape, list[Reading]]) -> None:
    """What is surely one thing is not another: digits of a date are no number, "7 people" is no time."""
    for shape in _PRECEDENCE:
        sure = [reading for reading in found[shape] if reading.sure]
        for other, readings in found.items():
            if other is not shape and {shape, other} != {Shape.DATE, Shape.TIME}:
                weaker = other not in _PRECEDENCE or _PRECEDENCE.index(other) > _PRECEDENCE.index(shape)
                found[other] = [
                    one for one in readings if not any(one.overlaps(s) for s in sure) or (one.sure and not weaker)
                ]
    # A clock time is no date, and "nov 27" is no time.
    for one, other in ((Shape.DATE, Shape.TIME), (Shape.TIME, Shape.DATE)):
        sure = [reading for reading in found[one] if reading.sure]
        found[other] = [item for item in found[other] if item.sure or not any(item.overlaps(s) for s in sure)]
