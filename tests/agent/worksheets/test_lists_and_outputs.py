"""Lists of worksheets and of values, fields that actions fill, and how registered functions are called."""

from __future__ import annotations

import datetime
from typing import Any

import pytest

from agent.protocols.errors import SpecificationError
from agent.worksheets.actions import Call, Result
from agent.worksheets.acts import ActKind
from agent.worksheets.calling import bound, typed
from agent.worksheets.specification import FieldKind
from agent.worksheets.state import InstanceStatus, SlotStatus
from agent.worksheets.statements import Start
from tests.agent.worksheets.bench import Bench, assign, field, no, specification, worksheet, yes

ORDER = specification(
    worksheet(
        "Order",
        field("lines", "List[Line]"),
        field("notes", "List[str]", required=False, ask=False),
        field("number", kind=FieldKind.OUTPUT, required=False),
        field("ok", "confirm"),
        title="order",
        verb="place",
        backend="place(lines=self.lines, notes=self.notes)",
        actions='say("Your order is number " + self.number)',
    ),
    worksheet("Line", field("what"), field("count", "int"), title="line"),
)


def placing(bench: Bench) -> list[dict[str, Any]]:
    placed: list[dict[str, Any]] = []

    @bench.registry.action("place")
    async def place(call: Call, *, lines: list[dict[str, Any]], notes: list[str] | None) -> Result:
        placed.append({"lines": lines, "notes": notes})
        return Result("It is placed.", {"number": "N7", "paid": None})

    return placed


async def test_a_list_goes_on_until_the_user_says_that_is_all() -> None:
    bench = Bench(ORDER)
    placed = placing(bench)
    await bench.say(Start(worksheet="Order", instance="order_1"))
    await bench.say(assign("line_1.what", "tea"), assign("line_1.count", 2))
    assert (bench.last.act, bench.last.field) == (ActKind.PROPOSE, "lines")
    await bench.say(yes("order_1"))
    assert (bench.last.instance, bench.last.field) == ("line_2", "what")
    await bench.say(assign("line_2.what", "milk"), assign("line_2.count", 1))
    await bench.say(no("order_1"))
    assert bench.last.act is ActKind.CONFIRM
    await bench.say(yes("order_1"))
    assert placed == [{"lines": [{"what": "tea", "count": 2}, {"what": "milk", "count": 1}], "notes": None}]


async def test_one_more_said_unasked_is_added() -> None:
    bench = Bench(ORDER)
    await bench.say(Start(worksheet="Order", instance="order_1"))
    await bench.say(assign("line_1.what", "tea"), assign("line_1.count", 2))
    await bench.say(no("order_1"))
    await bench.say(Start(worksheet="Line", instance="line_2"), assign("line_2.what", "milk"))
    assert bench.last.field == "count"
    assert bench.slot("order_1.lines").value == ("line_1", "line_2")


async def test_several_values_of_a_field_are_kept_and_told() -> None:
    bench = Bench(ORDER)
    await bench.say(Start(worksheet="Order", instance="order_1"), assign("order_1.notes", ["gift", "no bag"]))
    assert bench.slot("order_1.notes").value == ("gift", "no bag")
    assert "gift and no bag" in bench.last.text


async def test_what_an_action_returns_fills_the_fields_of_its_names() -> None:
    bench = Bench(ORDER)
    placing(bench)
    await bench.say(Start(worksheet="Order", instance="order_1"))
    await bench.say(assign("line_1.what", "tea"), assign("line_1.count", 2))
    await bench.say(no("order_1"))
    decision = await bench.say(yes("order_1"))
    assert [(act.act, act.text) for act in decision.acts] == [
        (ActKind.REPORT, "It is placed."),
        (ActKind.SAY, "Your order is number N7"),
    ]
    assert bench.slot("order_1.number").status is SlotStatus.SET
    assert decision.effects[0].result == {"number": "N7", "sentence": "It is placed."}
    assert bench.instance("order_1").status is InstanceStatus.DONE


async def test_a_field_that_an_action_empties_is_asked_again() -> None:
    steps = specification(
        worksheet(
            "Steps",
            field("again", "bool", actions="if self.again:\n  self.count = self.count + 1\n  self.again = None"),
            field("count", "int", kind=FieldKind.INTERNAL, required=False),
            field("ok", "confirm"),
        )
    )
    bench = Bench(steps)
    await bench.say(Start(worksheet="Steps", instance="steps_1"))
    await bench.say(assign("steps_1.again", True))
    assert bench.last.field == "again"
    await bench.say(assign("steps_1.again", False))
    assert bench.last.field == "ok"


async def act(call: Call, *, day: datetime.date, at: datetime.time | None = None, note: str = "") -> Result:
    return Result(f"{day} {at} {note}")


def test_machine_values_become_what_the_signature_asks_for() -> None:
    assert bound("act", act, {"day": "2026-11-27", "at": "19:30", "note": "2026-11-27"}) == {
        "day": datetime.date(2026, 11, 27),
        "at": datetime.time(19, 30),
        "note": "2026-11-27",
    }
    assert typed(act, "at", None) is None


@pytest.mark.parametrize("arguments", [{}, {"day": "2026-11-27", "colour": "red"}])
def test_arguments_that_an_action_does_not_take_are_the_curators_error(arguments: dict[str, Any]) -> None:
    with pytest.raises(SpecificationError, match="action act"):
        bound("act", act, arguments)


async def test_an_action_that_is_not_registered_is_said_and_may_be_left() -> None:
    bench = Bench(
        specification(worksheet("Task", field("name"), field("ok", "confirm"), actions="@nothing(task=self)"))
    )
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.name", "Ann"))
    await bench.say(yes("task_1"))
    assert bench.kinds() == ["ERROR", "ASK"]
    assert bench.instance("task_1").status is InstanceStatus.ACTIVE
