"""Opening, setting aside, taking up and giving up worksheets; and where a nested one goes."""

from __future__ import annotations

from agent.worksheets import verbalise
from agent.worksheets.acts import ActKind
from agent.worksheets.draft import Draft
from agent.worksheets.entailment import Implied, entailed, implied
from agent.worksheets.instances import ancestors, children, dropped, family, opened, with_slot, with_status
from agent.worksheets.specification import Basic, Field, FieldKind, Worksheet
from agent.worksheets.state import Instance, InstanceStatus, Slot, SlotStatus
from agent.worksheets.statements import Start


def start(draft: Draft, said: Start) -> None:
    """Open the worksheet that a statement names: a task of its own, or nested where there is room for it."""
    worksheet = draft.specification.by_name[said.worksheet]
    if draft.state.instance(said.instance) is not None:
        return  # opened for what is nested in it, a statement before
    if worksheet.name not in draft.specification.parents:
        if said.offered:
            draft.state, instance = opened(draft.state, worksheet, said.instance, status=InstanceStatus.PROPOSED)
            draft.started.append(instance.name)
        else:
            _start_root(draft, worksheet, said.instance)
        return
    place = said.parent if _is_place(draft, worksheet, said.parent) else find_place(draft, worksheet)
    if place is None:
        _refuse(draft, worksheet, said.instance)
        return
    _open_at(draft, worksheet, place, said.instance)


def _start_root(draft: Draft, worksheet: Worksheet, name: str) -> None:
    before = draft.state
    draft.state, instance = opened(draft.state, worksheet, name)
    if draft.routes(instance):
        return
    if draft.started:  # one thing after the other: what was named second is taken up second
        draft.started.append(instance.name)
        draft.replace(instance, status=InstanceStatus.SUSPENDED)
        return
    focus(draft, instance)
    if draft.rules.allows(draft.state, draft.instance(instance.name)) is False:
        draft.state = before
        _refuse(draft, worksheet, instance.name)
        return
    draft.started.append(instance.name)


def _refuse(draft: Draft, worksheet: Worksheet, name: str) -> None:
    draft.refused.add(name)
    draft.say(verbalise.cannot_start(worksheet))


def _open_at(draft: Draft, worksheet: Worksheet, place: str, name: str = "") -> Instance:
    """A nested instance in a field; an empty one that stood there makes way."""
    owner, field = place.split(".", 1)
    declared = draft.field(owner, field)
    if not declared.type.many:
        asked = draft.slot(owner, field).asked
        draft.state = dropped(draft.state, owner, field, draft.specification)
        draft.state = with_slot(draft.state, owner, field, Slot(asked=asked))
    elif not isinstance(draft.slot(owner, field).value, tuple):
        draft.put(owner, field, Slot(value=()))
    status = draft.instance(owner).status
    status = status if status is InstanceStatus.PROPOSED else InstanceStatus.ACTIVE
    draft.state, instance = opened(draft.state, worksheet, name, place, status=status)
    draft.change(owner, field)
    return instance


def _is_place(draft: Draft, worksheet: Worksheet, place: str) -> bool:
    """Whether a place that a statement names ("main_1.courses_to_take") takes an instance of the worksheet."""
    owner, _, name = place.partition(".")
    at = draft.state.instance(owner)
    field = draft.worksheet(at).by_name.get(name) if at else None
    return field is not None and at is not None and field.type.name == worksheet.name and _fits(draft, at, field)


def find_place(draft: Draft, worksheet: Worksheet, seen: frozenset[str] = frozenset()) -> str | None:
    """Return a field with room for the worksheet, in what is open or can be opened; what that implies is set."""
    places = draft.specification.parents.get(worksheet.name, ())
    openly = [
        (instance, field)
        for owner, field in places
        for instance in _open(draft, owner)
        if _free(draft, instance, field)
    ]
    for instance, field in openly:
        if draft.rules.shows(draft.state, instance, field) and _fits(draft, instance, field):
            return f"{instance.name}.{field.name}"
    for instance, field in openly:
        if _fits(draft, instance, field):
            return f"{instance.name}.{field.name}"
    for owner, field in places:
        above = (
            None if owner.name in seen or _open(draft, owner) else _open_parent(draft, owner, seen | {worksheet.name})
        )
        if above is not None and _fits(draft, above, field):
            return f"{above.name}.{field.name}"
    return None


def _open(draft: Draft, worksheet: Worksheet) -> list[Instance]:
    """Its active instances, those of the task in focus first."""
    active = [item for item in draft.state.open_instances() if item.worksheet == worksheet.name]
    return sorted(active, key=lambda item: draft.root(item).name != draft.state.focus)


def _open_parent(draft: Draft, worksheet: Worksheet, seen: frozenset[str]) -> Instance | None:
    if worksheet.name not in draft.specification.parents:
        _start_root(draft, worksheet, "")
        return next(iter(_open(draft, worksheet)), None)
    place = find_place(draft, worksheet, seen)
    return None if place is None else _open_at(draft, worksheet, place)


def _free(draft: Draft, instance: Instance, field: Field) -> bool:
    """Whether a field has room: it is a list, holds nothing, or holds an instance nothing is known of yet."""
    inside = [child for at, child in children(draft.state, instance, draft.specification) if at is field]
    return field.type.many or not any(_filled(draft, child) for child in inside)


def _filled(draft: Draft, instance: Instance) -> bool:
    members = list(family(draft.state, instance, draft.specification))
    return any(
        slot.status is not SlotStatus.UNSET and draft.specification.nested(draft.field(member.name, name)) is None
        for member in members
        for name, slot in member.slots.items()
    )


