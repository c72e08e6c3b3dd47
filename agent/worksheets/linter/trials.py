"""Trying predicates on the values their attributes can have: can one hold at all, and does it ever fail?

Attributes are known by their path: "Main/student_task", "Main/first_authentication_details/pin". Of enums and yes/no
fields every value is tried, of others nothing, the values they are compared with, and those just beside.
"""

from __future__ import annotations

import ast
import datetime
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.worksheets.expressions import ExpressionError, Nested, Program, holds, run
from agent.worksheets.specification import Basic, Field, Specification
from agent.worksheets.state import Entity

MOST_TRIALS = 5_000
TODAY = datetime.date(2026, 1, 15)  # any day: rules know only what is before and after it
NOON = datetime.datetime.combine(TODAY, datetime.time(12, 0))


@dataclass(frozen=True)
class Outcome:
    """What came of trying. `certain`: every case that can matter was tried, so that `holds` False means never."""

    holds: bool
    certain: bool
    error: ExpressionError | None = None


@dataclass(frozen=True)
class Trial:
    """One assignment of values to attributes, as the scope of a rule of the worksheet `own`."""

    specification: Specification
    own: str
    values: Mapping[str, Any]
    value: Any = None
    today: datetime.date = TODAY
    now: datetime.datetime = NOON

    def attribute(self, owner: str, field: str) -> Any:
        return self.values.get(f"{self._path(owner)}/{field}")

    def whole(self, owner: str) -> Any:
        return self.values.get(self._path(owner))

    def _path(self, owner: str) -> str:
        if owner == "self":
            return self.own
        worksheet = self.specification.by_variable.get(owner)
        return worksheet.name if worksheet else owner


def attributes(program: Program, specification: Specification) -> dict[str, Field | None]:
    """Return the attributes a program reads, by path, with their fields; None for a worksheet as a whole."""
    found: dict[str, Field | None] = {}
    for statement in program.body:
        for node in ast.walk(statement):
            if isinstance(node, ast.Attribute | ast.Name):
                found |= chain(node, program.worksheet, specification)
    return found


