"""Where the tasks of a conversation stand, as a prompt shows it: the state as the paper writes it, and what is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.worksheets.acts import Act
from agent.worksheets.instances import worksheet_of
from agent.worksheets.specification import Specification
from agent.worksheets.spelling import write_state
from agent.worksheets.state import DialogueState, Entity, Instance, InstanceStatus, Pending, Slot, SlotStatus

CANDIDATES = 12
"""Rows to choose from that are shown; nobody picks by words from more."""

_STANDING = {
    InstanceStatus.SUSPENDED: "set aside for now; may be resumed",
    InstanceStatus.PROPOSED: "only offered, not begun",
    InstanceStatus.DONE: "done; cannot be changed any more",
    InstanceStatus.ABANDONED: "not open: given up, or offered and passed over; may be resumed",
}
_WAITS = {
    "ask": "The assistant has asked for {at} and waits for it.",
    "pick": "The assistant has asked which of the candidates {at} should be.",
    "propose": "The assistant has offered {at} and waits for a yes or no.",
    "clarify": "The person said no to {at} and has been asked what to change in it; a yes says it was right after all.",
    "which": "The assistant has asked which of several values for {at} the person meant.",
    "leave": "The assistant has asked whether to drop {at} and waits for a yes or no.",
}


def state_text(state: DialogueState, specification: Specification) -> str:
    """Return every instance with its values, then as comments what the values do not show."""
    written = write_state(state, specification)
    return "\n".join([*([written] if written else []), *_remarks(state, specification)]) or "# nothing is open"


def waiting(state: DialogueState, specification: Specification) -> str:
    """Return what the assistant waits for, in a sentence."""
    pending = state.pending
    if pending is None or not pending.instance:
        return "The assistant waits for nothing in particular."
    at = f"{pending.instance}.{pending.field}" if pending.field else pending.instance
    if pending.kind == "confirm":
        return f"The assistant waits for a yes or no to {_shown(state, specification, pending, at)}."
    reason = _reason(state, specification, pending)
    return _WAITS[pending.kind].format(at=at) + (f" It is needed because: {reason}" if reason else "")


def acts_text(acts: Sequence[Act], state: DialogueState) -> str:
    """Return what the agent did last, a line an act: ASK(book_restaurant_1, date): "For which day?"."""
    return "\n".join(_act(act, state) for act in acts if act.text)


def _shown(state: DialogueState, specification: Specification, pending: Pending, at: str) -> str:
    instance = state.instance(pending.instance)
    field = worksheet_of(specification, instance).confirmation if instance else None
    of_all = not pending.field or (field is not None and field.name == pending.field)
    return f"all values of {pending.instance} as they are" if of_all else f"the value of {at}"


def _reason(state: DialogueState, specification: Specification, pending: Pending) -> str:
    """Why what was asked for is needed, for those who ask that back."""
    instance = state.instance(pending.instance)
    field = worksheet_of(specification, instance).by_name.get(pending.field) if instance else None
    return field.reason if field is not None and pending.kind == "ask" else ""


def _act(act: Act, state: DialogueState) -> str:
    latest = [one.name for one in state.instances if one.worksheet == act.worksheet]
    about = [act.instance or (latest[-1] if latest else act.worksheet), act.field]
    choices = f" [choices: {', '.join(act.options)}]" if act.options else ""
    return f"{act.act}({', '.join(part for part in about if part)}): {act.text!r}{choices}"


def _remarks(state: DialogueState, specification: Specification) -> Iterator[str]:
    for instance in state.instances:
        if instance.status in _STANDING:
            yield f"# {instance.name}: {_STANDING[instance.status]}"
        for field in worksheet_of(specification, instance).fields:
            yield from _slot(instance, field.name, instance.slot(field.name))
    if state.focus:
        yield f"# worked on: {state.focus}"
    if state.counters:
        used = ", ".join(f"{variable}_{number}" for variable, number in state.counters.items())
        yield f"# last names used: {used}"


def _slot(instance: Instance, field: str, slot: Slot) -> Iterator[str]:
    place = f"{instance.name}.{field}"
    if slot.candidates and slot.status is SlotStatus.OPEN:
        rows = "; ".join(f"{row.key!r} ({row.title})" for row in slot.candidates[:CANDIDATES])
        yield f"# candidates for {place}, in the order shown: {rows}"
    if slot.options:
        yield f"# would do for {place}: {', '.join(_plain(option) for option in slot.options)}"


def _plain(value: object) -> str:
    return value.title or value.key if isinstance(value, Entity) else str(value)
