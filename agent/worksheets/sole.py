"""Fields of which what is known leaves one value: it is taken without being asked for, told, and may be changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from agent.worksheets.draft import Draft
from agent.worksheets.specification import Field
from agent.worksheets.state import Instance, Slot, SlotStatus
from agent.worksheets.statements import Assign, Statement


async def take_sole(draft: Draft, said: Sequence[Statement]) -> None:
    """Fill the fields of what the message changed that have one value left, and empty those that no longer do. One
    that the message itself gave another value is asked for again."""
    given = {(item.instance, item.field) for item in said if isinstance(item, Assign)}
    for name in dict.fromkeys(instance for instance, _ in draft.changed):
        instance = draft.state.instance(name)
        for field in draft.worksheet(instance).fields if instance is not None else ():
            if instance is not None and (name, field.name) not in given:
                await _take(draft, draft.instance(name), field)


async def _take(draft: Draft, instance: Instance, field: Field) -> None:
    rule = draft.registry.soles.get((instance.worksheet, field.name))
    slot = instance.slot(field.name)
    if rule is None or (slot.status is SlotStatus.SET and slot.words):
        return
    left = await rule(_known(instance, field), draft.rules.now)
    if slot.status is SlotStatus.SET:
        before = draft.before.instance(instance.name)
        was = await rule(_known(before, field), draft.rules.now) if before is not None else None
        if was is None or was.value != slot.value or (left is not None and left.value == slot.value):
            return
    if left is not None:
        draft.put(instance.name, field.name, Slot(status=SlotStatus.SET, value=left.value, asked=slot.asked))
        draft.say(left.sentence, instance.name, field.name)
    elif slot.status is SlotStatus.SET:
        draft.unset(instance.name, field.name)


def _known(instance: Instance, field: Field) -> dict[str, Any]:
    """The values of the other fields."""
    slots = instance.slots.items()
    return {name: slot.value for name, slot in slots if slot.status is SlotStatus.SET and name != field.name}
