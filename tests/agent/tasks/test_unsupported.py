"""A yes with something beside it: what cannot be done is said, what is to be changed is shown again."""

from typing import Any

import pytest

from agent.worksheets.acts import ActKind
from agent.worksheets.state import InstanceStatus
from tests.agent.tasks.speaking import Talk, Understander

BOOKED = ("book Quorum for 2 on Friday at 8", "no thanks")
CHOSEN = ("enroll me in CS 140, letter, 3 units", "no")
ENROLLED = (*CHOSEN, "yes", "Una Roe, 05552222, una@uni.edu, domestic")
TICKET = ("open a ticket: I can't drop CS 145", "it hangs", "no", "Mo Farr")
TALKS = {"restaurants": BOOKED, "courses": ENROLLED, "services": TICKET}


def talk(understander: Understander, app: str) -> Talk:
    held = Talk(understander, app)
    held.say(*TALKS[app])
    return held


@pytest.mark.parametrize("app", list(TALKS))
@pytest.mark.parametrize(
    ("said", "undone"),
    [
        ("yes, send it to my professor too", "send it to my professor too"),
        ("yes and book a taxi", "book a taxi"),
        ("yes please, and order flowers", "order flowers"),
        ("yes, and can you text my wife?", "can you text my wife"),
        ("yeah. Also print it for me", "print it for me"),
    ],
)
def test_the_yes_counts_and_it_is_said_what_cannot_be_done(
    understander: Understander, app: str, said: str, undone: str
) -> None:
    held = talk(understander, app)
    held.say(said)
    assert len(held.done) == 1
    assert f"“{undone}”" in held.reply


@pytest.mark.parametrize("app", list(TALKS))
@pytest.mark.parametrize(
    "said",
    [
        "yes, that's great, see you then",
        "yes, thank you so much for your help",
        "yes, have a nice day",
        "yes, I'm looking forward to it",
        "yes please, go ahead and confirm it",
        "yes, I am quite sure",
    ],
)
def test_what_only_goes_with_a_yes_is_no_wish(understander: Understander, app: str, said: str) -> None:
    held = talk(understander, app)
    held.say(said)
    assert len(held.done) == 1
    assert held.reply == ""


def test_a_wish_after_a_but_is_said_and_the_yes_is_asked_for_again(understander: Understander) -> None:
    held = talk(understander, "restaurants")
    decision = held.say("yes, but book a taxi too")
    assert held.done == []
    assert "“book a taxi too”" in held.reply
    assert decision.acts[-1].act is ActKind.CONFIRM


@pytest.mark.parametrize(
    ("app", "said", "instance", "field", "value"),
    [
        ("restaurants", "yes, but make it 5 people", "book_restaurant_1", "number_of_people", 5),
        ("restaurants", "ok, at 9:30 pm though", "book_restaurant_1", "time", "21:30"),
        ("restaurants", "sure, Saturday", "book_restaurant_1", "date", "2026-11-21"),
        ("restaurants", "yes and tell them it's my birthday", "book_restaurant_1", "special_request_info", None),
        ("courses", "yes but make it 4 units", "course_1", "course_num_units", 4),
        ("courses", "yes, with 4 units", "course_1", "course_num_units", 4),
        ("courses", "ok but credit/no credit", "course_1", "grade_type", "Credit/No Credit"),
        ("courses", "yes, only CS 152 instead", "course_1", "course_name", "CS 152"),
        ("courses", "yes, but my name is Una Rowe", "student_info_1", "student_name", "Una Rowe"),
        ("courses", "yes but the e-mail is una@x.org", "student_info_1", "student_email_address", "una@x.org"),
        ("services", "yes, but CS 152", "change_course_1", "course_code", "CS 152"),
        ("services", "yes and my name is Mo Farah", "main_1", "full_name", "Mo Farah"),
        ("services", "yes, make it about adding a course", "change_course_1", "change_type", "Add a Course"),
        ("services", "yes, but it is about adding", "change_course_1", "change_type", "Add a Course"),
    ],
)
def test_a_yes_with_a_change_is_a_change(
    understander: Understander, app: str, said: str, instance: str, field: str, value: Any
) -> None:
    held = talk(understander, app)
    decision = held.say(said)
    assert held.done == []
    assert decision.acts[-1].act is ActKind.CONFIRM
    changed = held.state.instance(instance).slot(field).value
    assert changed == value if value is not None else changed
    assert held.reply == ""


def test_a_yes_and_another_order_are_both_carried_out(understander: Understander) -> None:
    held = talk(understander, "restaurants")
    decision = held.say("yes, and book Kaveri Tiffin Room for Saturday at 7 for 3")
    assert [values["restaurant"] for _, values in held.done] == ["quorum"]
    assert decision.acts[-1].act is ActKind.ASK
    held.say("no thanks", "yes")
    assert [values["restaurant"] for _, values in held.done] == ["quorum", "kaveri tiffin room"]


def test_a_yes_and_another_task_are_both_taken_up(understander: Understander) -> None:
    held = talk(understander, "courses")
    held.say("yes and drop CS 152")
    assert [action for action, _ in held.done] == ["enroll"]
    assert held.state.instance("drop_course_1").status is not InstanceStatus.ABANDONED


@pytest.mark.parametrize(
    "said", ["not at Quorum, at Kaveri Tiffin Room", "instead of Quorum I'd like Kaveri Tiffin Room"]
)
def test_a_row_that_is_denied_is_not_picked(understander: Understander, said: str) -> None:
    held = talk(understander, "restaurants")
    held.say(said)
    assert held.state.instance("book_restaurant_1").slot("restaurant").value.key == "kaveri tiffin room"
