"""Messages marked by hand, as a tagger would mark them, and what the parser makes of them."""

from __future__ import annotations

import re

import numpy as np

from agent.networks.tagger import KINDS, Mark, Marks
from agent.parsing.frame import Asked, Frame, leaves
from agent.parsing.semantics.entity_questions import Things
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY

MARKS = dict(zip("wnpsxqt", KINDS, strict=True))


class Marked:
    """A tagger that marks what the messages it was given have in braces."""

    def __init__(self, line: str, probability: float) -> None:
        self.text, marks = "", []
        position = 0
        for match in re.finditer(r"\{([a-z]):([^{}]*)\}", line):
            self.text += line[position : match.start()]
            marks.append(Mark(len(self.text), len(self.text) + len(match[2]), MARKS[match[1]], probability))
            self.text, position = self.text + match[2], match.end()
        self.text += line[position:]
        likely = np.zeros(len(self.text), np.float32)
        for mark in marks:
            likely[mark.start : mark.stop] = 0.95
        self._marks = Marks(tuple(marks), likely)

    def marks(self, message: str) -> Marks:
        assert message == self.text
        return self._marks


def read(line: str, probability: float = 0.95) -> Frame:
    """The frame of a message to the restaurants that is marked by hand."""
    tagger = Marked(line, probability)
    return Things("restaurants", catalogue(), MEMORY, GAZETTEER, tagger).read(tagger.text)


def asked(frame: Frame) -> list[tuple[str, str]]:
    """The questions of a frame, with the answers they expect."""
    found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked)]
    return [(one.question, one.expected) for one in found]
