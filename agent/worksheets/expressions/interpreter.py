"""Evaluating and running checked programs. An error is raised with its place; it never counts as False."""

from __future__ import annotations

import ast
import datetime
import string
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.worksheets.expressions import values
from agent.worksheets.expressions.grammar import Program, proposed
from agent.worksheets.expressions.names import ROW
from agent.worksheets.expressions.published import BUILTINS
from agent.worksheets.expressions.scope import (
    AskConfirmation,
    CallAction,
    ExitWorksheet,
    Nested,
    Propose,
    Say,
    Scope,
    SetField,
    Step,
)
from agent.worksheets.expressions.values import Misfit
from agent.worksheets.state import Entity

MOST_STEPS = 10_000
LONGEST_TEXT = 10_000


def evaluate(program: Program, scope: Scope) -> Any:
    """Return the value of an expression; True of an empty one (a field without a predicate). Raises ExpressionError."""
    if not program.body:
        return True
    if program.expression is None:
        raise ExpressionError("this must be an expression, not an action", text=program.text)
    return _Interpreter(program, scope).value(program.expression)


def holds(program: Program, scope: Scope) -> bool:
    """Return whether a predicate or validation holds. Raises ExpressionError."""
    return values.truth(evaluate(program, scope))


def run(program: Program, scope: Scope) -> list[Step]:
    """Return the steps that an action amounts to, in order; `exitws()` is the last. Raises ExpressionError.

    Values are read as they were at the start: a field that the action sets reads as before within it.
    """
    interpreter = _Interpreter(program, scope)
    interpreter.run(program.body)
    return interpreter.steps


class _Interpreter:
    def __init__(self, program: Program, scope: Scope) -> None:
        self._program, self._scope = program, scope
        self._left = MOST_STEPS
        self.steps: list[Step] = []

    def run(self, statements: Sequence[ast.stmt]) -> bool:
        """Run statements in order; False if one of them left the worksheet."""
        for statement in statements:
            self._count(statement)
            match statement:
                case ast.If(test, body, orelse):
                    if not self.run(body if values.truth(self.value(test)) else orelse):
                        return False
                case ast.Assign([ast.Attribute(ast.Name(owner), field)], value):
                    self.steps.append(SetField(owner, field, self.value(value)))
                case ast.Expr(ast.Call(ast.Name(name)) as call) if name in BUILTINS:
                    self.steps.append(self._built_in(name, call))
                    if name == "exitws":
                        return False
                case ast.Expr(ast.Call(ast.Name(name)) as call) if name not in _FUNCTIONS:
                    self.steps.append(CallAction(name, self._arguments(call)))
                case ast.Expr(value):
                    self.value(value)
        return True

    def _arguments(self, call: ast.Call) -> dict[str, Any]:
        """Arguments by name; one without a name is a field, and goes by the field's."""
        named = {argument.attr: self.value(argument) for argument in call.args if isinstance(argument, ast.Attribute)}
        return named | {str(keyword.arg): self.value(keyword.value) for keyword in call.keywords}

    def _built_in(self, name: str, call: ast.Call) -> Step:
        match name, call.args:
            case "say", [text]:
                said = self.value(text)
                if said is None:
                    raise self._program.error("there is nothing to say: it contains an unknown value", text)
                return Say(self._fitting(text, lambda: values.words(said)))
            case "confirm", [ast.Attribute(_, field)]:
                return AskConfirmation(field)
            case "propose", [ast.Name(worksheet), *_]:
                return Propose(worksheet, {field: self.value(value) for field, value in proposed(call)})
        return ExitWorksheet()

    def value(self, node: ast.expr) -> Any:
        """Return the value of an expression. Raises ExpressionError."""
        self._count(node)
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name):
                return self._named(name)
            case ast.Attribute(owner, field):
                return self._attribute(node, owner, field)
            case ast.BoolOp(operator, operands):
                return self._boolean(operator, operands)
            case ast.UnaryOp(ast.Not(), operand):
                return not values.truth(self.value(operand))
            case ast.UnaryOp(_, operand):
                negated = self.value(operand)
                return self._fitting(node, lambda: values.arithmetic(ast.Sub(), 0, negated))
            case ast.BinOp(left, operator, right):
                first, second = self.value(left), self.value(right)
                return self._fitting(node, lambda: values.arithmetic(operator, first, second))
            case ast.Compare():
                return self._compare(node)
            case ast.IfExp(test, body, orelse):
                return self.value(body if values.truth(self.value(test)) else orelse)
            case ast.List(items) | ast.Tuple(items):
                return tuple(self.value(item) for item in items)
            case ast.Call():
                return self._call(node)
        raise self._program.error("this is not part of the language", node)

    def _named(self, name: str) -> Any:
        match name:
            case "value":
                return self._scope.value
            case "today":
                return self._scope.today
            case "now":
                return self._scope.now.strftime("%H:%M")
        return self._scope.whole(name)

    def _attribute(self, node: ast.expr, owner: ast.expr, field: str) -> Any:
        if isinstance(owner, ast.Name):
            whole = self._scope.whole("self") if owner.id == "self" and field in ROW else None
            if not isinstance(whole, Entity):
                return self._scope.attribute(owner.id, field)
        else:
            whole = self.value(owner)
        match whole:
            case None:
                return None
            case Nested(instance):
                return self._scope.attribute(instance, field)
            case Entity():
                return whole.key if field in ("key", "id") else whole.title
        raise self._program.error(f"{values.kind(whole)} has no {field!r}", node)

    def _boolean(self, operator: ast.boolop, operands: Sequence[ast.expr]) -> Any:
        """`and` and `or` as in Python: the deciding operand, the later ones not looked at."""
        result: Any = None
        for operand in operands:
            result = self.value(operand)
            if values.truth(result) == isinstance(operator, ast.Or):
                break
        return result

    def _compare(self, node: ast.Compare) -> bool:
        left_node, left = node.left, self.value(node.left)
        for operator, right_node in zip(node.ops, node.comparators, strict=True):
            right = self.value(right_node)
            if _is_none(left_node) or _is_none(right_node):
                holds = (left is right) == isinstance(operator, ast.Eq | ast.Is)
            else:
                holds = self._fitting(node, partial(values.compare, operator, left, right))
            if not holds:
                return False
            left_node, left = right_node, right
        return True

    def _call(self, node: ast.Call) -> Any:
        arguments = [self.value(argument) for argument in node.args]
        match node.func:
            case ast.Name(name):
                return None if arguments[0] is None else self._fitting(node, lambda: _FUNCTIONS[name](arguments[0]))
            case ast.Attribute(text, method):
                owner = self.value(text)
                named = {str(keyword.arg): self.value(keyword.value) for keyword in node.keywords}
                if owner is None or None in arguments or None in named.values():
                    return None
                return self._fitting(node, lambda: _method(owner, method, arguments, named))
        raise self._program.error("this is not part of the language", node)

    def _fitting(self, node: ast.AST, operation: Callable[[], Any]) -> Any:
        """The result of an operation on values; where they do not fit, an error at the node."""
        try:
            result = operation()
        except Misfit as misfit:
            raise self._program.error(str(misfit), node) from None
        if isinstance(result, str) and len(result) > LONGEST_TEXT:
            raise self._program.error(f"the text grows beyond {LONGEST_TEXT} characters", node)
        return result

    def _count(self, node: ast.AST) -> None:
        self._left -= 1
        if self._left < 0:
            raise self._program.error(f"it takes more than {MOST_STEPS} steps", node)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _converted(convert: Callable[[Any], Any], name: str) -> Callable[[Any], Any]:
    def function(value: Any) -> Any:
        try:
            return convert(value)
        except (TypeError, ValueError, OverflowError):
            raise Misfit(f"{name}() cannot take {values.kind(value)}") from None

    return function


