"""Things that are chosen by a code, told by what their titles say of them: "databases and the compilers one".

The titles decide: a phrase of which every content word stands in one of them names what is wanted, and the check on
assignment finds it or asks which one is meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agent.parsing.semantics import english
from agent.parsing.tasks.closeness import meanings, spoken
from agent.parsing.tasks.labels import THE_ONE
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.readers.reading import Reading
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.values import Values, beside
from agent.parsing.tasks.workspace import Place
from agent.text.words import stem

_TOLD = (Form.STATEMENT, Form.REQUEST, Form.SUGGESTION)
_APART = re.compile(r"[,;.!?]|\s&\s|\b(?:and|plus|as well as|along with)\b|\b(?:for|with|at) (?=\d)")
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_INDEFINITE = re.compile(r"\b(?:an?|any|some|something|anything)\b")
_WHEN = re.compile(  # when it is wanted, which the task is not asked
    r"\b(?:(?:in|for|during|over) )?(?:(?:next|this|the (?:next|coming)|coming) (?:quarter|term|year)|"
    r"(?:(?:next|this|the|coming) )?(?:winter|spring|summer|autumn|fall)(?: (?:quarter|term))?)\b"
)
_SHORTEST = 3  # letters of a word that tells a title
_BEFORE = r"(?:(?:in|into|for|to|on|about|the|an?|my|that|one|course|class)\s+)*$"
_AFTER = re.compile(r"\s+(?:course|class|one|seminar|lecture)s?\b")


class Subjects:
    """Finds such phrases in one message. `titles` are those of the corpus, `places` the fields of the task."""

    def __init__(self, message: Message, titles: tuple[str, ...], places: list[Place]) -> None:
        self.message, self._all, self._titles = message, titles, _words(titles)
        coded = [one for one in places if one.shape is Shape.CODE]
        texts = [one.field.label for one in places] + [one.sheet.worksheet.title for one in coded]
        texts += [value.value for one in places for value in one.field.enum_values]
        self._own = frozenset(name for text in texts for names in meanings(text) for name in names)

    def add_to(self, found: Values) -> None:
        """Adds them to the codes that were read. One alone that is wanted in general ("a databases course") is looked
        for instead."""
        if THE_ONE.search(self.message.low):
            return
        named = found.of(Shape.CODE)
        told = [one for one in self._read() if not any(one.overlaps(other) for other in named)]
        told = [one for one in told if not self._is_apposed(one, named)]
        alone = len(told) == 1 and not named
        if not told or (alone and _INDEFINITE.search(self.message.low[: told[0].stop])):
            return
        found.found[Shape.CODE] = sorted([*named, *told], key=lambda one: one.start)

    def _is_apposed(self, reading: Reading, named: list[Reading]) -> bool:
        """ "CS 27, The Technical Interview": a title in full, beside a code, names the same thing."""
        whole = str(reading.value).lower() in {title.lower() for title in self._all}
        return whole and any(
            beside(self.message.text[min(one.stop, reading.stop) : max(one.start, reading.start)]) for one in named
        )

    def _read(self) -> list[Reading]:
        found = []
        for start, stop in self._parts():
            span = self._subject(self.message.rest(start, stop).lower())
            if span is None:
                continue
            first, last = start + span[0], start + span[1]
            value = self.message.words(first, last)
            lead = re.search(_BEFORE, self.message.low[start:first])
            head = _AFTER.match(self.message.low, last)
            begin = start + lead.start() if lead is not None else first
            found.append(Reading(value, begin, head.end() if head is not None else last))
        return found

    def _parts(self) -> Iterator[tuple[int, int]]:
        for sentence in self.message.of(*_TOLD):
            start = sentence.start
            for match in _APART.finditer(self.message.low, sentence.start, sentence.stop):
                yield start, match.start()
                start = match.end()
            yield start, sentence.stop

    def _subject(self, low: str) -> tuple[int, int] | None:
        """Where the words of titles stand, if a phrase has no other content than them and what leads to them."""
        if answers.whole(low) is not None:
            return None
        low = _WHEN.sub(lambda match: " " * len(match.group()), low)
        words = [(match.group(), *match.span()) for match in _WORD.finditer(low)]
        content = [(item.start, item.stop) for item in spoken(low) if not item.names & self._own]
        told = [
            (word, start, stop) for word, start, stop in words if any(first <= start < last for first, last in content)
        ]
        while told and told[0][0] in english.verbs() and stem(told[0][0]) not in self._titles:
            told.pop(0)
        if not told or re.search(r"\d", low) or any(stem(word) not in self._titles for word, _, _ in told):
            return None
        return told[0][1], told[-1][2]


@lru_cache(maxsize=8)
def _words(titles: tuple[str, ...]) -> frozenset[str]:
    """The stems of the words of some titles."""
    return frozenset(stem(word) for title in titles for word in _WORD.findall(title.lower()) if len(word) >= _SHORTEST)
