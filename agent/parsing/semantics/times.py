"""Start and end times of meetings: "after 1 pm", "in the morning", "done by 3"."""

from __future__ import annotations

import re

from agent.parsing.frame import Comparison, Condition
from agent.parsing.semantics.board import Board, Mention, compiled

_CLOCK = r"(?P<clock>\d{1,2}(?::\d{2})?(?: ?o'?clock)?|noon|midday)"
_END = compiled(
    rf"(?:that |which |are |is |must |should |be |to |i |have to |need to |get |leave "
    rf")*(?:done|finish(?:es|ed|ing)?|ends?|ending|over|out|finished|free|leave)(?: "
    rf"(?:by|before|at|no later than|until|from))+ {_CLOCK}"
)
_NOT_BEFORE = compiled(
    rf"(?:(?:not|no|nothing|never|none) (?:\S+ ){{0,2}}?(?:before|earlier than)|no earlier than) {_CLOCK}"
)
_AFTER = compiled(
    rf"(?:that |which |are |is |must |should |be )*(?:start(?:s|ing)?|begin(?:s|ning)?|"
    rf"meet(?:s|ing)?)? ?(?:at )?(?:after|past|from|later than|no earlier than|not "
    rf"before|since) (?:about )?{_CLOCK}|"
    rf"(?:start(?:s|ing)?|begin(?:s|ning)?) (?:at )?{_CLOCK.replace('clock', 'clock2')} or (?:later|after)"
)
_BEFORE = compiled(
    rf"(?:that |which |are |is )*(?:start(?:s|ing)?|begin(?:s|ning)?|meet(?:s|ing)?)? "
    rf"?(?:before|earlier than|by) {_CLOCK}"
)
_AT = compiled(rf"(?:start(?:s|ing)?|begin(?:s|ning)?|meet(?:s|ing)?|at)(?: at)? {_CLOCK}")
_BY = compiled(rf"(?:start(?:s|ing)?|begin(?:s|ning)?|meet(?:s|ing)?)?(?: at)? ?{_CLOCK} or (?:earlier|before)")
_BARE = compiled(r"(?:a |an |the |at )?(?P<clock>\d{2}:\d{2})(?: am| pm)?(?: (?:class|course|start|one|lecture)s?)?")
_PARTS: tuple[tuple[re.Pattern[str], Comparison, str], ...] = (
    (compiled(r"(?:in the |a |the )*early mornings?(?: (?:class|course|person))?"), "<", "10:00"),
    (compiled(r"(?:in the |a |the )*late afternoons?"), ">=", "15:00"),
    (
        compiled(r"(?:in the |during the |early |late |a |the )*mornings?(?: (?:class|course|person))?|before noon"),
        "<",
        "12:00",
    ),
    (compiled(r"(?:in the |during the |early |late |a |the |after )*(?:afternoons?|lunch)"), ">=", "12:00"),
    (compiled(r"(?:in the |during the |a |the |at |after )*(?:evenings?|nights?)|after work"), ">=", "17:00"),
)


class TimesFinder:
    """Finds bounds on a pair of TIME columns, where meetings start and end."""

    def __init__(self, table: str, start: str, end: str) -> None:
        self.table, self.start, self.end = table, start, end

    def __call__(self, board: Board) -> None:
        bounds: tuple[tuple[re.Pattern[str], str, Comparison], ...] = (
            (_NOT_BEFORE, self.start, ">="),
            (_END, self.end, "<="),
            (_BY, self.start, "<="),
            (_AFTER, self.start, ">="),
            (_BEFORE, self.start, "<"),
            (_AT, self.start, "="),
            (_BARE, self.start, "="),
        )
        for pattern, column, op in bounds:
            for match in board.find(pattern):
                groups = match.groupdict()
                if moment := _moment(groups.get("clock") or groups.get("clock2") or "", board.norm[match.end() :]):
                    self._add(board, match, column, op, moment, fixed=pattern is _NOT_BEFORE)
        for pattern, comparison, moment in _PARTS:
            for match in board.find(pattern):
                self._add(board, match, self.start, comparison, moment)

    def _add(
        self, board: Board, match: re.Match[str], column: str, op: Comparison, moment: str, *, fixed: bool = False
    ) -> None:
        node = Condition(table=self.table, column=column, op=op, values=(moment,), words=board.words(*match.span()))
        board.add(Mention(*match.span(), "node", f"{self.table}.{column}", node, fixed=fixed, label="time"))


def _moment(words: str, after: str) -> str:
    """A time in the 24-hour clock; a bare hour from 1 to 7 is taken in the afternoon, as meetings go."""
    if words in ("noon", "midday"):
        return "12:00"
    digits = re.match(r"(\d{1,2})(?::(\d{2}))?", words)
    if digits is None or re.match(r" (?:units?|hours?|credits?|stars?|h\b|weeks?|[a-z]{3,}s\b)", after):
        return ""
    hour, minute = int(digits[1]), digits[2] or "00"
    if hour > 23:
        return ""
    if not (digits[2] and len(digits[1]) == 2) and 1 <= hour <= 7:
        hour += 12
    return f"{hour:02d}:{minute}"
