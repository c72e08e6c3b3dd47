"""The Python notation of statements and states: what is written is read back, and what is read is never run."""

from __future__ import annotations

import random

import pytest

from agent.worksheets.spelling import (
    SpellingError,
    read_pending,
    read_state,
    read_statements,
    write_state,
    write_statements,
)
from agent.worksheets.state import DialogueState, Entity, InstanceStatus, SlotStatus
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
from tests.agent.worksheets.bench import BOOK, BOOKING, ENROLLMENT, NOW, Bench, assign, yes
from tests.agent.worksheets.wild import FOUND, WildBench, random_specification

B = "book_restaurant_1"
TODAY = NOW.date()
EMPTY = DialogueState(application="test")

NESTED = """
course = Course(course_name = 'CS 110', grade_type = 'Letter')
courses_to_take = CoursesToTake(course_0_details = course)
main = Main(courses_to_take = courses_to_take)
"""


async def booking() -> DialogueState:
    bench = Bench()
    await bench.say(BOOK, assign(f"{B}.date", "2026-11-27"))
    return bench.state


def test_a_new_instance_is_written_with_its_values() -> None:
    said = (BOOK, assign(f"{B}.date", "2026-11-27"), Fill(instance=B, field="restaurant", question=0))
    assert write_statements(said, ("the best sushi in Palo Alto",), EMPTY, BOOKING) == [
        "book_restaurant_1 = BookRestaurant(date='2026-11-27', restaurant=answer('the best sushi in Palo Alto'))"
    ]


async def test_a_value_of_an_open_instance_is_written_alone() -> None:
    said = (assign(f"{B}.number_of_people", 7), Confirm(instance=B, yes=True))
    assert write_statements(said, ("Is it noisy?",), await booking(), BOOKING) == [
        "book_restaurant_1.number_of_people = 7",
        "book_restaurant_1.confirm = True",
        "answer('Is it noisy?')",
    ]


def test_a_nested_instance_is_followed_by_its_place() -> None:
    said = (
        Start(worksheet="Course", instance="course_1", parent="courses_to_take_1.course_0_details"),
        assign("course_1.course_name", "CS 110"),
    )
    assert write_statements(said, (), EMPTY, ENROLLMENT) == [
        "course_1 = Course(course_name='CS 110')",
        "courses_to_take_1.course_0_details = course_1",
    ]


STATEMENTS: tuple[Statement, ...] = (
    BOOK,
    assign(f"{B}.date", "2026-11-27"),
    Fill(instance=B, field="restaurant", question=0),
    Start(worksheet="CancelBooking", instance="cancel_booking_1"),
    Decline(instance="cancel_booking_1", field="booking"),
)
LATER: tuple[Statement, ...] = (
    Pick(instance=B, field="restaurant", table="restaurants", key="nopa", title="Nopa"),
    Assign(instance=B, field="time", value="19:30"),
    Clear(instance=B, field="date"),
    Confirm(instance=B, field="confirm", yes=False),
    Confirm(instance=B, field="restaurant", yes=True),
    Abandon(instance=B),
    Resume(instance=B),
    Unclear(instance=B, field="date"),
)


@pytest.mark.parametrize("said", [STATEMENTS, LATER])
async def test_statements_are_read_back_as_they_were_written(said: tuple[Statement, ...]) -> None:
    state = EMPTY if said is STATEMENTS else await booking()
    questions = ("somewhere quiet", "Do they have parking?")
    text = write_statements(said, questions if said is STATEMENTS else (), state, BOOKING)
    read, asked = read_statements(text, state, BOOKING)
    assert read == said
    assert asked == (questions if said is STATEMENTS else ())


def test_a_state_is_read_with_its_nesting() -> None:
    state = read_state(NESTED, ENROLLMENT, TODAY)
    course = state.instance("course")
    assert course is not None
    assert course.parent == "courses_to_take.course_0_details"
    assert course.slot("course_name").value == "CS 110"
    assert state.focus == "main"
    assert write_state(state, ENROLLMENT).splitlines() == [
        "course = Course(course_name='CS 110', grade_type='Letter')",
        "courses_to_take = CoursesToTake(course_0_details=course)",
        "main = Main(courses_to_take=courses_to_take)",
    ]


def test_a_state_may_refer_to_what_comes_later() -> None:
    upside_down = "\n".join(reversed(NESTED.strip().splitlines()))
    assert read_state(upside_down, ENROLLMENT, TODAY).focus == "main"


