"""Names and values in a query, put right by the value memory: 'Tratoria Sotovoce' is 'Trattoria Sottovoce'.

Only literals compared with `=`, IN or ANY are touched, only on columns whose values are remembered, and only when
they are near one of them; anything else is left for the query's check to judge.
"""

from __future__ import annotations

from collections.abc import Iterator

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError

from agent.parsing.values import ValueMemory
from agent.suql.catalogue import Catalogue, Column, Kind, Table

NAME_CUTOFF = 82  # names are long, and near ones are rare
ENUM_CUTOFF = 90  # short words: only slips of spelling; what words mean is the engine's business


class Corrector:
    """Puts the literals of queries right. Safe to share."""

    def __init__(self, catalogue: Catalogue, memory: ValueMemory) -> None:
        self.catalogue = catalogue
        self.memory = memory

    def correct(self, suql: str) -> str:
        """The query with its literals put right; unchanged where nothing is near, or where it does not parse."""
        try:
            tree = sqlglot.parse_one(suql, read="postgres")
        except ParseError:
            return suql
        changed = False
        for column, literal in _compared(tree):
            better = self._better(column, literal.name)
            if better is not None and better != literal.name:
                literal.replace(exp.Literal.string(better))
                changed = True
        return tree.sql(dialect="postgres", normalize_functions=False) if changed else suql

    def _better(self, node: exp.Column, words: str) -> str | None:
        for table, column in self._meant(node):
            cutoff = NAME_CUTOFF if column.kind is Kind.TEXT else ENUM_CUTOFF
            return self.memory.nearest(table.name, column.name, words, cutoff)
        return None

    def _meant(self, node: exp.Column) -> Iterator[tuple[Table, Column]]:
        for table in self.catalogue:
            column = table.column(node.name)
            if column is not None and node.table in ("", table.name) and column.kind in (Kind.TEXT, Kind.ENUM):
                yield table, column


def _compared(tree: exp.Expr) -> Iterator[tuple[exp.Column, exp.Literal]]:
    """Each column with each string it is compared with."""
    for node in list(tree.find_all(exp.EQ, exp.NEQ, exp.In)):
        columns = [part for part in node.find_all(exp.Column) if part.find_ancestor(exp.Anonymous) is None]
        literals = [
            part for part in node.find_all(exp.Literal) if part.is_string and not part.find_ancestor(exp.Anonymous)
        ]
        if len(columns) == 1 and not node.find(exp.Subquery):
            yield from ((columns[0], literal) for literal in literals)
