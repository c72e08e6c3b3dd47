"""Start and end times of meetings: "after 1 pm", "in the morning", "done by 3"."""

from __future__ import annotations

import re

from agent.parsing.frame import Comparison, Condition
from agent.parsing.semantics.workspace import Board, Mention, compiled

_CLOCK = (
    r"(?P<clock>(?:half|quarter) (?:past|after|to) \d{1,2}|\d{1,2}(?::\d{2})?(?: ?o'?clock)?|noon|midday|lunch ?time)"
)
_CLOCK_2, _CLOCK_3, _UNTIL = (_CLOCK.replace("clock>", f"{name}>") for name in ("clock2", "clock3", "until"))
_PLAIN = r"[^\s.,;:!?]+"
_ABOUT = r"(?:(?:about|around|roughly|like|say) )?"
_END = compiled(
    rf"(?:that |which |are |is |must |should |be |to |i |have to |need to |get |leave |it |has to |class |classes "
    rf")*(?:done|finish(?:es|ed|ing)?|ends?|ending|over|out|finished|leave|wraps? up)(?: "
    rf"(?:by|before|at|no later than|until))+ {_ABOUT}{_CLOCK}|"
    r"(?:i |am |we |are |only |just )*(?:free|available|around|on campus) (?:only |just )*"
    rf"(?:until|till|til|by|before|up to) {_ABOUT}{_CLOCK_2}|"
    rf"(?:nothing|none|not|no|never)(?: {_PLAIN}){{0,3}}? "
    r"(?:goes?|going|runs?|running|lasts?|ends?|ending|stays?|past|beyond)"
    rf"(?: (?:past|beyond|after|later than|until after|on|over|till after))* {_ABOUT}{_CLOCK_3}"
)
_WITHIN = compiled(
    rf"(?:(?:that |which |are |is |only |and |fits? |meets? |i |am |free )*)(?:between|from) {_ABOUT}{_CLOCK} "
    rf"(?:and|to|until|till|til) {_ABOUT}{_UNTIL}"
)
_NOT_BEFORE = compiled(
    rf"(?:(?:not|no|nothing|never|none) (?:{_PLAIN} ){{0,3}}?(?:before|earlier than|until|till)|no earlier than) "
    rf"{_ABOUT}{_CLOCK}"
)
_FREE = compiled(
    rf"(?:i |we |am |are |only |just |really )*(?:free|available|around|on campus|ready) "
    rf"(?:only |just |again |starting )*(?:from|after|at|as of|past|since) {_ABOUT}{_CLOCK}"
    r"(?: (?:on(?= [.,;!?]|$)|onwards?|and later))?"
)
# What somebody does besides: courses meet after it, or are over before it begins.
_WANTING = r"(?!(?:want|need|like|prefer|would|free|available|around|can|could|courses?|class|classes|only|take) )"
_DAILY = r"(?: (?:each|every|most)(?: single)? (?:day|week|week ?days?|mornings?|days|evenings?))?"
_BUSY_UNTIL = compiled(
    rf"(?:(?:i|we|my {_PLAIN}) (?:{_WANTING}{_PLAIN} ){{0,5}}?(?:until|till|til) {_ABOUT}{_CLOCK}|"
    rf"my (?:{_PLAIN} ){{1,3}}?(?:ends?|finish(?:es)?|is over|(?:lets|gets) out) (?:{_PLAIN} ){{0,2}}?(?:at|by) "
    rf"{_ABOUT}{_CLOCK_2}|"
    rf"(?:i|we) (?:{_PLAIN} ){{0,2}}?(?:finish|get (?:off|out|home|back|up|to)|wake up|clock out|arrive) "
    rf"(?:{_PLAIN} ){{0,3}}?(?:at|by) {_ABOUT}{_CLOCK_3}){_DAILY}"
)
_BUSY_FROM = compiled(
    rf"(?:my (?:{_PLAIN} ){{1,3}}?(?:starts?|begins?|leaves|departs) (?:{_PLAIN} ){{0,2}}?(?:at|from) {_ABOUT}{_CLOCK}|"
    rf"(?:i|we) (?:{_PLAIN} ){{0,2}}?(?:have to|need to|must|got to|work|leave)"
    rf"(?: (?!{_PLAIN}ing |(?:take|have|find|study) ){_PLAIN}){{0,7}}? (?:at|by|from|before) "
    rf"{_ABOUT}{_CLOCK_2}){_DAILY}"
)
_LATER = compiled(
    r"(?:(?:that|which) )?(?:starts?|begins?|meets?) (?:later|after|any time after)(?: than)?(?: (?:that|then|it))?|"
    r"(?:that |which |is |are )*(?:over|done|ends?|finished) (?:before|by) (?:that|then)"
)
_AFTER = compiled(
    rf"(?:that |which |are |is |must |should |be )*(?:start(?:s|ing)?|begin(?:s|ning)?|"
    rf"meet(?:s|ing)?)? ?(?:at )?(?:after|past|from|later than|no earlier than|not "
    rf"before|since) {_ABOUT}{_CLOCK}(?: (?:on(?= [.,;!?]|$)|onwards?|and later))?(?= |$)|"
    rf"{_CLOCK_3} (?:onwards?|or later|and later|or after)|"
    rf"(?:start(?:s|ing)?|begin(?:s|ning)?) (?:at )?{_CLOCK_2} or (?:later|after)"
)
_BEFORE = compiled(
    rf"(?:that |which |are |is )*(?:start(?:s|ing)?|begin(?:s|ning)?|meet(?:s|ing)?)? "
    rf"?(?:before|earlier than|by) {_CLOCK}"
)
_AT = compiled(rf"(?:start(?:s|ing)?|begin(?:s|ning)?|meet(?:s|ing)?|at)(?: at)? {_CLOCK}")
_BY = compiled(rf"(?:start(?:s|ing)?|begin(?:s|ning)?|meet(?:s|ing)?)?(?: at)? ?{_CLOCK} or (?:earlier|before)")
_BARE = compiled(
    r"(?:a |an |the |at )?(?P<clock>\d{2}:\d{2}|\d{1,2}[ap]ms?)(?: am| pm)?(?: (?:class|course|start|one|lecture)s?)?"
)
_OF_DAY = re.compile(
    r" (?:in the (?P<part>morning|afternoon|evening)|at (?P<late>night))(?=\s|$)"
)  # "9 in the morning"
_NOON = 12
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
        for match in board.find(_WITHIN):
            first, last = (_moment(match[name], board.norm[match.end() :]) for name in ("clock", "until"))
            if first and last and first < last:
                self._add(board, (match.start(), match.start("until")), self.start, ">=", first)
                self._add(board, match.span("until"), self.end, "<=", last)
        busy = [*self._busy(board, _BUSY_UNTIL, self.start, ">="), *self._busy(board, _BUSY_FROM, self.end, "<=")]
        bounds: tuple[tuple[re.Pattern[str], str, Comparison], ...] = (
            (_END, self.end, "<="),
            (_NOT_BEFORE, self.start, ">="),
            (_FREE, self.start, ">="),
            (_BY, self.start, "<="),
            (_AFTER, self.start, ">="),
            (_BEFORE, self.start, "<"),
            (_AT, self.start, "="),
            (_BARE, self.start, "="),
        )
        for pattern, column, op in bounds:
            for match in board.find(pattern):
                if moment := _said(board, match):
                    part = _OF_DAY.match(board.norm, match.end())
                    span = (match.start(), part.end() if part else match.end())
                    self._add(board, span, column, op, moment, fixed=pattern in (_END, _NOT_BEFORE, _FREE))
        for pattern, comparison, moment in _PARTS:
            for match in board.find(pattern):
                self._add(board, match.span(), self.start, comparison, moment)
        said = {mention.slot for mention in board.mentions}
        for span, column, op, moment in busy:
            if f"{self.table}.{column}" not in said:  # a bound that is said counts, and this one only explains it
                self._add(board, span, column, op, moment, fixed=True)
        if busy:
            for match in board.find(_LATER):
                board.claim(*match.span())

    @staticmethod
    def _busy(
        board: Board, pattern: re.Pattern[str], column: str, op: Comparison
    ) -> list[tuple[tuple[int, int], str, Comparison, str]]:
        """What somebody's other commitments imply, accounted for."""
        found: list[tuple[tuple[int, int], str, Comparison, str]] = []
        for match in board.find(pattern):
            if moment := _said(board, match):
                board.claim(*match.span())
                found.append((match.span(), column, op, moment))
        return found

    def _add(
        self, board: Board, span: tuple[int, int], column: str, op: Comparison, moment: str, *, fixed: bool = False
    ) -> None:
        node = Condition(table=self.table, column=column, op=op, values=(moment,), words=board.words(*span))
        board.add(Mention(*span, "node", f"{self.table}.{column}", node, fixed=fixed, label="time"))


