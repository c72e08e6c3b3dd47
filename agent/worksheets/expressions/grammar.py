"""Reading an expression or an action into a checked tree.

Python's own grammar, narrowed to an allow-list: literals, comparisons, boolean operators, arithmetic, attributes of
known worksheets, a few functions, `if`, the built-in actions, registered actions and setting a field. Whatever is not
on the list is an error with its place; nothing is ever handed to `eval` or `exec`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from agent.protocols.errors import ExpressionError
from agent.worksheets.expressions import names
from agent.worksheets.expressions.published import BUILTINS, Plain, plain
from agent.worksheets.specification import Specification

MOST_CHARACTERS = 10_000
DEEPEST = 100
LARGEST = 10**15

FUNCTIONS = {"len": 1, "str": 1, "int": 1, "float": 1, "abs": 1, "round": 1, "lower": 1, "weekday": 1, "digits": 1}
METHODS = {"format", "lower", "upper", "strip", "startswith", "endswith", "isdigit"}

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
_PLAIN = (ast.BoolOp, ast.Compare, ast.IfExp, ast.List, ast.Tuple)
_REASONS: dict[type[ast.AST], str] = {
    ast.JoinedStr: 'f-strings are not part of the language; write "… " + self.field or "… {}".format(self.field)',
    ast.Lambda: "functions cannot be defined here",
    ast.Subscript: "items cannot be accessed by position here",
    ast.NamedExpr: "':=' is not part of the language",
    ast.For: "loops are not part of the language",
    ast.While: "loops are not part of the language",
    ast.Import: "nothing can be imported here",
    ast.ImportFrom: "nothing can be imported here",
    ast.ListComp: "comprehensions are not part of the language",
    ast.Dict: "{…} is only known as the values of propose(Worksheet, {field: value})",
}


@dataclass(frozen=True, slots=True)
class Place:
    """A line and a column of the text as written, both from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class ActionCall:
    """A registered action that is called, with the names it gives its arguments."""

    name: str
    arguments: tuple[str, ...]
    place: Place


@dataclass(frozen=True)
class Program:
    """A checked predicate, validation or action of one worksheet.

    `body` holds its statements; `expression` its only one's value, where it is an expression. `reads` and `writes` are
    (worksheet, field) pairs, `calls` the registered actions, `built_in` the built-in ones, `proposes` the worksheets.
    """

    text: str
    worksheet: str
    body: tuple[ast.stmt, ...] = ()
    plain: Plain = field(default_factory=lambda: plain(""))
    reads: tuple[tuple[str, str], ...] = ()
    writes: tuple[tuple[str, str], ...] = ()
    calls: tuple[ActionCall, ...] = ()
    built_in: tuple[str, ...] = ()
    proposes: tuple[str, ...] = ()
    uses_value: bool = False

    @property
    def expression(self) -> ast.expr | None:
        only = self.body[0] if len(self.body) == 1 else None
        return only.value if isinstance(only, ast.Expr) and not self.acts else None

    @property
    def acts(self) -> bool:
        """Whether running it may do something."""
        return bool(self.writes or self.calls or self.built_in)

    def place(self, node: ast.AST) -> Place:
        """Return where a node of the tree was written."""
        line, offset = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        lines = self.plain.text.split("\n")
        before = lines[line - 1].encode()[:offset].decode(errors="ignore") if 0 < line <= len(lines) else ""
        return Place(line, self.plain.column(line, len(before)))

    def error(self, reason: str, node: ast.AST) -> ExpressionError:
        """Return an error at the place of a node."""
        place = self.place(node)
        return ExpressionError(reason, place.line, place.column, self.text)


def parse(text: str, specification: Specification, worksheet: str) -> Program:
    """Return the checked program of a rule of `worksheet` (its name). Raises ExpressionError."""
    if len(text) > MOST_CHARACTERS:
        raise ExpressionError(f"it is longer than {MOST_CHARACTERS} characters", text=text[:80])
    source = plain(text)
    known = names.Names(specification, worksheet)
    body = _tree(source, text)
    if _deep(body):
        raise ExpressionError(f"it is nested deeper than {DEEPEST}", text=text[:80])
    program = Program(text, worksheet, tuple(_Spelled(known).visit(node) for node in body), source)
    check = _Check(program, known)
    for statement in program.body:
        check.statement(statement)
    return Program(
        text,
        worksheet,
        program.body,
        source,
        tuple(dict.fromkeys(check.reads)),
        tuple(check.writes),
        tuple(check.calls),
        tuple(check.built_in),
        tuple(check.proposes),
        check.uses_value,
    )


