"""What was asked for and passed over, and what is put right or taken back in passing."""

import pytest

from agent.worksheets.acts import ActKind
from agent.worksheets.state import InstanceStatus
from tests.agent.tasks.speaking import Talk, Understander


@pytest.fixture
def restaurants(understander: Understander) -> Talk:
    return Talk(understander, "restaurants")


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


def test_what_need_not_be_told_is_asked_again_after_a_correction_once(restaurants: Talk) -> None:
    decision = restaurants.say("book Quorum for 4 on Friday at 6", "sorry, make that Sunday")
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "email")
    assert "phone" in decision.acts[-1].text
    assert restaurants.say("and at 7:30").acts[-1].act is ActKind.CONFIRM


def test_a_yes_is_no_address(restaurants: Talk) -> None:
    decision = restaurants.say("book Quorum for 4 on Friday at 6", "yes")
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "email")


def test_who_gives_no_address_is_not_asked_again(restaurants: Talk) -> None:
    assert restaurants.say("book Quorum for 4 on Friday at 6", "I never share my email").acts[-1].act is ActKind.CONFIRM


def test_a_day_and_an_hour_are_no_code(restaurants: Talk) -> None:
    restaurants.say("book Quorum. tmrw 7. 2 ppl")
    booking = restaurants.state.instance("book_restaurant_1")
    assert (booking.slot("date").value, booking.slot("time").value) == ("2026-11-21", "19:00")


def test_we_are_so_many_and_not_so_many(restaurants: Talk) -> None:
    restaurants.say("book Quorum for 6 on Friday at 6", "no", "we r 8 not 6")
    assert restaurants.state.instance("book_restaurant_1").slot("number_of_people").value == 8


def test_goodbye_sets_a_task_aside(restaurants: Talk) -> None:
    restaurants.say("book Quorum for 6 on Friday", "whatever, bye")
    assert restaurants.state.instance("book_restaurant_1").status is InstanceStatus.SUSPENDED


def test_a_no_to_one_thing_is_no_answer_to_another(services: Talk) -> None:
    decision = services.say("a ticket for the waitlist of CS 140, please", "the button is grey", "no conflict")
    waitlist = next(one for one in services.state.instances if one.worksheet == "JoinWaitlist")
    assert waitlist.slot("schedule_conflict").value is False
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "waitlist_confirmation")


@pytest.mark.parametrize("words", ["Bo Lindqvist, and no further details", "take that out of the further details"])
def test_details_are_taken_back(services: Talk, words: str) -> None:
    services.say("my AP credit was never posted", "in March", "the hall was cold", words)
    assert services.state.instance("main_1").slot("extra_details").value is None


def test_the_way_back_is_no_detail(services: Talk) -> None:
    services.say("my AP credit was never posted", "in March", "ok, back to my ticket. The hall was cold")
    assert services.state.instance("main_1").slot("extra_details").value == "The hall was cold"


def test_what_it_is_not_leads_to_what_it_is(services: Talk) -> None:
    services.say("I want to drop CS 140", "the page is grey", "no", "Bo Lindqvist")
    services.say("no, the problem is not the page, the problem is a hold")
    change = next(one for one in services.state.instances if one.worksheet == "ChangeCourse")
    assert change.slot("issue_description").value == "a hold"


@pytest.mark.parametrize("told", ["We just moved here.", "I changed jobs last week and need a drink."])
def test_what_somebody_did_begins_no_task(restaurants: Talk, told: str) -> None:
    restaurants.say(told)
    assert restaurants.state.instances == ()


def test_dropping_a_course_that_was_asked_for_does_not_drop_the_ticket(services: Talk) -> None:
    services.say("I need to drop a course, please open a ticket", "Drop it please, CS 140")
    assert services.state.instance("change_course_1").slot("course_code").value == "CS 140"
    services.say("forget it")
    assert services.state.instance("main_1").status is InstanceStatus.ABANDONED