def chain(node: ast.expr, own: str, specification: Specification) -> dict[str, Field | None]:
    """The attributes along `self.first_authentication_details.pin` in a rule of the worksheet `own`, outermost last."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    name = node.id if isinstance(node, ast.Name) else ""
    worksheet = specification.by_name.get(own) if name == "self" else specification.by_variable.get(name)
    if worksheet is None:
        return {}
    if not parts:
        return {worksheet.name: None}
    path = worksheet.name
    found: dict[str, Field | None] = {}
    for part in parts:
        field = worksheet.by_name.get(part) if worksheet else None
        if field is None:
            break
        path = f"{path}/{part}"
        found[path] = field
        worksheet = specification.by_name.get(field.type.name)
    return found


def try_together(
    programs: Sequence[Program], specification: Specification, never: Callable[[str, Field], bool] = lambda *_: False
) -> Outcome:
    """Return whether predicates can hold at the same time. Attributes for which `never` is true stay unset."""
    read: dict[str, Field | None] = {}
    for program in programs:
        read |= attributes(program, specification)
    constants = [constant for program in programs for constant in _constants(program)]
    domains = {
        path: [None] if field is not None and never(path, field) else _domain(path, field, constants, specification)
        for path, field in read.items()
    }
    error: ExpressionError | None = None
    for count, values in enumerate(_combinations(domains)):
        if count >= MOST_TRIALS:
            return Outcome(holds=False, certain=False, error=error)
        try:
            if all(holds(program, Trial(specification, program.worksheet, values)) for program in programs):
                return Outcome(holds=True, certain=True, error=error)
        except ExpressionError as raised:
            error = error or raised
    return Outcome(holds=False, certain=all(_plain(program) for program in programs), error=error)


def try_values(program: Program, field: Field, specification: Specification) -> Outcome:
    """Return whether some value of a field can pass its validation, whatever else is known."""
    read = attributes(program, specification)
    constants = _constants(program)
    domains = {path: _domain(path, one, constants, specification) for path, one in read.items()}
    candidates = [value for value in _domain("", field, constants, specification) if value is not None]
    error: ExpressionError | None = None
    for count, (value, values) in enumerate(itertools.product(candidates, list(_combinations(domains)))):
        if count >= MOST_TRIALS:
            return Outcome(holds=False, certain=False, error=error)
        try:
            if holds(program, Trial(specification, program.worksheet, values, value)):
                return Outcome(holds=True, certain=True, error=error)
        except ExpressionError as raised:
            error = error or raised
    closed = field.type.basic is not Basic.TEXT and field.type.basic is not None and not field.type.many
    return Outcome(holds=False, certain=closed and _plain(program), error=error)


def try_action(program: Program, specification: Specification, unknown: Callable[[str, Field], bool]) -> Outcome:
    """Whether an action runs to its end where all it reads is known, but for what is `unknown` when it begins. `holds`:
    it does for some values; `error` is the first that it raised for others."""
    read = attributes(program, specification)
    constants = _constants(program)
    domains = {
        path: [None]
        if field is not None and unknown(path, field)
        else [value for value in _domain(path, field, constants, specification) if value is not None]
        for path, field in read.items()
    }
    ran, error = False, None
    for values in itertools.islice(_combinations(domains), MOST_TRIALS):
        try:
            run(program, Trial(specification, program.worksheet, values))
            ran = True
        except ExpressionError as raised:
            error = error or raised
    return Outcome(holds=ran, certain=True, error=error)


def _combinations(domains: Mapping[str, Iterable[Any]]) -> Iterable[dict[str, Any]]:
    paths = list(domains)
    for values in itertools.islice(itertools.product(*domains.values()), MOST_TRIALS + 1):
        yield dict(zip(paths, values, strict=True))


def _plain(program: Program) -> bool:
    """Whether trying the neighbours of what is compared is enough: nothing is reckoned or looked for in texts."""
    nodes = [node for statement in program.body for node in ast.walk(statement)]
    return not any(isinstance(node, ast.Call | ast.BinOp) for node in nodes)


def _constants(program: Program) -> list[Any]:
    return [node.value for statement in program.body for node in ast.walk(statement) if isinstance(node, ast.Constant)]


def _domain(path: str, field: Field | None, constants: Sequence[Any], specification: Specification) -> list[Any]:
    """The values of an attribute that are worth trying, unset first."""
    if field is None:
        return [Nested(path), Nested(path, complete=True)]
    if field.type.many:
        return [None, (), tuple(_one(path, field, constants, specification))]
    return [None, *_one(path, field, constants, specification)]


def _one(path: str, field: Field, constants: Sequence[Any], specification: Specification) -> list[Any]:
    numbers = [value for value in constants if isinstance(value, int | float) and not isinstance(value, bool)]
    texts = [value for value in constants if isinstance(value, str)]
    match field.type.basic:
        case Basic.ENUM:
            return list(field.options)
        case Basic.BOOLEAN | Basic.CONFIRM:
            return [True, False]
        case Basic.INTEGER | Basic.NUMBER:
            return sorted({0, 1, *(number + step for number in numbers for step in (-1, 0, 1))})
        case Basic.DATE:
            days = {TODAY + datetime.timedelta(days=step * 3650 + near) for step in (-1, 0, 1) for near in (-1, 0, 1)}
            return sorted({day.isoformat() for day in days} | {text for text in texts if _is_date(text)})
        case Basic.TIME:
            return sorted({"00:00", "11:59", "12:00", "12:01", "23:59", *(text for text in texts if ":" in text)})
        case Basic.TEXT:
            return ["something else", "", *texts]
    if specification.nested(field) is not None:
        return [Nested(path), Nested(path, complete=True)]
    return [Entity(table=field.type.name, key="something"), *(Entity(table="", key=text) for text in texts)]


def _is_date(text: str) -> bool:
    try:
        datetime.date.fromisoformat(text)
    except ValueError:
        return False
    return True
