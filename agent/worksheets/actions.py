"""Actions: the Python functions that worksheets may call, registered with a decorator.

    @registry.action("book")
    async def book(call: Call, *, restaurant: Entity, date: datetime.date, number_of_people: int) -> Result: ...

An action is given typed values, and either returns a `Result` or raises `Refusal`. It must do its effect once per
`Call.key`: a repeated call with the same key returns the first one's result. What is said about an outcome comes from
the result alone.
"""

from __future__ import annotations

import datetime
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from agent.protocols.errors import AgentError


@dataclass(frozen=True)
class Call:
    """Who calls, when, and under which idempotency key (one per confirmation)."""

    key: str
    conversation: str
    now: datetime.datetime
    assistant: str = ""


@dataclass(frozen=True)
class Result:
    """What came of it: `sentence` for the user, `values` for the record and for output fields of the worksheet."""

    sentence: str
    values: Mapping[str, Any] = field(default_factory=dict)


class Refusal(AgentError):
    """The action was not done, for a reason the user can do something about ("full at 19:00; 18:30 is free").

    `field` names the value that is in the way, where there is one; `alternatives` are values that would do. `final`:
    no value would do ("you have no booking"), so that there is nothing to ask for and the task ends.
    """

    def __init__(
        self, sentence: str, field: str = "", alternatives: tuple[Any, ...] = (), *, final: bool = False
    ) -> None:
        super().__init__(sentence)
        self.field = field
        self.alternatives = alternatives
        self.final = final


@dataclass(frozen=True)
class Sole:
    """The one value that a field can have beside what is known, and a sentence that says so."""

    value: Any
    sentence: str


Action = Callable[..., Awaitable[Result]]
Check = Callable[..., Awaitable[Any]]
SoleRule = Callable[[Mapping[str, Any], datetime.datetime], Awaitable[Sole | None]]
Outlook = Callable[[Mapping[str, Any], datetime.datetime], Awaitable[str]]
Unmet = Callable[[str, Mapping[str, Any], datetime.datetime], Awaitable[str]]


@dataclass
class Registry:
    """The actions and checks of one application, the rules that tell which fields have one value left, the outlooks
    that tell what a yes would come to, and what is said to a wish about a field that no value of it can meet.

    A check is registered for a (worksheet, field); it is given the value about to be assigned and the values known so
    far, returns the value to store (a course's main code for its name), and raises `Refusal` where it will not do.
    """

    actions: dict[str, Action] = field(default_factory=dict)
    checks: dict[tuple[str, str], Check] = field(default_factory=dict)
    soles: dict[tuple[str, str], SoleRule] = field(default_factory=dict)
    outlooks: dict[tuple[str, str], Outlook] = field(default_factory=dict)
    unmet: dict[tuple[str, str], Unmet] = field(default_factory=dict)

    def action(self, name: str) -> Callable[[Action], Action]:
        def register(function: Action) -> Action:
            self.actions[name] = function
            return function

        return register

    def check(self, worksheet: str, field: str) -> Callable[[Check], Check]:
        """`async def check(value, known: Mapping[str, Any], now: datetime) -> value`."""

        def register(function: Check) -> Check:
            self.checks[worksheet, field] = function
            return function

        return register

    def sole(self, worksheet: str, field: str) -> Callable[[SoleRule], SoleRule]:
        """`async def sole(known: Mapping[str, Any], now: datetime) -> Sole | None`: None while several values would
        do."""

        def register(function: SoleRule) -> SoleRule:
            self.soles[worksheet, field] = function
            return function

        return register

    def outlook(self, worksheet: str, field: str) -> Callable[[Outlook], Outlook]:
        """`async def outlook(values: Mapping[str, Any], now: datetime) -> str`: sentences to be told before the yes to
        a confirmation is asked for, from all values it shows; "" if there is nothing to tell."""

        def register(function: Outlook) -> Outlook:
            self.outlooks[worksheet, field] = function
            return function

        return register

    def wish(self, worksheet: str, field: str) -> Callable[[Unmet], Unmet]:
        """`async def unmet(words: str, known: Mapping[str, Any], now: datetime) -> str`: what to say to the words of a
        wish that goes with a value of the field and that no field takes ("in spring")."""

        def register(function: Unmet) -> Unmet:
            self.unmet[worksheet, field] = function
            return function

        return register
