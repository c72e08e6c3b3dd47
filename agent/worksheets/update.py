"""Applying a message's statements to the dialogue state (Genie Worksheets section 5.1).

All of them or none: a statement that names what does not exist spoils the message, and the state stays as it was. A
value that will not do is a different matter: it is refused with its reason, and the others stand.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.worksheets import verbalise
from agent.worksheets.actions import Refusal, Registry
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.answering import answer
from agent.worksheets.checking import alternatives, checked, first_fitting
from agent.worksheets.choosing import Offer, offer, offered, unread
from agent.worksheets.consequences import forget_options, inapplicable, outdate
from agent.worksheets.draft import Draft, Found, Updated
from agent.worksheets.entailment import entailed, implied
from agent.worksheets.instances import ancestors, dropped, optional_part
from agent.worksheets.placing import abandon, imply, resume, set_aside, start, start_routed
from agent.worksheets.rules import Rules
from agent.worksheets.sole import take_sole
from agent.worksheets.specification import Field, Specification
from agent.worksheets.state import DialogueState, Entity, Instance, InstanceStatus, Slot, SlotStatus
from agent.worksheets.statements import (
    Abandon,
    Assign,
    Clear,
    Confirm,
    Decline,
    Fill,
    Pick,
    Resume,
    Start,
    Statement,
    Unclear,
)
from agent.worksheets.twins import merge
from agent.worksheets.wellformed import malformed, tidied

__all__ = ["Found", "Updated", "apply"]

Value = Assign | Fill | Pick


async def apply(
    state: DialogueState,
    statements: Sequence[Statement],
    found: Mapping[int, Found],
    specification: Specification,
    registry: Registry,
    now: datetime.datetime,
) -> Updated:
    """Return the state after a message. `found` has what each question that a Fill points at came to.

    What a value check raises besides Refusal (a database that cannot be reached) is raised here.
    """
    said = tidied(statements, state, specification)
    if problem := malformed(said, state, specification, found):
        return Updated(state, state, (), (Act(act=ActKind.CLARIFY, text=verbalise.not_understood(), field=problem),))
    draft = Draft(state, state, specification, registry, Rules(specification, now), found)
    await _set_gates(draft, said)
    _open_and_close(draft, said)
    said = tuple(item for item in said if getattr(item, "instance", "") not in draft.refused)
    _take_up(draft, said)
    _take_back(draft, said)
    await _assign_all(draft, [item for item in said if isinstance(item, Value)])
    merge(draft)
    start_routed(draft)
    await _settle(draft)
    await take_sole(draft, said)
    settled = len(draft.changed)
    put_up: list[Offer] = []
    for item in said:
        if isinstance(item, Confirm):
            answer(draft, item)
        elif isinstance(item, Unclear) and item.choices:
            put_up += await offer(draft, item)
        elif isinstance(item, Unclear):
            await unread(draft, item)
    if len(draft.changed) > settled:
        await _settle(draft)
    offered(draft, put_up)
    _lapse(draft)
    return Updated(state, draft.state, tuple(draft.changed), tuple(draft.problems))


async def _set_gates(draft: Draft, said: Sequence[Statement]) -> None:
    """Values that decide whether a worksheet may be opened come before its opening in the same message."""
    gates = {
        (gate.worksheet, gate.field)
        for item in said
        if isinstance(item, Start)
        for gate in entailed(draft.specification, item.worksheet)
    }
    for item in said:
        at = draft.state.instance(item.instance)
        if at is None or not isinstance(item, Assign) or (at.worksheet, item.field) not in gates or draft.routes(at):
            continue
        if draft.root(at).status is InstanceStatus.ACTIVE:
            await _assign(draft, item, frozenset())
    if draft.changed:
        await _settle(draft)


def _open_and_close(draft: Draft, said: Iterable[Statement]) -> None:
    for item in said:
        match item:
            case Start():
                start(draft, item)
            case Abandon(instance=name, aside=True):
                set_aside(draft, name)
            case Abandon(instance=name):
                abandon(draft, name)
            case Resume(instance=name):
                resume(draft, name)


def _take_up(draft: Draft, said: Iterable[Statement]) -> None:
    """A value for a task that was set aside, given up or offered takes it up again."""
    for item in said:
        if isinstance(item, Value) and draft.state.instance(item.instance) is not None:
            instance = draft.instance(item.instance)
            root = draft.root(instance)
            given_up = instance.status is InstanceStatus.ABANDONED
            if (given_up or root.status is not InstanceStatus.ACTIVE) and root.name not in draft.started:
                resume(draft, instance.name)


def _take_back(draft: Draft, said: Iterable[Statement]) -> None:
    for item in said:
        match item:
            case Clear(instance=name, field=field):
                draft.unset(name, field)
            case Decline(instance=name, field=field) if (
                isinstance(value := draft.slot(name, field).value, tuple) and value
            ):
                draft.put(
                    name, field, draft.slot(name, field).model_copy(update={"asked": len(value)})
                )  # no more of them
            case Decline(instance=name, field=field, unknown=unknown):
                name, field = _declined(draft, name, field)
                status = SlotStatus.UNKNOWN if unknown else SlotStatus.REFUSED
                before = draft.slot(name, field)
                draft.unset(name, field, status=status, refusals=before.refusals + 1)
                asked = max(draft.state.asked.get(f"{name}.{field}", 0), 2)
                draft.waits(asked={**draft.state.asked, f"{name}.{field}": asked})  # then it is said why it is needed


def _declined(draft: Draft, name: str, field: str) -> tuple[str, str]:
    """The field that a refusal is about: in an optional part of the form that is still empty, the part as a whole."""
    instance = draft.instance(name)
    part = optional_part(draft.state, instance, draft.specification)
    if part is None or not draft.field(name, field).required:
        return name, field
    return instance.parent.partition(".")[0], part.name


async def _assign_all(draft: Draft, said: Sequence[Value]) -> None:
    """Values in the order of the form, so that each is checked against those before it."""
    for index, item in enumerate(ordered := sorted(said, key=lambda item: _place(draft, item))):
        instance = draft.instance(item.instance)
        root = draft.root(instance)
        if root.status is InstanceStatus.DONE:
            if not any(problem.instance == root.name for problem in draft.problems):
                draft.say(verbalise.done_already(root, draft.worksheet(root)), root.name)
            continue
        later = frozenset(other.field for other in ordered[index + 1 :] if other.instance == item.instance)
        await _assign(draft, item, later)


def _place(draft: Draft, item: Value) -> tuple[int, int]:
    instance = draft.instance(item.instance)
    names = list(draft.worksheet(instance).by_name)
    return len(list(ancestors(draft.state, instance))), names.index(item.field)


async def _assign(draft: Draft, item: Value, later: frozenset[str]) -> None:
    instance, field = draft.instance(item.instance), draft.field(item.instance, item.field)
    imply(draft, instance, implied(draft.specification, instance.worksheet, field.predicate))
    if draft.rules.excludes(draft.state, draft.instance(instance.name), field):
        draft.say(verbalise.does_not_apply(field), instance.name, field.name, ActKind.CLARIFY)
        return
    match item:
        case Fill():
            await _fill(draft, item, field, later)
        case Pick():
            entity = Entity(table=item.table, key=item.key, title=item.title)
            await _set(draft, item, field, entity, later, confirmed=True)
        case Assign():
            await _set(draft, item, field, item.value, later)


async def _fill(draft: Draft, item: Fill, field: Field, later: frozenset[str]) -> None:
    """What a question found: one row is the value, several are candidates, none leaves the field as it was."""
    found = draft.found.get(item.question, Found())
    if not found.entities:
        return
    if field.type.many:
        await _set(draft, item, field, found.entities, later, confirmed=found.named)
        return
    if field.type.basic is not None:
        await _fill_plain(draft, item, field, found, later)
        return
    if found.best or len(found.entities) == 1:
        entity = found.entities[0]
        named = found.named or (bool(entity.title) and entity.title.casefold() in item.words.casefold())
        await _set(draft, item, field, entity, later, confirmed=named)
        return
    asked = draft.slot(item.instance, field.name).asked
    draft.put(
        item.instance,
        field.name,
        Slot(status=SlotStatus.OPEN, candidates=found.entities, asked=asked, words=item.words),
    )
    draft.change(item.instance, field.name)


async def _fill_plain(draft: Draft, item: Fill, field: Field, found: Found, later: frozenset[str]) -> None:
    """A row told by its key: the one that was asked for, or the only one, which is then confirmed by itself."""
    entity = found.entities[0]
    if not found.best and len(found.entities) > 1:
        return
    if entity.title and entity.title != entity.key:
        draft.say(verbalise.found(entity), item.instance, field.name)
    await _set(draft, item, field, entity.key, later)
    slot = draft.slot(item.instance, field.name)
    if slot.status is SlotStatus.SET and not found.best:
        draft.put(item.instance, field.name, slot.model_copy(update={"doubted": True}))


async def _set(
    draft: Draft, item: Value, field: Field, value: Any, later: frozenset[str], confirmed: bool = False
) -> None:
    name, before = item.instance, draft.slot(item.instance, field.name)
    others = item.others if isinstance(item, Assign) else ()
    try:
        value = await first_fitting((value, *others), lambda one: _fitting(draft, name, field, one, later))
    except Refusal as refusal:
        if refusal.final:
            draft.say(refusal.sentence, name)
            abandon(draft, draft.root(draft.instance(name)).name, say=False)
            return
        kept = verbalise.kept(field, before, draft.today)
        draft.put(name, field.name, before.model_copy(update={"options": alternatives(refusal)}))
        options = verbalise.choices(alternatives(refusal), field, draft.today)
        text = f"{refusal.sentence} {kept}".strip()
        draft.say(text, name, field.name, ActKind.CLARIFY, options=options)
        return
    except ExpressionError as error:
        draft.broken(error, name, field.name)
        return
    same = before.status is SlotStatus.SET and before.value == value
    if not same:
        draft.change(name, field.name)
    draft.put(
        name,
        field.name,
        Slot(
            status=SlotStatus.SET,
            value=value,
            confirmed=confirmed or (same and before.confirmed),
            asked=before.asked,
            ran=before.ran,
            words=item.words,
            others=tuple(one for one in others if one != value),
        ),
    )


async def _fitting(draft: Draft, name: str, field: Field, value: Any, later: frozenset[str]) -> Any:
    """The value as it is stored. Where an older value of another field is in its way (the time, for a new day), the new
    one stands; `_recheck` then takes the other back, with what would do instead."""
    try:
        return await checked(draft, name, field, value, later)
    except Refusal as refusal:
        other = refusal.field
        if other in later or not _is_in_the_way(draft, name, field, other):
            raise
        return await checked(draft, name, field, value, later | {other})


def _is_in_the_way(draft: Draft, name: str, field: Field, other: str) -> bool:
    """Whether it is an older value of another field that a refusal names, which its own check takes back."""
    named = draft.worksheet(draft.instance(name)).by_name.get(other)
    if named is None or other == field.name or (name, other) in draft.changed:
        return False
    return draft.slot(name, other).status is SlotStatus.SET and _is_checked(draft, draft.instance(name), named)


async def _settle(draft: Draft) -> None:
    """What follows from the changes: fields that no longer apply go, outdated confirmations and problems with them."""
    if draft.changed:
        await _recheck(draft)
    for _ in range(1 + sum(len(instance.slots) for instance in draft.state.instances)):
        gone = next(inapplicable(draft), None)
        if gone is None:
            break
        name, field = gone
        draft.state = dropped(draft.state, name, field, draft.specification)
        draft.change(name, field)
    for name in dict.fromkeys(instance for instance, _ in draft.changed):
        instance = draft.state.instance(name)
        if instance is not None:
            outdate(draft, instance)
            forget_options(draft, draft.root(instance))


async def _recheck(draft: Draft) -> None:
    """Values beside those that changed are checked again; one that would not do before may do now."""
    for name in dict.fromkeys(instance for instance, _ in draft.changed):
        instance = draft.state.instance(name)
        if instance is None or instance.status not in (InstanceStatus.ACTIVE, InstanceStatus.SUSPENDED):
            continue
        for field in draft.worksheet(instance).fields:
            slot = draft.slot(name, field.name)
            if (name, field.name) in draft.changed or slot.value is None or draft.specification.nested(field):
                continue
            if slot.status is SlotStatus.OPEN or not _is_checked(draft, instance, field):
                continue
            await _check_again(draft, name, field, slot)


def _is_checked(draft: Draft, instance: Instance, field: Field) -> bool:
    kept = instance.slot(field.name).status is SlotStatus.UNSET
    return kept or bool(field.validation) or (instance.worksheet, field.name) in draft.registry.checks


async def _check_again(draft: Draft, name: str, field: Field, slot: Slot) -> None:
    try:
        fitting = await first_fitting((slot.value, *slot.others), lambda one: checked(draft, name, field, one))
    except Refusal as refusal:
        if slot.status is SlotStatus.SET and not _is_in_the_way(draft, name, field, refusal.field):
            update = {"status": SlotStatus.UNSET, "options": alternatives(refusal), "confirmed": False}
            draft.put(name, field.name, slot.model_copy(update=update))
            options = verbalise.choices(alternatives(refusal), field, draft.today)
            draft.say(refusal.sentence, name, field.name, ActKind.CLARIFY, options=options)
            draft.change(name, field.name)
        return
    except ExpressionError as error:
        draft.broken(error, name, field.name)
        return
    if slot.status is SlotStatus.UNSET or fitting != slot.value:
        update = {"status": SlotStatus.SET, "value": fitting, "options": ()}
        draft.put(name, field.name, slot.model_copy(update=update))
        draft.change(name, field.name)


def _lapse(draft: Draft) -> None:
    """An offer that was not taken up is gone; what is waited for is gone with what it was about."""
    for instance in draft.state.instances:
        if instance.status is InstanceStatus.PROPOSED and instance.offered:
            draft.replace(instance, status=InstanceStatus.ABANDONED)
    pending = draft.state.pending
    at = draft.state.instance(pending.instance) if pending else None
    if pending is not None and pending.instance and (at is None or at.status is InstanceStatus.ABANDONED):
        draft.waits(pending=None)