def test_worksheets_may_be_made_inside_each_other() -> None:
    text = "main = Main(courses_to_take=CoursesToTake(course_0_details=Course(course_name='CS 110')))"
    assert write_state(read_state(text, ENROLLMENT, TODAY), ENROLLMENT).splitlines()[0] == (
        "course_1 = Course(course_name='CS 110')"
    )


def test_what_a_query_found_is_a_row_or_candidates() -> None:
    text = "answer = answer('sushi', sql='SELECT 1')\nanswer.result = [{}]\nbook = BookRestaurant(restaurant=answer)"
    one = read_state(text.replace("{}", "{'name': 'Nopa', 'id': 'nopa'}"), BOOKING, TODAY).instance("book")
    two = read_state(text.replace("{}", "{'name': 'Nopa'}, {'name': 'Zuni'}"), BOOKING, TODAY).instance("book")
    assert one is not None
    assert two is not None
    assert one.slot("restaurant").value == Entity(table="", key="nopa", title="Nopa")
    assert two.slot("restaurant").status is SlotStatus.OPEN


def test_placeholders_are_no_values() -> None:
    state = read_state("book = BookRestaurant(date='', time=None, number_of_people='NA')", BOOKING, TODAY)
    book = state.instance("book")
    assert book is not None
    assert {name: slot.status for name, slot in book.slots.items()} == {"number_of_people": SlotStatus.REFUSED}


def test_dates_and_times_may_be_written_as_python_has_them() -> None:
    text = "book_1 = BookRestaurant(date=datetime.date(2026, 11, 27), time=time(19, 30))"
    book = read_state(text, BOOKING, TODAY).instance("book_1")
    assert book is not None
    assert (book.slot("date").value, book.slot("time").value) == ("2026-11-27", "19:30")


@pytest.mark.parametrize(
    ("acts", "field", "kind"),
    [
        ("[AskField(course, grade_type, How the course is graded)]", "grade_type", "ask"),
        (["Report(answer)", "ASK(course, grade_type)"], "grade_type", "ask"),
        ([{"act": "CONFIRM", "worksheet": "CoursesToTake", "field": "confirm"}], "confirm", "confirm"),
        ("AskField(main, confirm_submission)", "confirm_submission", "confirm"),
    ],
)
def test_what_is_waited_for_is_read_from_the_acts(acts: object, field: str, kind: str) -> None:
    state = read_pending(acts, read_state(NESTED, ENROLLMENT, TODAY), ENROLLMENT)  # type: ignore[arg-type]
    assert state.pending is not None
    assert (state.pending.field, state.pending.kind) == (field, kind)


def test_a_worksheet_that_is_asked_about_but_not_in_the_state_is_opened() -> None:
    state = read_pending("ASK(BookRestaurant, date)", EMPTY, BOOKING)
    assert state.focus == B


@pytest.mark.parametrize(
    "text",
    ["__import__('os').system('true').x = 1", "main = Main(", "for x in y: pass", "a.b.c = 1", "main = [x for x in y]"],
)
def test_anything_else_is_an_error_with_its_line(text: str) -> None:
    with pytest.raises(SpellingError, match="line 1"):
        read_state(text, ENROLLMENT, TODAY)


def test_a_field_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(SpellingError, match="colour"):
        read_statements("book = BookRestaurant(colour='red')", EMPTY, BOOKING)


async def test_a_finished_task_is_not_in_focus() -> None:
    state = read_state("book = BookRestaurant(date='2026-11-27', confirm=True)", BOOKING, TODAY)
    assert state.focus == ""
    assert state.instances[0].status is InstanceStatus.DONE


async def test_names_without_a_counter_work_in_a_conversation() -> None:
    bench = Bench(ENROLLMENT)
    bench.state = read_pending("AskField(course, grade_type)", read_state(NESTED, ENROLLMENT, TODAY), ENROLLMENT)
    await bench.say(assign("course.grade_type", "Credit/No Credit"))
    assert bench.last.field == "more_courses_1"
    await bench.say(yes("main"))
    assert (bench.last.instance, bench.last.field) == ("course_2", "course_name")


@pytest.mark.parametrize("seed", range(40))
async def test_states_of_wild_conversations_are_read_back(seed: int) -> None:
    dice = random.Random(seed)
    bench = WildBench(random_specification(dice))
    for _ in range(15):
        await bench.say(*bench.anything(dice), found=FOUND)
    text = write_state(bench.state, bench.specification)
    assert write_state(read_state(text, bench.specification, TODAY), bench.specification) == text
