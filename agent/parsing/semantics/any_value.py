"""That a column has any value at all: "satisfies some WAYS requirement", "counts for breadth"."""

from __future__ import annotations

import re

from agent.catalogue.tables import Column, Table
from agent.parsing.frame import Condition
from agent.parsing.semantics.workspace import Board, Mention, compiled
from agent.text.letters import fold


class AnyValueFinder:
    """Finds requirements that are named without saying which: rows whose column is not empty."""

    def __init__(self, table: Table, column: Column) -> None:
        self.table, self.column = table.name, column
        names = "|".join(re.escape(fold(name)) for name in sorted(column.synonyms, key=len, reverse=True))
        self._pattern = compiled(
            r"(?:(?:that|which|they|it|must|should|also|i|can|use) )*"
            r"(?:(?:fulfil?ls?|fulfil?ling|satisf(?:y|ies|ying)|meets?|meeting|counts?|counting|counted|works?|working|"
            r"covers?|has|have|with|for|as|towards?) )+"
            rf"(?:(?:a|an|any|some|one|at least one|one of the|the|my|of) )*(?:university )?(?:{names})s?"
            r"(?: (?:requirements?|credits?|categor(?:y|ies)))*"
        )

    def __call__(self, board: Board) -> None:
        for match in board.find(self._pattern):
            words = board.words(*match.span())
            node = Condition(table=self.table, column=self.column.name, op="empty", negated=True, words=words)
            slot = f"{self.table}.{self.column.name}"
            board.add(Mention(*match.span(), "node", slot, node, fixed=True, label="empty"))
