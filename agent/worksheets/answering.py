"""A yes or no: to a confirmation, an offer, a question that takes one. Only what is pending can be answered.

A confirmation is bound to the values that were shown. A yes counts only while they are the values; any change in
between, in the same message too, withdraws it. It is used once.
"""

from __future__ import annotations

from agent.worksheets import verbalise
from agent.worksheets.acts import ActKind
from agent.worksheets.draft import Draft
from agent.worksheets.instances import ancestors, bound_to, children, opened, optional_part
from agent.worksheets.placing import abandon, resume
from agent.worksheets.specification import Basic
from agent.worksheets.state import Instance, InstanceStatus, Pending, Slot, SlotStatus
from agent.worksheets.statements import Confirm

PATIENCE = 2  # plain noes to a confirmation after which it is offered to leave


def answer(draft: Draft, said: Confirm) -> None:
    """Apply a yes or no to what is pending."""
    pending = draft.before.pending
    if draft.state.instance(said.instance) is None and said.instance:
        return
    if said.digest and (pending is None or pending.digest != said.digest or pending.kind != "confirm"):
        _late(draft, said)
        return
    if pending is None or not _is_about(draft, said, pending):
        return
    if draft.state.instance(pending.instance) is None:
        return
    match pending.kind:
        case "confirm":
            _confirm(draft, pending, said.yes)
        case "propose":
            _offer(draft, pending, said.yes)
        case "leave":
            _leave(draft, pending, said.yes)
        case "clarify":
            _clarify(draft, pending, said.yes)
        case "which":
            draft.waits(pending=None)  # none of them: what was shown before is shown again
        case "ask" | "pick":
            _plain(draft, pending, said.yes)


def _is_about(draft: Draft, said: Confirm, pending: Pending) -> bool:
    """Whether a yes or no answers what is pending: it names that, the task it belongs to, or nothing.

    A confirmation is answered by its own name or that of a worksheet around it, never by one nested in it.
    """
    if said.field and pending.field and said.field != pending.field:
        return False
    one, other = draft.state.instance(said.instance), draft.state.instance(pending.instance)
    if one is None or other is None or one.name == other.name:
        return True
    if pending.kind == "confirm":
        return not said.field and one.name in [above.name for above in ancestors(draft.state, other)]
    return draft.root(one).name == draft.root(other).name


def _late(draft: Draft, said: Confirm) -> None:
    """A button of a card whose values are no longer those, or that was pressed before."""
    instance = draft.state.instance(said.instance)
    if instance is None:
        return
    if instance.status is InstanceStatus.DONE:
        draft.say(verbalise.done_already(instance, draft.worksheet(instance)), instance.name)
    elif said.yes:
        draft.say(verbalise.outdated(draft.worksheet(instance)), instance.name)


def _confirm(draft: Draft, pending: Pending, yes: bool) -> None:
    instance = draft.instance(pending.instance)
    field = draft.worksheet(instance).by_name[pending.field]
    of_all = field.type.basic is Basic.CONFIRM
    now = bound_to(draft.state, instance, draft.specification, "" if of_all else field.name)
    if now != pending.digest:
        draft.waits(pending=None)  # other values than were shown: they are shown anew
        return
    if of_all:
        _confirm_all(draft, instance, pending, yes)
    elif yes:
        slot = instance.slot(field.name)
        draft.put(instance.name, field.name, slot.model_copy(update={"confirmed": True, "doubted": False}))
        draft.waits(pending=None)
    else:
        draft.unset(instance.name, field.name)
        draft.waits(pending=None)


def _confirm_all(draft: Draft, instance: Instance, pending: Pending, yes: bool) -> None:
    asked = instance.slot(pending.field).asked
    slot = Slot(status=SlotStatus.SET, value=yes, confirmed=yes, bound=pending.digest, asked=asked)
    draft.put(instance.name, pending.field, slot)
    instance = draft.instance(instance.name)
    if yes:
        draft.replace(instance, confirmations=instance.confirmations + 1, declined=0, problem="")
        draft.waits(pending=None)
        return
    draft.replace(instance, declined=instance.declined + 1)
    kind = "leave" if instance.declined + 1 >= PATIENCE else "clarify"
    draft.waits(pending=Pending.model_validate({"kind": kind, "instance": instance.name}))


def _offer(draft: Draft, pending: Pending, yes: bool) -> None:
    """An offered task, one to be taken up again, or one more of a list."""
    instance = draft.instance(pending.instance)
    draft.waits(pending=None)
    if pending.field and instance.status is InstanceStatus.PROPOSED:
        resume(draft, instance.name)
        draft.put(instance.name, pending.field, Slot(status=SlotStatus.SET, value=yes, asked=1))
        draft.change(instance.name, pending.field)
    elif pending.field:
        _one_more(draft, instance, pending.field, yes)
    elif yes:
        resume(draft, instance.name)
    elif instance.status is InstanceStatus.PROPOSED:
        draft.replace(instance, status=InstanceStatus.ABANDONED)
        draft.say(verbalise.offer_declined(draft.worksheet(instance)), instance.name)
    else:
        draft.say(verbalise.left_aside(draft.worksheet(instance)), instance.name)


def _one_more(draft: Draft, instance: Instance, name: str, yes: bool) -> None:
    field = draft.worksheet(instance).by_name[name]
    nested = draft.specification.nested(field)
    if yes and nested is not None:
        draft.state, _ = opened(draft.state, nested, parent=f"{instance.name}.{name}")
    else:
        held = sum(at is field for at, _ in children(draft.state, instance, draft.specification))
        draft.put(instance.name, name, draft.slot(instance.name, name).model_copy(update={"asked": held}))
    draft.change(instance.name, name)


def _leave(draft: Draft, pending: Pending, yes: bool) -> None:
    draft.waits(pending=None)
    instance = draft.root(draft.instance(pending.instance))
    if yes:
        abandon(draft, instance.name)
    else:
        draft.replace(instance, declined=0)


def _clarify(draft: Draft, pending: Pending, yes: bool) -> None:
    """ "What should I change?": a yes means nothing is to change; another no may mean that it should be dropped."""
    draft.waits(pending=None if yes else Pending(kind="leave", instance=pending.instance))


def _plain(draft: Draft, pending: Pending, yes: bool) -> None:
    """A yes or no where a value was asked for. Of a question that takes one, it is the value."""
    field = draft.field(pending.instance, pending.field)
    slot = draft.slot(pending.instance, field.name)
    if field.type.basic is Basic.BOOLEAN:
        draft.put(pending.instance, field.name, slot.model_copy(update={"status": SlotStatus.SET, "value": yes}))
        draft.change(pending.instance, field.name)
        draft.waits(pending=None)
    elif not field.required:  # "yes, go on" passes it over; "no" refuses it
        status = SlotStatus.UNSET if yes else SlotStatus.REFUSED
        draft.put(pending.instance, field.name, slot.model_copy(update={"status": status, "refusals": int(not yes)}))
        draft.waits(pending=None)
    elif not yes or optional_part(draft.state, draft.instance(pending.instance), draft.specification) is None:
        draft.say(verbalise.not_an_answer(field), pending.instance, field.name, ActKind.CLARIFY)
