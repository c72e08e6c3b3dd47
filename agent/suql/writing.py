"""Trees as PostgreSQL text, written as they stand.

sqlglot copies a tree before it writes it, because it changes some kinds of nodes as it goes. That copy takes longer
than the writing, and almost no query holds such a node: trees of the kinds listed here are written without it (a test
writes every query of the fixtures and looks whether anything changed).
"""

from __future__ import annotations

from sqlglot import exp
from sqlglot.dialects.postgres import Postgres
from sqlglot.generators.postgres import PostgresGenerator

from agent.suql.walking import copied, nodes
from agent.text.wordlists import words

_POSTGRES = Postgres()

#: The kinds that sqlglot writes without changing them or what is around them.
_STEADY = frozenset(
    getattr(exp, name)
    for name in words(
        """
        Select From Join Table TableAlias Where Group Having Order Ordered Limit Offset Distinct With CTE Subquery
        Union Intersect Except Lateral Explode Tuple Star Column Identifier Alias Literal Boolean Null Var Kwarg
        Anonymous Window WindowSpec Paren And Or Not EQ NEQ GT GTE LT LTE Is In Between Like ILike Any All Exists
        NullSafeEQ NullSafeNEQ Add Sub Mul Neg DPipe Case If Cast DataType Array Count Sum Avg Min Max Coalesce Lower
        Upper
        """
    )
)


class Writer(PostgresGenerator):
    """Writes trees with every identifier quoted."""

    # What is left out rewrites SEMI JOIN and QUALIFY, which no query holds.
    TRANSFORMS = {kind: how for kind, how in PostgresGenerator.TRANSFORMS.items() if kind is not exp.Select}

    def __init__(self) -> None:
        super().__init__(dialect=_POSTGRES, identify=True, comments=False)

    def write(self, tree: exp.Expr) -> str:
        """Return the tree as text; it stays as it is."""
        steady = all(type(node) in _STEADY for node in nodes(tree))
        return self.generate(tree if steady else copied(tree), copy=False)
