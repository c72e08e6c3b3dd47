"""What has to be true for a worksheet to be worked on, read from its predicates.

`user_info.user_task == 'Book Restaurant'` before BookRestaurant means that whoever starts a booking has said so: the
value is implied, and never asked for. Only equalities that all have to hold say that much.
"""

from __future__ import annotations

import ast
import dataclasses
from dataclasses import dataclass
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.worksheets.expressions import parse
from agent.worksheets.specification import Basic, Specification, Worksheet
from agent.worksheets.state import DialogueState, InstanceStatus
from agent.worksheets.statements import Assign, Start


@dataclass(frozen=True)
class Implied:
    """A field of a worksheet that has to have a value."""

    worksheet: str
    field: str
    value: Any


def entailed(specification: Specification, worksheet: str) -> tuple[Implied, ...]:
    """The values that working on a worksheet (by name) implies: its own gate's, and all above it, outermost first."""
    return _entailed(specification, worksheet, frozenset())


def _entailed(specification: Specification, name: str, seen: frozenset[str]) -> tuple[Implied, ...]:
    worksheet = specification.by_name.get(name)
    if worksheet is None or name in seen:
        return ()
    found: list[Implied] = []
    parents = specification.parents.get(name, ())
    if len(parents) == 1:  # in one of several places, which one is not implied
        parent, field = parents[0]
        found += _entailed(specification, parent.name, seen | {name})
        found += implied(specification, parent.name, field.predicate)
    found += implied(specification, name, worksheet.predicate)
    for item in list(found):
        if item.worksheet != name and item.worksheet not in {above.name for above, _ in parents}:
            found = [*_entailed(specification, item.worksheet, seen | {name}), *found]
    return tuple(dict.fromkeys(found))


def implied(specification: Specification, worksheet: str, predicate: str) -> tuple[Implied, ...]:
    """The equalities without which a predicate of a worksheet cannot hold. A predicate that does not parse has none."""
    if not predicate.strip():
        return ()
    try:
        expression = parse(predicate, specification, worksheet).expression
    except ExpressionError:
        return ()  # whoever evaluates it reports it
    return tuple(_equalities(specification, worksheet, expression)) if expression is not None else ()


def _equalities(specification: Specification, worksheet: str, node: ast.expr) -> list[Implied]:
    match node:
        case ast.BoolOp(ast.And(), operands):
            return [item for operand in operands for item in _equalities(specification, worksheet, operand)]
        case ast.Compare(ast.Attribute() as field, [ast.Eq() | ast.Is()], [ast.Constant(value)]) if value is not None:
            return _one(specification, worksheet, field, value)
        case ast.Compare(ast.Constant(value), [ast.Eq() | ast.Is()], [ast.Attribute() as field]) if value is not None:
            return _one(specification, worksheet, field, value)
        case ast.Compare(ast.Attribute() as field, [ast.NotEq() | ast.IsNot()], [ast.Constant(bool(value))]):
            return _one(specification, worksheet, field, not value)
        case ast.Compare(ast.Attribute() as field, [ast.In()], [ast.List([ast.Constant(value)])]):
            return _one(specification, worksheet, field, value)
        case ast.UnaryOp(ast.Not(), ast.Attribute() as field):
            return _one(specification, worksheet, field, False)
        case ast.UnaryOp(ast.Not(), ast.Compare() as negated):
            wanted = _equalities(specification, worksheet, negated)
            return [dataclasses.replace(item, value=not item.value) for item in wanted if isinstance(item.value, bool)]
        case ast.Attribute():
            return _one(specification, worksheet, node, True)
    return []


def _one(specification: Specification, worksheet: str, node: ast.Attribute, value: Any) -> list[Implied]:
    """The (worksheet, field) that `self.field` or `user_info.field` means. A bare field implies only a yes."""
    if not isinstance(node.value, ast.Name):
        return []
    owner = specification.by_name.get(worksheet) if node.value.id == "self" else None
    owner = owner or specification.by_variable.get(node.value.id)
    field = owner.by_name.get(node.attr) if owner else None
    if owner is None or field is None or isinstance(value, bool) != (field.type.basic is Basic.BOOLEAN):
        return []
    return [Implied(owner.name, field.name, value)]


def is_router(specification: Specification, worksheet: Worksheet) -> bool:
    """Return whether a worksheet only tells which task is wanted: nothing to run or confirm, and other tasks' gate."""
    if worksheet.confirmation or worksheet.actions or worksheet.backend or worksheet.name in specification.parents:
        return False
    if any(specification.nested(field) or field.actions for field in worksheet.fields):
        return False
    others = (other for other in specification.roots if other.name != worksheet.name)
    return any(item.worksheet == worksheet.name for other in others for item in entailed(specification, other.name))


def opening(state: DialogueState, specification: Specification, worksheet: str) -> tuple[Start | Assign, ...]:
    """The statements that start a task: its instance, those it is nested in and not yet open, and what is implied.

    The last `Start` is that of the worksheet itself.
    """
    statements: list[Start | Assign] = []
    names: dict[str, str] = {}
    for name in (*dict.fromkeys(item.worksheet for item in entailed(specification, worksheet)), worksheet):
        declared = specification.by_name[name]
        openly = [item for item in state.instances if item.worksheet == name and item.status is InstanceStatus.ACTIVE]
        if openly and name != worksheet:
            names[name] = openly[-1].name
            continue
        names[name] = f"{declared.variable}_{state.counters.get(declared.variable, 0) + 1}"
        statements.append(Start(worksheet=name, instance=names[name]))
    assigns = [
        Assign(instance=names[item.worksheet], field=item.field, value=item.value)
        for item in entailed(specification, worksheet)
    ]
    return (*statements[:-1], *assigns, statements[-1])
