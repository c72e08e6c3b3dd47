"""What the corpora are asked for a task: its row, and what is chosen by a code but told in other words."""

from __future__ import annotations

import re

from agent.language import Question
from agent.parsing.dialogue.references import referred
from agent.parsing.tasks.closeness import Closeness
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.labels import THE_ONE
from agent.parsing.tasks.message import Form, Message
from agent.parsing.tasks.phrases import said
from agent.parsing.tasks.readers.reading import Reading
from agent.parsing.tasks.rows import Rows
from agent.parsing.tasks.shapes import Shape, called
from agent.parsing.tasks.spotting import ordered, titles
from agent.parsing.tasks.subjects import Subjects
from agent.parsing.tasks.values import Values
from agent.parsing.tasks.wishes import Wishes
from agent.parsing.tasks.workspace import Place, Sheet
from agent.worksheets.statements import Fill

_POINTS = re.compile(
    r"\b(?:the )?(?:first|second|third|fourth|fifth|last|top|1st|2nd|3rd)(?: (?:one|two|three|course|class))?\b|"
    r"\b(?:it|this|that|this one|that one|those|these|them|both)\b"
)
_DESCRIBES = re.compile(r"(?:an?|any|some|something|one) ")  # "a course about graphics" is no title


class Looking:
    """Reads one message for the rows it means. What is to be asked is added to `questions`."""

    def __init__(self, rows: Rows, closeness: Closeness, questions: list[Question]) -> None:
        self.rows, self._closeness, self.questions = rows, closeness, questions
        self.draft: Draft = rows.draft
        self.message: Message = rows.message

    def pointed(self) -> list[Reading]:
        """The keys of the rows shown last that the message points to: a course's key is its code."""
        queries = [query for turn in self.rows.conversation.past for query in turn.queries if query.keys]
        low = self.message.masked(Form.STATEMENT, Form.REQUEST, Form.SUGGESTION)
        match = _POINTS.search(low)
        reference = referred(low, queries[-1]) if queries and match else None
        if reference is None or match is None or reference.chooses:
            return []
        return [Reading(key, match.start() + place, match.end()) for place, key in enumerate(reference.keys)]

    def pick(self, root: Sheet, asked: Place | None, *, started: bool) -> bool:
        place = self.draft.workspace.row(root, asked)
        if place is None or not self.message.of(Form.STATEMENT, Form.REQUEST, Form.SUGGESTION):
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