def _fits(draft: Draft, instance: Instance, field: Field) -> bool:
    """Whether a field can be filled, once what that implies is set."""
    if not _free(draft, instance, field):
        return False
    nested = draft.specification.nested(field)
    gates = implied(draft.specification, instance.worksheet, field.predicate)
    gates += implied(draft.specification, nested.name, nested.predicate) if nested else ()
    imply(draft, instance, gates)
    at = draft.instance(instance.name)
    if nested is not None and nested.predicate:
        return draft.rules.shows(draft.state, at, field) is not False
    return not draft.rules.excludes(draft.state, at, field)


def imply(draft: Draft, instance: Instance, gates: tuple[Implied, ...]) -> None:
    """Set what a value that was given implies: gates nobody has spoken of yet, and a "no more" that is overtaken."""
    for gate in gates:
        at = draft.rules.nearest(draft.state, instance, gate.worksheet)
        if at is None:
            continue
        slot, field = at.slot(gate.field), draft.worksheet(at).by_name[gate.field]
        if field.kind is not FieldKind.INPUT or slot.value == gate.value:
            continue
        if slot.status is SlotStatus.UNSET or field.type.basic is Basic.BOOLEAN:
            draft.put(at.name, field.name, Slot(status=SlotStatus.SET, value=gate.value, asked=slot.asked))
            draft.change(at.name, field.name)


def focus(draft: Draft, instance: Instance) -> None:
    """Work on a task: another that was being worked on is set aside, and routers tell that this is wanted."""
    for other in draft.state.open_instances():
        if not other.parent and other.name != instance.name and not draft.routes(other):
            draft.state = with_status(draft.state, other, InstanceStatus.SUSPENDED, draft.specification)
    draft.waits(focus=instance.name)
    for gate in entailed(draft.specification, instance.worksheet):
        router = draft.specification.by_name[gate.worksheet]
        at = next(iter(_open(draft, router)), None)
        if at is None and router.name not in draft.specification.parents:
            draft.state, at = opened(draft.state, router)
        if at is not None and draft.routes(at) and at.slot(gate.field).value != gate.value:
            draft.put(at.name, gate.field, Slot(status=SlotStatus.SET, value=gate.value))
            draft.change(at.name, gate.field)


def start_routed(draft: Draft) -> None:
    """Start the task that a router was just set to, where it was not started by name."""
    for name, field in list(draft.changed):
        router = draft.state.instance(name)
        if router is None or not draft.routes(router) or draft.started:
            continue
        gate = Implied(router.worksheet, field, router.slot(field).value)
        for worksheet in draft.specification.roots:
            if gate in entailed(draft.specification, worksheet.name) and not _open(draft, worksheet):
                _start_root(draft, worksheet, "")


def resume(draft: Draft, name: str) -> None:
    """Take a task up again that was set aside, given up or offered; one that is done stays done."""
    instance = draft.instance(name)
    root = draft.root(instance)
    if root.status is InstanceStatus.DONE:
        draft.say(verbalise.done_already(root, draft.worksheet(root)), root.name)
        return
    _put_back(draft, instance)
    if root.status is not InstanceStatus.ACTIVE:
        draft.state = with_status(draft.state, root, InstanceStatus.ACTIVE, draft.specification)
        draft.replace(root, offered=0, declined=0)
    if not draft.routes(root):
        focus(draft, draft.instance(root.name))


def _put_back(draft: Draft, instance: Instance) -> None:
    """A nested instance that was given up stands in its field again, if nothing else does."""
    for member in (instance, *ancestors(draft.state, instance)):
        owner, _, field = member.parent.partition(".")
        if owner and draft.slot(owner, field).status in (SlotStatus.UNSET, SlotStatus.REFUSED):
            draft.put(owner, field, Slot(status=SlotStatus.SET, value=member.name))
            draft.state = with_status(draft.state, member, draft.instance(owner).status, draft.specification)


def abandon(draft: Draft, name: str, *, say: bool = True) -> None:
    """Abandon a task. A nested one that has to be filled takes the whole task with it; one that need not is left."""
    instance = draft.instance(name)
    if instance.status is InstanceStatus.DONE and not instance.parent:
        draft.say(verbalise.done_already(instance, draft.worksheet(instance)), name)
        return
    if instance.parent:
        owner, field = instance.parent.split(".", 1)
        draft.unset(owner, field)
        if draft.field(owner, field).required:
            abandon(draft, owner, say=say)
            return
        draft.put(owner, field, Slot(status=SlotStatus.REFUSED, refusals=1))
    else:
        draft.state = with_status(draft.state, instance, InstanceStatus.ABANDONED, draft.specification)
        if draft.state.focus == name:
            draft.waits(focus="", pending=None)
    if say:
        draft.say(verbalise.abandoned(draft.worksheet(instance)), name, act=ActKind.SAY)


def set_aside(draft: Draft, name: str) -> None:
    """Leave a task for now, as it is: it can be taken up again, and is not offered by itself."""
    root = draft.root(draft.instance(name))
    if root.status is not InstanceStatus.ACTIVE:
        return
    draft.state = with_status(draft.state, root, InstanceStatus.SUSPENDED, draft.specification)
    draft.replace(root, offered=1)
    if draft.state.focus == root.name:
        draft.waits(focus="", pending=None)
    draft.say(verbalise.left_aside(draft.worksheet(root)), root.name)
