"""From BlendSQL's text to SUQL's text."""

from __future__ import annotations

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.protocols.errors import NotAllowed
from agent.suql.blend.bare import spell_bare_columns
from agent.suql.blend.braces import unwrapped
from agent.suql.blend.dialect import adapt
from agent.suql.blend.ingredients import is_ingredient, replace_ingredients
from agent.suql.syntax import read_statement
from agent.suql.tree import inner, position


def translate(query: str, catalogue: Catalogue) -> str:
    """Return the same query in SUQL. It is as unchecked as what came in: `check` and the engine take it like any other.

    Raises `SyntaxProblem`, `TypeMismatch`, `UnknownName` or `NotAllowed` for what has no counterpart.
    """
    tree = _whole(read_statement(unwrapped(query), "sqlite"))
    adapt(tree, catalogue)
    replace_ingredients(tree, catalogue)
    spell_bare_columns(tree, catalogue)
    return tree.sql(dialect="postgres", normalize_functions=False, comments=False)


def _whole(tree: exp.Expr) -> exp.Expr:
    """A query that is one ingredient is the SELECT of its value."""
    while isinstance(tree, exp.Subquery | exp.Paren) and not tree.args.get("alias"):
        tree = tree.this
    if isinstance(tree, exp.Query):
        return tree
    if not is_ingredient(inner(tree)):
        raise NotAllowed("A query is exactly one SELECT, or one ingredient.", type(tree).__name__, position(tree))
    return exp.Select(expressions=[tree])
