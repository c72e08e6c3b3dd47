"""What is said of the talk itself is no value, and what a matter is about may be told as a question."""

from typing import Any

import pytest

from agent.worksheets.acts import ActKind
from agent.worksheets.state import SlotStatus
from tests.agent.tasks.speaking import Talk, Understander

LEAVE = ("open a ticket about my leave of absence", "something else")
DROP = "open a ticket: I can't drop CS 145"
REMARKS = (
    "sorry, was away",
    "sorry, I was away for a moment",
    "hm, what else...",
    "sorry for the wait",
    "ok, back now",
    "oh sorry, had to take a call",
    "hmm, good question",
)


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


def value(talk: Talk, instance: str, field: str) -> Any:
    held = talk.state.instance(instance)
    assert held is not None
    return held.slot(field).value


@pytest.mark.parametrize("remark", REMARKS)
def test_a_remark_is_no_text_and_the_question_stands(services: Talk, remark: str) -> None:
    decision = services.say(DROP, remark)
    assert value(services, "change_course_1", "issue_description") is None
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "issue_description")
    services.say("the page hangs")
    assert value(services, "change_course_1", "issue_description") == "the page hangs"


@pytest.mark.parametrize("remark", ["sorry, I was away", "sorry, I am back", "ok sorry, got distracted"])
@pytest.mark.parametrize("field", ["is_international_student", "student_name", "student_id"])
def test_a_remark_answers_nothing_else_either(understander: Understander, remark: str, field: str) -> None:
    talk = Talk(understander, "courses")
    talk.say("enroll me in CS 140, letter, 3 units", "no", "yes")
    told = {"is_international_student": "Una Roe, 05552222, una@uni.edu", "student_id": "Una Roe"}
    decision = talk.say(*([told[field]] if field in told else []), remark)
    assert talk.state.instance("student_info_1").slot(field).status is SlotStatus.UNSET
    assert decision.acts[-1].field == field


def test_what_follows_a_remark_is_the_text(services: Talk) -> None:
    services.say(DROP, "sorry, was away. The page hangs when I click drop.")
    assert value(services, "change_course_1", "issue_description").startswith("The page hangs")


@pytest.mark.parametrize(
    "said", ["hm, what else... for Friday then", "oh, and on Friday", "let me see... make it Friday"]
)
def test_another_value_is_no_wish(understander: Understander, said: str) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("book Quorum for 2 tomorrow at 8", said)
    assert value(talk, "book_restaurant_1", "special_requests") is None
    assert value(talk, "book_restaurant_1", "date") == "2026-11-27"


@pytest.mark.parametrize(
    "told",
    [
        "I want to know if I keep my room",
        "I'd like to know whether my visa stays valid",
        "I wonder how my scholarship is affected",
        "my question is if I can come back early",
        "will I lose my housing?",
        "do I keep my e-mail address while I'm gone?",
    ],
)
def test_a_question_that_was_asked_for_is_the_text(services: Talk, told: str) -> None:
    services.say(*LEAVE, told)
    assert value(services, "leave_of_absence_1", "issue_description") == told
    assert services.asked == ""


def test_what_somebody_wants_to_know_of_a_trouble_is_told_too(services: Talk) -> None:
    services.say(DROP, "I want to know why it says that I have a hold")
    assert value(services, "change_course_1", "issue_description") == "I want to know why it says that I have a hold"


@pytest.mark.parametrize("asked", ["where can I borrow a laptop?", "how long does it take you to answer?"])
def test_another_question_is_answered(services: Talk, asked: str) -> None:
    services.say(DROP, asked)
    assert value(services, "change_course_1", "issue_description") is None
    assert services.asked
