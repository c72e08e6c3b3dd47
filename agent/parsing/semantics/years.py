"""Academic years of ratings: "autumn 2022" is the beginning of one, "winter 2023" the end of it."""

from __future__ import annotations

from agent.catalogue.tables import Table
from agent.parsing.frame import Condition, Node
from agent.parsing.semantics.workspace import Board, Mention, compiled

_YEAR = compiled(r"(?:(?:in|of|from|for|during|the|year|back) )*(?P<year>(?:19|20)\d\d)")
_FIRST = "autumn"  # the quarter that an academic year begins with


class YearFinder:
    """Finds years for a table whose rows belong to a quarter of an academic year."""

    def __init__(self, table: Table) -> None:
        self.table = table.name

    @staticmethod
    def fits(table: Table) -> bool:
        """Whether a table says to which academic year its rows belong."""
        return {"start_year", "end_year", "season"} <= {column.name for column in table.columns}

    def __call__(self, board: Board) -> None:
        for match in board.find(_YEAR):
            node = Condition(
                table=self.table,
                column="start_year",
                values=(int(match["year"]),),
                words=board.words(*match.span()),
            )
            board.add(Mention(*match.span(), "node", f"{self.table}.year", node, fixed=True, label="year"))

    def settle(self, nodes: tuple[Node, ...]) -> tuple[Node, ...]:
        """The nodes with the quarter said of the same rows as the year, and the year the quarter lies in."""
        if not any(self._year(node) for node in nodes):
            return nodes
        seasons = [node for node in nodes if isinstance(node, Condition) and node.column == "season"]
        ends = bool(seasons) and all(_FIRST not in node.values for node in seasons)
        settled: list[Node] = []
        for node in nodes:
            if node in seasons:
                node = node.model_copy(update={"table": self.table})
            elif self._year(node) and ends:
                node = node.model_copy(update={"column": "end_year"})
            settled.append(node)
        return tuple(settled)

    def _year(self, node: Node) -> bool:
        return isinstance(node, Condition) and (node.table, node.column) == (self.table, "start_year")
