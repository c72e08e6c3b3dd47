"""Where a class is held: online, not on campus, in a room or a building that the message names."""

from __future__ import annotations

import re

from agent.parsing.frame import Condition
from agent.parsing.semantics.workspace import Board, Mention, compiled
from agent.text.letters import fold

_HELD = (
    r"(?:(?:(?:that|which) )?(?:is|are|be|being|run|held|taught|offered|meets?|given|take|done|fully|"
    r"completely|entirely|purely|totally|all|100|%|and|from home) )*"
)
_SOMETHING_ELSE = re.compile(  # what is online or in person, where that is no class
    r"(?:^|\s)(?:lectures?|videos?|recordings?|recorded|posted|streamed|slides|notes|exams?|quizzes|homework|"
    r"materials?|there|up|attend|attending|lives?|work|works)"
    r"(?: (?:that|which|is|are|be|being|get|gets|all|also|put|available))* $"
)
_ONLINE = compiled(
    rf"{_HELD}(?:online|remote|remotely)"
    r"(?! (?:lectures?|videos?|recordings?|quiz|quizzes|exams?|notes|resources?|forums?|materials?|homework|tests?|"
    r"sections?|discussions?|work|jobs?|advertising|communit\w+|speech|privacy|security|safety|services?|sensing)\b)"
)
_ON_CAMPUS = compiled(rf"{_HELD}(?:on (?:the )?campus|(?:in person|face to face)(?! attendance))")


_NUMBER = re.compile(r" (?:[A-Z]?\d+[A-Za-z]?)$")  # of a room, after its building: "B12"
_BEFORE = (
    r"(?:(?:that |which )?(?:(?:is|are|be|being|meets?|meeting|held|taught|located|given|take|place) )*"
    r"(?:in|at|inside) (?:the )?)"
)
_BUILDING = r"(?: (?:building|hall|rooms?|labs?))?"


class RoomFinder:
    """Finds rooms and buildings by their names, and the value of a column of rooms that stands for none."""

    def __init__(self, table: str, column: str, values: tuple[str, ...]) -> None:
        """Raises ValueError where no value is online (see `fits`)."""
        self.table, self.column = table, column
        self.online = next((value for value in values if fold(value) == "online"), "")
        if not self.online:
            raise ValueError(f"{table}.{column} has no value for what is held online")
        names = sorted({name for value in values for name in _names(value)}, key=len, reverse=True)
        self._called = {fold(name): name for name in names}
        several = "|".join(re.escape(name) for name in self._called if " " in name)
        single = "|".join(re.escape(name) for name in self._called if " " not in name)
        self._named = [
            compiled(rf"{lead}(?P<name>{listed}){_BUILDING}")
            for lead, listed in ((f"{_BEFORE}?", several), (_BEFORE, single))
            if listed
        ]

    @staticmethod
    def fits(values: tuple[str, ...]) -> bool:
        return any(fold(value) == "online" for value in values)

    def __call__(self, board: Board) -> None:
        for pattern, campus in ((_ONLINE, False), (_ON_CAMPUS, True)):
            for match in board.find(pattern):
                if _SOMETHING_ELSE.search(board.norm[: match.start()]):
                    continue
                words, slot = board.words(*match.span()), f"{self.table}.{self.column}"
                node = Condition(table=self.table, column=self.column, values=(self.online,), words=words)
                board.add(Mention(*match.span(), "node", slot, node, label="value", denied=campus))
        for pattern in self._named:
            for match in board.find(pattern):
                words, slot = board.words(*match.span()), f"{self.table}.{self.column}"
                like = (f"{self._called[match['name']]}%",)
                node = Condition(table=self.table, column=self.column, op="like", values=like, words=words)
                board.add(Mention(*match.span(), "node", slot, node, label="value"))


def _names(value: str) -> tuple[str, ...]:
    """What a room is called, and its building: "Hemlock Hall 120" and "Hemlock Hall"; nothing for what is no name."""
    if not all(word[0].isupper() or word[0].isdigit() for word in value.split()) or not (
        " " in value or _NUMBER.search(value)
    ):
        return ()
    return tuple(dict.fromkeys((value, _NUMBER.sub("", value))))
