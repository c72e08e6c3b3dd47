"""Worksheets and users as they may come: random specifications, and users who say anything at any time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from agent.worksheets.actions import Refusal
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.policy import Report
from agent.worksheets.specification import Field, FieldKind, Specification, Worksheet, WorksheetKind
from agent.worksheets.state import InstanceStatus, SlotStatus
from agent.worksheets.statements import (
    Abandon,
    Assign,
    Clear,
    Confirm,
    Decline,
    Fill,
    Pick,
    Resume,
    Start,
    Statement,
    Unclear,
)
from agent.worksheets.update import Found
from tests.agent.worksheets.bench import NOPA, ZUNI, Bench, field, worksheet

GOOD: dict[str, list[Any]] = {
    "str": ["blue", "a window seat", "Ann"],
    "int": [1, 7, "two"],
    "float": [0.5, 3],
    "bool": [True, False],
    "date": ["2026-11-27", "2026-12-04"],
    "time": ["19:30", "08:00"],
    "Enum": ["red", "green"],
}
BAD: list[Any] = ["", "N/A", "???", "lots", "<value>", None, -1, 10**20, True, "2026-02-31", ["x", "y"]]
ROWS = (NOPA, ZUNI)


def random_specification(dice: random.Random) -> Specification:
    """One to three tasks with nested ones, predicates, validations, actions and, often, a confirmation."""
    sheets: list[Worksheet] = []
    leaves = [_sheet(dice, f"Leaf{index}", [], confirmed=dice.random() < 0.2) for index in range(dice.randint(0, 2))]
    middles = [
        _sheet(dice, f"Middle{index}", leaves, confirmed=dice.random() < 0.3) for index in range(dice.randint(0, 2))
    ]
    for index in range(dice.randint(1, 3)):
        sheets.append(_sheet(dice, f"Task{index}", [*leaves, *middles], confirmed=True, runs=True))
    thing = Worksheet(name="Thing", kind=WorksheetKind.TYPE, table="restaurants", actions="propose(Task0)")
    return Specification(name="wild", worksheets=(*sheets, *middles, *leaves, thing))


def _sheet(dice: random.Random, name: str, inner: list[Worksheet], confirmed: bool, runs: bool = False) -> Worksheet:
    fields: list[Field] = []
    for index in range(dice.randint(1, 5)):
        fields.append(_field(dice, f"f{index}", fields, inner))
    fields.append(field("inside", kind=FieldKind.INTERNAL, required=False))
    if confirmed:
        actions = 'if self.ok == False:\n    >say("As you like.")\n    >exitws()' if dice.random() < 0.2 else ""
        fields.append(field("ok", "confirm", actions=actions))
    told = 'say("That is told.")' if dice.random() < 0.2 else ""
    return worksheet(name, *fields, title=name.lower(), actions="@act(task=self)" if runs else told)


def _field(dice: random.Random, name: str, before: list[Field], inner: list[Worksheet]) -> Field:
    types = ["str", "int", "float", "bool", "date", "time", "red|green|blue", "Thing", "List[str]"]
    types += [sheet.name for sheet in inner for _ in range(2)]
    if inner and dice.random() < 0.1:
        types = [f"List[{inner[0].name}]"]
    chosen = dice.choice(types)
    return field(
        name,
        chosen,
        required=dice.random() < 0.7,
        ask=dice.random() < 0.9,
        confirm=dice.random() < 0.1 and chosen in ("str", "Thing"),
        validation="0 <= value <= 20" if chosen == "int" else "",
        predicate=_predicate(dice, before),
        actions=dice.choice(['say("Noted.")', "self.inside = 'set'"]) if dice.random() < 0.1 else "",
    )


def _predicate(dice: random.Random, before: list[Field]) -> str:
    if not before or dice.random() < 0.6:
        return ""
    other = dice.choice(before)
    if other.type.many:
        return ""
    match other.type.name:
        case "bool":
            return dice.choice([f"self.{other.name} == True", f"not self.{other.name} == False"])
        case "Enum":
            return f"self.{other.name} == 'red'"
        case "int":
            return f"self.{other.name} is None or self.{other.name} > 3"
    return dice.choice([f"self.{other.name}", f"self.{other.name} is not None"])


class WildBench(Bench):
    """A bench whose one action notes what it was given; with `refusing`, it and the checks refuse now and then."""

    refusing: random.Random | None = None

    def _register(self) -> None:
        @self.registry.action("act")
        async def act(call: Any, *, task: dict[str, Any]) -> Any:
            if self._refuses() and all(key != call.key for _, key, _ in self.ran):
                raise Refusal("That will not do.", self._some(["f0", "f1", "f2", "nothing", ""]), ("this", "that"))
            return self.did("act", call, task=task)

        async def check(value: Any, known: Any, now: Any) -> Any:
            if self._refuses():
                raise Refusal("That will not do here.", "", (value,))
            return value

        for sheet in self.specification.tasks:
            self.registry.checks[sheet.name, "f1"] = check

    def _refuses(self) -> bool:
        return self.refusing is not None and self.refusing.random() < 0.3

    def _some(self, names: list[str]) -> str:
        return self.refusing.choice(names) if self.refusing else ""

    # -- users -------------------------------------------------------------------------------------------------------

    def anything(self, dice: random.Random) -> list[Statement]:
        """A few statements, sensible or not."""
        return [self._one(dice) for _ in range(dice.choice([0, 1, 1, 1, 2, 3]))]

    def _one(self, dice: random.Random) -> Statement:
        if not self.state.instances or dice.random() < 0.08:
            return self.start(dice)
        instance = dice.choice(self.state.instances[-6:])
        names = list(self.specification.by_name[instance.worksheet].fields)
        at = dice.choice(names)
        roll = dice.random()
        pending = self.state.pending
        if pending is not None and roll < 0.35:
            digest = dice.choice(["", "", pending.digest, "0" * 32])
            return Confirm(instance=pending.instance, yes=dice.random() < 0.7, digest=digest)
        if roll < 0.75:
            return self.value(dice, instance.name, at)
        if roll < 0.80:
            return Decline(instance=instance.name, field=at.name, unknown=dice.random() < 0.5)
        if roll < 0.84:
            return Clear(instance=instance.name, field=at.name)
        if roll < 0.87:
            return Abandon(instance=instance.name)
        if roll < 0.91:
            return Resume(instance=instance.name)
        if roll < 0.94:
            return Unclear(instance=instance.name, field=at.name)
        return Confirm(instance=instance.name, yes=dice.random() < 0.5)

    def start(self, dice: random.Random) -> Start:
        sheet = dice.choice(self.specification.tasks if dice.random() < 0.3 else self.specification.roots)
        number = self.state.counters.get(sheet.variable, 0) + 1
        return Start(worksheet=sheet.name, instance=f"{sheet.variable}_{number}")

    def value(self, dice: random.Random, instance: str, at: Field) -> Statement:
        if at.type.name == "Thing":
            row = dice.choice(ROWS)
            if dice.random() < 0.4:
                return Fill(instance=instance, field=at.name, question=dice.randint(0, 2))
            return Pick(instance=instance, field=at.name, table=row.table, key=row.key, title=row.title)
        good = GOOD.get(at.type.name, ["x"])
        return Assign(instance=instance, field=at.name, value=dice.choice(good if dice.random() < 0.8 else BAD))

    def answer(self, dice: random.Random) -> list[Statement]:
        """What a cooperative user says to the last act: a good value, a yes."""
        pending = self.state.pending
        if pending is None:
            return []
        if pending.kind in ("confirm", "propose"):
            more = pending.kind == "propose" and pending.field
            return [Confirm(instance=pending.instance, yes=not more)]
        if pending.kind == "leave":
            return [Confirm(instance=pending.instance, yes=False)]
        if pending.kind == "clarify":
            return [Confirm(instance=pending.instance, yes=True)]
        at = self.specification.by_name[self.instance(pending.instance).worksheet].by_name[pending.field]
        if at.type.name == "Thing":
            row = ROWS[0]
            return [Pick(instance=pending.instance, field=at.name, table=row.table, key=row.key, title=row.title)]
        return [Assign(instance=pending.instance, field=at.name, value=dice.choice(GOOD[at.type.name]))]


FOUND = {0: Found(), 1: Found((NOPA,), best=True), 2: Found((NOPA, ZUNI))}


def some_reports(dice: random.Random) -> list[Report]:
    """Now and then, the user asked something."""
    if dice.random() > 0.15:
        return []
    return [
        dice.choice(
            [
                Report(0, "restaurants", entities=(NOPA,)),
                Report(0, "restaurants", entities=(NOPA, ZUNI)),
                Report(0, "restaurants", error="It took too long."),
                Report(0, "restaurants", missing="location"),
            ]
        )
    ]


def texts(value: Any) -> Iterator[Any]:
    """Every plain value inside a machine value."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    else:
        yield value


def asked_for(acts: tuple[Act, ...]) -> Act | None:
    """The act that asks, if the turn has one."""
    return acts[-1] if acts and acts[-1].act in (ActKind.ASK, ActKind.CONFIRM, ActKind.PROPOSE) else None


def unasked(bench: Bench) -> list[str]:
    """Required fields of finished tasks that have no value although they apply."""
    from agent.worksheets.rules import Rules

    rules = Rules(bench.specification, bench.now)
    missing = []
    for instance in bench.state.instances:
        if instance.status is not InstanceStatus.DONE:
            continue
        for at in bench.specification.by_name[instance.worksheet].fields:
            needed = at.required and at.ask and at.kind is FieldKind.INPUT
            if (
                needed
                and rules.shows(bench.state, instance, at)
                and instance.slot(at.name).status is not SlotStatus.SET
            ):
                missing.append(f"{instance.name}.{at.name}")
    return missing
