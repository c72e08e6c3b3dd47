"""SQLite keeps dates as text, and reckons with them as numbers; PostgreSQL's dates are dates.

day LIKE '2023%', substr(day, 1, 4)          CAST(day AS TEXT) LIKE …: the same of numbers
strftime('%Y', a) - strftime('%Y', b)        CAST(strftime('%Y', a) AS INT) - …
date(day, 'start of month', '-1 day')        CAST(date_trunc('month', day) - INTERVAL '1 day' AS DATE)
julianday(a)                                 the days since noon in Greenwich on November 24, 4714 BC

A month is added as PostgreSQL does it: a month after January 31 is the last of February.
"""

from __future__ import annotations

import re

from sqlglot import exp

from agent.catalogue.tables import Catalogue, Kind
from agent.protocols.errors import NotAllowed
from agent.suql.blend.sources import kinds_of
from agent.suql.tree import inner, position

_READS_TEXT = (exp.Like, exp.ILike, exp.Glob, exp.Substring, exp.Length)
_RECKONS = (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Neg, exp.Sum, exp.Avg)
_WRITTEN_AS_TEXT = {Kind.DATE, Kind.TIME, Kind.NUMBER}
_EPOCH = "2440587.5"  # the Julian day of 1970-01-01 00:00
_SECONDS = "86400.0"
_SHIFT = re.compile(r"([+-]?)(\d+(?:\.\d+)?) (second|minute|hour|day|month|year)s?", re.IGNORECASE)
_START = re.compile(r"start of (day|month|year)", re.IGNORECASE)
_TYPES = {"date": "DATE", "datetime": "TIMESTAMP", "time": "TIME"}
#: What strftime() may show, and how to_char() is told; alone, a number of its own kind.
_SHOWN = re.compile(r"(?:[^%]|%[YmdHMSjTFRpI%])*")
_PARTS = {"%w": "DOW", "%s": "EPOCH"}


def spell_dates(tree: exp.Expr, catalogue: Catalogue) -> None:
    """Rewrite dates that are used as texts or as numbers, in place. Raises `NotAllowed` for what cannot be said."""
    for node in list(tree.find_all(*_READS_TEXT)):
        kinds = kinds_of(node.this, catalogue)
        if kinds and kinds <= _WRITTEN_AS_TEXT:
            node.set("this", exp.cast(node.this.copy(), "TEXT"))
    for node in list(tree.find_all(exp.TimeToStr, exp.Date, exp.Anonymous)):
        spelt = _spelt(node, catalogue)
        if spelt is None:
            continue
        around = node.parent
        while isinstance(around, exp.Paren):
            around = around.parent
        if isinstance(spelt, exp.TimeToStr) and isinstance(around, _RECKONS):
            spelt = exp.cast(spelt, "INT")
        node.replace(spelt)


def _spelt(node: exp.Expr, catalogue: Catalogue) -> exp.Expr | None:
    """A function of dates in PostgreSQL's words; None for any other."""
    if isinstance(node, exp.TimeToStr):
        moment = node.this.this if isinstance(node.this, exp.TsOrDsToTimestamp) else node.this
        return _formatted(node, node.args["format"].name, _instant(moment, [], catalogue))
    name = "date" if isinstance(node, exp.Date) else str(node.this).lower()
    given = [node.this, *node.expressions] if isinstance(node, exp.Date) else list(node.expressions)
    arguments = [one for one in given if one is not None]
    if name in _TYPES:
        moment, *changes = arguments or [exp.Literal.string("now")]
        return exp.cast(_instant(moment, changes, catalogue, is_time=name == "time"), _TYPES[name])
    if name == "strftime" and len(arguments) > 1 and isinstance(arguments[0], exp.Literal):
        return _formatted(node, arguments[0].name, _instant(arguments[1], arguments[2:], catalogue))
    if name in ("julianday", "unixepoch") and arguments:
        seconds = _part("EPOCH", _instant(arguments[0], arguments[1:], catalogue))
        if name == "unixepoch":
            return exp.cast(seconds, "BIGINT")
        days = exp.Div(this=seconds, expression=exp.Literal.number(_SECONDS))
        return exp.Paren(this=exp.Add(this=days, expression=exp.Literal.number(_EPOCH)))
    return None


def _formatted(node: exp.Expr, shape: str, moment: exp.Expr) -> exp.Expr:
    if shape in _PARTS:
        return exp.cast(exp.cast(_part(_PARTS[shape], moment), "BIGINT"), "TEXT")
    if not _SHOWN.fullmatch(shape):
        raise NotAllowed("strftime() can show %Y, %m, %d, %H, %M, %S and %j, or %w or %s alone.", shape, position(node))
    return exp.TimeToStr(this=moment, format=exp.Literal.string(shape))


def _part(name: str, moment: exp.Expr) -> exp.Expr:
    return exp.Extract(this=exp.Var(this=name), expression=moment)


def _instant(moment: exp.Expr, changes: list[exp.Expr], catalogue: Catalogue, *, is_time: bool = False) -> exp.Expr:
    """The moment as a timestamp (a time of day as an interval), after the changes."""
    value = inner(moment)
    is_now = isinstance(value, exp.Literal) and value.name.lower() == "now"
    of_day = kinds_of(value, catalogue) == {Kind.TIME} or (is_time and isinstance(value, exp.Literal) and not is_now)
    found: exp.Expr = exp.cast(
        exp.CurrentTimestamp() if is_now else value.copy(), "INTERVAL" if of_day else "TIMESTAMP"
    )
    for change in changes:
        found = _changed(found, change)
    return found


def _changed(moment: exp.Expr, change: exp.Expr) -> exp.Expr:
    words = inner(change)
    if not isinstance(words, exp.Literal):  # '+' || days || ' days'
        return exp.Add(this=moment, expression=exp.cast(words.copy(), "INTERVAL"))
    said = words.name.strip() if words.is_string else ""
    if start := _START.fullmatch(said):
        return exp.TimestampTrunc(this=moment, unit=exp.Var(this=start[1].upper()))
    if shift := _SHIFT.fullmatch(said):
        interval = exp.Interval(this=exp.Literal.string(shift[2]), unit=exp.Var(this=shift[3].upper()))
        return (exp.Sub if shift[1] == "-" else exp.Add)(this=moment, expression=interval)
    raise NotAllowed("A date is changed by '+7 days', '-1 month' and so on, or 'start of month'.", "", position(change))
