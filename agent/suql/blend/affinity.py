"""Is it a number, a text, true or false? SQLite asks that of each value, PostgreSQL before it runs.

IFNULL(seats, 'none')            COALESCE(CAST(seats AS TEXT), 'none'); the same of CASE
GROUP_CONCAT(seats)              STRING_AGG(CAST(seats AS TEXT), ',')
CAST(price / 3.0 AS INTEGER)     CAST(TRUNC(price / 3.0) AS INT)
"""

from __future__ import annotations

import re

from sqlglot import exp

from agent.catalogue.tables import Catalogue, Kind
from agent.suql.blend.sources import kinds_of
from agent.suql.tree import inner

_NUMBERS = (
    exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg, exp.Pow, exp.Abs, exp.Round, exp.Ceil, exp.Floor,
    exp.Trunc, exp.Sign, exp.Sqrt, exp.Count, exp.Sum, exp.Avg, exp.Length, exp.StrPosition, exp.Extract,
)  # fmt: skip
_NUMERIC_TYPES = {exp.DataType.Type[name] for name in ("SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL")}
_WHOLE = {exp.DataType.Type[name] for name in ("SMALLINT", "INT", "BIGINT")}
_VALUE = re.compile(r"[-+]?\d[\d.:T -]*")  # a number, date or time in quotes
_PASSING = (exp.Min, exp.Max, exp.Coalesce, exp.Greatest, exp.Least, exp.Nullif)  # of the type of what they are given


def spell_types(tree: exp.Expr, catalogue: Catalogue) -> None:
    """Write out the conversions that SQLite makes by itself, in place."""
    for node in list(tree.find_all(exp.GroupConcat, exp.Cast, exp.Coalesce, exp.Case, exp.If)):
        if isinstance(node, exp.GroupConcat):
            value = node.this if not isinstance(node.this, exp.Distinct) else node.this.expressions[0]
            value = value.this if isinstance(value, exp.Order) else value
            if not _is_text(value, catalogue):
                digits = exp.cast(value.copy(), "INT") if is_truth(value, catalogue) else value.copy()
                value.replace(exp.cast(digits, "TEXT"))
        elif isinstance(node, exp.Cast):
            if node.to.this in _WHOLE and is_number(node.this, catalogue) and not _is_whole(node.this):
                node.set("this", exp.Trunc(this=node.this))
        elif not (isinstance(node, exp.If) and isinstance(node.parent, exp.Case)):
            given = [node.this, *node.expressions] if isinstance(node, exp.Coalesce) else results_of(node)
            _spell_mixed(given, catalogue)


def _spell_mixed(given: list[exp.Expr], catalogue: Catalogue) -> None:
    """Where one of them is words, the others are texts too; '2024-01-31' beside a date is a date."""
    typed = [one for one in given if not _is_text(one, catalogue)]
    words = [inner(one).name for one in given if isinstance(inner(one), exp.Literal) and inner(one).is_string]
    if all(_VALUE.fullmatch(word) for word in words):
        return
    for one in typed:
        one.replace(exp.cast(one.copy(), "TEXT"))


def _is_whole(node: exp.Expr) -> bool:
    node = inner(node)
    return node.is_int or isinstance(node, exp.Count | exp.Length | exp.StrPosition)


def _is_text(node: exp.Expr, catalogue: Catalogue) -> bool:
    """A text, or nobody knows."""
    known = is_number(node, catalogue) or is_truth(node, catalogue)
    return not known and kinds_of(node, catalogue).isdisjoint({Kind.DATE, Kind.TIME})


def is_number(node: exp.Expr, catalogue: Catalogue) -> bool:
    """A number, whatever its value is."""
    node = inner(node)
    if isinstance(node, exp.Literal):
        return not node.is_string
    if isinstance(node, exp.Cast):
        return node.to.this in _NUMERIC_TYPES
    if isinstance(node, exp.Column):
        return kinds_of(node, catalogue) == {Kind.NUMBER}
    if isinstance(node, exp.Case | exp.If):
        results = results_of(node)
        return bool(results) and all(is_number(one, catalogue) for one in results)
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Select) and len(node.this.expressions) == 1:
        return is_number(node.this.expressions[0].unalias(), catalogue)
    if isinstance(node, (exp.Window, exp.Filter, *_PASSING)):
        return is_number(node.this, catalogue)
    return isinstance(node, _NUMBERS)


def is_truth(node: exp.Expr, catalogue: Catalogue) -> bool:
    """True or false: a BOOLEAN column, or a condition."""
    node = inner(node)
    if isinstance(node, exp.Column):
        return kinds_of(node, catalogue) == {Kind.BOOLEAN}
    if isinstance(node, exp.Coalesce):
        return is_truth(node.this, catalogue)
    return isinstance(node, exp.Boolean | exp.Predicate | exp.Not | exp.Connector)


def results_of(case: exp.Expr) -> list[exp.Expr]:
    """Return what CASE or IIF may give, NULL aside."""
    branches = case.args["ifs"] if isinstance(case, exp.Case) else [case]
    otherwise = case.args.get("default") if isinstance(case, exp.Case) else case.args.get("false")
    found = [*(branch.args["true"] for branch in branches), *([otherwise] if otherwise is not None else [])]
    return [one for one in found if not isinstance(inner(one), exp.Null)]
