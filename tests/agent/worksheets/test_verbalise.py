"""Acts in words: nothing that is not in them, never the same again, and a way out."""

from __future__ import annotations

import datetime
import re

import pytest

from agent.worksheets import verbalise
from agent.worksheets.specification import Field
from agent.worksheets.state import Slot, SlotStatus
from agent.worksheets.statements import Start
from tests.agent.worksheets.bench import ENROLLMENT, NOPA, ZUNI, Bench, assign, field, worksheet

TODAY = datetime.date(2026, 11, 20)
TASK = worksheet("Task", title="ticket", verb="submit")

FIELDS = [
    field("name"),
    field("date", "date"),
    field("time", "time"),
    field("number_of_people", "int"),
    field("sure", "bool"),
    field("colour", "red|green"),
    field("restaurant", "Restaurant"),
    field("note", required=False, description="Anything else."),
    field("why", question="Why is that?", reason="Staff need it"),
]


@pytest.mark.parametrize("asked_for", FIELDS, ids=lambda item: item.name)
def test_no_wording_is_either_of_the_two_before_it(asked_for: Field) -> None:
    said = [verbalise.ask(asked_for, TASK, times) for times in range(12)]
    for index in range(2, len(said)):
        assert said[index] not in said[index - 2 : index]


@pytest.mark.parametrize("asked_for", FIELDS, ids=lambda item: item.name)
def test_the_third_wording_tells_the_way_out(asked_for: Field) -> None:
    third = verbalise.ask(asked_for, TASK, 2)
    assert ("forget it" if asked_for.required else "skip it") in third


def test_the_reason_is_told_when_somebody_hesitates() -> None:
    assert "Staff need it." in verbalise.ask(FIELDS[-1], TASK, 2)


def test_the_question_is_the_curators_own() -> None:
    assert verbalise.ask(FIELDS[-1], TASK, 0) == "Why is that?"


def test_without_a_question_one_is_made_of_the_name_and_type() -> None:
    assert [verbalise.question(item) for item in FIELDS[:6]] == [
        "What is the name?",
        "What day would you like?",
        "What time would you like?",
        "How many people?",
        "Sure: yes or no?",
        "Which colour is it: red or green?",
    ]


def test_candidates_are_named() -> None:
    slot = Slot(status=SlotStatus.OPEN, candidates=(NOPA, ZUNI))
    assert verbalise.pick(field("restaurant", "Restaurant"), slot, 0) == (
        "Which restaurant would you like: Nopa or Zuni Café?"
    )


async def test_a_confirmation_tells_every_value_nested_ones_too() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"))
    await bench.say(assign("course_1.course_name", "CS 110"), assign("course_1.grade_type", "Letter"))
    await bench.say(assign("courses_to_take_1.more_courses_1", False), assign("main_1.student_name", "Ann"))
    text = verbalise.confirm_all(bench.state, bench.instance("main_1"), ENROLLMENT, TODAY, 0)
    for told in ("CS 110", "Letter", "More courses 1: no", "Ann"):
        assert told in text


async def test_no_number_is_told_that_is_not_in_the_act() -> None:
    bench = Bench()
    await bench.say(
        Start(worksheet="BookRestaurant", instance="book_restaurant_1"),
        assign("book_restaurant_1.number_of_people", 2),
        assign("book_restaurant_1.date", "2026-11-27"),
    )
    assert set(re.findall(r"\d+", bench.last.text)) == {"2", "27"}


def test_nothing_is_promised() -> None:
    said = [verbalise.ask(item, TASK, times) for item in FIELDS for times in range(4)]
    said += [verbalise.change_what(TASK, times) for times in range(3)]
    said += [
        verbalise.abandoned(TASK),
        verbalise.outdated(TASK),
        verbalise.not_understood(),
        verbalise.cannot_start(TASK),
    ]
    assert not [text for text in said if re.search(r"moment|wait|I will|I'll|soon|later", text)]
