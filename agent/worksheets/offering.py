"""Offers: a task that an answer or a finished task suggests, and tasks that were set aside. Never twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from agent.protocols.errors import ExpressionError
from agent.worksheets import verbalise
from agent.worksheets.acts import ActKind
from agent.worksheets.expressions import Propose, Say
from agent.worksheets.instances import bound_to
from agent.worksheets.specification import Basic, Field, WorksheetKind
from agent.worksheets.state import Entity, Instance, InstanceStatus, Pending
from agent.worksheets.turning import Turn

PAUSE = 3  # turns between two offers that answers suggest


class Reported(Protocol):
    """What a question came to (agent.worksheets.policy.Report)."""

    @property
    def missing(self) -> str: ...
    @property
    def error(self) -> str: ...
    @property
    def entities(self) -> tuple[Entity, ...]: ...
    @property
    def pleases(self) -> bool: ...


def after_report(turn: Turn, reports: Sequence[Reported]) -> None:
    """What a corpus suggests (the actions of its worksheet) when an answer is about exactly one of its rows.

    Nothing while a task is being worked on, and not so soon after another offer.
    """
    focus = turn.state.instance(turn.state.focus)
    if len(reports) != 1 or len(reports[0].entities) != 1 or reports[0].error or reports[0].missing:
        return
    if not reports[0].pleases:
        return
    if focus is not None and focus.status is InstanceStatus.ACTIVE:
        return
    row = reports[0].entities[0]
    for worksheet in turn.specification.worksheets:
        if worksheet.kind is WorksheetKind.TASK or worksheet.table != row.table or not worksheet.actions.strip():
            continue
        about = Instance(name="", worksheet=worksheet.name)
        try:
            steps = turn.rules.steps(worksheet.actions, turn.state, about, row)
        except ExpressionError as error:
            turn.tell_curator(worksheet.name, "actions", error)
            continue
        for step in steps:
            if isinstance(step, Say):
                turn.act(ActKind.SAY, step.text)
            elif isinstance(step, Propose) and not _too_soon(turn):
                _propose_once(turn, step)


def _too_soon(turn: Turn) -> bool:
    return any(item.offered and item.opened > turn.state.turns - PAUSE for item in turn.state.instances)


def _propose_once(turn: Turn, step: Propose) -> None:
    """Proposes a task, unless it was proposed before and not taken up, or is being done or done already."""
    before, state = turn.state.instances, turn.state
    known = turn.known(turn.propose(step.worksheet, step.values))
    for item in before:
        given_up = item.status is InstanceStatus.ABANDONED and not item.offered
        lies_aside = item.status is InstanceStatus.SUSPENDED and not item.parent
        if item.worksheet == step.worksheet and lies_aside:  # first things first
            turn.state = state
            return
        if item.worksheet == step.worksheet and not given_up and known.items() <= turn.known(item).items():
            turn.state = state
            return


def offers(turn: Turn) -> None:
    """Offer what was proposed in this turn, else to go on with a task that was set aside."""
    waiting = [item for item in turn.state.instances if not item.offered and not item.parent]
    proposed = [item for item in waiting if item.status is InstanceStatus.PROPOSED]
    suspended = [item for item in waiting if item.status is InstanceStatus.SUSPENDED]
    for instance in (*proposed, *suspended):
        _offer(turn, instance)
        return


def _offer(turn: Turn, instance: Instance) -> None:
    worksheet = turn.specification.by_name[instance.worksheet]
    instance = turn.replace(instance.name, offered=1)
    if (only := _only_question(turn, instance)) is not None:
        text = verbalise.offer_question(only, turn.times(f"{worksheet.name}.{only.name}"))
        turn.act(ActKind.PROPOSE, text, instance, only.name, values=turn.known(instance), options=("Yes", "No"))
        _wait(turn, Pending(kind="propose", instance=instance.name, field=only.name))
        return
    shown = verbalise.values_shown(turn.state, instance, turn.specification)
    say = verbalise.propose if instance.status is InstanceStatus.PROPOSED else verbalise.propose_again
    bound = bound_to(turn.state, instance, turn.specification)
    known = turn.known(instance)
    turn.act(
        ActKind.PROPOSE, say(worksheet, shown, turn.today), instance, values=known, digest=bound, options=("Yes", "No")
    )
    _wait(turn, Pending(kind="propose", instance=instance.name, digest=bound))


def _wait(turn: Turn, pending: Pending) -> None:
    turn.state = turn.state.model_copy(update={"pending": pending})


def _only_question(turn: Turn, instance: Instance) -> Field | None:
    """The yes or no that is all a proposed task still wants: then the offer is that question."""
    worksheet = turn.specification.by_name[instance.worksheet]
    wanted = [field for field in worksheet.fields if turn.rules.missing(turn.state, instance, field)]
    is_one = len(wanted) == 1 and wanted[0].type.basic is Basic.BOOLEAN and worksheet.confirmation is None
    return wanted[0] if is_one and instance.status is InstanceStatus.PROPOSED else None
