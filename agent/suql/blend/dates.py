"""SQLite keeps dates as text, and reckons with them as numbers; PostgreSQL's dates are dates.

day LIKE '2023%', substr(day, 1, 4)          CAST(day AS TEXT) LIKE …: the same of numbers
strftime('%Y', a) - strftime('%Y', b)        CAST(strftime('%Y', a) AS INT) - …
julianday(a)                                 the days since noon in Greenwich on November 24, 4714 BC
"""

from __future__ import annotations

from sqlglot import exp

from agent.suql.blend.sources import kinds_of
from agent.suql.catalogue import Catalogue, Kind
from agent.suql.tree import inner

_READS_TEXT = (exp.Like, exp.ILike, exp.Glob, exp.Substring, exp.Length)
_RECKONS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Sum, exp.Avg)
_WRITTEN_AS_TEXT = {Kind.DATE, Kind.TIME, Kind.NUMBER}
_EPOCH = "2440587.5"  # the Julian day of 1970-01-01 00:00
_SECONDS = "86400.0"


def spell_dates(tree: exp.Expr, catalogue: Catalogue) -> None:
    """Rewrites dates that are used as texts or as numbers, in place."""
    for node in list(tree.find_all(*_READS_TEXT)):
        kinds = kinds_of(node.this, catalogue)
        if kinds and kinds <= _WRITTEN_AS_TEXT:
            node.set("this", exp.cast(node.this.copy(), "TEXT"))
    for node in list(tree.find_all(exp.TimeToStr)):
        around = node.parent
        while isinstance(around, exp.Paren):
            around = around.parent
        if isinstance(around, _RECKONS):
            node.replace(exp.cast(node.copy(), "INT"))
    for node in list(tree.find_all(exp.Anonymous)):
        if str(node.this).lower() == "julianday" and len(node.expressions) == 1:
            node.replace(_julian_day(node.expressions[0]))


def _julian_day(moment: exp.Expr) -> exp.Expr:
    seconds = exp.Extract(this=exp.Var(this="EPOCH"), expression=exp.cast(_instant(moment), "TIMESTAMP"))
    days = exp.Div(this=seconds, expression=exp.Literal.number(_SECONDS))
    return exp.Paren(this=exp.Add(this=days, expression=exp.Literal.number(_EPOCH)))


def _instant(moment: exp.Expr) -> exp.Expr:
    value = inner(moment)
    is_now = isinstance(value, exp.Literal) and value.name.lower() == "now"
    return exp.CurrentTimestamp() if is_now else value.copy()