def _tree(source: Plain, text: str) -> tuple[ast.stmt, ...]:
    """The statements of the text. An expression may run over several lines."""
    if not source.text.strip():
        return ()
    try:
        inside = ast.parse(f"(\n{source.text}\n)", mode="eval")
        ast.increment_lineno(inside, -1)
        if not isinstance(inside.body, ast.GeneratorExp | ast.Tuple):
            return (ast.copy_location(ast.Expr(inside.body), inside.body),)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass  # then it is no single expression; what is wrong with it as statements is said below
    try:
        return tuple(ast.parse(source.text).body)
    except SyntaxError as error:
        line = error.lineno or 1
        raise ExpressionError(error.msg, line, source.column(line, (error.offset or 1) - 1), text) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"it cannot be read ({error})", text=text) from None


def _deep(body: tuple[ast.stmt, ...]) -> bool:
    """Whether a tree is deeper than what walks it by recursion may meet."""
    level: list[ast.AST] = list(body)
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    return bool(level)


class _Spelled(ast.NodeTransformer):
    """What published specifications write shorter: `self.x` for a field of the worksheet around this one, and
    `say(action(…))` for calling an action, whose result is told in any case."""

    def __init__(self, known: names.Names) -> None:
        self._names = known

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self" and (outer := self._names.outer(node.attr)):
            node.value.id = outer.variable
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        self.generic_visit(node)
        match node.value:
            case ast.Call(ast.Name("say"), [ast.Call(ast.Name(name)) as action], []) if name not in FUNCTIONS:
                node.value = node.value if name in BUILTINS else action
        return node


