"""System-action F1 on STAR's dialogues: what the policy would do next, against what the wizard did.

A dialogue is a JSON file whose "Events" are objects with Agent ("User", "Wizard", "KnowledgeBase"), Action, Text and
ActionLabel. Each wizard's turn that was picked (it has an ActionLabel) is scored; free-typed ones are only context.
The state is rebuilt from the texts, turn by turn: after each, the policy waits for what the wizard asked, whatever it
would have asked itself.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from agent.deciding import decided
from agent.language import Conversation, Reply, Understanding, UnderstandRequest
from agent.record import TurnState, past_turn
from agent.turn import Agent
from agent.worksheets import applications
from agent.worksheets.actions import Registry
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.specification import Specification
from agent.worksheets.state import DialogueState, InstanceStatus, Pending
from agent.worksheets.statements import Start
from hybridchat.effects.registry import registry_for
from hybridchat.research.star_labels import NOTHING, Labels

Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Prediction:
    """One picked wizard's turn: its label, the act that it is, and the acts of the policy that remained."""

    dialogue: str
    label: str
    gold: str
    predicted: str
    strict: bool
    lenient: bool


class Tasks:
    """STAR's worksheets and actions, as a turn needs them."""

    async def specification(self, state: DialogueState) -> Specification:
        return applications.load(state.application)

    def registry(self, application: str, conversation: str) -> Registry:
        return registry_for(application, conversation)


