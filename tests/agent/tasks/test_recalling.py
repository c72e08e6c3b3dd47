"""What was told before a task, or for another one, is not asked for again."""

import pytest

from agent.worksheets.acts import ActKind
from tests.agent.tasks.speaking import Talk, Understander


@pytest.fixture
def restaurants(understander: Understander) -> Talk:
    return Talk(understander, "restaurants")


def test_how_somebody_is_reached_holds_for_the_next_booking(restaurants: Talk) -> None:
    restaurants.say("book Quorum for 2 on Friday at 8, I'm at lou.diaz@mail.org", "yes")
    decision = restaurants.say("and book Kaveri Tiffin Room for Sunday at 6, for 3 people")
    shown = decision.acts[-1]
    assert (shown.act, shown.values["email"]) == (ActKind.CONFIRM, "lou.diaz@mail.org")
    assert "lou.diaz@mail.org" in shown.text
    assert shown.values["time"] == "18:00"


def test_another_address_takes_the_place_of_the_one_before(restaurants: Talk) -> None:
    restaurants.say("book Quorum for 2 on Friday at 8, I'm at lou.diaz@mail.org", "yes")
    decision = restaurants.say("book Kaveri Tiffin Room for Sunday at 6, for 3 people, call me at 650-555-0177")
    assert "email" not in decision.acts[-1].values
    assert decision.acts[-1].values["phone"]


def test_who_introduces_themselves_looks_for_something(restaurants: Talk) -> None:
    restaurants.say("hi, my name is Theo Brandt. Somewhere Italian for 5ish people tomorrow at 7?")
    assert "Theo" not in str(restaurants.state)
    assert len(restaurants.state.instance("book_restaurant_1").slot("restaurant").candidates) > 1


def test_the_day_and_the_party_of_the_search_are_those_of_the_booking(restaurants: Talk) -> None:
    restaurants.say("anything Italian open Saturday at 8 for 6 people?", "book the second one", "no", "yes")
    assert restaurants.done[0][1]["number_of_people"] == 6
    assert restaurants.done[0][1]["date"] == "2026-11-21"


def test_what_an_earlier_booking_was_for_is_not_what_the_next_is_for(restaurants: Talk) -> None:
    restaurants.say("anything Italian open Saturday at 8 for 6 people?", "book the second one", "no", "yes")
    decision = restaurants.say("now a table at Quorum on Sunday for 2")
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "time")


def test_a_second_enrollment_is_of_the_same_student(understander: Understander) -> None:
    talk = Talk(understander, "courses")
    talk.say("enroll me in CS 140, letter grade, 4 units, that's all", "yes")
    talk.say("Maria Lopez, 06543210, maria@uni.edu, domestic", "yes")
    talk.say("enroll me in CS 152, 3 units, letter grade, no other course", "yes", "yes")
    first, second = (values["student_info_details"] for _, values in talk.done)
    assert first == second


def test_one_more_course_is_not_another_enrollment(understander: Understander) -> None:
    talk = Talk(understander, "courses")
    talk.say("enroll me in CS 140, letter grade, 4 units", "enroll me in CS 152 too")
    assert sum(one.worksheet == "CoursesToTake" for one in talk.state.instances) == 1


def test_a_number_alone_after_a_booking_may_be_its_time_or_its_party(restaurants: Talk) -> None:
    restaurants.say("book Quorum for 2 on Friday at 7", "no thanks", "yes")
    decision = restaurants.say("make it 6")
    assert len(decision.acts[-1].options) == 2
    restaurants.say("the people", "yes")
    assert restaurants.done[-1][1]["number_of_people"] == 6


def test_what_a_booking_has_already_is_not_meant(restaurants: Talk) -> None:
    restaurants.say("book Quorum for 2 on Friday at 7", "no thanks", "yes")
    decision = restaurants.say("make it 7")
    assert decision.acts[-1].act is ActKind.CONFIRM
    assert decision.acts[-1].values["number_of_people"] == 7
