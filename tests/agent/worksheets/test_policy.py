"""What the agent does next, whatever the words: Algorithm 1, confirmations, refusals, several tasks."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Any

import pytest

from agent.worksheets.actions import Call, Refusal, Result
from agent.worksheets.acts import ActKind
from agent.worksheets.policy import Report
from agent.worksheets.state import InstanceStatus
from agent.worksheets.statements import Abandon, Confirm, Decline, Fill, Pick, Resume, Start, Unclear
from agent.worksheets.update import Found
from tests.agent.worksheets.bench import (
    BOOK,
    ENROLLMENT,
    NOPA,
    ZUNI,
    Bench,
    assign,
    field,
    no,
    specification,
    worksheet,
    yes,
)

B = "book_restaurant_1"


def picked(key: str = "nopa", title: str = "Nopa") -> Pick:
    return Pick(instance=B, field="restaurant", table="restaurants", key=key, title=title)


VALUES = (assign(f"{B}.date", "2026-11-27"), assign(f"{B}.time", "19:30"), assign(f"{B}.number_of_people", 2))


async def test_a_task_asks_for_its_first_field() -> None:
    bench = Bench()
    await bench.say(BOOK)
    assert (bench.last.act, bench.last.field) == (ActKind.ASK, "restaurant")


async def test_everything_said_at_once_is_confirmed_at_once() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    assert bench.kinds() == ["CONFIRM"]
    assert bench.last.values == {
        "restaurant": "nopa", "date": "2026-11-27", "time": "19:30", "number_of_people": 2
    }  # fmt: skip
    assert bench.last.text == "Shall I book Nopa for 2 people on Friday, November 27 at 7:30 pm?"
    assert not bench.ran


async def test_yes_runs_the_action_once_with_what_was_shown() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    decision = await bench.say(yes(B))
    await bench.say(yes(B))
    assert [arguments for _, _, arguments in bench.ran] == [
        {"restaurant": NOPA, "date": date(2026, 11, 27), "time": time(19, 30), "number_of_people": 2}
    ]
    assert [effect.result["booking_id"] for effect in decision.effects] == ["B1"]
    assert decision.acts[0].act is ActKind.REPORT
    assert bench.instance(B).status is InstanceStatus.DONE


async def test_what_a_yes_would_come_to_is_told_once_before_it_is_asked_for() -> None:
    bench = Bench()

    @bench.registry.outlook("BookRestaurant", "confirm")
    async def outlook(values: Mapping[str, Any], now: datetime) -> str:
        return f"A table for {values['number_of_people']} would be by the window."

    first = await bench.say(BOOK, picked(), *VALUES)
    assert [act.act for act in first.acts] == [ActKind.SAY, ActKind.CONFIRM]
    assert first.acts[0].text == "A table for 2 would be by the window."
    again = await bench.say(reports=[Report(query=0, worksheet="restaurants")])
    assert [act.act for act in again.acts] == [ActKind.REPORT, ActKind.CONFIRM]
    changed = await bench.say(assign(f"{B}.number_of_people", 3))
    assert changed.acts[0].text == "A table for 3 would be by the window."


async def test_a_turn_decided_twice_runs_its_action_under_one_key() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    state = bench.state
    first = await bench.say(yes(B))
    bench.state = state
    again = await bench.say(yes(B))
    assert first == again
    assert len(bench.ran) == 1


async def test_yes_but_with_another_value_is_asked_again() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    await bench.say(yes(B), assign(f"{B}.number_of_people", 7))
    assert not bench.ran
    assert bench.last.act is ActKind.CONFIRM
    assert bench.last.values["number_of_people"] == 7


async def test_no_runs_nothing_and_asks_what_to_change() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    await bench.say(no(B))
    assert not bench.ran
    assert bench.kinds() == ["ASK"]
    assert bench.state.pending is not None
    assert bench.state.pending.kind == "clarify"
    await bench.say(assign(f"{B}.time", "20:00"))
    assert bench.last.act is ActKind.CONFIRM


async def test_after_a_second_plain_no_the_task_may_be_dropped() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    await bench.say(no(B))
    await bench.say(no(B))
    assert bench.state.pending is not None
    assert bench.state.pending.kind == "leave"
    await bench.say(yes(B))
    assert bench.instance(B).status is InstanceStatus.ABANDONED
    assert not bench.ran


async def test_a_card_of_other_values_confirms_nothing() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    card = bench.last.digest
    await bench.say(assign(f"{B}.time", "20:00"))
    await bench.say(yes(B, digest=card))
    assert not bench.ran
    assert bench.kinds() == ["SAY", "CONFIRM"]


async def test_a_second_click_does_nothing_and_says_so() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    card = bench.last.digest
    await bench.say(yes(B, digest=card))
    await bench.say(yes(B, digest=card))
    assert len(bench.ran) == 1
    assert bench.kinds() == ["SAY"]


async def test_a_refusal_asks_for_what_is_in_the_way_with_what_would_do() -> None:
    bench = Bench()
    bench.full = {time(19, 30)}
    await bench.say(BOOK, picked(), *VALUES)
    await bench.say(yes(B))
    assert bench.kinds() == ["ERROR", "ASK"]
    assert (bench.last.field, bench.last.options) == ("time", ("6:30 pm", "8:30 pm"))
    await bench.say(yes(B))
    assert not bench.ran
    await bench.say(assign(f"{B}.time", "20:30"))
    await bench.say(yes(B))
    assert len(bench.ran) == 1


async def test_a_refusal_of_nothing_in_particular_asks_what_to_change_and_may_be_tried_again() -> None:
    bench = Bench()
    bench.closed = True
    await bench.say(BOOK, picked(), *VALUES)
    await bench.say(yes(B))
    assert bench.kinds() == ["ERROR", "ASK"]
    assert bench.state.pending is not None
    assert bench.state.pending.kind == "clarify"
    bench.closed = False
    await bench.say(yes(B))
    assert bench.last.act is ActKind.CONFIRM
    await bench.say(yes(B))
    assert len(bench.ran) == 1


async def test_what_was_refused_returns_when_something_else_changes() -> None:
    bench = Bench()
    bench.full = {time(19, 30)}
    await bench.say(BOOK, picked(), *VALUES)
    await bench.say(yes(B))
    await bench.say(assign(f"{B}.date", "2026-11-28"))
    assert bench.last.act is ActKind.CONFIRM
    assert bench.last.values["time"] == "19:30"


async def test_a_question_in_the_middle_is_answered_and_the_task_picked_up_in_other_words() -> None:
    bench = Bench()
    await bench.say(BOOK, picked())
    asked = bench.last.text
    await bench.say(reports=[Report(0, "restaurants", entities=(NOPA,))])
    assert bench.kinds() == ["REPORT", "ASK"]
    assert bench.last.field == "date"
    assert bench.last.text.startswith("Back to the reservation: ")
    assert bench.last.text != asked


async def test_a_failed_query_is_no_answer() -> None:
    bench = Bench()
    await bench.say(reports=[Report(0, "restaurants", error="The search took too long.")])
    assert bench.kinds() == ["ERROR"]


async def test_a_missing_parameter_is_asked_last_and_alone() -> None:
    bench = Bench()
    await bench.say(BOOK, reports=[Report(0, "restaurants", missing="location")])
    assert [(act.act, act.field) for act in bench.acts] == [(ActKind.ASK, "location")]


async def test_a_row_that_a_search_found_is_confirmed_before_anything_else_is_asked() -> None:
    bench = Bench()
    await bench.say(
        BOOK,
        Fill(instance=B, field="restaurant", question=0),
        found={0: Found((ZUNI,), best=True)},
        reports=[Report(0, "restaurants", entities=(ZUNI,))],
    )
    assert bench.kinds() == ["REPORT", "CONFIRM"]
    assert bench.last.field == "restaurant"
    await bench.say(yes(B))
    assert bench.last.field == "date"


async def test_a_row_that_is_not_the_one_is_asked_for_again() -> None:
    bench = Bench()
    await bench.say(BOOK, Fill(instance=B, field="restaurant", question=0), found={0: Found((ZUNI,))})
    await bench.say(no(B))
    assert (bench.last.act, bench.last.field) == (ActKind.ASK, "restaurant")
    assert "restaurant" not in bench.last.values


async def test_several_rows_are_chosen_from() -> None:
    bench = Bench()
    await bench.say(BOOK, Fill(instance=B, field="restaurant", question=0), found={0: Found((NOPA, ZUNI))})
    assert bench.last.options == ("Nopa", "Zuni Café")
    assert bench.state.pending is not None
    assert bench.state.pending.kind == "pick"
    await bench.say(picked("zuni", "Zuni Café"))
    assert bench.slot(f"{B}.restaurant").value == ZUNI
    assert bench.last.field == "date"


async def test_another_task_sets_the_first_aside_and_returns_to_it() -> None:
    bench = Bench()
    await bench.say(BOOK, picked())
    await bench.say(
        Start(worksheet="CancelBooking", instance="cancel_booking_1"), assign("cancel_booking_1.booking", "B7")
    )
    assert bench.instance(B).status is InstanceStatus.SUSPENDED
    await bench.say(yes("cancel_booking_1"))
    assert bench.kinds() == ["REPORT", "PROPOSE"]
    assert bench.last.instance == B
    await bench.say(yes(B))
    assert (bench.state.focus, bench.last.field) == (B, "date")


async def test_one_answer_about_one_row_offers_the_task_once() -> None:
    bench = Bench()
    await bench.say(reports=[Report(0, "restaurants", entities=(NOPA,))])
    assert bench.kinds() == ["REPORT", "PROPOSE"]
    await bench.say(no(bench.last.instance))
    for _ in range(5):
        await bench.say(reports=[Report(0, "restaurants", entities=(NOPA,))])
        assert bench.kinds() == ["REPORT"]


async def test_what_is_not_what_was_wanted_is_not_offered() -> None:
    bench = Bench()
    await bench.say(reports=[Report(0, "restaurants", entities=(NOPA,), pleases=False)])
    assert bench.kinds() == ["REPORT"]


async def test_what_was_just_done_is_not_offered_again() -> None:
    bench = Bench()
    await bench.say(BOOK, picked(), *VALUES)
    await bench.say(yes(B))
    await bench.say(reports=[Report(0, "restaurants", entities=(NOPA,))])
    assert bench.kinds() == ["REPORT"]
    await bench.say(reports=[Report(0, "restaurants", entities=(ZUNI,))])
    assert bench.kinds() == ["REPORT", "PROPOSE"]


async def test_an_accepted_offer_is_a_task_with_its_values() -> None:
    bench = Bench()
    await bench.say(reports=[Report(0, "restaurants", entities=(NOPA,))])
    await bench.say(yes(bench.last.instance))
    assert bench.slot(f"{B}.restaurant").confirmed
    assert bench.last.field == "date"


async def test_who_will_not_say_is_told_why_then_may_leave() -> None:
    bench = Bench()
    await bench.say(BOOK, picked())
    await bench.say(Decline(instance=B, field="date"))
    assert bench.last.field == "date"
    assert "Tables are held for one evening." in bench.last.text
    await bench.say(Decline(instance=B, field="date"))
    assert bench.state.pending is not None
    assert bench.state.pending.kind == "leave"


@pytest.mark.parametrize("turns", [9])
async def test_a_question_asked_again_never_repeats_its_last_two_wordings(turns: int) -> None:
    bench = Bench()
    await bench.say(BOOK, picked())
    for _ in range(turns):
        await bench.say()
    for three in zip(bench.asked, bench.asked[1:], bench.asked[2:], strict=False):
        assert len(set(three)) == 3


async def test_nested_worksheets_are_opened_in_order_and_confirmed_inside_out() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"))
    assert (bench.last.worksheet, bench.last.field) == ("Course", "course_name")
    await bench.say(assign("course_1.course_name", "CS 161"), assign("course_1.grade_type", "letter"))
    assert bench.last.field == "more_courses_1"
    await bench.say(no("main_1"))
    assert (bench.last.worksheet, bench.last.field) == ("CoursesToTake", "confirm")
    await bench.say(yes("courses_to_take_1"))
    await bench.say(assign("main_1.student_name", "Ann"))
    assert (bench.last.worksheet, bench.last.act) == ("Main", ActKind.CONFIRM)
    await bench.say(yes("main_1"))
    assert bench.ran[0][2]["courses"] == {
        "course_0_details": {"course_name": "CS 161", "grade_type": "Letter"},
        "more_courses_1": False,
    }


async def test_a_change_inside_withdraws_the_confirmations_around_it() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"))
    await bench.say(assign("course_1.course_name", "CS 161"), assign("course_1.grade_type", "Letter"))
    await bench.say(assign("courses_to_take_1.more_courses_1", False))
    await bench.say(yes("courses_to_take_1"), assign("main_1.student_name", "Ann"))
    assert bench.last.field == "confirm_submission"
    await bench.say(yes("courses_to_take_1"))
    assert not bench.ran
    await bench.say(assign("course_1.grade_type", "Credit/No Credit"))
    assert bench.last.field == "confirm"
    assert not bench.ran


async def test_an_optional_field_is_asked_once_and_passed_over_when_the_user_goes_on() -> None:
    task = worksheet(
        "Task", field("name"), field("note", required=False), field("age", "int", ask=False), field("ok", "confirm")
    )
    bench = Bench(specification(task))
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.name", "Ann"))
    assert bench.last.field == "note"
    await bench.say(assign("task_1.age", 30))
    assert bench.last.act is ActKind.CONFIRM


async def test_an_optional_field_is_asked_again_once_when_something_else_is_put_right() -> None:
    bench = Bench(
        specification(worksheet("Task", field("name"), field("note", required=False), field("ok", "confirm")))
    )
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.name", "Ann"))
    await bench.say(assign("task_1.name", "Bea"))
    assert bench.last.field == "note"
    await bench.say(assign("task_1.name", "Cleo"))
    assert bench.last.act is ActKind.CONFIRM


async def test_a_question_instead_of_an_answer_does_not_pass_an_optional_field_over() -> None:
    bench = Bench(
        specification(worksheet("Task", field("name"), field("note", required=False), field("ok", "confirm")))
    )
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.name", "Ann"))
    await bench.say(reports=[Report(0, "articles")])
    assert bench.last.field == "note"
    await bench.say(Decline(instance="task_1", field="note"))
    assert bench.last.act is ActKind.CONFIRM
    assert "note" not in bench.last.values


INSIDE = specification(
    worksheet("Task", field("leaf", "Leaf"), field("ok", "confirm"), actions="@outer(task=self)", title="task"),
    worksheet("Leaf", field("size", "int"), actions="@inner(size=self.size)"),
)


def inside(bench: Bench, refuse: list[bool]) -> list[str]:
    """Registers the actions of a worksheet and of the one nested in it; what runs, in order."""
    ran: list[str] = []

    @bench.registry.action("inner")
    async def inner(call: Call, *, size: int) -> Result:
        if refuse:
            refuse.pop()
            raise Refusal("Not now.")
        ran.append("inner")
        return Result("The leaf is done.")

    @bench.registry.action("outer")
    async def outer(call: Call, *, task: dict[str, Any]) -> Result:
        ran.append("outer")
        return Result("All is done.")

    return ran


async def test_a_nested_worksheet_runs_before_what_it_is_nested_in() -> None:
    bench = Bench(INSIDE)
    ran = inside(bench, [])
    await bench.say(Start(worksheet="Task", instance="task_1"), Start(worksheet="Leaf", instance="leaf_1"))
    await bench.say(assign("leaf_1.size", 1))
    assert ran == ["inner"]
    assert bench.kinds() == ["REPORT", "CONFIRM"]
    await bench.say(yes("task_1"))
    assert ran == ["inner", "outer"]


async def test_what_is_refused_inside_holds_up_what_is_around_it() -> None:
    bench = Bench(INSIDE)
    ran = inside(bench, [True])
    await bench.say(Start(worksheet="Task", instance="task_1"), Start(worksheet="Leaf", instance="leaf_1"))
    await bench.say(assign("leaf_1.size", 1))
    assert bench.kinds() == ["ERROR", "ASK"]
    await bench.say(yes("task_1"))
    assert "outer" not in ran
    await bench.say(assign("leaf_1.size", 2))
    await bench.say(yes("task_1"))
    assert ran == ["inner", "outer"]


@pytest.mark.parametrize("answer", [yes("task_1"), no("task_1")])
async def test_a_yes_or_a_no_to_an_optional_field_goes_on_without_it(answer: Confirm) -> None:
    bench = Bench(
        specification(worksheet("Task", field("name"), field("note", required=False), field("ok", "confirm")))
    )
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.name", "Ann"))
    await bench.say(answer)
    assert bench.kinds() == ["CONFIRM"]
    assert not bench.ran


async def test_an_optional_field_that_stays_unclear_is_passed_over() -> None:
    bench = Bench(
        specification(worksheet("Task", field("name"), field("note", required=False), field("ok", "confirm")))
    )
    await bench.say(Start(worksheet="Task", instance="task_1"), assign("task_1.name", "Ann"))
    await bench.say(Unclear(instance="task_1", field="note"))
    assert bench.last.field == "note"
    await bench.say(Unclear(instance="task_1", field="note"))
    assert bench.kinds() == ["CLARIFY", "CONFIRM"]


async def test_a_task_set_aside_is_offered_once_and_stays_when_declined() -> None:
    bench = Bench()
    await bench.say(BOOK, picked())
    await bench.say(
        Start(worksheet="CancelBooking", instance="cancel_booking_1"), assign("cancel_booking_1.booking", "B7")
    )
    await bench.say(yes("cancel_booking_1"))
    await bench.say(no(B))
    assert bench.kinds() == ["SAY"]
    assert bench.instance(B).status is InstanceStatus.SUSPENDED
    await bench.say(reports=[Report(0, "restaurants")])
    assert bench.kinds() == ["REPORT"]


async def test_an_offer_that_is_passed_by_is_no_longer_open() -> None:
    bench = Bench()
    await bench.say(reports=[Report(0, "restaurants", entities=(NOPA,))])
    offered = bench.last.instance
    await bench.say(reports=[Report(0, "restaurants", entities=(NOPA, ZUNI))])
    await bench.say(yes(offered))
    assert bench.state.focus == ""
    assert not bench.acts


# -- a yes, and what the message goes on with --------------------------------------------------------------------------


async def at_the_card(bench: Bench) -> None:
    """A reservation whose card is shown."""
    values = (assign(f"{B}.date", "2026-11-27"), assign(f"{B}.time", "19:30"), assign(f"{B}.number_of_people", 2))
    fill = Fill(instance=B, field="restaurant", question=0)
    await bench.say(BOOK, fill, *values, found={0: Found((NOPA,), named=True)})
    assert bench.last.field == "confirm"


async def test_what_is_confirmed_runs_before_the_next_task_has_the_floor() -> None:
    bench = Bench()
    await at_the_card(bench)
    decision = await bench.say(yes(B), Start(worksheet="CancelBooking", instance="cancel_booking_1"))
    assert [action for action, _, _ in bench.ran] == ["book"]
    assert [effect.worksheet for effect in decision.effects] == ["BookRestaurant"]
    assert bench.state.focus == "cancel_booking_1"
    assert (bench.last.act, bench.last.field) == (ActKind.ASK, "booking")
    assert bench.state.turns == 2


async def test_a_yes_and_a_task_set_aside_before() -> None:
    bench = Bench()
    await bench.say(Start(worksheet="CancelBooking", instance="cancel_booking_1"))
    await at_the_card(bench)
    await bench.say(Resume(instance="cancel_booking_1"), assign("cancel_booking_1.booking", "B7"), yes(B))
    assert [action for action, _, _ in bench.ran] == ["book"]
    assert (bench.last.act, bench.last.worksheet, bench.last.field) == (ActKind.CONFIRM, "CancelBooking", "sure")


async def test_what_cannot_be_run_is_said_and_kept_while_the_next_task_goes_on() -> None:
    bench = Bench()
    await at_the_card(bench)
    bench.full.add(time(19, 30))
    await bench.say(yes(B), Start(worksheet="CancelBooking", instance="cancel_booking_1"))
    assert not bench.ran
    assert "Nopa is full then." in bench.acts[0].text
    assert bench.state.focus == "cancel_booking_1"
    await bench.say(Abandon(instance="cancel_booking_1"))
    assert (bench.last.act, bench.last.instance) == (ActKind.PROPOSE, B)


async def test_a_change_beside_the_yes_withdraws_it_whatever_comes_after() -> None:
    bench = Bench()
    await at_the_card(bench)
    change = assign(f"{B}.number_of_people", 3)
    await bench.say(yes(B), change, Start(worksheet="CancelBooking", instance="cancel_booking_1"))
    assert not bench.ran


async def test_a_yes_beside_what_makes_no_sense_does_nothing() -> None:
    bench = Bench()
    await at_the_card(bench)
    start = Start(worksheet="CancelBooking", instance="cancel_booking_1")
    await bench.say(yes(B), start, assign("cancel_booking_1.colour", "red"))
    assert not bench.ran
    assert bench.kinds()[0] == "CLARIFY"


async def test_a_no_beside_another_task_runs_nothing() -> None:
    bench = Bench()
    await at_the_card(bench)
    await bench.say(no(B), Start(worksheet="CancelBooking", instance="cancel_booking_1"))
    assert not bench.ran
    assert bench.state.focus == "cancel_booking_1"
