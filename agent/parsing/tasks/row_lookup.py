"""What the corpora are asked for a task: its row, and what is chosen by a code but told in other words.

Titles decide what such words name: a phrase of which every content word stands in one of them names what is wanted, and
the check on assignment finds it or asks which one is meant."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from agent.language import Question
from agent.parsing.dialogue.references import referred
from agent.parsing.semantics import english
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import TOLD, Message
from agent.parsing.tasks.phrases import THE_ONE, said
from agent.parsing.tasks.readers import answers
from agent.parsing.tasks.rows import Rows
from agent.parsing.tasks.shapes import Shape, called
from agent.parsing.tasks.similarity import Closeness, meanings, spoken
from agent.parsing.tasks.spotting import ordered, titles
from agent.parsing.tasks.values import Values, beside
from agent.parsing.tasks.wishes import Wishes
from agent.parsing.tasks.workspace import Place, Sheet
from agent.text.readers.reading import Reading
from agent.text.words import stem
from agent.worksheets.statements import Fill

_POINTS = re.compile(
    r"\b(?:the )?(?:first|second|third|fourth|fifth|last|top|1st|2nd|3rd)(?: (?:one|two|three|course|class))?\b|"
    r"\b(?:it|this|that|this one|that one|those|these|them|both)\b"
)
_DESCRIBES = re.compile(r"(?:an?|any|some|something|one) ")  # "a course about graphics" is no title
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


class Looking:
    """Reads one message for the rows it means. What is to be asked is added to `questions`."""

    def __init__(self, rows: Rows, closeness: Closeness, questions: list[Question]) -> None:
        self.rows, self._closeness, self.questions = rows, closeness, questions
        self.draft: Draft = rows.draft
        self.message: Message = rows.message

    def pointed(self) -> list[Reading]:
        """The keys of the rows shown last that the message points to: a course's key is its code."""
        queries = [query for turn in self.rows.conversation.past for query in turn.queries if query.keys]
        low = self.message.masked(*TOLD)
        match = _POINTS.search(low)
        reference = referred(low, queries[-1]) if queries and match else None
        if reference is None or match is None or reference.chooses:
            return []
        return [Reading(key, match.start() + place, match.end()) for place, key in enumerate(reference.keys)]

    def pick(self, root: Sheet, asked: Place | None, *, started: bool) -> bool:
        place = self.draft.workspace.row(root, asked)
        if place is None or not self.message.of(*TOLD):
            return False
        wanted = asked == place or started or bool(place.sheet.slot(place.field.name).candidates)
        corrects = said("correction", self.message.low) is not None
        if not wanted and not (corrects and place.known):
            return False
        return self.rows.pick(place, asked=asked == place and not place.known)

    def search(self, root: Sheet, asked: Place | None, found: Values, *, started: bool) -> None:
        """What is left of the message, as the question that finds a row for a field that holds one. Who begins by
        telling what is looked for ("Thai for 12 on Friday at 8") looks for it with all of that."""
        place = self.draft.workspace.row(root, asked)
        if place is None:
            return
        words = self.rows.wanted()
        is_asked = asked is not None and asked == place
        if started and not place.known and not self.rows.searchable(place):
            self.rows.tell(place, self.rows.made(words) or self.message.text.strip())
            return
        if not words or (place.known and not (is_asked or said("correction", self.message.low))):
            return
        if not self.rows.searchable(place):
            if is_asked or started:
                self.rows.tell(place, words)
            return
        if not (is_asked or started) and not self.rows.means_row(place, words):
            return
        wishes = Wishes(self.draft, self.message, self._closeness, root)
        pieces = [piece for piece in words.split(", ") if self.rows.means_row(place, piece) or not wishes.is_one(piece)]
        told = self._told_with(pieces, found, root) if started and not ordered(self.message, root.worksheet) else ""
        question = self.rows.question(place, ", ".join(pieces), told) if pieces else None
        if question is not None:
            self.rows.fill(place, len(self.questions), ", ".join(pieces))
            self.questions.append(question)
            self._claim(pieces, question.words.lower().split())

    def shown(self, root: Sheet) -> None:
        """Takes the only row shown last where a task is begun and nothing says which it is for."""
        place = self.draft.workspace.row(root)
        if place is not None and not place.known and self.rows.searchable(place):
            self.rows.pick_only(place)

    def _told_with(self, pieces: list[str], found: Values, root: Sheet) -> str:
        """What is wanted, with the day, the time and the number of people that it is wanted for."""
        meeting = [one for shape in (Shape.DATE, Shape.TIME, Shape.PEOPLE) for one in found.of(shape)]
        contact = [one for shape in (Shape.PERSON, Shape.EMAIL, Shape.PHONE) for one in found.of(shape)]
        return self.rows.told(pieces, [*meeting, *found.vague], [*contact, *titles(self.message, root.worksheet)])

    def _claim(self, pieces: list[str], asked: list[str]) -> None:
        """Marks the words of the pieces; those that are not `asked` find nothing: a row is called by its name alone."""
        for piece in pieces:
            for part in piece.lower().split():
                for match in re.finditer(rf"(?<!\w){re.escape(part)}(?!\w)", self.message.low):
                    self.message.claim(*match.span())
                    if part not in asked:
                        self.message.dropped.append(match.span())

    def subjects(self, root: Sheet, found: Values, titles: tuple[str, ...]) -> None:
        """Adds what is told by words of a title to the codes, where the task takes rows of the table by their codes."""
        table = self.rows.interpreter.catalogue.table(next(iter(self.rows.conversation.tables), ""))
        places = self.draft.workspace.places(root)
        if table is not None and any(one.shape is Shape.CODE and table.noun[0] in called(one.field) for one in places):
            Subjects(self.message, titles, places).add_to(found)

    def describe(self, root: Sheet, *, started: bool) -> None:
        """What is to be chosen by its code, and was told in other words ("a databases course"): the corpus is asked, so
        that one of its rows can be picked. "The best rated" is one, and taken."""
        table = self.rows.interpreter.catalogue.table(next(iter(self.rows.conversation.tables), ""))
        wanted = next(
            (one for one in self.draft.workspace.places(root) if one.shape is Shape.CODE and not one.known), None
        )
        given = any(self.draft.assigned(one) for one in self.draft.workspace.places(root) if one.shape is Shape.CODE)
        if table is None or wanted is None or given:
            return
        words = re.sub(r"^(?:for|in|into|to|at|with)\s+", "", self.rows.wanted())
        is_one = THE_ONE.search(words) is not None
        if not (started or is_one or _DESCRIBES.match(words.lower())):
            return
        if table.noun[0] not in called(wanted.field) or len(words.split()) < 2:
            return
        found = self.rows.interpreter.understand(words, self.rows.conversation).questions
        if is_one and len(found) == 1:
            name = self.draft.reach(wanted, words)
            self.draft.add(Fill(instance=name, field=wanted.field.name, question=len(self.questions), words=words))
            wanted.sheet.values[wanted.field.name] = words
        self.questions.extend(found)
        self.message.claim(0, len(self.message.text))


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
        for sentence in self.message.of(*TOLD):
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
