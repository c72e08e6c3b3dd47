"""What a changed value does to what was told, offered and confirmed before."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent.worksheets.draft import Draft
from agent.worksheets.instances import ancestors, bound_to, family
from agent.worksheets.state import Instance, InstanceStatus, Slot, SlotStatus


def inapplicable(draft: Draft) -> Iterator[tuple[str, str]]:
    """(instance, field) of values that no longer apply: their predicate has turned false."""
    for instance in draft.state.instances:
        if instance.status not in (InstanceStatus.ACTIVE, InstanceStatus.SUSPENDED):
            continue
        for field in draft.worksheet(instance).fields:
            slot = instance.slots.get(field.name)
            filled = slot is not None and slot.status is not SlotStatus.UNSET
            if filled and draft.rules.excludes(draft.state, instance, field):
                yield instance.name, field.name


def forget_options(draft: Draft, root: Instance) -> None:
    """Values that would have done in place of another may no longer: something else of the task is different now."""
    refused = {(problem.instance, problem.field) for problem in draft.problems}
    for member in list(family(draft.state, root, draft.specification)):
        for name, slot in member.slots.items():
            if slot.options and (member.name, name) not in refused:
                open_ = slot.others if slot.status is SlotStatus.UNSET and slot.value is None else ()
                draft.put(member.name, name, slot.model_copy(update={"options": open_}))


def outdate(draft: Draft, instance: Instance) -> None:
    """A value changed: confirmations above it are withdrawn, refusals of the action forgotten, and it is open again."""
    for member in (instance, *ancestors(draft.state, instance)):
        member = draft.instance(member.name)
        changes: dict[str, Any] = {"problem": "", "declined": 0}
        if member.status is InstanceStatus.DONE and member.parent:
            changes |= {"status": InstanceStatus.ACTIVE, "result": None}
        draft.replace(member, **changes)
        field = draft.worksheet(member).confirmation
        if field is not None and member.slot(field.name).bound not in (
            "",
            bound_to(draft.state, member, draft.specification),
        ):
            draft.put(member.name, field.name, Slot(asked=member.slot(field.name).asked))
