"""What is a yes to the courses that are shown, and what only speaks of something that was told."""

from __future__ import annotations

import pytest

from tests.agent.tasks.speaking import Talk, Understander

CHOSEN = ("enroll me in CS 140, letter, 3 units, and CS 215, letter, 3 units", "no")


@pytest.mark.parametrize(
    "said",
    [
        "Yes, those are the courses.",
        "yep those are the courses",
        "yes, those are the ones I meant",
        "yes, these are my two",
    ],
)
def test_naming_what_is_shown_is_a_yes(understander: Understander, said: str) -> None:
    held = Talk(understander, "courses")
    held.say(*CHOSEN, said)
    assert held.state.instance("courses_to_take_1").slot("confirm").value is True


@pytest.mark.parametrize(
    "said",
    ["Yes, that's what I had heard.", "yeah, as I thought", "yes, just what we expected", "yes, like I figured"],
)
def test_speaking_of_what_was_told_is_no_yes(understander: Understander, said: str) -> None:
    held = Talk(understander, "courses")
    decision = held.say(*CHOSEN, said)
    assert held.state.instance("courses_to_take_1").slot("confirm").value is None
    assert decision.acts[-1].field == "confirm"


@pytest.mark.parametrize("said", ["No, don't drop it. 4 units, then.", "Please do not scrap it! 4 units."])
def test_who_wants_to_keep_a_task_does_not_leave_it(understander: Understander, said: str) -> None:
    held = Talk(understander, "courses")
    held.say("enroll me in CS 140, letter", "then that", said)
    assert held.state.focus == "main_1"
    assert held.state.instance("course_1").slot("course_num_units").value == 4


@pytest.mark.parametrize(
    "said",
    [
        "Sorry, nothing to change. I just don't want any booking at all today.",
        "we don't want any booking",
        "Nothing at all, sorry, we don't want any booking. Thank you so much, goodbye!",
        "No, really, sorry. Forget it. Bye!",
    ],
)
def test_who_wants_nothing_at_the_card_has_left(understander: Understander, said: str) -> None:
    held = Talk(understander, "restaurants")
    decision = held.say("book Quorum for 2 on Friday at 8", "no thanks", said)
    assert [act.text for act in decision.acts] == ["All right, I have dropped the reservation."]
    assert not held.done


def test_who_wants_no_window_seat_still_books(understander: Understander) -> None:
    held = Talk(understander, "restaurants")
    held.say("book Quorum for 2 on Friday at 8", "I don't want any window seat")
    assert held.state.focus == "book_restaurant_1"
