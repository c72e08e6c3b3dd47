"""SQLite's true is 1 and its false 0, and can be added up; PostgreSQL's cannot.

SUM(city = 'Rome')                           SUM(CAST(city = 'Rome' AS INT))
active = 1                                   active = TRUE
LLMMap('Is it quiet?', 't::about') = 1       LLMMap('Is it quiet?', 't::about') = TRUE
"""

from __future__ import annotations

import re

from sqlglot import exp

from agent.suql.blend.sources import kinds_of
from agent.suql.catalogue import Catalogue, Kind
from agent.suql.tree import inner

# A question that begins with its verb is answered with yes or no.
_POLAR = re.compile(
    r"(is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)\b", re.IGNORECASE
)
_DIGITS = {"1": True, "0": False}


def spell_truths(tree: exp.Expr, catalogue: Catalogue) -> None:
    """Rewrites truth values that are used as numbers, in place."""
    for test in list(tree.find_all(exp.EQ, exp.NEQ, exp.Is)):
        for one, other in ((test.this, test.expression), (test.expression, test.this)):
            digit = _DIGITS.get(inner(other).name) if isinstance(inner(other), exp.Literal) else None
            if digit is not None and not inner(other).is_string and (_is_flag(one, catalogue) or _is_polar(one)):
                other.replace(exp.Boolean(this=digit))
    for node in list(tree.find_all(exp.Sum, exp.Avg)):
        value = inner(node.this)
        if _is_polar(value):
            value = exp.cast(value.copy(), "BOOLEAN")
        elif not isinstance(value, exp.Predicate | exp.Not | exp.Connector) and not _is_flag(value, catalogue):
            continue
        node.set("this", exp.cast(value.copy(), "INT"))


def _is_flag(node: exp.Expr, catalogue: Catalogue) -> bool:
    """Is it a BOOLEAN column?"""
    return kinds_of(node, catalogue) == {Kind.BOOLEAN}


def _is_polar(node: exp.Expr) -> bool:
    """Is it LLMMap with a yes/no question, whose type is not said?"""
    node = inner(node)
    if not isinstance(node, exp.Anonymous) or str(node.this).lower() != "llmmap":
        return False
    texts = [argument for argument in node.expressions if isinstance(argument, exp.Literal)]
    typed = any(re.search(r"return_type|options", one.sql(), re.I) for one in node.expressions if one not in texts)
    return bool(texts) and _POLAR.match(texts[0].name.strip()) is not None and not typed
