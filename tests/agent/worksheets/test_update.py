"""Statements applied to a state: all or none, checked on assignment, and what follows from a change."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import pytest

from agent.worksheets.actions import Refusal
from agent.worksheets.acts import ActKind
from agent.worksheets.specification import FieldKind
from agent.worksheets.state import InstanceStatus, SlotStatus
from agent.worksheets.statements import Abandon, Clear, Decline, Fill, Resume, Start, Statement
from agent.worksheets.update import Found
from tests.agent.worksheets.bench import (
    BOOK,
    ENROLLMENT,
    NOPA,
    ZUNI,
    Bench,
    assign,
    field,
    specification,
    worksheet,
    yes,
)

B = "book_restaurant_1"

GATED = specification(
    worksheet(
        "Task",
        field("kind", "red|green"),
        field("shade", predicate="self.kind == 'red'"),
        field("leaf", "Leaf", predicate="self.kind == 'green'"),
        field("later", predicate="self.leaf or self.shade"),
        field("number", kind=FieldKind.INTERNAL, required=False),
        field("ok", "confirm"),
    ),
    worksheet("Leaf", field("size", "int", validation="value > 0")),
)
TASK = Start(worksheet="Task", instance="task_1")


@pytest.mark.parametrize(
    "wrong",
    [
        assign("nobody_1.date", "2026-11-27"),
        assign(f"{B}.colour", "red"),
        assign(f"{B}.booking_id", "B7"),
        Start(worksheet="Nothing", instance="nothing_1"),
        Start(worksheet="Restaurant", instance="restaurant_1"),
        Start(worksheet="BookRestaurant", instance=B),
        Fill(instance=B, field="restaurant", question=3),
        Decline(instance=B, field="colour"),
    ],
)
async def test_a_statement_that_makes_no_sense_applies_none(wrong: Statement) -> None:
    bench = Bench()
    await bench.say(BOOK)
    before = bench.state.instances
    await bench.say(assign(f"{B}.time", "19:30"), wrong)
    assert bench.acts[0].act is ActKind.CLARIFY
    assert bench.slot(f"{B}.time").status is SlotStatus.UNSET
    assert [item.name for item in bench.state.instances] == [item.name for item in before]


async def test_a_value_that_will_not_do_leaves_the_others_standing() -> None:
    bench = Bench()
    await bench.say(BOOK, assign(f"{B}.number_of_people", 87236), assign(f"{B}.date", "2026-11-27"))
    assert bench.acts[0].act is ActKind.CLARIFY
    assert "at least 1 and at most 20" in bench.acts[0].text
    assert bench.last.field == "number_of_people"
    assert bench.slot(f"{B}.date").value == "2026-11-27"
    assert bench.slot(f"{B}.number_of_people").status is SlotStatus.UNSET


async def test_a_refused_change_keeps_the_old_value_and_says_so() -> None:
    bench = Bench()
    await bench.say(BOOK, assign(f"{B}.date", "2026-11-27"))
    await bench.say(assign(f"{B}.date", "2026-11-01"))
    assert bench.acts[0].text == "That day is past. I have kept Friday, November 27."
    assert bench.slot(f"{B}.date").value == "2026-11-27"


async def test_a_check_sees_what_else_the_message_says_and_not_what_it_replaces() -> None:
    bench, seen = Bench(), []

    @bench.registry.check("BookRestaurant", "number_of_people")
    async def check(value: int, known: Mapping[str, Any], now: datetime) -> int:
        seen.append(dict(known))
        return value

    await bench.say(BOOK, assign(f"{B}.number_of_people", 2), assign(f"{B}.date", "2026-11-27"))
    assert seen == [{"date": "2026-11-27"}]


async def test_a_value_is_checked_again_when_another_changes() -> None:
    bench = Bench()

    @bench.registry.check("BookRestaurant", "time")
    async def check(value: str, known: Mapping[str, Any], now: datetime) -> str:
        if known.get("date") == "2026-11-29":
            raise Refusal("It is closed on Sundays at that time.", "time", ("12:00",))
        return value

    await bench.say(BOOK, assign(f"{B}.date", "2026-11-28"), assign(f"{B}.time", "19:30"))
    await bench.say(assign(f"{B}.date", "2026-11-29"))
    assert bench.acts[0].text == "It is closed on Sundays at that time."
    assert (bench.last.field, bench.last.options) == ("time", ("12:00 noon",))
    await bench.say(assign(f"{B}.date", "2026-11-30"))
    assert bench.slot(f"{B}.time").value == "19:30"


async def test_a_new_value_stands_where_an_older_one_is_in_its_way() -> None:
    bench = Bench()

    @bench.registry.check("BookRestaurant", "date")
    @bench.registry.check("BookRestaurant", "time")
    async def check(value: str, known: Mapping[str, Any], now: datetime) -> str:
        if {"2026-11-29", "19:30"} <= {value, known.get("date"), known.get("time")}:
            raise Refusal("It is closed on Sundays at that time.", "time", ("12:00",))
        return value

    await bench.say(BOOK, assign(f"{B}.time", "19:30"))
    await bench.say(assign(f"{B}.date", "2026-11-29"))
    assert bench.slot(f"{B}.date").value == "2026-11-29"
    assert bench.slot(f"{B}.time").status is SlotStatus.UNSET
    assert [act.text for act in bench.acts if act.act is ActKind.CLARIFY] == ["It is closed on Sundays at that time."]


async def test_what_a_check_returns_is_stored() -> None:
    bench = Bench(GATED)

    @bench.registry.check("Task", "shade")
    async def check(value: str, known: Mapping[str, Any], now: datetime) -> str:
        return value.upper()

    await bench.say(TASK, assign("task_1.shade", "dark"))
    assert bench.slot("task_1.shade").value == "DARK"


async def test_a_value_implies_what_it_depends_on() -> None:
    bench = Bench(GATED)
    await bench.say(TASK, assign("task_1.shade", "dark"))
    assert bench.slot("task_1.kind").value == "red"


async def test_a_nested_worksheet_implies_its_gate_and_finds_its_place() -> None:
    bench = Bench(GATED)
    await bench.say(TASK, Start(worksheet="Leaf", instance="leaf_1"), assign("leaf_1.size", 3))
    assert bench.slot("task_1.kind").value == "green"
    assert bench.instance("leaf_1").parent == "task_1.leaf"


async def test_a_predicate_turned_false_drops_its_field_and_what_is_in_it() -> None:
    bench = Bench(GATED)
    await bench.say(TASK, Start(worksheet="Leaf", instance="leaf_1"), assign("leaf_1.size", 3))
    await bench.say(assign("task_1.kind", "red"))
    assert "leaf" not in bench.instance("task_1").slots
    assert bench.instance("leaf_1").status is InstanceStatus.ABANDONED
    assert bench.last.field == "shade"


async def test_what_is_said_early_is_kept_until_it_is_ruled_out() -> None:
    bench = Bench(GATED)
    await bench.say(TASK, assign("task_1.later", "soon"))
    assert bench.slot("task_1.later").value == "soon"
    await bench.say(assign("task_1.kind", "red"))
    assert bench.slot("task_1.later").value == "soon"


async def test_a_worksheet_that_is_ruled_out_is_not_begun_and_it_is_said() -> None:
    bench = Bench(GATED)
    await bench.say(TASK, assign("task_1.kind", "red"))
    await bench.say(Start(worksheet="Leaf", instance="leaf_1"), assign("leaf_1.size", 3))
    assert bench.state.instance("leaf_1") is None
    assert bench.acts[0].act is ActKind.SAY


async def test_one_more_overtakes_an_earlier_no_more() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"))
    await bench.say(assign("course_1.course_name", "CS 110"), assign("courses_to_take_1.more_courses_1", False))
    await bench.say(Start(worksheet="Course", instance="course_2"), assign("course_2.course_name", "CS 120"))
    assert bench.slot("courses_to_take_1.more_courses_1").value is True
    assert bench.instance("course_2").parent == "courses_to_take_1.course_1_details"


async def test_a_yes_or_no_that_is_a_value_has_its_consequences() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"))
    await bench.say(assign("course_1.course_name", "CS 110"), assign("course_1.grade_type", "Letter"))
    await bench.say(yes("main_1"))
    assert bench.last.instance == "course_2"
    await bench.say(Start(worksheet="Course", instance="course_3"), assign("courses_to_take_1.more_courses_1", False))
    assert bench.instance("course_2").status is InstanceStatus.ABANDONED


async def test_a_place_that_only_an_empty_instance_holds_is_free() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"))
    assert bench.last.instance == "course_1"
    await bench.say(Start(worksheet="Course", instance="course_2"), assign("course_2.course_name", "CS 120"))
    assert bench.slot("courses_to_take_1.course_0_details").value == "course_2"


async def test_what_is_nested_opens_what_it_is_nested_in() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Course", instance="course_1"), assign("course_1.course_name", "CS 120"))
    assert bench.state.focus == "main_1"
    assert bench.instance("course_1").parent == "courses_to_take_1.course_0_details"


async def test_a_reference_as_a_value_is_a_place() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(
        Start(worksheet="Main", instance="main_1"),
        Start(worksheet="CoursesToTake", instance="courses_to_take_1"),
        Start(worksheet="Course", instance="course_1"),
        assign("courses_to_take_1.course_1_details", "course_1"),
    )
    assert bench.instance("course_1").parent == "courses_to_take_1.course_1_details"


async def test_two_tasks_in_one_message_are_taken_up_one_after_the_other() -> None:
    bench = Bench()
    await bench.say(BOOK, Start(worksheet="CancelBooking", instance="cancel_booking_1"))
    assert bench.state.focus == B
    assert bench.instance("cancel_booking_1").status is InstanceStatus.SUSPENDED
    await bench.say(Abandon(instance=B))
    assert (bench.last.act, bench.last.instance) == (ActKind.PROPOSE, "cancel_booking_1")


async def test_a_second_task_of_a_kind_starts_empty() -> None:
    bench = Bench()
    await bench.say(BOOK, assign(f"{B}.date", "2026-11-27"))
    await bench.say(Start(worksheet="BookRestaurant", instance="book_restaurant_2"))
    assert not bench.instance("book_restaurant_2").slots.get("date")
    assert bench.slot(f"{B}.date").value == "2026-11-27"


async def test_a_task_given_up_may_be_resumed_with_its_values() -> None:
    bench = Bench()
    await bench.say(BOOK, assign(f"{B}.date", "2026-11-27"))
    await bench.say(Abandon(instance=B))
    assert bench.kinds() == ["SAY"]
    await bench.say(Resume(instance=B))
    assert bench.state.focus == B
    assert bench.slot(f"{B}.date").value == "2026-11-27"


async def test_a_value_for_a_task_set_aside_takes_it_up_again() -> None:
    bench = Bench()
    await bench.say(BOOK)
    await bench.say(Start(worksheet="CancelBooking", instance="cancel_booking_1"))
    await bench.say(assign(f"{B}.date", "2026-11-27"))
    assert bench.state.focus == B
    assert bench.slot("user_info_1.user_task").value == "Book Restaurant"


async def test_a_finished_task_is_not_changed_and_it_is_said() -> None:
    bench = Bench()
    values = (assign(f"{B}.date", "2026-11-27"), assign(f"{B}.time", "19:30"), assign(f"{B}.number_of_people", 2))
    await bench.say(
        BOOK, Fill(instance=B, field="restaurant", question=0), *values, found={0: Found((NOPA,), named=True)}
    )
    await bench.say(yes(B))
    await bench.say(assign(f"{B}.number_of_people", 3))
    assert bench.slot(f"{B}.number_of_people").value == 2
    assert bench.kinds() == ["SAY"]
    await bench.say(Abandon(instance=B))
    assert bench.instance(B).status is InstanceStatus.DONE


async def test_a_value_taken_back_is_asked_for() -> None:
    bench = Bench()
    await bench.say(BOOK, Fill(instance=B, field="restaurant", question=0), found={0: Found((NOPA,), named=True)})
    await bench.say(assign(f"{B}.date", "2026-11-27"))
    await bench.say(Clear(instance=B, field="date"))
    assert bench.last.field == "date"


async def test_candidates_make_way_for_a_new_search() -> None:
    bench = Bench()
    fill = Fill(instance=B, field="restaurant", question=0)
    await bench.say(BOOK, fill, found={0: Found((NOPA, ZUNI))})
    assert bench.slot(f"{B}.restaurant").status is SlotStatus.OPEN
    await bench.say(fill, found={0: Found((ZUNI,), best=True)})
    assert bench.slot(f"{B}.restaurant").value == ZUNI


async def test_a_search_without_a_result_changes_nothing() -> None:
    bench = Bench()
    await bench.say(BOOK, Fill(instance=B, field="restaurant", question=0), found={0: Found((NOPA,), named=True)})
    await bench.say(Fill(instance=B, field="restaurant", question=0), found={0: Found()})
    assert bench.slot(f"{B}.restaurant").value == NOPA


@pytest.mark.parametrize("placeholder", ["", "N/A", "<date>", None])
async def test_a_placeholder_is_not_a_value(placeholder: Any) -> None:
    bench = Bench()
    await bench.say(BOOK, assign(f"{B}.date", placeholder))
    assert bench.slot(f"{B}.date").status is SlotStatus.UNSET
    assert bench.acts[0].act is ActKind.CLARIFY


async def test_a_rule_that_does_not_work_is_an_error_and_never_false(caplog: pytest.LogCaptureFixture) -> None:
    broken = specification(
        worksheet(
            "Task",
            field("name"),
            field("note", predicate="self.name > 3"),
            field("ok", "confirm"),
            actions="@act(task=self)",
        )
    )
    bench = Bench(broken)
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.name", "Ann"))
    errors = [act for act in bench.acts if act.act is ActKind.ERROR]
    assert [(act.worksheet, act.field, act.values["line"]) for act in errors] == [("Task", "note", 1)]
    assert "Task.note" in caplog.text
    assert not bench.ran
    await bench.say(Abandon(instance="task_1"))
    assert not bench.state.open_instances()


async def test_actions_that_set_each_other_off_come_to_an_end() -> None:
    round_and_round = specification(
        worksheet(
            "Task",
            field("a", "int", actions="self.b = self.a + 1"),
            field("b", "int", kind=FieldKind.INTERNAL, required=False, actions="self.a = self.b + 1"),
            field("ok", "confirm"),
        )
    )
    bench = Bench(round_and_round)
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.a", 1))
    assert bench.acts[0].act is ActKind.ERROR


async def test_a_worksheet_inside_itself_opens_no_end_of_them() -> None:
    task, leaf = (
        worksheet("Task", field("leaf", "Leaf"), field("ok", "confirm")),
        worksheet("Leaf", field("leaf", "Leaf")),
    )
    bench = Bench(specification(task, leaf))
    await bench.say(Start(worksheet="Task", instance="task_1"))
    for _ in range(3):
        await bench.say()
    assert len(bench.state.instances) == 2


async def test_an_action_that_leaves_the_worksheet_leaves_it() -> None:
    leaving = specification(
        worksheet(
            "Task",
            field("name"),
            field("ok", "confirm", actions='if self.ok == False:\n  >say("As you like.")\n  >exitws()'),
            actions="@act(task=self)",
        )
    )
    bench = Bench(leaving)
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.name", "Ann"))
    await bench.say(assign("task_1.ok", False))
    assert [act.text for act in bench.acts] == ["As you like."]
    assert bench.instance("task_1").status is InstanceStatus.ABANDONED
    assert not bench.ran


async def test_a_task_given_up_is_resumed_with_what_is_nested_in_it() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"))
    await bench.say(assign("course_1.course_name", "CS 110"))
    await bench.say(Abandon(instance="main_1"))
    await bench.say(Resume(instance="main_1"))
    assert (bench.last.instance, bench.last.field) == ("course_1", "grade_type")
    assert bench.slot("course_1.course_name").value == "CS 110"


async def test_what_was_missing_may_still_be_supplied_after_a_worksheet_gave_up() -> None:
    careful = specification(
        worksheet("Main", field("check", "Check"), field("report"), field("ok", "confirm"), title="report"),
        worksheet("Check", field("pin", required=False), actions="if self.pin is None:\n  >say('No.')\n  >exitws()"),
    )
    bench = Bench(careful)
    await bench.say(Start(worksheet="Main", instance="main_1"))
    await bench.say(Decline(instance="check_1", field="pin", unknown=True))
    assert [act.text for act in bench.acts] == ["No."]
    assert bench.instance("main_1").status is InstanceStatus.ABANDONED
    await bench.say(assign("check_1.pin", "1234"))
    assert bench.state.focus == "main_1"
    assert bench.last.field == "report"


async def test_a_gate_is_set_before_what_it_opens_in_whatever_order_they_are_said() -> None:
    bench = Bench(GATED)
    await bench.say(TASK, assign("task_1.kind", "red"), assign("task_1.shade", "dark"))
    await bench.say(
        Start(worksheet="Leaf", instance="leaf_1"), assign("leaf_1.size", 3), assign("task_1.kind", "green")
    )
    assert bench.slot("leaf_1.size").value == 3
    assert "shade" not in bench.instance("task_1").slots


async def test_who_declines_an_optional_part_that_is_still_empty_declines_all_of_it() -> None:
    declared = specification(
        worksheet(
            "Plan",
            field("first", "Course"),
            field("second", "Course", required=False),
            field("sure", "confirm"),
        ),
        worksheet("Course", field("course_name"), field("units", "int")),
    )
    bench = Bench(declared)
    await bench.say(
        Start(worksheet="Plan", instance="plan_1"),
        Start(worksheet="Course", instance="course_1", parent="plan_1.first"),
        assign("course_1.course_name", "CS 101"),
        assign("course_1.units", 3),
    )
    assert (bench.last.act, bench.last.field, bench.last.instance) == (ActKind.ASK, "course_name", "course_2")
    await bench.say(Decline(instance="course_2", field="course_name"))
    assert bench.slot("plan_1.second").status is SlotStatus.REFUSED
    assert bench.last.act is ActKind.CONFIRM


async def test_a_task_that_nothing_would_do_for_ends() -> None:
    bench = Bench()

    @bench.registry.check("BookRestaurant", "date")
    async def date(value: Any, known: Mapping[str, Any], now: datetime) -> Any:
        raise Refusal("No table can be booked at all.", "date", final=True)

    await bench.say(BOOK, assign(f"{B}.date", "2026-11-27"))
    assert bench.acts[0].text == "No table can be booked at all."
    assert bench.state.instance(B).status is InstanceStatus.ABANDONED
    assert all(act.act is not ActKind.ASK for act in bench.acts)
