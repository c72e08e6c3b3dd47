"""The instances of a dialogue state: opening, nesting, values, status. Each is a function to a new state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent.worksheets.specification import Basic, Field, FieldKind, Specification, Worksheet
from agent.worksheets.state import DialogueState, Entity, Instance, InstanceStatus, Slot, SlotStatus, digest

LIVE = (InstanceStatus.ACTIVE, InstanceStatus.SUSPENDED, InstanceStatus.PROPOSED, InstanceStatus.DONE)


def worksheet_of(specification: Specification, instance: Instance) -> Worksheet:
    return specification.by_name[instance.worksheet]


def opened(
    state: DialogueState,
    worksheet: Worksheet,
    name: str = "",
    parent: str = "",
    status: InstanceStatus = InstanceStatus.ACTIVE,
) -> tuple[DialogueState, Instance]:
    """A new, empty instance, put in its parent's field where it has one. `name` has to be unused; else the next one."""
    variable = worksheet.variable
    number = state.counters.get(variable, 0) + 1
    counted = name.removeprefix(f"{variable}_")
    if counted != name and counted.isdigit():
        number = max(number, int(counted))
    instance = Instance(
        name=name or f"{variable}_{number}", worksheet=worksheet.name, parent=parent, status=status, opened=state.turns
    )
    counters = {**state.counters, variable: number}
    state = state.with_instance(instance).model_copy(update={"counters": counters})
    if parent:
        state = _nest(state, parent, instance.name)
    return state, instance


def _nest(state: DialogueState, parent: str, name: str) -> DialogueState:
    """The parent's field holds the instance: as its value, or as one more of a list."""
    owner, field = parent.split(".", 1)
    slot = slot_of(state, owner, field)
    if isinstance(slot.value, tuple):
        return with_slot(state, owner, field, _changed(slot, value=(*slot.value, name), status=SlotStatus.SET))
    return with_slot(state, owner, field, _changed(slot, value=name, status=SlotStatus.SET))


def slot_of(state: DialogueState, instance: str, field: str) -> Slot:
    found = state.instance(instance)
    return found.slot(field) if found else Slot()


def with_slot(state: DialogueState, instance: str, field: str, slot: Slot | None) -> DialogueState:
    """Return the state with one slot replaced, or taken away."""
    found = state.instance(instance)
    if found is None:
        raise KeyError(instance)
    slots = {name: kept for name, kept in found.slots.items() if name != field}
    if slot is not None:
        slots = {**found.slots, field: slot}
    return state.with_instance(found.model_copy(update={"slots": slots}))


def _changed(slot: Slot, **update: Any) -> Slot:
    return slot.model_copy(update=update)


def children(
    state: DialogueState, instance: Instance, specification: Specification
) -> Iterator[tuple[Field, Instance]]:
    """Yield the nested instances that are the values of its fields, in the order of the fields.

    One that was given up by itself does not count; one that was given up with what it is nested in does.
    """
    gone = instance.status is InstanceStatus.ABANDONED
    for field in worksheet_of(specification, instance).fields:
        if specification.nested(field) is None:
            continue
        slot = instance.slot(field.name)
        names = slot.value if isinstance(slot.value, tuple) else (slot.value,)
        for name in names:
            child = state.instance(name) if isinstance(name, str) and slot.status is SlotStatus.SET else None
            if child is not None and (gone or child.status is not InstanceStatus.ABANDONED):
                yield field, child


def family(state: DialogueState, instance: Instance, specification: Specification) -> Iterator[Instance]:
    """Yield what is nested in an instance, innermost first, then itself."""
    for _, child in children(state, instance, specification):
        yield from family(state, child, specification)
    yield instance


def ancestors(state: DialogueState, instance: Instance) -> Iterator[Instance]:
    """The instances it is nested in, nearest first."""
    while instance.parent:
        parent = state.instance(instance.parent.split(".", 1)[0])
        if parent is None:
            return
        yield parent
        instance = parent


def root_of(state: DialogueState, instance: Instance) -> Instance:
    """Return the task that an instance belongs to: itself, or the outermost it is nested in."""
    return next(iter([*ancestors(state, instance)][::-1]), instance)


def optional_part(state: DialogueState, instance: Instance, specification: Specification) -> Field | None:
    """The field that holds an instance, where one can do without it and nothing is known of it yet; else None."""
    owner, _, name = instance.parent.partition(".")
    at = state.instance(owner)
    field = worksheet_of(specification, at).by_name[name] if at is not None else None
    if field is None or field.required:
        return None
    return field if all(slot.status is not SlotStatus.SET for slot in instance.slots.values()) else None


def with_status(
    state: DialogueState, instance: Instance, status: InstanceStatus, specification: Specification
) -> DialogueState:
    """An instance and what is nested in it go from its status to another; what was done inside stays done."""
    for member in list(family(state, instance, specification)):
        if member.status is instance.status or member.name == instance.name:
            state = state.with_instance(member.model_copy(update={"status": status}))
    return state


def dropped(state: DialogueState, instance: str, field: str, specification: Specification) -> DialogueState:
    """A field is as if it had never been filled; what was nested in it is abandoned."""
    found = state.instance(instance)
    if found is None:
        return state
    for at, child in list(children(state, found, specification)):
        if at.name == field:
            state = with_status(state, child, InstanceStatus.ABANDONED, specification)
    return with_slot(state, instance, field, None)


def values(state: DialogueState, instance: Instance, specification: Specification) -> dict[str, Any]:
    """Return what is known, as machine values by field: nested worksheets as objects, rows of a corpus by their keys.

    Confirmations are no values, and neither are fields that an action's result filled.
    """
    known: dict[str, Any] = {}
    for field in worksheet_of(specification, instance).fields:
        slot = instance.slot(field.name)
        if slot.status is not SlotStatus.SET or field.type.basic is Basic.CONFIRM or field.kind is FieldKind.OUTPUT:
            continue
        if specification.nested(field) is None:
            known[field.name] = machine(slot.value)
            continue
        inner = [
            values(state, child, specification) for at, child in children(state, instance, specification) if at is field
        ]
        known[field.name] = inner if field.type.many else next(iter(inner), {})
    return known


def machine(value: Any) -> Any:
    """Return a value as it stands in acts and effects: JSON, a row by its key."""
    if isinstance(value, Entity):
        return value.key
    if isinstance(value, list | tuple):
        return [machine(item) for item in value]
    return value


def bound_to(state: DialogueState, instance: Instance, specification: Specification, field: str = "") -> str:
    """Return what a confirmation is bound to: all values of the instance, or only that of `field`."""
    shown = values(state, instance, specification)
    if field:
        shown = {field: shown.get(field)}
    return digest({"instance": instance.name, "values": shown})


def is_confirmed(state: DialogueState, instance: Instance, specification: Specification) -> bool:
    """Return whether the user said yes to exactly the values the instance has now."""
    field = worksheet_of(specification, instance).confirmation
    if field is None:
        return True
    slot = instance.slot(field.name)
    return slot.confirmed and slot.value is True and slot.bound == bound_to(state, instance, specification)
