"""The dialogue state: which worksheets are open, what is known, refused and confirmed, and what the agent waits for.

Genie Worksheets section 5.1 and appendix D. Immutable and JSON all through, so that every turn stores it as it was
before and after. Unset, refused, false and zero are different things; there are no placeholders.
"""

from __future__ import annotations

import hashlib
import json
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class State(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Entity(State):
    """A row of a corpus as a value: what a field of a knowledge type holds. `key` is the entity's machine value."""

    table: str
    key: str
    title: str = ""


class SlotStatus(StrEnum):
    UNSET = "unset"
    SET = "set"
    REFUSED = "refused"  # "I'd rather not say"
    UNKNOWN = "unknown"  # "I don't know"
    OPEN = "open"  # several candidates: the user has to pick


class Slot(State):
    """What is known of one field of one instance.

    `value` is a machine value (agent.worksheets.specification.Basic), a list of them, an `Entity`, or the name of the
    nested instance. `confirmed` means the user said yes to exactly this value. `asked` counts the times it was asked.
    `ran` is the digest of the value its field actions last ran for. `words` is how the user put it.

    `options` are values that would do, where the last one would not. An UNSET slot may keep the value that would not
    do: it is no value, but returns when something else changes. `bound`, of a slot of type confirm, is the digest of
    the values that were confirmed. `doubted`: an action asked that this value be confirmed.
    """

    status: SlotStatus = SlotStatus.UNSET
    value: Entity | tuple[Entity, ...] | bool | int | float | str | tuple[Any, ...] | None = None
    candidates: tuple[Entity, ...] = ()
    confirmed: bool = False
    asked: int = 0
    ran: str = ""
    words: str = ""
    options: tuple[Entity | bool | int | float | str, ...] = ()
    bound: str = ""
    doubted: bool = False
    refusals: int = 0  # how often the user would not say, since it last had a value
    others: tuple[bool | int | float | str, ...] = ()  # what its words may mean as well, in order of likelihood


class InstanceStatus(StrEnum):
    ACTIVE = "active"
    SUSPENDED = "suspended"  # set aside while something else is done; may be resumed
    PROPOSED = "proposed"  # offered by the agent, not yet accepted
    DONE = "done"  # its actions ran
    ABANDONED = "abandoned"


class Instance(State):
    """One worksheet being worked on. `name` is its variable and a counter: book_restaurant_1 (appendix D).

    `parent` is "main_1.courses_to_take" for a nested one. `result` is what its action returned; `problem` the typed
    refusal of its last attempt ("full at 19:00"), until a value changes. `confirmations` counts confirmations used,
    `declined` the plain noes to its confirmation since a value last changed, `offered` the times it was offered to
    take a suspended one up again. `opened` is the number of the turn it was opened in.
    """

    name: str
    worksheet: str
    status: InstanceStatus = InstanceStatus.ACTIVE
    slots: dict[str, Slot] = Field(default_factory=dict)
    parent: str = ""
    result: dict[str, Any] | None = None
    problem: str = ""
    confirmations: int = 0
    declined: int = 0
    offered: int = 0
    opened: int = 0

    def slot(self, field: str) -> Slot:
        return self.slots.get(field, Slot())


class Choice(State):
    """One of several things that a message may have meant: a value for a field, of another `instance` than the message
    is about where that is told: what it holds would give way."""

    field: str
    value: bool | int | float | str
    instance: str = ""


class Pending(State):
    """What the agent's last act waits for. `digest` binds a confirmation to the values that were shown.

    "propose" also offers to resume (a suspended instance) and to add to a list (with `field`); "clarify" waits for
    what to change, "leave" for a yes to dropping the task, "which" for one of its `choices`. An "ask" without an
    instance asks for a query's parameter.
    """

    kind: Literal["ask", "confirm", "propose", "pick", "clarify", "leave", "which"]
    instance: str
    field: str = ""
    digest: str = ""
    turns: int = 0  # for how many turns in a row this same thing has been waited for
    choices: tuple[Choice, ...] = ()


class DialogueState(State):
    """`instances` in the order they were opened; `counters` never go back, so that no name is used twice.

    `turns` counts the turns that were decided, `asked` how often each thing was asked ("book_restaurant_1.date"):
    what wording comes next depends on it.
    """

    application: str
    version: int = 1
    instances: tuple[Instance, ...] = ()
    counters: dict[str, int] = Field(default_factory=dict)
    focus: str = ""  # the root instance that is worked on
    pending: Pending | None = None
    turns: int = 0
    asked: dict[str, int] = Field(default_factory=dict)

    def instance(self, name: str) -> Instance | None:
        return next((item for item in self.instances if item.name == name), None)

    def with_instance(self, changed: Instance) -> DialogueState:
        """Return the state with one instance replaced, or added at the end."""
        kept = tuple(changed if item.name == changed.name else item for item in self.instances)
        added = () if any(item.name == changed.name for item in self.instances) else (changed,)
        return self.model_copy(update={"instances": (*kept, *added)})

    def open_instances(self) -> tuple[Instance, ...]:
        return tuple(item for item in self.instances if item.status is InstanceStatus.ACTIVE)


def digest(values: Any) -> str:
    """Return a short hash of values, the same for equal values: what a confirmation is bound to."""
    text = json.dumps(values, sort_keys=True, ensure_ascii=False, default=lambda item: item.model_dump(mode="json"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]
