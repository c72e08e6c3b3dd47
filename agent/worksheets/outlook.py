"""What a yes would bring about, told before it is asked for, where the application can tell."""

from __future__ import annotations

from agent.worksheets.acts import Act, ActKind
from agent.worksheets.state import Pending
from agent.worksheets.turning import Turn


async def foretell(turn: Turn, before: Pending | None) -> None:
    """A SAY before the turn's CONFIRM. Values that were shown a turn before, and not changed since, are not told of
    again."""
    confirm = turn.acts[-1] if turn.acts else None
    if confirm is None or confirm.act is not ActKind.CONFIRM:
        return
    if before is not None and before.digest == confirm.digest:
        return
    rule = turn.registry.outlooks.get((confirm.worksheet, confirm.field))
    sentence = await rule(confirm.values, turn.context.now) if rule is not None else ""
    if sentence:
        told = Act(act=ActKind.SAY, worksheet=confirm.worksheet, instance=confirm.instance, text=sentence)
        turn.acts.insert(len(turn.acts) - 1, told)