class _Check:
    """Walks a program once: every node allowed, every name known; notes what is read, written and called."""

    def __init__(self, program: Program, known: names.Names) -> None:
        self._program, self._names = program, known
        self.reads: list[tuple[str, str]] = []
        self.writes: list[tuple[str, str]] = []
        self.calls: list[ActionCall] = []
        self.built_in: list[str] = []
        self.proposes: list[str] = []
        self.uses_value = False

    def statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(ast.Call(ast.Name(name)) as call) if name not in FUNCTIONS:
                self._act(call, name)
            case ast.Expr(value):
                self._expression(value)
            case ast.If(test, body, orelse):
                self._expression(test)
                for inner in (*body, *orelse):
                    self.statement(inner)
            case ast.Assign([ast.Attribute(ast.Name(owner)) as target], value):
                with self._at(target):
                    self.writes.append(self._names.target(owner, target.attr))
                self._expression(value)
            case ast.Pass():
                pass
            case _:
                raise self._refused(node)

    def _act(self, call: ast.Call, name: str) -> None:
        if name in BUILTINS:
            self.built_in.append(name)
            self._built_in(call, name)
            return
        arguments = [self._argument_name(argument) for argument in call.args]
        for keyword in call.keywords:
            if keyword.arg is None:
                raise self._program.error("'**' is not part of the language", keyword)
            arguments.append(keyword.arg)
        for value in (*call.args, *(keyword.value for keyword in call.keywords)):
            self._expression(value)
        self.calls.append(ActionCall(name, tuple(arguments), self._program.place(call)))

    def _argument_name(self, argument: ast.expr) -> str:
        if isinstance(argument, ast.Attribute):
            return argument.attr
        raise self._program.error("an argument needs a name (name=…), or has to be a field", argument)

    def _built_in(self, call: ast.Call, name: str) -> None:
        match name, call.args, call.keywords:
            case "exitws", [], []:
                return
            case "say", [text], []:
                self._expression(text)
            case "confirm", [ast.Attribute(ast.Name("self")) as target], []:
                with self._at(target):
                    self._names.target("self", target.attr)
            case "propose", [ast.Name(worksheet)] | [ast.Name(worksheet), _], _:
                self._propose(call, worksheet)
            case _:
                raise self._program.error(f"write {_USAGE[name]}", call)

    def _propose(self, call: ast.Call, worksheet: str) -> None:
        with self._at(call):
            self.proposes.append(self._names.task(worksheet).name)
        for name, value in proposed(call):
            with self._at(value):
                self._names.field(worksheet, name)
            self._expression(value)

    def _expression(self, node: ast.expr) -> None:
        match node:
            case ast.Constant(value):
                self._constant(node, value)
            case ast.Name(name):
                self._name(node, name)
            case ast.Attribute():
                with self._at(node):
                    self.reads.extend(self._names.chain(node))
            case ast.BinOp(left, operator, right) if isinstance(operator, _OPERATORS):
                self._expression(left)
                self._expression(right)
            case ast.UnaryOp(ast.Not() | ast.USub(), operand):
                self._expression(operand)
            case ast.Call():
                self._function(node)
            case _ if isinstance(node, _PLAIN):
                for child in ast.iter_child_nodes(node):
                    if isinstance(child, ast.expr):
                        self._expression(child)
            case _:
                raise self._refused(node)

    def _constant(self, node: ast.expr, value: object) -> None:
        if value is None or isinstance(value, bool | str):
            return
        if not isinstance(value, int | float) or abs(value) > LARGEST:
            raise self._program.error("only strings, numbers, True, False and None are allowed", node)

    def _name(self, node: ast.expr, name: str) -> None:
        if name == "value":
            self.uses_value = True
        elif name not in ("today", "now"):
            with self._at(node):
                self._names.owner(name)

    def _function(self, node: ast.Call) -> None:
        match node:
            case ast.Call(ast.Name(name), arguments, []) if FUNCTIONS.get(name) == len(arguments):
                pass
            case ast.Call(ast.Attribute(text, method), arguments, keywords) if method in METHODS:
                if keywords and method != "format":
                    raise self._program.error(f"{method}() takes no named arguments", node)
                self._expression(text)
            case ast.Call(ast.Name(name)) if name in FUNCTIONS:
                raise self._program.error(f"{name}() takes one value", node)
            case ast.Call(ast.Name(name)) if name in BUILTINS:
                raise self._program.error(f"{name}() is an action, not a value", node)
            case ast.Call(ast.Name(name)):
                known = ", ".join(sorted(FUNCTIONS))
                raise self._program.error(f"{name}() is not a function here (available: {known})", node)
            case _:
                raise self._refused(node)
        for value in (*node.args, *(keyword.value for keyword in node.keywords)):
            self._expression(value)

    @contextmanager
    def _at(self, node: ast.AST) -> Iterator[None]:
        """A name that is not known inside is an error at the node."""
        try:
            yield
        except names.Unknown as unknown:
            raise self._program.error(str(unknown), node) from None

    def _refused(self, node: ast.AST) -> ExpressionError:
        written = _REASONS.get(type(node), "this is not part of the language")
        return self._program.error(written, node)


_USAGE = {
    "say": 'say("…") with one text',
    "exitws": "exitws() with nothing in it",
    "confirm": "confirm(self.field)",
    "propose": "propose(Worksheet, {field: value})",
}


def proposed(call: ast.Call) -> list[tuple[str, ast.expr]]:
    """Return the (field, value) pairs of `propose(W, {f: v})`, `propose(W, [[f, v]])` or `propose(W, f=v)`."""
    pairs = [(keyword.arg or "", keyword.value) for keyword in call.keywords]
    match call.args[1:]:
        case [ast.Dict(keys, values)]:
            pairs += [(_key(key), value) for key, value in zip(keys, values, strict=True)]
        case [ast.List(items) | ast.Tuple(items)]:
            pairs += [_pair(item) for item in items]
        case [other]:
            pairs.append(("", other))
    return pairs


def _pair(node: ast.expr) -> tuple[str, ast.expr]:
    match node:
        case ast.List([name, value]) | ast.Tuple([name, value]):
            return _key(name), value
    return "", node


def _key(node: ast.expr | None) -> str:
    match node:
        case ast.Name(name) | ast.Constant(str(name)):
            return name
    return ""
