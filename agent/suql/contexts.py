"""The type that the SQL around a call asks for: a cast, what the call is compared with, a place for a truth value."""

from __future__ import annotations

import re

from sqlglot import exp

from agent.language.tasks import AnswerType
from agent.suql.allowed import READING
from agent.suql.catalogue import Kind
from agent.suql.names import Names
from agent.suql.tree import inner
from agent.suql.values import canonical

_NUMBERS = {exp.DataType.Type[name] for name in ("SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL")}
_DATES = {exp.DataType.Type[name] for name in ("DATE", "TIMESTAMP", "TIMESTAMPTZ")}
COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.NullSafeEQ, exp.NullSafeNEQ)
_ARITHMETIC = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Pow, exp.Abs, exp.Round, exp.Ceil, exp.Floor)
_EQUALITIES = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.NullSafeNEQ)
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_WRITTEN = {
    r"[-+]?[\d.,]+": AnswerType.NUMBER,
    r"\d{1,2}([:.]\d{2})?\s*[ap]\.?m\.?|\d{1,2}:\d{2}": AnswerType.TIME,
    r"\w+ \d{1,2}(st|nd|rd|th)?,? \d{4}|\d{1,2}(st|nd|rd|th)? \w+ \d{4}|[a-z]+ \d{4}": AnswerType.DATE,
    r"\d{1,2}[./]\d{1,2}[./]\d{4}": AnswerType.DATE,
}
_KINDS = {
    Kind.NUMBER: AnswerType.NUMBER,
    Kind.DATE: AnswerType.DATE,
    Kind.TIME: AnswerType.TIME,
    Kind.BOOLEAN: AnswerType.BOOLEAN,
}


def is_call(node: exp.Expr) -> bool:
    """Is this a call that reads texts?"""
    return isinstance(node, exp.Anonymous) and str(node.this).lower() in READING


def type_around(call: exp.Expr, names: Names) -> AnswerType:
    node, parent = outside(call)
    if isinstance(parent, exp.Cast):
        return _cast_type(parent.to.this) or AnswerType.TEXT
    if is_condition(node, parent):
        return AnswerType.BOOLEAN
    if isinstance(parent, COMPARISONS):
        other = parent.expression if parent.this is node else parent.this
        return _written_type(other, ordered=not isinstance(parent, _EQUALITIES)) or _type_of(other, names)
    if isinstance(parent, exp.Is) and isinstance(parent.expression, exp.Boolean):
        return AnswerType.BOOLEAN
    if isinstance(parent, exp.In | exp.Between):
        others = [*parent.expressions] if isinstance(parent, exp.In) else [parent.args["low"], parent.args["high"]]
        ordered = isinstance(parent, exp.Between)
        found = {_written_type(one, ordered=ordered) or _type_of(one, names) for one in others if one is not node}
        return found.pop() if len(found) == 1 else AnswerType.TEXT
    if isinstance(parent, exp.Add | exp.Sub) and isinstance(other_side(parent, node), exp.Interval):
        return AnswerType.DATE
    if isinstance(parent, _ARITHMETIC) or (isinstance(parent, exp.Sum | exp.Avg) and parent.this is node):
        return AnswerType.NUMBER
    return AnswerType.TEXT


def outside(node: exp.Expr) -> tuple[exp.Expr, exp.Expr | None]:
    """The node with the parentheses around it, and what stands around those."""
    while isinstance(node.parent, exp.Paren):
        node = node.parent
    return node, node.parent


def other_side(parent: exp.Expr, node: exp.Expr) -> exp.Expr:
    return inner(parent.expression if parent.this is node else parent.this)


def is_condition(node: exp.Expr, parent: exp.Expr | None) -> bool:
    """Does the node stand where SQL wants a truth value? As what CASE or COALESCE gives there, it does."""
    if isinstance(parent, exp.If) and isinstance(parent.parent, exp.Case) and parent.args.get("true") is node:
        return is_condition(*outside(parent.parent))
    if isinstance(parent, exp.Case) and parent.args.get("default") is node:
        return is_condition(*outside(parent))
    if isinstance(parent, exp.Coalesce):
        others = [inner(one) for one in [parent.this, *parent.expressions] if one is not node]
        return all(is_call(one) or isinstance(one, exp.Boolean | exp.Predicate) for one in others) and is_condition(
            *outside(parent)
        )
    if isinstance(parent, exp.And | exp.Or | exp.Not | exp.Where | exp.Having | exp.LogicalAnd | exp.LogicalOr):
        return True
    if isinstance(parent, exp.Join):
        return parent.args.get("on") is node
    return isinstance(parent, exp.If) and parent.this is node and _searched(parent)


def _searched(branch: exp.If) -> bool:
    return not (isinstance(branch.parent, exp.Case) and branch.parent.this is not None)


def _cast_type(kind: object) -> AnswerType | None:
    if kind in _NUMBERS:
        return AnswerType.NUMBER
    if kind in _DATES:
        return AnswerType.DATE
    if kind is exp.DataType.Type.TIME:
        return AnswerType.TIME
    return AnswerType.BOOLEAN if kind is exp.DataType.Type.BOOLEAN else None


def _written_type(node: exp.Expr, *, ordered: bool) -> AnswerType | None:
    """The type of a constant in quotes that is written as a date, time or number: `> '2015-01-01'`, `< '18:00'`.

    Text has an order too, but nobody means it there. For equality only ISO dates are not simply words.
    """
    node = inner(node)
    if not isinstance(node, exp.Literal) or not node.is_string:
        return None
    if _ISO_DATE.fullmatch(node.name.strip()):
        return AnswerType.DATE
    if not ordered:
        return None
    for written, kind in _WRITTEN.items():
        if re.fullmatch(written, node.name.strip(), re.IGNORECASE) and canonical(node.name, kind) is not None:
            return kind
    return None


def _type_of(node: exp.Expr, names: Names) -> AnswerType:
    """The type of what a call is compared with."""
    node = inner(node)
    if isinstance(node, exp.Literal):
        if not node.is_string:
            return AnswerType.NUMBER
        return AnswerType.BOOLEAN if node.name.strip().lower() in ("yes", "no") else AnswerType.TEXT
    if isinstance(node, exp.Boolean):
        return AnswerType.BOOLEAN
    if isinstance(node, exp.Cast):
        return _cast_type(node.to.this) or AnswerType.TEXT
    if isinstance(node, exp.CurrentDate | exp.CurrentTimestamp):
        return AnswerType.DATE
    if isinstance(node, (*_ARITHMETIC, exp.Sum, exp.Avg, exp.Count)):
        return AnswerType.NUMBER
    if isinstance(node, exp.Min | exp.Max):
        return _type_of(node.this, names)
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Select) and len(node.this.expressions) == 1:
        return _type_of(node.this.expressions[0].unalias(), names)
    origin = names.origin(node)
    if origin is not None and origin.column is not None and (not origin.column.many or origin.element):
        return _KINDS.get(origin.column.kind, AnswerType.TEXT)
    return AnswerType.TEXT
