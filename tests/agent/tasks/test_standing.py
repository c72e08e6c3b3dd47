"""What is said of things done and not done, and of what no worksheet can do."""

import pytest

from agent.worksheets.acts import ActKind
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


@pytest.mark.parametrize(
    "said", ["what did I just submit?", "remind me what I've submitted", "what have we got so far"]
)
def test_what_was_done_is_told_whatever_the_wording(services: Talk, said: str) -> None:
    services.say(*FILLED, "yes", said)
    assert services.reply == "In this conversation: It is done."


@pytest.mark.parametrize(
    "said", ["what have you got so far?", "what's in my ticket right now?", "what have I told you?"]
)
def test_what_is_being_filled_in_is_told_with_its_values(services: Talk, said: str) -> None:
    services.say(*FILLED[:2], said)
    assert "nothing of it has been sent" in services.reply
    assert all(value in services.reply for value in ("CS 145", "it hangs"))


@pytest.mark.parametrize("said", ["what do I have to submit?", "what should I send?"])
def test_what_has_to_be_done_is_no_question_of_what_was(services: Talk, said: str) -> None:
    services.say(said)
    assert "conversation" not in services.reply


@pytest.fixture
def courses(understander: Understander) -> Talk:
    return Talk(understander, "courses")


@pytest.mark.parametrize(
    "said",
    [
        "drop CS 152 please",
        "cancel my enrollment",
        "I have a conflict. remove me from the course",
        "I want to get out of CS 152",
    ],
)
def test_a_course_is_dropped_after_a_yes_alone(courses: Talk, said: str) -> None:
    decision = courses.say(said)
    assert decision.acts[-1].act is ActKind.CONFIRM
    assert courses.done == []
    courses.say("yes")
    assert [action for action, _ in courses.done] == ["drop"]


def test_how_a_course_is_dropped_is_told_and_begins_nothing(courses: Talk) -> None:
    courses.say("how do I drop a course?")
    assert "My bookings, courses and tickets" in courses.reply
    assert courses.done == []


def test_dropping_what_is_only_about_to_be_done_undoes_nothing(courses: Talk) -> None:
    courses.say("enroll me in CS 140 and CS 152", "drop CS 152")
    assert [one.worksheet for one in courses.state.instances if not one.parent] == ["Main"]


@pytest.mark.parametrize(
    "said",
    [
        ("open a ticket about my parking permit",),
        ("open a ticket", "the heating of my dorm is broken"),
        ("open a ticket", "change my grade"),
        ("open a ticket", "I want to change my major"),
    ],
)
def test_what_no_ticket_is_for_is_said_and_chooses_nothing(services: Talk, said: tuple[str, ...]) -> None:
    decision = services.say(*said)
    told = [services.reply, *(act.text for act in decision.acts)]
    assert any("Tickets are only about" in text for text in told)
    assert services.state.instance("main_1").slot("student_task").value is None


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("I have to stop studying for family reasons", "Leave of Absence"),
        ("I can't get into a section", "Troubleshoot Student Enrollment"),
        ("my IB scores never showed up", "External Test Credits"),
    ],
)
def test_what_a_ticket_is_for_is_told_in_any_words(services: Talk, said: str, topic: str) -> None:
    services.say("open a ticket", said)
    assert services.state.instance("main_1").slot("student_task").value == topic
    assert services.reply == ""


def test_a_question_that_shares_no_word_with_the_rules_of_tickets_goes_to_the_articles(services: Talk) -> None:
    services.say("how do I get a refund if I didn't attend?")
    assert "Tickets are only about" not in services.reply


@pytest.mark.parametrize("said", ["no, that's it", "that's all", "I'm done"])
def test_who_has_said_all_is_told_what_is_missing_and_why(courses: Talk, said: str) -> None:
    decision = courses.say("enroll me in CS 140", "letter grade", said)
    assert "I still have no units. Some courses can be taken for more or fewer units." in decision.acts[-1].text


@pytest.mark.parametrize("why", ["so I can book", "before we book", "in case I want to book"])
def test_what_a_fact_is_wanted_for_is_not_begun(understander: Understander, why: str) -> None:
    restaurants = Talk(understander, "restaurants")
    decision = restaurants.say(f"give me the number of the first thai place {why}")
    assert decision.state.instances == ()