def _said(board: Board, match: re.Match[str]) -> str:
    """The time a pattern found, "" where it is none."""
    clock = next((said for name, said in match.groupdict().items() if name.startswith("clock") and said), "")
    return _moment(clock, board.norm[match.end() :])


def _moment(words: str, after: str) -> str:
    """A time in the 24-hour clock; a bare hour from 1 to 7 is taken in the afternoon, as meetings go, unless the part
    of the day is said after it."""
    if words in ("noon", "midday") or words.startswith("lunch"):
        return "12:00"
    part = re.match(r"(half|quarter) (past|after|to) (\d{1,2})", words)
    digits = re.match(r"(\d{1,2})(?::(\d{2}))?", part[3] if part else words)
    if digits is None or re.match(r" (?:units?|hours?|credits?|stars?|h\b|weeks?|(?!onwards)[a-z]{3,}s\b)", after):
        return ""
    hour, minutes = int(digits[1]), int(digits[2] or 0)
    if hour > 23:
        return ""
    written = bool(digits[2]) and len(digits[1]) == 2
    if (half := re.search(r"([ap])ms?$", words)) is not None:
        hour = hour % 12 + (12 if half[1] == "p" else 0)
    elif (part_said := _OF_DAY.match(after)) is not None and hour <= _NOON:
        hour = hour % _NOON + (0 if part_said["part"] == "morning" else _NOON)
    elif not written and 1 <= hour <= 7:
        hour += 12
    if part:
        minutes = {"half": 30, "quarter": 15}[part[1]]
        hour, minutes = (hour - 1, 60 - minutes) if part[2] == "to" else (hour, minutes)
    return f"{hour:02d}:{minutes:02d}"
