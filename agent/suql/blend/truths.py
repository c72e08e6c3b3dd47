"""SQLite's true is 1 and its false 0: they can be added up, and any number is a condition; not so in PostgreSQL.

SUM(city = 'Rome')                           SUM(CAST(city = 'Rome' AS INT))
active = 1, active IN (1), IFNULL(active, 0) active = TRUE, active IN (TRUE), COALESCE(active, FALSE)
(a > b) + 1                                  CAST(a > b AS INT) + 1
WHERE 1, a AND seats                         WHERE TRUE, a AND seats <> 0
LLMMap('Is it quiet?', 't::about') = 1       LLMMap('Is it quiet?', 't::about') = TRUE
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.suql.blend.affinity import is_number, is_truth
from agent.suql.tree import inner

# A question that begins with its verb is answered with yes or no.
_POLAR = re.compile(
    r"(is|are|was|were|am|do|does|did|has|have|had|can|could|will|would|shall|should|may|might|must)\b", re.IGNORECASE
)
_DIGITS = {"1": True, "0": False}
_EQUALITIES = (exp.EQ, exp.NEQ, exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod)
_RECKONING = (*_ARITHMETIC, exp.GT, exp.GTE, exp.LT, exp.LTE)
_SUMMING = (exp.Sum, exp.Avg, exp.Min, exp.Max)


def spell_truths(tree: exp.Expr, catalogue: Catalogue) -> None:
    """Rewrite truth values that are used as numbers, and numbers that are used as truth values, in place."""
    for test in list(tree.find_all(*_EQUALITIES, exp.In, exp.Case, exp.Coalesce)):
        for value, digits in list(_beside(test)):
            if is_truth(value, catalogue) or _is_polar(value):
                for digit in digits:
                    digit.replace(exp.Boolean(this=_DIGITS[inner(digit).name]))
    for node in list(tree.find_all(*_RECKONING)):
        for one, other in ((node.this, node.expression), (node.expression, node.this)):
            if is_truth(one, catalogue) and (is_number(other, catalogue) or isinstance(node, _ARITHMETIC)):
                one.replace(exp.cast(one.copy(), "INT"))
    for opposite in list(tree.find_all(exp.Neg)):
        if is_truth(opposite.this, catalogue):
            opposite.set("this", exp.cast(opposite.this.copy(), "INT"))
    for total in list(tree.find_all(*_SUMMING)):
        value = inner(total.this)
        if _is_polar(value):
            total.set("this", exp.cast(exp.cast(value.copy(), "BOOLEAN"), "INT"))
        elif is_truth(value, catalogue):
            total.set("this", exp.cast(value.copy(), "INT"))
    for condition in list(_conditions(tree)):
        plain = inner(condition)
        if isinstance(plain, exp.Literal) and not plain.is_string:
            condition.replace(exp.Boolean(this=float(plain.name) != 0))
        elif is_number(plain, catalogue):
            condition.replace(exp.NEQ(this=exp.paren(plain), expression=exp.Literal.number(0)))


def _beside(test: exp.Expr) -> Iterator[tuple[exp.Expr, list[exp.Expr]]]:
    """A value and the digits that it is compared with, or that may take its place."""
    if isinstance(test, exp.In):
        yield test.this, [one for one in test.expressions if _is_digit(one)]
    elif isinstance(test, exp.Case):
        if test.this is not None:
            yield test.this, [branch.this for branch in test.args["ifs"] if _is_digit(branch.this)]
    elif isinstance(test, exp.Coalesce):
        yield test.this, [one for one in test.expressions if _is_digit(one)]
    else:
        for one, other in ((test.this, test.expression), (test.expression, test.this)):
            yield one, [other] if _is_digit(other) else []


def _is_digit(node: exp.Expr) -> bool:
    node = inner(node)
    return isinstance(node, exp.Literal) and not node.is_string and node.name in _DIGITS


def _conditions(tree: exp.Expr) -> Iterator[exp.Expr]:
    """Whatever stands where SQL wants a truth value."""
    for node in tree.walk():
        if isinstance(node, exp.Where | exp.Having | exp.Not):
            yield node.this
        elif isinstance(node, exp.And | exp.Or):
            yield from (node.this, node.expression)
        elif isinstance(node, exp.Join) and node.args.get("on") is not None:
            yield node.args["on"]
        elif isinstance(node, exp.If) and not (isinstance(node.parent, exp.Case) and node.parent.this is not None):
            yield node.this


def _is_polar(node: exp.Expr) -> bool:
    """Is it LLMMap with a yes/no question, whose type is not said?"""
    node = inner(node)
    if not isinstance(node, exp.Anonymous) or str(node.this).lower() != "llmmap":
        return False
    texts = [argument for argument in node.expressions if isinstance(argument, exp.Literal)]
    typed = any(re.search(r"return_type|options", one.sql(), re.I) for one in node.expressions if one not in texts)
    return bool(texts) and _POLAR.match(texts[0].name.strip()) is not None and not typed
