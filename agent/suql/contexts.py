"""The type that the SQL around a call asks for: a cast, what the call is compared with, a place for a truth value."""

from __future__ import annotations

import re

from sqlglot import exp

from agent.catalogue.tables import Kind
from agent.suql.comparing import COMPARISONS, compared, is_row, opened, other_side, selects
from agent.suql.lineage import Lineage, is_call, is_condition, is_truth
from agent.suql.names import Names
from agent.suql.tree import inner
from agent.text.values import AnswerType, canonical

CASTS = {AnswerType.NUMBER: "DECIMAL", AnswerType.DATE: "DATE", AnswerType.TIME: "TIME"}
YES_NO = {"yes": "Yes", "no": "No", "true": "Yes", "false": "No"}
_NUMBERS = {exp.DataType.Type[name] for name in ("SMALLINT", "INT", "BIGINT", "FLOAT", "DOUBLE", "DECIMAL")}
_DATES = {exp.DataType.Type[name] for name in ("DATE", "TIMESTAMP", "TIMESTAMPTZ")}
_NUMERIC = (
    exp.Add, exp.Sub, exp.Mul, exp.Div, exp.IntDiv, exp.Mod, exp.Neg, exp.Pow, exp.Abs, exp.Round, exp.Ceil, exp.Floor,
    exp.Trunc, exp.Sign, exp.Sqrt, exp.Cbrt, exp.Exp, exp.Ln, exp.Log, exp.WidthBucket, exp.Sum, exp.Avg, exp.Stddev,
    exp.StddevPop, exp.StddevSamp, exp.Variance, exp.VariancePop, exp.Corr, exp.CovarPop, exp.CovarSamp, exp.Degrees,
    exp.Radians, exp.Sin, exp.Cos, exp.Tan, exp.Asin, exp.Acos, exp.Atan, exp.Atan2,
)  # fmt: skip
_ORDERING = (exp.Ordered, exp.Min, exp.Max, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)
_DATED = (exp.Extract, exp.TimestampTrunc, exp.DateTrunc)
_DEEP = 60  # subqueries within subqueries through which the type of a column is looked for
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


