"""A task rehearsed: what it is called with is checked as a form's values are, and nothing is carried out."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.systems.tasks_as_tools import actions_of, asked_of
from agent.worksheets.actions import Refusal, Registry
from agent.worksheets.acts import Effect
from agent.worksheets.checking import checked
from agent.worksheets.draft import Draft
from agent.worksheets.instances import opened, values
from agent.worksheets.rules import Rules
from agent.worksheets.specification import Field, Specification, Worksheet
from agent.worksheets.state import DialogueState, Entity, Slot, SlotStatus

SIMULATED = "Simulated: the values were checked, and nothing was done."


async def rehearsed(
    worksheet: Worksheet,
    arguments: Mapping[str, Any],
    specification: Specification,
    registry: Registry,
    rows: Mapping[str, Entity],
    now: datetime.datetime,
) -> Effect:
    """Return the effect that a call would have had. `rows` are those that were shown, by key.

    Raises Refusal, in words for whoever calls, where a value will not do, is missing or is no parameter.
    """
    state = DialogueState(application=specification.name, version=specification.version)
    draft = Draft(state, state, specification, registry, Rules(specification, now))
    name = await _filled(draft, worksheet, arguments, rows)
    return Effect(
        worksheet=worksheet.name,
        instance=name,
        action=", ".join(actions_of(worksheet, specification)),
        values=values(draft.state, draft.instance(name), specification),
        result={"simulated": True, "sentence": SIMULATED},
    )


async def _filled(
    draft: Draft, worksheet: Worksheet, arguments: Mapping[str, Any], rows: Mapping[str, Entity], parent: str = ""
) -> str:
    """The name of an instance with these values. Raises Refusal."""
    fields = {field.name: field for field in asked_of(worksheet)}
    if unknown := [name for name in arguments if name not in fields]:
        raise Refusal(f"{worksheet.variable} has no parameter {unknown[0]!r}.")
    draft.state, instance = opened(draft.state, worksheet, parent=parent)
    for name, field in fields.items():
        if arguments.get(name) not in (None, "", [], {}):
            await _set(draft, instance.name, field, arguments[name], rows)
    for name, field in fields.items():
        at = draft.instance(instance.name)
        missing = field.required and at.slot(name).status is not SlotStatus.SET
        if missing and draft.rules.shows(draft.state, at, field) is not False:
            raise Refusal(f"{name} is missing: {field.question or field.label}", name)
    return instance.name


async def _set(draft: Draft, instance: str, field: Field, value: Any, rows: Mapping[str, Entity]) -> None:
    nested = draft.specification.nested(field)
    if nested is None:
        try:
            fitting = await checked(draft, instance, field, _meant(draft, field, value, rows))
        except ExpressionError as error:
            raise Refusal(error.sentence, field.name) from error
        draft.put(instance, field.name, Slot(status=SlotStatus.SET, value=fitting))
        return
    if field.type.many:
        draft.put(instance, field.name, Slot(status=SlotStatus.SET, value=()))
    for one in value if isinstance(value, list) else [value]:
        if not isinstance(one, Mapping):
            raise Refusal(f"{field.name} takes an object.", field.name)
        await _filled(draft, nested, one, rows, parent=f"{instance}.{field.name}")


def _meant(draft: Draft, field: Field, value: Any, rows: Mapping[str, Entity]) -> Any:
    """A value, with the key of a row as that row. Raises Refusal for the key of a row that was never shown."""
    worksheet = draft.specification.knowledge(field)
    if worksheet is None or not worksheet.table:
        return value
    if isinstance(value, list):
        return [_meant(draft, field, one, rows) for one in value]
    found = rows.get(str(value))
    if found is None or found.table != worksheet.table:
        raise Refusal(f"{field.name}: no row of {worksheet.table} with the key {value!r} was found. Search first.")
    return found