def dialogues(folder: str) -> list[tuple[str, list[Event]]]:
    """The dialogues of a folder by name. Raises CommandError for a folder without any, and for a file that is none."""
    found = []
    for path in sorted(Path(folder).glob("*.json")):
        try:
            found.append((path.stem, json.loads(path.read_text(encoding="utf-8"))["Events"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CommandError(f'{path} is not a dialogue of STAR, an object with "Events": {error!r}.') from error
    if not found:
        raise CommandError(f"There is no dialogue (*.json) in {folder}.")
    return found


async def predict(
    agent: Agent, task: str, name: str, events: Sequence[Event], now: Callable[[], datetime]
) -> list[Prediction]:
    """The predictions for one dialogue's picked turns."""
    session = _Session(replace(agent, applications=Tasks()), task, name, now())
    found = []
    for event in events:
        text = str(event.get("Text") or "")
        if event.get("Agent") == "User" and text:
            await session.hear(text)
        elif event.get("Agent") == "Wizard":
            label = _label(event)
            if label:
                found.append(session.compare(label))
            session.said(label, text)
    return found


def _label(event: Event) -> str:
    """What the wizard picked: a label, or a list with one; "" where the text was typed freely."""
    found = event.get("ActionLabel") or ""
    if isinstance(found, list):
        found = found[0] if found else ""
    return str(found)


class _Session:
    """One dialogue as it is gone through."""

    def __init__(self, agent: Agent, task: str, name: str, now: datetime) -> None:
        self._agent, self._name, self._now = agent, name, now
        self._specification, self._labels = applications.load(task), Labels.of(task)
        self._state = DialogueState(application=task)
        self._turns: list[TurnState] = []
        self._acts: tuple[Act, ...] = ()
        self._left: list[str] = [NOTHING]  # what the policy does that no wizard's turn has taken up yet

    async def hear(self, text: str) -> None:
        """A message of the user: the policy decides."""
        conversation = Conversation(
            id=f"star:{self._name}",
            assistant=self._state.application,
            tables=tuple(table.name for table in self._agent.catalogue.tables)[-1:],  # understanding wants one
            past=tuple(past_turn(turn) for turn in self._turns),
            now=self._now,
            state=self._state,
            acts=self._acts,
        )
        request = UnderstandRequest(message=text, conversation=conversation, specification=self._specification)
        understood = self._begun(await self._agent.language.understand(request))
        turn = TurnState(message=text, conversation=conversation, understanding=understood)
        assert self._agent.applications is not None
        turn = await decided(turn, self._agent.applications, self._agent.catalogue)
        assert turn.dialogue is not None
        self._state = turn.dialogue
        self._turns.append(turn)
        self._left = self._labels.done(turn.acts, turn.effects, understood.chat)

    def compare(self, label: str) -> Prediction:
        """A wizard's picked turn against the next thing that the policy does, which it takes up."""
        gold = self._labels.meant(label)
        if not gold.startswith("RUN"):  # releases differ in whether a query is an act of its own
            self._left = [one for one in self._left if not one.startswith("RUN")] or [NOTHING]
        strict = self._labels.matches(self._left[0], gold)
        lenient = next((one for one in self._left if self._labels.alikes(one, gold)), None)
        predicted = self._left[0]
        taken = predicted if strict or lenient is None else lenient
        if strict or lenient is not None:
            self._left.remove(taken)
        self._left = self._left or [NOTHING]
        return Prediction(self._name, label, gold, gold if strict else predicted, strict, lenient is not None)

    def said(self, label: str, text: str) -> None:
        """What the wizard said: what the next message answers."""
        asked = self._labels.place(self._labels.meant(label)) if label else None
        if asked is not None:
            self._wait(*asked, text)
        if self._turns and text:
            self._turns[-1] = self._turns[-1].model_copy(update={"reply": Reply(text=text)})

    def _wait(self, worksheet: str, field: str, text: str) -> None:
        """The policy waits for a field, as if it had asked itself; an offer that leads there counts as taken up."""
        usable = (InstanceStatus.ACTIVE, InstanceStatus.PROPOSED)
        found = [one for one in self._state.instances if one.worksheet == worksheet and one.status in usable]
        if not found:
            return
        instance = found[-1].model_copy(update={"status": InstanceStatus.ACTIVE})
        pending = Pending(kind="ask", instance=instance.name, field=field)
        focus = self._state.focus if instance.parent else instance.name
        self._state = self._state.with_instance(instance).model_copy(update={"pending": pending, "focus": focus})
        self._acts = (Act(act=ActKind.ASK, worksheet=worksheet, field=field, text=text),)

    def _begun(self, understood: Understanding) -> Understanding:
        """Every dialogue is about the task, so what the user says first begins it. Nothing is looked up in a corpus."""
        statements, root = understood.statements, self._specification.roots[0]
        if not self._state.instances and not any(
            isinstance(one, Start) and one.worksheet == root.name for one in statements
        ):
            statements = (Start(worksheet=root.name, instance=f"{root.variable}_1"),)
        return understood.model_copy(update={"statements": statements, "questions": ()})


PAPER = {"f1_strict": "  (Genie, table 1: bank 0.825, trip 0.834, trivia 0.927)"}
"""What the authors report, to stand beside ours."""


def summary(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """F1 over the acts, weighted by how often the wizards do them, strict and with acts that say the same as one."""
    strict = [(one.gold, one.predicted) for one in predictions]
    lenient = [(one.gold, one.gold if one.lenient else one.predicted) for one in predictions]
    return {
        "dialogues": len({one.dialogue for one in predictions}),
        "turns": len(predictions),
        "f1_strict": weighted_f1(strict),
        "f1_lenient": weighted_f1(lenient),
        "accuracy_strict": _share(sum(one.strict for one in predictions), len(predictions)),
        "accuracy_lenient": _share(sum(one.lenient for one in predictions), len(predictions)),
    }


def weighted_f1(pairs: Sequence[tuple[str, str]]) -> float:
    """The mean of the classes' F1, each weighted by how often it is gold. `pairs` are (gold, predicted)."""
    gold = Counter(one for one, _ in pairs)
    predicted = Counter(one for _, one in pairs)
    right = Counter(one for one, other in pairs if one == other)
    total = sum(2 * right[name] / (count + predicted[name]) * count for name, count in gold.items())
    return _share(total, len(pairs))


def table(predictions: Sequence[Prediction]) -> str:
    """What was taken for what, most frequent first, then the figures: for a person to read."""
    missed = Counter((one.label, one.predicted) for one in predictions if not one.lenient)
    lines = [f"{count:4}  {label}  <-  {predicted}" for (label, predicted), count in missed.most_common()]
    figures = [f"{name:18} {value}{PAPER.get(name, '')}" for name, value in summary(predictions).items()]
    return "\n".join([*lines, "", *figures])


def report(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """The same as JSON, with every turn."""
    return {"summary": summary(predictions), "turns": [asdict(one) for one in predictions]}


def _share(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
