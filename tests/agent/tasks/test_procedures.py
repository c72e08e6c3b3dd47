"""Questions about how things are done, told from orders to do them."""

import pytest

from agent.parsing.tasks.message import Form, Message
from agent.worksheets.acts import ActKind
from agent.worksheets.state import InstanceStatus
from tests.agent.tasks.speaking import Talk, Understander

BOOKED = ("book Quorum for 2 on Friday at 8", "no thanks")


@pytest.fixture
def restaurants(understander: Understander) -> Talk:
    return Talk(understander, "restaurants")


@pytest.mark.parametrize(
    "words",
    [
        "you can call it off for free, right?",
        "u can call it off for free right",
        "we can still alter it, can't we?",
        "can I alter a booking once I have it?",
        "may I cancel it afterwards?",
        "can one cancel reservations?",
        "they have a garden?",
        "can you actually sit down there",
        "can we even get in without a booking",
    ],
)
def test_what_may_be_done_is_a_question(words: str) -> None:
    assert [one.form for one in Message(words).sentences] == [Form.QUESTION]


@pytest.mark.parametrize("words", ["can I cancel my booking?", "could we cancel it?", "is it possible to cancel it?"])
def test_what_one_wants_done_is_a_request(words: str) -> None:
    assert [one.form for one in Message(words).sentences] == [Form.REQUEST]


@pytest.mark.parametrize("words", ["u can cancel for free, right?", "can I cancel a reservation?"])
def test_a_question_about_cancelling_begins_nothing(restaurants: Talk, words: str) -> None:
    restaurants.say(*BOOKED, "yes", words)
    assert "free of charge" in restaurants.reply
    assert all(one.worksheet != "CancelBooking" for one in restaurants.state.instances)


def test_how_a_task_is_done_offers_it(restaurants: Talk) -> None:
    decision = restaurants.say("how do I reserve a table?")
    assert decision.acts[-1].act is ActKind.PROPOSE
    restaurants.say("yes")
    assert restaurants.state.instance("book_restaurant_1").status is InstanceStatus.ACTIVE


def test_how_another_task_is_done_leaves_the_open_one(restaurants: Talk) -> None:
    decision = restaurants.say("book Quorum for 2 on Friday", "what happens if we don't turn up?")
    assert "whole fee" in restaurants.reply
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "time")


def test_a_change_asked_about_changes_nothing(restaurants: Talk) -> None:
    restaurants.say("book Quorum for 2 on Friday at 8", "can we change the time later on?")
    assert restaurants.state.instance("book_restaurant_1").slot("time").value == "20:00"


@pytest.mark.parametrize(
    "words",
    [
        "an indian place with tables outside, we have a dog",
        "somewhere in Palo Alto with a table by the window, we have two kids",
    ],
)
def test_tables_that_a_place_has_book_none(restaurants: Talk, words: str) -> None:
    restaurants.say(words)
    assert not restaurants.state.instances


@pytest.fixture
def courses(understander: Understander) -> Talk:
    return Talk(understander, "courses")


@pytest.mark.parametrize("words", ["how many courses are there?", "how many courses do you have"])
def test_how_many_rows_there_are_is_counted(courses: Talk, words: str) -> None:
    courses.say(words)
    assert courses.asked == words


def test_how_many_one_may_take_is_told_by_the_rules(courses: Talk) -> None:
    courses.say("how many courses can I enroll in at once?")
    assert not courses.asked
    assert "up to four courses" in courses.reply


@pytest.mark.parametrize("words", ["$$$$ places nearby", "#1 places nearby"])
def test_a_sign_at_the_beginning_is_kept(words: str) -> None:
    assert Message(f"{words}, then bye").without([(len(words), len(words) + 10)]).strip() == words
