"""Fields of free text: what is not the text is kept out of it."""

from typing import Any

import pytest

from tests.agent.tasks.speaking import Talk, Understander

DROP = "open a ticket: I can't drop CS 145"


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


def submitted(services: Talk) -> dict[str, Any]:
    ((_, values),) = services.done
    return dict(values)


def test_a_choice_is_corrected_where_a_text_is_asked_for(services: Talk) -> None:
    services.say(DROP, "oh no, I didn't mean dropping, I want to change the units of CS 145 to 2")
    services.say("no", "Mo Farr", "yes")
    change = submitted(services)["trouble_shoot"]["change_course_issues"]
    assert change == {"change_type": "Change Units", "course_code": "CS 145"}


def test_a_course_is_corrected_where_a_text_is_asked_for(services: Talk) -> None:
    services.say(DROP, "sorry, I meant CS 152", "nope", "Mo Farr", "yes")
    assert submitted(services)["trouble_shoot"]["change_course_issues"]["course_code"] == "CS 152"


def test_what_an_error_message_names_corrects_nothing(services: Talk) -> None:
    services.say(DROP, "no idea, it says I need CS 152 first", "no", "Mo Farr", "yes")
    change = submitted(services)["trouble_shoot"]["change_course_issues"]
    assert change["course_code"] == "CS 145"
    assert "CS 152 first" in change["issue_description"]


def test_a_question_beside_the_text_is_asked_and_is_not_the_text(services: Talk) -> None:
    services.say(DROP)
    decision = services.say("the page stays blank. btw where can I borrow a laptop?")
    assert "laptop" not in decision.state.instance("change_course_1").slot("issue_description").value
    assert services._past[-1].queries, "the question was asked of the articles"


def test_a_question_about_what_is_told_belongs_to_it(services: Talk) -> None:
    services.say(DROP)
    decision = services.say("there is a hold on my account. why does it block me?")
    assert "why does it block me" in decision.state.instance("change_course_1").slot("issue_description").value


@pytest.mark.parametrize(
    "said",
    ["nope that's everything for this ticket", "no, you have it all now", "no thanks. where can I borrow a laptop?"],
)
def test_nothing_more_is_no_text(services: Talk, said: str) -> None:
    services.say(DROP, "it hangs", said, "Mo Farr", "yes")
    assert "extra_details" not in submitted(services)


def test_no_but_goes_on_with_the_text(services: Talk) -> None:
    services.say(DROP, "it hangs", "no, just that I need it by Friday", "Mo Farr", "yes")
    assert "by Friday" in submitted(services)["extra_details"]


def test_a_text_can_be_emptied_by_its_name(services: Talk) -> None:
    services.say(DROP, "it hangs", "please call me", "the further details should stay empty", "Mo Farr", "yes")
    assert "extra_details" not in submitted(services)


def test_a_choice_that_is_named_with_its_new_value_is_not_asked_for_again(services: Talk) -> None:
    services.say(DROP, "it hangs", "no", "Mo Farr", "no, the change should be Add a Course", "yes")
    assert submitted(services)["trouble_shoot"]["change_course_issues"]["change_type"] == "Add a Course"


def test_a_no_is_nobodys_name(services: Talk) -> None:
    decision = services.say(DROP, "it hangs", "no", "nope. make it CS 152 please")
    assert decision.state.instance("main_1").slot("full_name").value is None


def test_a_word_of_a_choice_alone_chooses_it(services: Talk) -> None:
    decision = services.say("I need a ticket: can't get on the waitlist for CS 261")
    assert decision.state.instance("join_waitlist_1").slot("course_name").value == "CS 261"


@pytest.mark.parametrize(
    "said", ["I lost my campus card, what do I do?", "I lost my campus card. What should I do now?"]
)
def test_what_to_do_about_a_problem_is_asked_of_the_articles(services: Talk, said: str) -> None:
    decision = services.say("open a ticket", "enrollment", "changing a course", "other", said)
    problem = decision.state.instance("change_course_1").slot("issue_description").value
    assert problem.rstrip(".") == "I lost my campus card"
    assert "campus card" in services.asked


@pytest.mark.parametrize(
    "aside",
    [
        "we are running late for a movie",
        "I hate loud music",
        "I don't like waiting",
        "because my flight got cancelled",
        "we have a train to catch afterwards",
        "I'm so tired of cooking",
    ],
)
def test_an_aversion_or_a_circumstance_is_no_request_of_a_booking(understander: Understander, aside: str) -> None:
    talk = Talk(understander, "restaurants")
    talk.say(f"book Quorum for 2 on Friday at 7pm, {aside}", "a@b.org", "yes")
    ((_, values),) = talk.done
    assert not values.get("special_request_info")


def test_nothing_that_company_needs_is_lost(understander: Understander) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("book Quorum for 2 on Friday at 7pm", "one of us is gluten free and another can't have nuts", "yes")
    ((_, values),) = talk.done
    assert values["special_request_info"] == "one of us is gluten free, another can't have nuts"


def test_a_courtesy_is_no_text(services: Talk) -> None:
    decision = services.say("open a ticket", "enrollment", "changing a course", "other", "pls")
    assert decision.state.instance("change_course_1").slot("issue_description").value is None


def test_what_the_restaurant_is_to_know_is_a_request_of_a_booking(understander: Understander) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("book Quorum for 2 on Friday at 7pm, my wife is allergic to nuts", "a@b.org", "yes")
    ((_, values),) = talk.done
    assert "allergic to nuts" in values["special_request_info"]