class Types:
    """The types that the SQL of one query asks for."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.lineage = Lineage(names)
        self._known: dict[int, AnswerType] = {}
        self._depth = 0

    def around(self, call: exp.Expr, *, counts: bool = False) -> AnswerType:
        """Return the type that is asked of a call's value where it is used, first of all the places it goes on to.

        `counts`: the question is for a number ("how many …?"), so that its answers are put in order as numbers.
        """
        beside: list[exp.Expr] = []
        found = AnswerType.TEXT
        ordered = False
        for node, parent, others in self.lineage.ends(call):
            beside += others
            ordered = ordered or isinstance(parent, _ORDERING)
            if found is AnswerType.TEXT:
                found = self._asked(node, parent)
            if found is AnswerType.TEXT:
                found = self._shared(others)
        if found is AnswerType.TEXT and counts and ordered:
            found = AnswerType.NUMBER
        if found in CASTS and any(self._is_words(one) and not _spells(one, found) for one in beside):
            return AnswerType.TEXT
        return found

    def _is_words(self, node: exp.Expr) -> bool:
        """Is it words that are no answer, and so cannot be read as a number or a date?"""
        if isinstance(node, exp.Null) or isinstance(node.parent, exp.Nullif) or self.of(node) is not AnswerType.TEXT:
            return False
        return not all(map(is_call, self.lineage.behind(node) if isinstance(node, exp.Column) else [node]))

    def gives_truth(self, node: exp.Expr) -> bool:
        """Is the value true or false, rather than the words Yes or No?"""
        node = opened(node)
        if isinstance(node, exp.Coalesce):
            return any(self.gives_truth(one) for one in (node.this, *node.expressions))
        if isinstance(node, exp.Case):
            return any(self.gives_truth(branch.args["true"]) for branch in node.args["ifs"])
        if isinstance(node, exp.Query):
            return any(self.gives_truth(one.expressions[0].unalias()) for one in selects(node))
        return not isinstance(node, exp.Literal) and not is_call(node) and self.of(node) is AnswerType.BOOLEAN

    def _asked(self, node: exp.Expr, parent: exp.Expr | None) -> AnswerType:
        """What is asked right there."""
        if isinstance(parent, exp.Cast):
            return _cast_type(parent.to.this) or AnswerType.TEXT
        if is_condition(node, parent):
            return AnswerType.BOOLEAN
        if isinstance(parent, COMPARISONS):
            return self._beside(other_side(parent, node), ordered=not isinstance(parent, _EQUALITIES))
        if isinstance(parent, exp.Is) and isinstance(parent.expression, exp.Boolean):
            return AnswerType.BOOLEAN
        if isinstance(parent, exp.In | exp.Between) or (parent is not None and is_row(parent)):
            ordered = isinstance(parent, exp.Between)
            found = {self._beside(one, ordered=ordered) for one in compared(node, parent)}
            return found.pop() if len(found) == 1 else AnswerType.TEXT
        if isinstance(parent, exp.Case) and parent.this is node:
            return self._shared(compared(node, parent))
        if isinstance(parent, exp.Add | exp.Sub):
            return self._sum(parent, node)
        if isinstance(parent, _DATED) or (isinstance(parent, exp.Anonymous) and str(parent.this).lower() == "age"):
            return AnswerType.DATE
        if isinstance(parent, exp.TimeToStr):
            return AnswerType.DATE if "%" in parent.args["format"].name else AnswerType.TEXT
        if isinstance(parent, exp.Ordered):
            group = parent.find_ancestor(exp.WithinGroup, exp.Select)
            middle = isinstance(group, exp.WithinGroup) and isinstance(group.this, exp.PercentileCont)
            return AnswerType.NUMBER if middle else AnswerType.TEXT
        return AnswerType.NUMBER if isinstance(parent, _NUMERIC) else AnswerType.TEXT

    def _sum(self, parent: exp.Expr, node: exp.Expr) -> AnswerType:
        """With an interval it is a date; what a date is taken from, or what is taken from a date, is one too."""
        other = other_side(parent, node)
        if isinstance(other, exp.Interval):
            return AnswerType.DATE
        dates = isinstance(parent, exp.Sub) and self.of(other) is AnswerType.DATE
        return AnswerType.DATE if dates else AnswerType.NUMBER

    def _beside(self, other: exp.Expr, *, ordered: bool) -> AnswerType:
        return _written_type(other, ordered=ordered) or self.of(other)

    def _shared(self, others: list[exp.Expr]) -> AnswerType:
        """The first type that any of them has."""
        kinds = (self._beside(one, ordered=False) for one in others)
        return next((kind for kind in kinds if kind is not AnswerType.TEXT), AnswerType.TEXT)

    def of(self, node: exp.Expr) -> AnswerType:
        """Return the type of an expression by itself: of what a call is compared with."""
        node = opened(node)
        known = self._known.get(id(node))
        if known is None and self._depth < _DEEP:
            self._depth += 1
            known = self._known[id(node)] = self._own(node)
            self._depth -= 1
        return known or AnswerType.TEXT

    def _own(self, node: exp.Expr) -> AnswerType:
        if isinstance(node, exp.Literal):
            if not node.is_string:
                return AnswerType.NUMBER
            return AnswerType.BOOLEAN if node.name.strip().lower() in YES_NO else AnswerType.TEXT
        if isinstance(node, exp.Boolean | exp.Predicate | exp.Not | exp.Connector) or is_truth(node):
            return AnswerType.BOOLEAN
        if isinstance(node, exp.Cast):
            return _cast_type(node.to.this) or AnswerType.TEXT
        if isinstance(node, exp.CurrentDate | exp.CurrentTimestamp | exp.TimestampTrunc | exp.DateTrunc):
            return AnswerType.DATE
        if isinstance(node, exp.Add | exp.Sub):
            return self._own_sum(node)
        if isinstance(node, (*_NUMERIC, exp.Count, exp.Length, exp.Extract, exp.ArraySize)):
            return AnswerType.NUMBER
        if isinstance(node, exp.Case):
            results = [branch.args["true"] for branch in node.args["ifs"]]
            return self._shared([*results, *([node.args["default"]] if node.args.get("default") else [])])
        if isinstance(node, exp.Coalesce | exp.Greatest | exp.Least):
            return self._shared([node.this, *node.expressions])
        if isinstance(node, exp.Min | exp.Max | exp.Nullif | exp.Filter | exp.Window | exp.AnyValue):
            return self.of(node.this)
        if isinstance(node, exp.Array):
            return self._shared(node.expressions)
        if isinstance(node, exp.Query):
            return self._shared([one.expressions[0].unalias() for one in selects(node) if len(one.expressions) == 1])
        return self._column(node)

    def _own_sum(self, node: exp.Expr) -> AnswerType:
        sides = [self.of(node.this), self.of(node.expression)]
        if AnswerType.DATE not in sides:
            return AnswerType.NUMBER
        return AnswerType.NUMBER if sides == [AnswerType.DATE, AnswerType.DATE] else AnswerType.DATE

    def _column(self, node: exp.Expr) -> AnswerType:
        origin = self._names.origin(node)
        if origin is not None and origin.column is not None and (not origin.column.many or origin.element):
            return _KINDS.get(origin.column.kind, AnswerType.TEXT)
        return self._shared(self.lineage.behind(node)) if isinstance(node, exp.Column) else AnswerType.TEXT


def _spells(node: exp.Expr, kind: AnswerType) -> bool:
    return isinstance(node, exp.Literal) and canonical(node.name, kind) is not None


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
