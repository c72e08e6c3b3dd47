"""Assistants that do one thing and answer no questions: what is told them begins it, a question may be an answer."""

import pytest

from agent.language import ChatKind, Conversation, PastQuery, PastTurn, Understanding
from agent.worksheets.state import DialogueState, Instance, InstanceStatus, Pending, SlotStatus
from agent.worksheets.statements import Assign
from tests.agent.tasks.speaking import NOW, Talk, Understander


@pytest.fixture
def bank(understander: Understander) -> Talk:
    return Talk(understander, "bank_fraud_report")


def asked(app: str, worksheet: str, field: str) -> DialogueState:
    """A state in which one field of one task is waited for."""
    instance = Instance(name="task_1", worksheet=worksheet)
    pending = Pending(kind="ask", instance="task_1", field=field)
    return DialogueState(application=app, instances=(instance,), focus="task_1", pending=pending)


def understood(understander: Understander, state: DialogueState, words: str) -> Understanding:
    app = state.application
    return understander.understand(words, Conversation(assistant=app, tables=("articles",), now=NOW, state=state))


def values(understood: Understanding) -> list[object]:
    return [item.value for item in understood.statements if isinstance(item, Assign)]


@pytest.mark.parametrize(
    "words", ["someone emptied my savings!", "there's a withdrawal that wasn't me", "I'm Lea Brand"]
)
def test_whatever_is_told_begins_the_only_task(bank: Talk, words: str) -> None:
    bank.say(words)
    assert bank.state.instance("main_1") is not None


def test_a_courtesy_begins_nothing(bank: Talk) -> None:
    bank.say("good morning!")
    assert bank.state.instances == ()


def test_why_something_is_asked_is_told_and_nothing_is_declined(bank: Talk) -> None:
    decision = bank.say("someone emptied my savings!", "Lea Brand", "why do you ask?")
    assert "which account it is" in decision.acts[0].text
    assert bank.state.instance("first_authentication_1").slot("account_number").status is SlotStatus.UNSET
    assert decision.acts[-1].field == "account_number"


def test_what_is_known_after_all_is_no_description(bank: Talk) -> None:
    bank.say("someone emptied my savings!", "Lea Brand", "no idea", "forgot it", "3 May '81", "Kaya", "Rex")
    bank.say("oh I found it, my account number is 776655 and the PIN is 9911")
    assert bank.state.instance("first_authentication_1").slot("pin").value == "9911"
    assert bank.state.instance("main_1").slot("fraud_report").status is SlotStatus.UNSET
    assert bank.state.instance("second_authentication_1").slot("date_of_birth").value == "1981-05-03"


def test_who_never_had_one_does_not_name_it(bank: Talk) -> None:
    bank.say("someone emptied my savings!", "Lea Brand", "no idea", "forgot it", "3 May 1981", "Kaya")
    bank.say("we never owned any pets")
    assert bank.state.instance("second_authentication_1").slot("security_answer_2").value is None


@pytest.mark.parametrize(
    ("words", "value"),
    [("ok, then what?", True), ("understood, carry on", True), ("where exactly is it?", False), ("I'm lost", None)],
)
def test_a_step_is_gone_on_from_or_explained(understander: Understander, words: str, value: bool | None) -> None:
    said = understood(understander, asked("trip_directions", "ContinueDetails", "show_next_step"), words)
    assert values(said) == ([] if value is None else [value])


def test_goodbye_is_no_no(understander: Understander) -> None:
    said = understood(understander, asked("trip_directions", "ContinueDetails", "show_next_step"), "no, goodbye")
    assert said.chat is ChatKind.FAREWELL
    assert [item.kind for item in said.statements] == ["abandon"]


@pytest.mark.parametrize(
    ("words", "value"), [("is it Oslo?", "Oslo"), ("no clue", "no clue"), ("Oslo I guess", "Oslo")]
)
def test_a_guess_may_be_a_question_and_may_be_none(understander: Understander, words: str, value: str) -> None:
    assert values(understood(understander, asked("trivia", "QuestionAnswer", "user_answer"), words)) == [value]


def test_now_is_a_time(understander: Understander) -> None:
    said = understood(
        understander, asked("trip_directions", "TravelInformation", "departure_time"), "right away please"
    )
    assert values(said) == ["10:00"]


def test_last_words_are_no_small_talk(understander: Understander) -> None:
    finished = Instance(name="main_1", worksheet="Main", status=InstanceStatus.DONE)
    done = DialogueState(application="trivia", instances=(finished,))
    assert understood(understander, done, "nope").chat is ChatKind.FAREWELL
    assert understood(understander, done, "ok").chat is ChatKind.THANKS


ANSWERED = PastTurn(
    user="is there credit for the Abitur?",
    agent="",
    queries=(
        PastQuery(
            question="is there credit for the Abitur?",
            suql="SELECT title FROM articles",
            table="articles",
            keys=("abitur",),
            titles=("German Abitur",),
            presentation="article",
        ),
    ),
)


@pytest.mark.parametrize(
    ("words", "opens"),
    [
        ("I had physics as Leistungskurs, written exam, 9 points", False),
        ("My Abitur scores still aren't showing up", True),
        ("please open a ticket for my Abitur", True),
    ],
)
def test_what_is_told_after_an_article_is_asked_of_it(understander: Understander, words: str, opens: bool) -> None:
    state = DialogueState(application="services")
    held = Conversation(assistant="services", tables=("articles",), past=(ANSWERED,), now=NOW, state=state)
    understood = understander.understand(words, held)
    assert any(item.kind == "start" for item in understood.statements) is opens
    assert opens or understood.questions
