"""What a message may have meant: several values of one field, or one value for several fields. The user chooses.

"Tomorrow evening" is several times, of which those are offered that will do; "make it 7" may be the time or the party,
and is asked about. Where the checks leave only one, that is the value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.worksheets import verbalise
from agent.worksheets.actions import Refusal
from agent.worksheets.acts import ActKind
from agent.worksheets.checking import checked
from agent.worksheets.draft import Draft
from agent.worksheets.state import Choice, InstanceStatus, Pending, Slot, SlotStatus
from agent.worksheets.statements import Unclear


@dataclass(frozen=True)
class Offer:
    """Values of one field to choose from, once everything else of the message is settled."""

    instance: str
    field: str
    values: tuple[Any, ...]


async def offer(draft: Draft, said: Unclear) -> list[Offer]:
    """Take up the choices of a message: set what is left of them, or offer them."""
    instance = draft.state.instance(said.instance)
    if instance is None or draft.root(instance).status is not InstanceStatus.ACTIVE:
        return []
    fitting, refusals = await _fitting(draft, said)
    if not fitting:
        refusal = refusals[0]
        draft.say(refusal.sentence, said.instance, said.choices[0].field, ActKind.CLARIFY)
        return []
    if len(fitting) == 1:
        _set(draft, said, fitting[0])
        return []
    if len({(choice.instance, choice.field) for choice in fitting}) > 1:
        draft.waits(pending=Pending(kind="which", instance=said.instance, choices=tuple(fitting)))
        return []
    name = fitting[0].field
    draft.unset(said.instance, name)
    return [Offer(said.instance, name, tuple(choice.value for choice in fitting))]


def offered(draft: Draft, offers: list[Offer]) -> None:
    """Offer values with the field that is to be asked."""
    for one in offers:
        slot = draft.slot(one.instance, one.field)
        if slot.status is SlotStatus.UNSET:
            draft.put(one.instance, one.field, slot.model_copy(update={"options": one.values, "others": one.values}))


async def _fitting(draft: Draft, said: Unclear) -> tuple[list[Choice], list[Refusal]]:
    """The choices that will do, and why the others will not."""
    fitting: list[Choice] = []
    refusals: list[Refusal] = []
    for choice in said.choices:
        at = choice.instance or said.instance
        field = draft.field(at, choice.field)
        try:
            value = await checked(draft, at, field, choice.value)
        except Refusal as refusal:
            refusals.append(refusal)
        except ExpressionError as error:
            draft.broken(error, said.instance, field.name)
            refusals.append(Refusal(error.sentence, field.name))
        else:
            fitting.append(choice.model_copy(update={"value": value}))
    return list(dict.fromkeys(fitting)), refusals


def _set(draft: Draft, said: Unclear, choice: Choice) -> None:
    at = choice.instance or said.instance
    before = draft.slot(at, choice.field)
    if before.status is SlotStatus.SET and before.value == choice.value:
        return
    slot = Slot(status=SlotStatus.SET, value=choice.value, asked=before.asked, ran=before.ran, words=said.words)
    draft.put(at, choice.field, slot)
    draft.change(at, choice.field)


async def unread(draft: Draft, item: Unclear) -> None:
    """Say that a message could not be read, and what would do; or what the application has to say to a wish."""
    instance = draft.state.instance(item.instance)
    field = draft.field(item.instance, item.field) if instance is not None and item.field else None
    rule = draft.registry.unmet.get((instance.worksheet, item.field)) if instance is not None else None
    if rule is not None and instance is not None and instance.slot(item.field).status is SlotStatus.SET:
        known = {name: slot.value for name, slot in instance.slots.items() if slot.status is SlotStatus.SET}
        text = await rule(item.words, known, draft.rules.now)
        if all(problem.text != text for problem in draft.problems):
            draft.say(text, item.instance, item.field)
        return
    options = field.options if field else ()
    draft.say(verbalise.unclear(field, item.why), item.instance, item.field, ActKind.CLARIFY, options=options)
