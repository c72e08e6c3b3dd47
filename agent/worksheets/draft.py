"""A dialogue state while a message's statements are applied to it."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.worksheets.actions import Registry
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.entailment import is_router
from agent.worksheets.instances import dropped, root_of, slot_of, with_slot, worksheet_of
from agent.worksheets.rules import Rules
from agent.worksheets.specification import Field, Specification, Worksheet
from agent.worksheets.state import DialogueState, Entity, Instance, Slot, SlotStatus


@dataclass(frozen=True)
class Found:
    """What one of the message's questions found, for a `Fill` that points at it.

    `best`: the question asked for one ("the most romantic"), so the first of `entities` is it. `named`: the user named
    it exactly, which counts as its confirmation. `error` is the sentence of a query that failed.
    """

    entities: tuple[Entity, ...] = ()
    best: bool = False
    named: bool = False
    error: str = ""


@dataclass(frozen=True)
class Updated:
    """A dialogue state after a message: what changed, and what has to be said about what did not.

    `changed` are the (instance, field) pairs whose value is another, in the order of the message. `problems` are SAY,
    CLARIFY and ERROR acts with their texts. `state.pending` is what the agent still waits for.
    """

    before: DialogueState
    state: DialogueState
    changed: tuple[tuple[str, str], ...] = ()
    problems: tuple[Act, ...] = ()


@dataclass
class Draft:
    """The working copy. `refused` are instances that were not opened, whose statements mean nothing."""

    before: DialogueState
    state: DialogueState
    specification: Specification
    registry: Registry
    rules: Rules
    found: Mapping[int, Found] = field(default_factory=dict)
    changed: list[tuple[str, str]] = field(default_factory=list)
    problems: list[Act] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    started: list[str] = field(default_factory=list)

    @property
    def today(self) -> datetime.date:
        return self.rules.now.date()

    def instance(self, name: str) -> Instance:
        found = self.state.instance(name)
        if found is None:
            raise KeyError(name)
        return found

    def worksheet(self, instance: Instance) -> Worksheet:
        return worksheet_of(self.specification, instance)

    def field(self, instance: str, name: str) -> Field:
        return self.worksheet(self.instance(instance)).by_name[name]

    def root(self, instance: Instance) -> Instance:
        return root_of(self.state, instance)

    def routes(self, instance: Instance) -> bool:
        """Return whether it is a worksheet that only tells which task is wanted."""
        return is_router(self.specification, self.worksheet(instance))

    def slot(self, instance: str, name: str) -> Slot:
        return slot_of(self.state, instance, name)

    def put(self, instance: str, name: str, slot: Slot | None) -> None:
        self.state = with_slot(self.state, instance, name, slot)

    def unset(self, instance: str, name: str, **update: Any) -> None:
        """A field has no value; how often it was asked is remembered. What was nested in it is abandoned."""
        before = self.slot(instance, name)
        if before.status is SlotStatus.SET:
            self.change(instance, name)
        self.state = dropped(self.state, instance, name, self.specification)
        self.put(instance, name, Slot(asked=before.asked, refusals=before.refusals).model_copy(update=update))

    def change(self, instance: str, name: str) -> None:
        """Note that a value is another than it was."""
        if (instance, name) not in self.changed:
            self.changed.append((instance, name))

    def replace(self, instance: Instance, **update: Any) -> Instance:
        replaced = self.instance(instance.name).model_copy(update=update)
        self.state = self.state.with_instance(replaced)
        return replaced

    def waits(self, **update: Any) -> None:
        """Change the state itself: what is waited for, the focus."""
        self.state = self.state.model_copy(update=update)

    def say(self, text: str, instance: str = "", name: str = "", act: ActKind = ActKind.SAY, **more: Any) -> None:
        """Something the user has to be told."""
        at = self.state.instance(instance)
        worksheet = at.worksheet if at else ""
        self.problems.append(Act(act=act, worksheet=worksheet, field=name, text=text, instance=instance, **more))

    def broken(self, error: ExpressionError, instance: str, name: str) -> None:
        """A rule that failed: said to the user, with the rule and the reason for the curator."""
        self.say(error.sentence, instance, name, ActKind.ERROR, values={"rule": error.reason, "line": error.line})
