"""The same thing twice among worksheets of one kind: told by the field that says what each is ("input; primary").

"Introduction to Robotics, CS 264" names one course in two ways: once both are known to be it, it is one.
"""

from __future__ import annotations

from agent.worksheets import verbalise
from agent.worksheets.draft import Draft
from agent.worksheets.instances import children
from agent.worksheets.specification import Field, FieldKind
from agent.worksheets.state import Instance, InstanceStatus, SlotStatus


def merge(draft: Draft) -> None:
    """Take the later of two instances with the same thing back. Said in one message, it is silently one; said again,
    the user is told."""
    now = list(draft.changed)
    for name, field_name in now:
        instance = draft.state.instance(name)
        if instance is None or instance.status is not InstanceStatus.ACTIVE or not instance.parent:
            continue
        field = draft.field(name, field_name)
        if not field.primary or field.kind is not FieldKind.INPUT:
            continue
        for twin in _twins(draft, instance, field):
            first, second = _in_order(draft, instance, twin)
            again = (twin.name, field_name) not in now
            more = _give(draft, second, first)
            _drop(draft, second)
            if again and not more:
                draft.say(verbalise.there_already(field, first.slot(field.name).value, draft.today), first.name)
            break


def _twins(draft: Draft, instance: Instance, field: Field) -> list[Instance]:
    """The other instances of the kind, in the same worksheet, that hold the same thing."""
    slot = instance.slot(field.name)
    parent = draft.state.instance(instance.parent.partition(".")[0])
    if slot.status is not SlotStatus.SET or parent is None:
        return []
    beside = [child for _, child in children(draft.state, parent, draft.specification)]
    return [
        one
        for one in beside
        if one.name != instance.name
        and one.worksheet == instance.worksheet
        and one.slot(field.name).status is SlotStatus.SET
        and one.slot(field.name).value == slot.value
    ]


def _in_order(draft: Draft, one: Instance, other: Instance) -> tuple[Instance, Instance]:
    """Both, in the order of the fields that hold them."""
    parent = draft.instance(one.parent.partition(".")[0])
    names = [child.name for _, child in children(draft.state, parent, draft.specification)]
    return (one, other) if names.index(one.name) < names.index(other.name) else (other, one)


def _give(draft: Draft, source: Instance, target: Instance) -> bool:
    """What was said of the one in this message is said of the other; what it lacked before, too. Whether it is any."""
    given = False
    for name, slot in source.slots.items():
        lacks = target.slot(name).status is not SlotStatus.SET
        said = (source.name, name) in draft.changed and target.slot(name).value != slot.value
        if slot.status is SlotStatus.SET and (lacks or said):
            draft.put(target.name, name, slot)
            draft.change(target.name, name)
            given = True
    return given


def _drop(draft: Draft, instance: Instance) -> None:
    owner, _, held = instance.parent.partition(".")
    slot = draft.slot(owner, held)
    draft.changed[:] = [pair for pair in draft.changed if pair[0] != instance.name]
    if not isinstance(slot.value, tuple):
        draft.unset(owner, held)
        return
    kept = tuple(name for name in slot.value if name != instance.name)
    draft.put(owner, held, slot.model_copy(update={"value": kept}))
    draft.replace(instance, status=InstanceStatus.ABANDONED)
    draft.change(owner, held)
