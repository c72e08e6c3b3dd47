"""The agent's policy: Algorithm 1 of Genie Worksheets (appendix A), deterministic, with no model anywhere in it.

answer first; confirm single values before running their actions; run what is complete, once; then ask one thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.worksheets import agenda, asking, verbalise
from agent.worksheets.actions import Registry
from agent.worksheets.acts import Act, ActKind, Effect
from agent.worksheets.offering import after_report, offers
from agent.worksheets.outlook import foretell
from agent.worksheets.rules import Rules
from agent.worksheets.specification import Specification
from agent.worksheets.state import DialogueState, Entity
from agent.worksheets.turning import Context, Turn
from agent.worksheets.update import Updated

MOST_RUNS = 30  # actions of one turn: more than any form needs, and an end for those that set each other off

__all__ = ["Context", "Decision", "Report", "decide"]


@dataclass(frozen=True)
class Report:
    """What became of one of the turn's questions to the corpora.

    `query` is its index among the turn's outcomes. `missing` names a parameter that has to be asked for before it can
    be run ("location"), `error` is the sentence of one that failed. `entities` are the rows found, in order.
    `worksheet` is the knowledge worksheet, or the table, that was asked. `pleases`: what was found is what was wanted,
    and what was asked speaks of going on with it, so that this may be offered.
    """

    query: int
    worksheet: str = ""
    missing: str = ""
    error: str = ""
    entities: tuple[Entity, ...] = ()
    pleases: bool = True


@dataclass(frozen=True)
class Decision:
    """The state after the turn, what the agent does, in order, and the effects that actions had."""

    state: DialogueState
    acts: tuple[Act, ...]
    effects: tuple[Effect, ...]


async def decide(
    updated: Updated,
    reports: Sequence[Report],
    specification: Specification,
    registry: Registry,
    context: Context,
    *,
    asks: bool = True,
) -> Decision:
    """Return the agent's acts. At most one ASK, CONFIRM or PROPOSE, and it is the last; none where it is not to ask.

    Decided again from the same input (a turn that another process takes up), it calls the same actions under the same
    keys. What an action raises besides Refusal is raised here.
    """
    rules = Rules(specification, context.now, waiting=asking.waited_for(updated, bool(reports) or context.answered))
    turn = Turn(updated.state, specification, registry, rules, context)
    _answer(turn, reports)
    turn.acts.extend(updated.problems)
    await _run(turn)
    turn.withdraw_unused()
    after_report(turn, reports)
    _report_broken_rules(turn)
    if asks:
        _ask(turn, updated, reports)
    await foretell(turn, updated.before.pending)
    state = turn.state.model_copy(update={"turns": turn.state.turns + 1})
    return Decision(state, tuple(turn.acts), tuple(turn.effects))


def _answer(turn: Turn, reports: Sequence[Report]) -> None:
    """What the user asked comes first (lines 4 to 11). What a query still lacks is asked at the end."""
    for report in reports:
        if report.error:
            turn.act(ActKind.ERROR, report.error, query=report.query)
        elif not report.missing:
            found = [entity.key for entity in report.entities]
            turn.acts.append(
                Act(act=ActKind.REPORT, worksheet=report.worksheet, values={"found": found}, query=report.query)
            )


async def _run(turn: Turn) -> None:
    """Actions of fields that are set, and confirmed where that is asked (lines 12 to 19); then those of worksheets
    that are complete (lines 20 to 23), which may complete others."""
    for _ in range(MOST_RUNS):
        if (field := agenda.field_to_run(turn.state, turn.rules)) is not None:
            await turn.run_field(*field)
        elif (worksheet := agenda.worksheet_to_run(turn.state, turn.rules)) is not None:
            await turn.run_worksheet(worksheet)
        else:
            return
    turn.act(ActKind.ERROR, verbalise.going_round())


def _report_broken_rules(turn: Turn) -> None:
    """Rules of what is being worked on that do not work are said, never taken for False."""
    open_worksheets = {instance.worksheet: instance for instance in turn.state.open_instances()}
    for (worksheet, name, _), broken in turn.rules.broken.items():
        if worksheet in open_worksheets and not any(
            act.worksheet == worksheet and act.field == name for act in turn.acts
        ):
            turn.broken(open_worksheets[worksheet], name, broken.error)


def _ask(turn: Turn, updated: Updated, reports: Sequence[Report]) -> None:
    """The one thing that is asked (lines 24 to 28): for the query, else for the task in focus, else an offer."""
    missing = next((report for report in reports if report.missing), None)
    if missing is not None:
        asking.ask_parameter(turn, missing.query, missing.worksheet, missing.missing)
    elif not asking.ask_next(turn, updated):
        offers(turn)
