"""Measures of conversations that get things done, read off the turns as `manage.py chat --json` prints them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from agent.worksheets.specification import Specification
from agent.worksheets.values import is_placeholder

Report = dict[str, Any]


@dataclass(frozen=True, slots=True)
class DialogueScore:
    """One conversation. `unconfirmed` counts effects that did not follow a confirmation of exactly their values; it
    must be 0. `longest_run` is how often in a row the same thing was asked in the same words."""

    id: str
    turns: int
    acts: dict[str, int]
    effects: int
    unconfirmed: int
    longest_run: int
    placeholders: int
    errors: int


def score(identifier: str, reports: Sequence[Report], specification: Specification | None) -> DialogueScore:
    """The measures of one conversation; `specification` tells which worksheets ask for a confirmation."""
    confirmed = {one.name for one in specification.worksheets if one.confirmation} if specification else set()
    return DialogueScore(
        id=identifier,
        turns=len(reports),
        acts=dict(Counter(act["act"] for report in reports for act in report["acts"])),
        effects=sum(len(report["effects"]) for report in reports),
        unconfirmed=sum(1 for effect, before in _effects(reports) if not _was_confirmed(effect, before, confirmed)),
        longest_run=longest_run(reports),
        placeholders=sum(
            1 for effect, _ in _effects(reports) for value in _leaves(effect["values"]) if is_placeholder(value)
        ),
        errors=sum(1 for report in reports if report["error"]),
    )


def longest_run(reports: Sequence[Report]) -> int:
    """The most turns in a row that asked the same in the same words."""
    asked = [tuple(act["text"] for act in report["acts"] if act["act"] == "ASK") for report in reports]
    return max((len(list(run)) for texts, run in groupby(asked) if texts), default=0)


def summary(scores: Sequence[DialogueScore]) -> dict[str, Any]:
    """The figures of all conversations together."""
    acts: Counter[str] = Counter()
    for one in scores:
        acts.update(one.acts)
    return {
        "conversations": len(scores),
        "turns": sum(one.turns for one in scores),
        "tasks_completed": sum(one.effects for one in scores),
        "conversations_with_an_effect": sum(1 for one in scores if one.effects),
        "effects_without_confirmation": sum(one.unconfirmed for one in scores),
        "conversations_with_three_identical_asks": sum(1 for one in scores if one.longest_run >= 3),
        "placeholders": sum(one.placeholders for one in scores),
        "errors": sum(one.errors for one in scores),
        "acts": dict(acts),
    }


def table(scores: Sequence[DialogueScore]) -> str:
    """A line per conversation, then the figures: for a person to read."""
    lines = [
        f"{one.id:24} {one.turns:3} turns  {one.effects:2} done  "
        + " ".join(f"{name}:{count}" for name, count in sorted(one.acts.items()))
        + ("  UNCONFIRMED" if one.unconfirmed else "")
        for one in scores
    ]
    figures = [f"{name:40} {value}" for name, value in summary(scores).items()]
    return "\n".join([*lines, "", *figures])


def report(scores: Sequence[DialogueScore]) -> dict[str, Any]:
    """The same as JSON."""
    return {"summary": summary(scores), "conversations": [asdict(one) for one in scores]}


def _effects(reports: Sequence[Report]) -> Iterator[tuple[dict[str, Any], Report | None]]:
    """Each effect with the turn before it, which must have asked for it."""
    for index, one in enumerate(reports):
        for effect in one["effects"]:
            yield effect, reports[index - 1] if index else None


def _was_confirmed(effect: dict[str, Any], before: Report | None, confirmed: set[str]) -> bool:
    if effect["worksheet"] not in confirmed:
        return True
    shown = [act["values"] for act in (before["acts"] if before else ()) if act["act"] == "CONFIRM"]
    return effect["values"] in shown


def _leaves(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    else:
        yield value
