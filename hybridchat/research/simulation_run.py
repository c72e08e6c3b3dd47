"""Conversations with simulated users, and what came of them, by behaviour."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any
from uuid import UUID

from asgiref.sync import sync_to_async
from django.db import transaction

from corpora.models import Restaurant
from corpora.selectors import specification
from hybridchat.effects.models import Enrollment, Receipt, Reservation, Ticket
from hybridchat.research import dialogue
from hybridchat.research.simulation import SimulatedUser
from hybridchat.research.simulation_goals import Goal, achieved
from hybridchat.talk import Talk

if TYPE_CHECKING:
    from agent.turn import Agent

PAPER = {
    "share": "  (Genie, table 2, of people's goals: 0.828; restaurant 0.916, tickets 0.800, courses 0.800;"
    " function calling 0.218)",
}
"""What the authors report of their own participants, to stand beside ours."""
MOST_TURNS = 30  # a person would have left long before


@dataclass(frozen=True, slots=True)
class Held:
    """A conversation with a simulated user. `completed`: it had exactly the effects that the goal wants."""

    id: str
    behaviour: str
    completed: bool
    score: dialogue.DialogueScore
    turns: tuple[dict[str, Any], ...]


async def hold(agent: Agent, goal: Goal, now: Callable[[], datetime]) -> Held:
    """One conversation, whose effects are taken back when it is over: the next user finds the same tables free."""
    found = await sync_to_async(specification)(goal.assistant)
    if found is None:
        raise LookupError(f"The goal {goal.id} is for {goal.assistant!r}, which has no worksheets.")
    user = SimulatedUser(goal, found, await sync_to_async(_titles)(), now())
    talk, reports = Talk(agent, goal.assistant, now), list[dict[str, Any]]()
    message: str | None = user.begin()
    while message is not None and len(reports) < MOST_TURNS:
        reports.append(await talk.say(message))
        message = user.reply(reports[-1])
    await sync_to_async(take_back)(talk.id)
    effects = [effect for report in reports for effect in report["effects"]]
    return Held(
        goal.id,
        goal.behaviour,
        achieved(goal, effects, found),
        dialogue.score(goal.id, reports, found),
        tuple(reports),
    )


async def replay(agent: Agent, item: Mapping[str, Any], now: Callable[[], datetime]) -> dialogue.DialogueScore:
    """A conversation that was held before, said again: only the user's words are used."""
    found = await sync_to_async(specification)(item["assistant"])
    talk = Talk(agent, item["assistant"], now)
    reports = [await talk.say(turn["user"]) for turn in item["turns"]]
    await sync_to_async(take_back)(talk.id)
    return dialogue.score(item["id"], reports, found)


@transaction.atomic
def take_back(conversation: str) -> None:
    """Deletes what a conversation brought about, as if it had never been held."""
    for model in (Reservation, Enrollment, Ticket):
        model.objects.filter(conversation=UUID(conversation)).delete()
    Receipt.objects.filter(key__startswith=f"{conversation}:").delete()


def summary(held: Sequence[Held]) -> dict[str, Any]:
    """The share of goals completed exactly, by behaviour and in all, and the measures of the conversations."""
    ordered = sorted(held, key=attrgetter("behaviour"))
    return {
        "goals": len(held),
        "completed": sum(one.completed for one in held),
        "share": round(sum(one.completed for one in held) / len(held), 4) if held else 0.0,
        "behaviours": {
            name: f"{sum(one.completed for one in group)}/{len(group)}"
            for name, group in ((name, list(members)) for name, members in groupby(ordered, attrgetter("behaviour")))
        },
        **dialogue.summary([one.score for one in held]),
    }


def table(held: Sequence[Held]) -> str:
    """A line per goal, the conversations that failed, then the figures: for a person to read."""
    lines = [
        f"{'done  ' if one.completed else 'FAILED'} {one.id:24} {one.behaviour:12} {one.score.turns:3} turns"
        for one in held
    ]
    failed = [_transcript(one) for one in held if not one.completed]
    figures = [f"{name:40} {value}{PAPER.get(name, '')}" for name, value in summary(held).items()]
    return "\n".join([*lines, "", *failed, *figures])


def report(held: Sequence[Held]) -> dict[str, Any]:
    """The same as JSON, with every turn's words and acts."""
    return {
        "summary": summary(held),
        "conversations": [
            {**asdict(one.score), "behaviour": one.behaviour, "completed": one.completed, "said": _said(one)}
            for one in held
        ],
    }


def _said(one: Held) -> list[dict[str, Any]]:
    kept = ("user", "agent", "acts", "effects", "error")
    return [{name: turn[name] for name in kept} for turn in one.turns]


def _transcript(one: Held) -> str:
    lines = [f"--- {one.id} ({one.behaviour})"]
    for turn in one.turns:
        lines += [f"  > {turn['user']}", *(f"    {line}" for line in turn["agent"].splitlines())]
        lines += [f"    [{effect['worksheet']}: {effect['values']}]" for effect in turn["effects"]]
    return "\n".join([*lines, ""])


def _titles() -> dict[str, str]:
    """The names of the restaurants, by slug."""
    return dict(Restaurant.objects.values_list("slug", "name"))
