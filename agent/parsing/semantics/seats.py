"""Seats left: a number of places taken that is below the number there are."""

from __future__ import annotations

from agent.catalogue.tables import Kind, Table
from agent.parsing.frame import Condition, Order
from agent.parsing.semantics.workspace import Board, Mention, compiled

_ROOM = r"(?:seats?|spots?|places?|spaces?|room|openings?)"
_OPEN = r"(?:left|available|open|free|remaining)"
_LEFT = compiled(
    rf"(?<!how many )(?:(?:that|which|still|have|has|having|with|got|there|are|is|any|some) )*"
    rf"(?:(?:open|free|available|empty|remaining) {_ROOM}(?: left)?|"
    rf"{_ROOM} (?:(?:that|which|are|is|still) )*{_OPEN}|"
    rf"(?:is|are) there (?:(?:still|any|some|enough|much|more|open|free) )*{_ROOM}"
    rf"(?: {_OPEN})?(?= (?:in|for|on|[?!.,])|$)|"
    rf"(?:still )?(?:has|have|having|with|got)(?: (?:still|got|some|any|a few|enough))* (?!places?){_ROOM}"
    rf"(?: {_OPEN})?(?! (?:for \d|to\b))|"
    r"(?:can|could|may) (?:i|we|you|one|people|students) still (?:get|be let) (?:in(?:to)?|an? (?:seat|spot|place))|"
    r"(?:(?:do|does|is|are) )?(?:not|no|nothing|none) (?:(?:an?|any|ones?|courses?|class(?:es)?|sections?|offerings?|"
    r"that|which|is|are|yet|already|completely) )*(?:full(?![ -]time)|filled up|sold out|maxed out)"
    r"(?: (?:ones?|courses?|class(?:es)?|sections?|offerings?))?)"
)
_MOST_LEFT = compiled(
    rf"(?:(?:the|has|have|with|which|that) )*(?P<end>most|fewest|least|lowest number of|highest number of) "
    rf"(?:(?:{_OPEN}|empty) {_ROOM}(?: left)?|{_ROOM} (?:(?:that|which|are|is|still) )*{_OPEN})"
)
_FULL = compiled(
    r"(?:(?:that|which|are|is|already|completely) )+(?:full(?![ -]time)|filled up|maxed out)|"
    r"(?:full|filled up|maxed out) (?:ones?|courses?|class(?:es)?|sections?|offerings?)"
)


class SeatsFinder:
    """Compares the column of a table that counts who is in with the one that says how many fit."""

    def __init__(self, table: Table) -> None:
        """Raises ValueError for a table that has no such columns (see `fits`)."""
        found = _columns(table)
        if found is None:
            raise ValueError(f"{table.name} has no seats")
        self.table = table.name
        self.taken, self.all = found

    @staticmethod
    def fits(table: Table) -> bool:
        return _columns(table) is not None

    def __call__(self, board: Board) -> None:
        for match in board.find(_MOST_LEFT):
            most = match["end"] in ("most", "highest number of")
            order = Order(table=self.table, column=self.all, less=self.taken, descending=most)
            board.add(Mention(*match.span(), "order", order=order))
        for pattern, full in ((_LEFT, False), (_FULL, True)):
            for match in board.find(pattern):
                node = Condition(
                    table=self.table,
                    column=self.taken,
                    op="below",
                    values=(self.all,),
                    negated=full,
                    words=board.words(*match.span()),
                )
                slot = f"{self.table}.{self.taken}"
                board.add(Mention(*match.span(), "node", slot, node, fixed=True, label="seats"))


def _columns(table: Table) -> tuple[str, str] | None:
    """The columns of the places taken and of all places."""
    numbers = [column for column in table.columns if column.kind is Kind.NUMBER]
    taken = next((column.name for column in numbers if column.unit == "students"), None)
    seats = next((column.name for column in numbers if column.unit == "seats"), None)
    return (taken, seats) if taken and seats else None
