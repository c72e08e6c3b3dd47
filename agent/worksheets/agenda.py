"""What a dialogue state still wants, in order: the first field to confirm, to run, to ask; depth first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agent.worksheets.entailment import is_router
from agent.worksheets.instances import ancestors, bound_to, children, family, is_confirmed, opened, worksheet_of
from agent.worksheets.rules import Rules, unconfirmed
from agent.worksheets.specification import Basic, Field, FieldKind, Specification
from agent.worksheets.state import DialogueState, Instance, InstanceStatus, Slot, SlotStatus, digest

MOST_NESTED = 50  # instances that one turn may open by itself


@dataclass(frozen=True)
class Want:
    """The next thing to ask: a value ("ask"), one of several candidates ("pick"), a yes ("confirm", with the field
    itself or that of type confirm), or whether a list goes on ("more")."""

    kind: Literal["ask", "pick", "confirm", "more"]
    instance: str
    field: str


def working(state: DialogueState, specification: Specification) -> tuple[Instance, ...]:
    """The active instances, nested ones before what they are nested in, the task in focus first."""
    roots = sorted(
        (item for item in state.open_instances() if not item.parent), key=lambda item: item.name != state.focus
    )
    return tuple(
        member
        for root in roots
        for member in family(state, root, specification)
        if member.status is InstanceStatus.ACTIVE
    )


def doubt(state: DialogueState, specification: Specification) -> Want | None:
    """Return the first value that has to be confirmed by itself, or chosen among candidates."""
    focus = state.instance(state.focus)
    if focus is None or focus.status is not InstanceStatus.ACTIVE:
        return None
    for instance in family(state, focus, specification):
        for field in worksheet_of(specification, instance).fields:
            slot = instance.slot(field.name)
            if slot.status is SlotStatus.OPEN:
                return Want("pick", instance.name, field.name)
            if slot.status is SlotStatus.SET and field.type.basic is not Basic.CONFIRM and unconfirmed(field, slot):
                return Want("confirm", instance.name, field.name)
    return None


def field_to_run(state: DialogueState, rules: Rules) -> tuple[Instance, Field] | None:
    """Return the first field with actions whose value they have not run for; confirmed, where that is asked."""
    for instance in working(state, rules.specification):
        for field in worksheet_of(rules.specification, instance).fields:
            slot = instance.slot(field.name)
            if not field.actions.strip() or slot.status is not SlotStatus.SET or slot.ran == ran(slot):
                continue
            if (
                field.type.basic is Basic.CONFIRM
                and slot.value
                and not is_confirmed(state, instance, rules.specification)
            ):
                continue
            settled = field.type.basic is Basic.CONFIRM or not unconfirmed(field, slot)
            if settled and rules.shows(state, instance, field):
                return instance, field
    return None


def ran(slot: Slot) -> str:
    """Return what `Slot.ran` is after a field's actions ran for its value."""
    return digest([slot.value, slot.bound])


def worksheet_to_run(state: DialogueState, rules: Rules) -> Instance | None:
    """Return the first worksheet that is complete, confirmed where it has to be, and whose actions have not run."""
    for instance in working(state, rules.specification):
        worksheet = worksheet_of(rules.specification, instance)
        if is_router(rules.specification, worksheet):
            continue
        nested_only = instance.parent and not (worksheet.actions.strip() or worksheet.backend.strip())
        if nested_only or instance.problem or not rules.allows(state, instance):
            continue
        if rules.complete(state, instance) and not broken(rules, state, instance):
            return instance
    return None


def broken(rules: Rules, state: DialogueState, instance: Instance) -> bool:
    """Return whether a rule of the worksheet, or of one nested in it, does not work: then nothing of it may run."""
    members = {member.worksheet for member in family(state, instance, rules.specification)}
    return any(worksheet in members for worksheet, _, _ in rules.broken)


def next_want(state: DialogueState, rules: Rules) -> tuple[DialogueState, Want | None]:
    """Return what to ask next of the task in focus; nested worksheets on the way there are opened."""
    focus = state.instance(state.focus)
    if focus is None or focus.status is not InstanceStatus.ACTIVE:
        return state, None
    for _ in range(MOST_NESTED):
        want, field_to_open = _first(state, rules, state.instance(focus.name) or focus)
        if field_to_open is None:
            return state, want
        instance, field = field_to_open
        nested = rules.specification.nested(field)
        above = {instance.worksheet, *(member.worksheet for member in ancestors(state, instance))}
        if nested is None or nested.name in above:  # a worksheet inside itself has no end
            return state, want
        state, _child = opened(_listed(state, instance, field), nested, parent=f"{instance.name}.{field.name}")
    return state, None


def _listed(state: DialogueState, instance: Instance, field: Field) -> DialogueState:
    """A field that takes a list holds an empty one before its first instance is opened."""
    slot = instance.slot(field.name)
    if not field.type.many or isinstance(slot.value, tuple):
        return state
    emptied = slot.model_copy(update={"value": (), "status": SlotStatus.SET})
    return state.with_instance(instance.model_copy(update={"slots": {**instance.slots, field.name: emptied}}))


Opening = tuple[Instance, Field]


def _first(state: DialogueState, rules: Rules, instance: Instance) -> tuple[Want | None, Opening | None]:
    """The first thing that an instance wants, or the nested worksheet that has to be opened to tell."""
    if rules.allows(state, instance) is not True:
        return None, None
    for field in _asked_for(rules, state, instance):
        if rules.specification.nested(field) is None:
            return Want("ask", instance.name, field.name), None
        inside = [child for at, child in children(state, instance, rules.specification) if at is field]
        for child in inside:
            want, opening = _first(state, rules, child)
            if want or opening:
                return want, opening
        if not inside:
            return None, (instance, field)
        if field.type.many and instance.slot(field.name).asked < len(inside):
            return Want("more", instance.name, field.name), None
    confirmation = worksheet_of(rules.specification, instance).confirmation
    if confirmation is None or is_confirmed(state, instance, rules.specification):
        return None, None
    return Want("confirm", instance.name, confirmation.name) if rules.shows(
        state, instance, confirmation
    ) else None, None


def _asked_for(rules: Rules, state: DialogueState, instance: Instance) -> Iterator[Field]:
    """The fields that may still have to be asked: those of worksheets always, as only they know what they lack."""
    for field in worksheet_of(rules.specification, instance).fields:
        slot = instance.slot(field.name)
        asked_for = field.kind is FieldKind.INPUT and field.type.basic is not Basic.CONFIRM and field.ask
        inside = slot.status is SlotStatus.SET and rules.specification.nested(field) is not None
        if not (asked_for or inside):
            continue
        if not rules.shows(state, instance, field):
            continue
        if rules.specification.nested(field) is not None:
            if field.required or slot.status is SlotStatus.SET or (slot.status is SlotStatus.UNSET and not slot.asked):
                yield field
        elif rules.missing(state, instance, field):
            yield field


def confirmation_digest(state: DialogueState, want: Want, specification: Specification) -> str:
    """Return what the confirmation that is wanted is bound to."""
    instance = state.instance(want.instance)
    if instance is None:
        raise KeyError(want.instance)
    field = worksheet_of(specification, instance).by_name[want.field]
    return bound_to(state, instance, specification, "" if field.type.basic is Basic.CONFIRM else field.name)
