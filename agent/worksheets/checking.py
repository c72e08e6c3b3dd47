"""Checking a value before it is assigned: its type, its bounds, and what the application knows about it."""

from __future__ import annotations

import ast
import datetime
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.worksheets.actions import Refusal
from agent.worksheets.calling import typed
from agent.worksheets.draft import Draft
from agent.worksheets.expressions import parse
from agent.worksheets.specification import Field, Specification
from agent.worksheets.state import Entity, SlotStatus
from agent.worksheets.values import read
from agent.worksheets.wording import in_words


async def checked(draft: Draft, instance: str, field: Field, value: Any, later: frozenset[str] = frozenset()) -> Any:
    """The value to store. `later` are fields that the same message is still to assign: what they hold is outdated.

    Raises Refusal if the value will not do, and ExpressionError where its rule does not work.
    """
    value = read(value, field, draft.specification, draft.today)
    at = draft.instance(instance)
    check = draft.registry.checks.get((at.worksheet, field.name))
    if check is not None:
        known = {
            name: slot.value
            for name, slot in at.slots.items()
            if slot.status is SlotStatus.SET and name != field.name and name not in later
        }
        value = stored(await check(typed(check, "value", value), known, draft.rules.now))
    if draft.specification.knowledge(field) is not None and not _entities(value):
        raise Refusal(f"I don't know which {field.label} “{value}” is.", field.name)
    if draft.rules.accepts(draft.state, at, field, value) is False:
        raise Refusal(_against(draft.specification, at.worksheet, field, value, draft.today), field.name)
    broken = draft.rules.broken.get((at.worksheet, field.name, "validation"))
    if broken is not None:
        raise broken.error
    return value


async def first_fitting(values: Sequence[Any], fits: Callable[[Any], Awaitable[Any]]) -> Any:
    """What `fits` makes of the first of several values that it does not refuse; else the refusal of the first."""
    first: Refusal | None = None
    for value in values:
        try:
            return await fits(value)
        except Refusal as refusal:
            first = first or refusal
    raise first or ValueError("no value to choose from")


def _entities(value: Any) -> bool:
    return all(isinstance(item, Entity) for item in value) if isinstance(value, tuple) else isinstance(value, Entity)


def stored(value: Any) -> Any:
    """Return a value as the state holds it: JSON, or an Entity."""
    match value:
        case datetime.datetime():
            return value.isoformat("T", "minutes")
        case datetime.date():
            return value.isoformat()
        case datetime.time():
            return value.isoformat("minutes")
        case list() | tuple():
            return tuple(stored(item) for item in value)
    return value


def alternatives(refusal: Refusal) -> tuple[Entity | bool | int | float | str, ...]:
    """Values that would do instead, as the state holds them."""
    return tuple(
        item if isinstance(item, Entity | bool | int | float | str) else str(item)
        for item in map(stored, refusal.alternatives)
    )


def _against(specification: Specification, worksheet: str, field: Field, value: Any, today: datetime.date) -> str:
    """Why a value does not pass the validation, in words where it is a plain bound."""
    if field.refusal:
        return field.refusal
    said = f"{in_words(value, field, today)} does not work as the {field.label}"
    try:
        expression = parse(field.validation, specification, worksheet).expression
    except ExpressionError:
        expression = None
    bounds = _bounds(expression) if expression is not None else ""
    return f"{said}: it has to be {bounds}." if bounds else f"{said}. {field.reason}".rstrip(". ") + "."


_BOUNDS: dict[type[ast.cmpop], str] = {ast.Lt: "below", ast.LtE: "at most", ast.Gt: "above", ast.GtE: "at least"}
_MIRRORED: dict[type[ast.cmpop], str] = {ast.Lt: "above", ast.LtE: "at least", ast.Gt: "below", ast.GtE: "at most"}


def _bounds(node: ast.expr) -> str:
    """ "at least 1 and at most 20" for `1 <= value <= 20`; "" for anything but plain bounds."""
    match node:
        case ast.BoolOp(ast.And(), operands):
            parts = [_bounds(operand) for operand in operands]
            return " and ".join(parts) if all(parts) else ""
        case ast.Compare(ast.Name("value"), [operator], [bound]):
            return _bound(_BOUNDS, operator, bound)
        case ast.Compare(bound, [operator], [ast.Name("value")]):
            return _bound(_MIRRORED, operator, bound)
        case ast.Compare(low, [first, second], [ast.Name("value"), high]):
            parts = [_bound(_MIRRORED, first, low), _bound(_BOUNDS, second, high)]
            return " and ".join(parts) if all(parts) else ""
    return ""


def _bound(words: dict[type[ast.cmpop], str], operator: ast.cmpop, bound: ast.expr) -> str:
    word = words.get(type(operator))
    if word is None:
        return ""
    match bound:
        case ast.Constant(int(value) | float(value) | str(value)):
            return f"{word} {value}"
        case ast.Name("today"):
            return {"at least": "today or later", "above": "after today"}.get(word, "")
    return ""
