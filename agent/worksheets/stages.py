"""One turn of the worksheets: what was said is applied, and the policy decides. A yes comes before all else.

"Yes, book it, and now cancel the other one": what was confirmed runs in the state that was confirmed, before the next
task has the floor. Whatever else a message says to what it confirms is a change, and withdraws the confirmation.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from agent.worksheets.actions import Registry
from agent.worksheets.acts import Act, Effect
from agent.worksheets.instances import root_of, worksheet_of
from agent.worksheets.policy import Context, Decision, Report, decide
from agent.worksheets.specification import Basic, Specification
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Confirm, Resume, Start, Statement
from agent.worksheets.update import Found, apply
from agent.worksheets.wellformed import malformed, tidied

Statements = Sequence[Statement]


async def take_turn(
    state: DialogueState,
    statements: Statements,
    found: Mapping[int, Found],
    reports: Sequence[Report],
    specification: Specification,
    registry: Registry,
    context: Context,
) -> Decision:
    """Return the state after a message, the acts and the effects.

    What an action or a value check raises besides Refusal (a database that cannot be reached) is raised here.
    """
    turns = state.turns
    acts: tuple[Act, ...] = ()
    effects: tuple[Effect, ...] = ()
    agreed, rest = parted(statements, state, specification, found)
    if agreed:
        updated = await apply(state, agreed, {}, specification, registry, context.now)
        first = await decide(updated, (), specification, registry, context, asks=False)
        state, acts, effects = first.state, first.acts, first.effects
    updated = await apply(state, rest, found, specification, registry, context.now)
    last = await decide(updated, reports, specification, registry, context)
    after = last.state.model_copy(update={"turns": turns + 1})
    return Decision(after, (*acts, *last.acts), (*effects, *last.effects))


def parted(
    statements: Statements, state: DialogueState, specification: Specification, found: Mapping[int, Found]
) -> tuple[Statements, Statements]:
    """A yes to all values of a task, and what the message goes on with; all in the second where they cannot be parted.

    They are parted where another task is begun or taken up, and nothing but the yes concerns the one that is confirmed.
    """
    whole: tuple[Statements, Statements] = ((), statements)
    pending = state.pending
    at = state.instance(pending.instance) if pending is not None and pending.kind == "confirm" else None
    if pending is None or at is None:
        return whole
    if worksheet_of(specification, at).by_name[pending.field].type.basic is not Basic.CONFIRM:
        return whole
    said = tidied(statements, state, specification)
    agreed = [item for item in said if isinstance(item, Confirm) and item.yes]
    rest = [item for item in said if not isinstance(item, Confirm)]
    if not agreed or len(agreed) + len(rest) < len(said) or malformed(said, state, specification, found):
        return whole
    goes_on = any(isinstance(item, Start | Resume) for item in rest)
    own = root_of(state, at).name
    return (agreed, rest) if goes_on and own not in _concerned(rest, state, specification, own) else whole


def _concerned(said: Statements, state: DialogueState, specification: Specification, own: str) -> Iterator[str]:
    """The tasks that statements concern, by the names of their roots. What names none concerns the task at hand."""
    roots = {item.name: root_of(state, item).name for item in state.instances}
    for item in said:
        if isinstance(item, Start) and item.worksheet not in specification.parents:
            roots.setdefault(item.instance, item.instance)
        elif isinstance(item, Start):
            roots.setdefault(item.instance, roots.get(item.parent.partition(".")[0], own))
        yield roots.get(item.instance, own)
