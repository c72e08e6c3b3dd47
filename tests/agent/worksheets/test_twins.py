"""The same thing twice among worksheets of one kind."""

from __future__ import annotations

from agent.worksheets.acts import ActKind
from agent.worksheets.statements import Start
from tests.agent.worksheets.bench import Bench, assign, field, specification, worksheet

PLAN = specification(
    worksheet(
        "Plan",
        field("first", "Course"),
        field("second", "Course", required=False),
        field("sure", "confirm"),
    ),
    worksheet("Course", field("code", primary=True), field("units", "int")),
)


async def begun() -> Bench:
    bench = Bench(PLAN)
    await bench.say(
        Start(worksheet="Plan", instance="plan_1"),
        Start(worksheet="Course", instance="course_1", parent="plan_1.first"),
        assign("course_1.code", "CS 101"),
    )
    return bench


async def test_said_twice_in_one_message_it_is_one_with_all_that_was_said() -> None:
    bench = Bench(PLAN)
    await bench.say(
        Start(worksheet="Plan", instance="plan_1"),
        Start(worksheet="Course", instance="course_1", parent="plan_1.first"),
        Start(worksheet="Course", instance="course_2", parent="plan_1.second"),
        assign("course_1.code", "CS 101"),
        assign("course_2.code", "CS 101"),
        assign("course_2.units", 4),
    )
    assert bench.slot("course_1.units").value == 4
    assert bench.slot("plan_1.second").value != "course_2"


async def test_said_again_it_is_there_already() -> None:
    bench = await begun()
    await bench.say(assign("course_1.units", 3))
    await bench.say(assign("course_2.code", "CS 101"))
    assert any(act.act is ActKind.SAY and "CS 101" in act.text for act in bench.acts)
    assert bench.slot("plan_1.second").value != "course_2"
    assert bench.slot("course_1.units").value == 3


async def test_another_thing_stays_another() -> None:
    bench = await begun()
    await bench.say(assign("course_1.units", 3))
    await bench.say(assign("course_2.code", "CS 102"))
    assert bench.slot("plan_1.second").value == "course_2"
    assert bench.slot("course_1.code").value == "CS 101"