def _weekday(value: Any) -> str:
    date = value if isinstance(value, datetime.date) else datetime.date.fromisoformat(value)
    return date.strftime("%A")


_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "str": values.words,
    "lower": lambda value: values.words(value).lower(),
    "digits": lambda value: "".join(char for char in values.words(value) if char.isdigit()),
    **{
        name: _converted(convert, name)
        for name, convert in (
            ("len", len),
            ("int", int),
            ("float", float),
            ("abs", abs),
            ("round", round),
            ("weekday", _weekday),
        )
    },
}


def _method(text: Any, method: str, arguments: list[Any], named: dict[str, Any]) -> Any:
    """A method of a text. Raises Misfit."""
    if not isinstance(text, str):
        raise Misfit(f"{values.kind(text)} has no {method}()")
    if method == "format":
        return _format(text, arguments, named)
    try:
        return getattr(text, method)(*arguments)  # `method` is one of grammar.METHODS
    except TypeError:
        raise Misfit(f"{method}() cannot take these values") from None


def _format(text: str, arguments: list[Any], named: dict[str, Any]) -> str:
    """`"{} for {}".format(…)` with plain places only: "{}", "{0}" and "{name}"."""
    parts: list[str] = []
    given = {str(index): value for index, value in enumerate(arguments)} | named
    count = 0
    try:
        pieces = list(string.Formatter().parse(text))
    except ValueError as error:
        raise Misfit(f"the text cannot be filled in: {error}") from None
    for literal, name, form, conversion in pieces:
        parts.append(literal)
        if name is None:
            continue
        if form or conversion or not (name.isidentifier() or name.isdigit() or not name):
            raise Misfit("only {}, {0} and {name} may be filled in")
        place, count = (name, count) if name else (str(count), count + 1)
        if place not in given:
            raise Misfit(f"there is no value for {{{name}}}")
        parts.append(values.words(given[place]))
    return "".join(parts)
