"""What operators mean on the values of worksheets: None is unknown, false is not zero, dates are dates.

A comparison with an unknown value does not hold, and arithmetic with one is unknown.
"""

from __future__ import annotations

import ast
import datetime
from typing import Any

from agent.worksheets.expressions.scope import Nested
from agent.worksheets.state import Entity


class Misfit(Exception):
    """Values that an operator cannot be applied to; says so in words."""


def truth(value: Any) -> bool:
    """Return whether a value counts as true: a worksheet when it is complete, anything else as in Python."""
    return value.complete if isinstance(value, Nested) else bool(value)


def compare(operator: ast.cmpop, left: Any, right: Any) -> bool:
    """One comparison of two values. Raises Misfit if they cannot be put in order."""
    if left is None or right is None:
        return False
    match operator:
        case ast.Eq() | ast.Is():
            return same(left, right)
        case ast.NotEq() | ast.IsNot():
            return not same(left, right)
        case ast.In():
            return contains(right, left)
        case ast.NotIn():
            return not contains(right, left)
    left, right = alike(left, right)
    try:
        match operator:
            case ast.Lt():
                return bool(left < right)
            case ast.LtE():
                return bool(left <= right)
            case ast.Gt():
                return bool(left > right)
        return bool(left >= right)
    except TypeError:
        raise Misfit(f"{kind(left)} and {kind(right)} cannot be compared") from None


def same(left: Any, right: Any) -> bool:
    """Return whether two values are equal. A row of a corpus also equals its key and its title."""
    if isinstance(left, Entity) and isinstance(right, str):
        return right in (left.key, left.title)
    if isinstance(right, Entity) and isinstance(left, str):
        return same(right, left)
    if isinstance(left, bool) != isinstance(right, bool):
        return False
    left, right = _dated(left, right)
    return bool(left == right)


def contains(container: Any, value: Any) -> bool:
    """Return whether a list holds a value, or a text a stretch of text."""
    if isinstance(container, str) and isinstance(value, str):
        return value in container
    if isinstance(container, (tuple, list)):
        return any(item is not None and same(item, value) for item in container)
    raise Misfit(f"{kind(container)} cannot contain {kind(value)}")


def alike(left: Any, right: Any) -> tuple[Any, Any]:
    """Return the two values in one type that has an order. Raises Misfit if there is none."""
    left, right = _dated(left, right)
    if isinstance(left, bool) or isinstance(right, bool):
        raise Misfit(f"{kind(left)} and {kind(right)} cannot be compared")
    return left, right


def arithmetic(operator: ast.operator, left: Any, right: Any) -> Any:
    """+, -, *, /, // and % on numbers; + on texts; + and - of days on dates; the days between two dates."""
    if left is None or right is None:
        return None
    if isinstance(operator, ast.Add) and isinstance(left, str) and isinstance(right, str):
        return left + right
    if isinstance(operator, ast.Add) and (isinstance(left, str) or isinstance(right, str)) and not _dates(left, right):
        return words(left) + words(right)
    if isinstance(operator, ast.Add | ast.Sub) and _dates(left, right):
        return _days(operator, left, right)
    if not (_number(left) and _number(right)):
        raise Misfit(f"{kind(left)} and {kind(right)} cannot be combined")
    return _reckon(operator, left, right)


def _reckon(operator: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(operator, ast.Div | ast.FloorDiv | ast.Mod) and right == 0:
        raise Misfit("it divides by zero")
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.Div():
            return left / right
        case ast.FloorDiv():
            return left // right
    return left % right


def _days(operator: ast.operator, left: Any, right: Any) -> Any:
    first, second = _dated(left, right)
    if isinstance(first, datetime.date) and _number(second):
        days = datetime.timedelta(days=second)
        return first + days if isinstance(operator, ast.Add) else first - days
    if isinstance(first, datetime.date) and isinstance(second, datetime.date) and isinstance(operator, ast.Sub):
        return (first - second).days
    raise Misfit(f"{kind(left)} and {kind(right)} cannot be combined")


def words(value: Any) -> str:
    """Return a value inside a sentence."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Entity):
        return value.title or value.key
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, (tuple, list)):
        return ", ".join(words(item) for item in value)
    if isinstance(value, Nested):
        raise Misfit("a worksheet is no text; name one of its fields")
    return str(value)


def kind(value: Any) -> str:
    """Return what a value is, for messages."""
    names = {bool: "a yes or no", int: "a number", float: "a number", str: "a text", type(None): "nothing"}
    if isinstance(value, datetime.date):
        return "a date"
    if isinstance(value, Entity | Nested):
        return "a row" if isinstance(value, Entity) else "a worksheet"
    return names.get(type(value), "a list")


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _dates(left: Any, right: Any) -> bool:
    return isinstance(left, datetime.date) or isinstance(right, datetime.date)


def _dated(left: Any, right: Any) -> tuple[Any, Any]:
    """Where one value is a date and the other a text, the text as the date it writes ("2026-11-27"); a month without
    its day ("2026-11") counts from its first."""
    return _as_date(left, right), _as_date(right, left)


def _as_date(value: Any, other: Any) -> Any:
    if not (isinstance(value, str) and isinstance(other, datetime.date)):
        return value
    try:
        return datetime.date.fromisoformat(f"{value}-01" if len(value) == len("2026-11") else value[:10])
    except ValueError:
        raise Misfit(f"{value!r} is not a date") from None
