"""What is said of things done and not done, and of what no worksheet can do."""

import pytest

from tests.agent.tasks.speaking import Talk, Understander

FILLED = ("open a ticket: I can't drop CS 145", "it hangs", "no", "Mo Farr")


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


@pytest.mark.parametrize(
    "said", ["so is it submitted?", "did you send anything yet", "my ticket has been filed, right?"]
)
def test_nothing_was_done_where_nothing_was(services: Talk, said: str) -> None:
    services.say(said)
    assert services.reply.startswith(("No", "Nothing"))


def test_what_is_shown_is_not_sent_yet(services: Talk) -> None:
    services.say(*FILLED, "so you sent it already?")
    assert services.reply.startswith("No.")
    assert services.done == []


def test_what_was_done_is_told_in_the_words_of_the_action(services: Talk) -> None:
    services.say(*FILLED, "yes", "was it submitted?")
    assert services.reply == "Yes. It is done."


def test_a_ticket_that_was_sent_is_not_undone_by_another(services: Talk) -> None:
    decision = services.say("please withdraw ticket 8123 that I sent last week")
    assert "Student Services Desk" in services.reply
    assert decision.state.instances == ()


def test_a_ticket_that_is_filled_in_can_be_given_up(services: Talk) -> None:
    decision = services.say(*FILLED[:2], "cancel the ticket")
    assert services.reply == ""
    assert decision.state.focus == ""


def test_a_choice_that_has_no_such_value_says_so(services: Talk) -> None:
    decision = services.say("open a ticket about my laundry", "none of these, the dryer is broken")
    assert any("Student Services Desk" in act.text for act in decision.acts)
    assert decision.state.instance("main_1").slot("student_task").value is None


def test_a_yes_to_nothing_confirms_nothing(services: Talk) -> None:
    services.say("yes, confirm it")
    assert services.reply.startswith("There is nothing to confirm")


def test_what_is_optional_is_asked_again_after_a_question_about_the_ticket(services: Talk) -> None:
    decision = services.say(FILLED[0], "is it submitted already?")
    assert decision.acts[-1].field == "issue_description"


@pytest.mark.parametrize("said", ["How do I withdraw from a class?", "Where can I borrow a laptop?"])
def test_questions_to_the_articles_stay_questions(services: Talk, said: str) -> None:
    services.say(said)
    assert services.reply == ""
    assert services._past[-1].queries


def test_what_a_booking_can_undo_is_left_to_it(understander: Understander) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("book Quorum for 2 on Friday at 8", "no thanks", "yes", "cancel that booking", "yes")
    assert [action for action, _ in talk.done] == ["book", "cancel_booking"]
