"""The notation itself: Python's literals, names, attributes and calls, to and from values."""

from __future__ import annotations

import ast
import datetime
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from agent.protocols.errors import AgentError
from agent.worksheets.state import Entity

LONGEST = 100_000  # characters of a state or of statements
REFUSED = "NA"
ANSWERS = ("answer", "Answer")

_WHEN = {"date": datetime.date, "time": datetime.time, "datetime": datetime.datetime}


class SpellingError(AgentError):
    """Text that is not in the notation; `detail` has the line and the reason."""


@dataclass(frozen=True)
class Name:
    """A reference to an instance: `course_1`, or to a field of one: `answer.result`."""

    name: str
    field: str = ""
    index: int | None = None


@dataclass(frozen=True)
class Made:
    """A call: `Course(course_name='CS 161')`, `answer('…')`."""

    name: str
    positional: tuple[Any, ...] = ()
    named: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Line:
    """One statement: `target = value`, or `value` alone. A target is a variable or a field of one."""

    target: Name | None
    value: Any


def lines(text: str | Sequence[str]) -> list[Line]:
    """Return the statements of a text, comments and `...` left out. Raises SpellingError."""
    written = text if isinstance(text, str) else "\n".join(text)
    if len(written) > LONGEST:
        raise _error(f"it is longer than {LONGEST} characters", 1)
    try:
        tree = ast.parse(written.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise _error(str(getattr(error, "msg", error)), getattr(error, "lineno", 1) or 1) from None
    read = [_line(node) for node in tree.body]
    return [line for line in read if line is not None]


def _error(reason: str, line: int) -> SpellingError:
    return SpellingError("This is not in the notation of worksheets.", f"line {line}: {reason}")


def _line(node: ast.stmt) -> Line | None:
    match node:
        case ast.Assign([ast.Name(name)], value):
            return Line(Name(name), _value(value))
        case ast.Assign([ast.Attribute(ast.Name(name), at)], value):
            return Line(Name(name, at), _value(value))
        case ast.AnnAssign(ast.Name(name), _, ast.expr() as value):
            return Line(Name(name), _value(value))
        case ast.Expr(ast.Constant()) | ast.Pass():
            return None
        case ast.Expr(value):
            return Line(None, _value(value))
    raise _error("only assignments and calls are statements here", node.lineno)


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value) if value is None or isinstance(value, str | int | float):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value) | float(value))):
            return -value
        case ast.List(items) | ast.Tuple(items) | ast.Set(items):
            return [_value(item) for item in items]
        case ast.Dict(keys, items):
            return {_value(key): _value(item) for key, item in zip(keys, items, strict=True) if key is not None}
        case ast.Name(name):
            return Name(name)
        case ast.Attribute(ast.Name(name), at):
            return Name(name, at)
        case ast.Subscript(ast.Attribute(ast.Name(name), at), ast.Constant(int(index))):
            return Name(name, at, index)
        case ast.Call(function, positional, named):
            return _made(
                function, [_value(item) for item in positional], {str(one.arg): _value(one.value) for one in named}
            )
    raise _error("only literals, names, fields and calls are values here", node.lineno)


def _made(function: ast.expr, positional: list[Any], named: dict[str, Any]) -> Any:
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name in _WHEN and all(isinstance(part, int) for part in positional) and len(positional) > 1:
        try:
            return _WHEN[name](*positional).isoformat()
        except (TypeError, ValueError) as error:
            raise _error(str(error), function.lineno) from None
    if not name:
        raise _error("only what has a name can be called", function.lineno)
    return Made(name, tuple(positional), named)


def written(value: Any) -> str:
    """Return a value in the notation."""
    match value:
        case Name(name, at):
            return f"{name}.{at}" if at else name
        case Made(name, positional, named):
            parts = [written(item) for item in positional] + [f"{key}={written(item)}" for key, item in named.items()]
            return f"{name}({', '.join(parts)})"
        case Entity():
            raise TypeError("an entity is written as its worksheet")
        case list() | tuple():
            return f"[{', '.join(written(item) for item in value)}]"
    return repr(value)
