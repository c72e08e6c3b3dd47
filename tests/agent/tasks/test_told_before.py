"""A problem is told first, and the task for it is asked for afterwards; more of it follows at any time."""

from __future__ import annotations

import pytest

from agent.language import PastQuery, PastTurn
from agent.parsing.tasks.earlier_problem import told
from tests.agent.tasks.speaking import Talk, Understander

FIRST, MORE = "I was charged twice for my transcript", "it happened on November 3rd, order number 5521"


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


def value(talk: Talk, instance: str, field: str) -> object:
    found = talk.state.instance(instance)
    assert found is not None
    return found.slot(field).value


def test_agreeing_is_no_description(services: Talk) -> None:
    services.say("open a ticket to get on the waitlist of CS 250", "yes")
    assert value(services, "join_waitlist_1", "issue_description") is None


def test_more_of_the_problem_is_put_down_where_something_else_was_asked(services: Talk) -> None:
    services.say("open a ticket to get on the waitlist of CS 250", "the button is grey")
    decision = services.say("it is full and I need it to graduate in June")
    told = value(services, "join_waitlist_1", "issue_description")
    assert told == "the button is grey. it is full and I need it to graduate in June"
    assert decision.acts[-1].field == "waitlist_confirmation"


def test_who_asks_again_for_what_is_being_filled_in_says_nothing_new(services: Talk) -> None:
    services.say("open a ticket to drop CS 145", "can you open a ticket about that")
    assert value(services, "change_course_1", "issue_description") is None


def test_what_none_of_the_choices_comes_near_to_is_said_to_be_none(services: Talk) -> None:
    decision = services.say("open a ticket", "billing")
    assert any("Student Services Desk" in act.text for act in decision.acts)


@pytest.mark.parametrize("said", ["CS 226", "j"])
def test_what_names_no_choice_and_nothing_else_is_only_not_understood(services: Talk, said: str) -> None:
    decision = services.say("open a ticket", said)
    assert not any("Student Services Desk" in act.text for act in decision.acts)


def test_a_choice_alone_may_be_one_of_those_there_are(understander: Understander) -> None:
    talk = Talk(understander, "courses")
    decision = talk.say("enroll me in CS 140", "percentages")
    assert any("can only be Credit/No Credit or Letter" in act.text for act in decision.acts)


def test_a_choice_that_what_was_chosen_closes_is_not_made_in_passing(services: Talk) -> None:
    services.say("my AP scores were sent in June but nothing shows up", "it's the chemistry one")
    assert value(services, "external_test_credits_1", "specific_issue") == "Missing or Incorrect Record"


def test_what_was_told_and_searched_for_is_told_with_the_task() -> None:
    searched = (PastQuery(question=FIRST, suql="SELECT 1"),)
    past = tuple(PastTurn(user=said, agent="", queries=searched) for said in (FIRST, MORE))
    assert told(past) == f"{FIRST}. {MORE}"
    assert told((PastTurn(user="how do I pay?", agent="", queries=searched),)) == ""
