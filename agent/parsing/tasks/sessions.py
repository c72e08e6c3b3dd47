"""Wishes about one of the times that a thing is held, which no field takes: "CS 101 in spring".

A thing that is chosen by its code may be held several times, in a table of its own. Which of them is meant cannot be
told to the task, and is not silently left out.
"""

from __future__ import annotations

import re

from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.frame import Condition, leaves
from agent.parsing.tasks.draft import Draft
from agent.parsing.tasks.message import TOLD, Message
from agent.parsing.tasks.readers.contact import bare_code
from agent.parsing.tasks.shapes import Shape
from agent.parsing.tasks.workspace import Place, Sheet
from agent.text.readers.reading import Reading
from agent.worksheets.statements import Unclear

_JOINS = re.compile(r"^(?:(?:and|but|yes|no)\b[\s,]*)+|[\s,]+(?:and|but)$", re.IGNORECASE)
_LISTED = re.compile(r"[\s,]*(?:and|or|,)?[\s,]*")


class Occasions:
    """Reads the wishes of one message about when, where and by whom something chosen is held."""

    def __init__(self, draft: Draft, message: Message, root: Sheet, interpreter: Interpreter) -> None:
        self.draft, self.message, self._interpreter = draft, message, interpreter
        self.root, self._asked = root, draft.workspace.asked
        self._coded = [one for one in draft.workspace.places(root) if one.shape is Shape.CODE]

    def take_up(self, tables: tuple[str, ...], codes: list[Reading]) -> None:
        """Says of what is chosen that no field takes the wish; `tables` are those of the assistant, its own first."""
        if len(tables) < 2 or not any(one.known for one in self._coded):
            return
        for start, stop in self._parts():
            words = self.message.rest(start, stop)
            wished = self._wished(words, tables)
            for place in self._meant(codes, stop) if wished else ():
                name, said = self.draft.open(place.sheet), _JOINS.sub("", " ".join(words.split()).strip(" ,.;!?"))
                why = f"“{said}” is nothing that can be chosen here."
                self.draft.add(Unclear(instance=name, field=place.field.name, words=said, why=why))
            if wished:
                self.message.claim(start, stop)

    def _parts(self) -> list[tuple[int, int]]:
        """The stretches of which nothing was understood."""
        found = []
        for sentence in self.message.of(*TOLD):
            rest = self.message.rest(sentence.start, sentence.stop)
            for match in re.finditer(r"\S+(?:\s{1,2}\S+)*", rest):
                if re.search(r"\w", match.group()):
                    found.append((sentence.start + match.start(), sentence.start + match.end()))
        return found

    def _wished(self, words: str, tables: tuple[str, ...]) -> bool:
        """Whether words are a condition on a table beside the thing's own."""
        frame = self._interpreter.parser.frame(" ".join(words.split()), tables)
        found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
        return bool(found) and all(leaf.table in tables[1:] for leaf in found)

    def _meant(self, codes: list[Reading], stop: int) -> list[Place]:
        """What the wish is about: the one that is named before it, else what is asked about, else all."""
        known = [one for one in self._coded if one.known]
        before = sorted((one for one in codes if one.start < stop), key=lambda one: -one.start)
        told = before[:1]
        for one in before[1:]:  # "CS 1 and CS 2 in spring"
            if _LISTED.fullmatch(self.message.low[one.stop : told[-1].start]) is None:
                break
            told.append(one)
        named = [
            one
            for one in known
            if bare_code(one.sheet.value(one.field.name)) in [bare_code(code.value) for code in told]
        ]
        asked = [one for one in known if self._asked is not None and one.sheet is self._asked.sheet]
        return named or asked or known
