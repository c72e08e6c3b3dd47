"""What a model may make of the policy's acts, and what is said instead where it makes something else of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime

import pytest

from agent.backends.openai import OpenAILanguage
from agent.backends.prompted.promises import promised
from agent.backends.prompted.sayings import faults
from agent.language import ChatKind, Conversation, Found, RespondRequest
from agent.protocols.errors import ModelUnavailable
from agent.worksheets.acts import Act, ActKind
from tests.agent.language.model_server import Fail, ModelServer, Say

ASK = Act(
    act=ActKind.ASK,
    worksheet="BookRoom",
    field="nights",
    text="All right, for 2 guests on Friday, December 4. How many nights will you stay?",
)
CONFIRM = Act(
    act=ActKind.CONFIRM,
    worksheet="BookRoom",
    field="confirm",
    values={"inn": "fig-and-foghorn", "arrival": "2026-12-04", "time": "19:30", "guests": 2, "board": "Half board"},
    text="Shall I book Fig & Foghorn for 2 guests on Friday, December 4 at 7:30 pm (board: Half board)?",
)
LISTED = Act(
    act=ActKind.CONFIRM,
    worksheet="Main",
    field="confirm",
    values={"course": {"name": "CS 161", "letter": True}, "visa": False},
    text="Please check:\n- Course:\n  - Name: CS 161\n  - Letter: yes\n- Visa: no\n\nShall I enroll you?",
)
REPORT = Act(
    act=ActKind.REPORT,
    worksheet="BookRoom",
    values={"number": "R-7041"},
    text="Your room at Hart is booked for December 4. The number is R-7041.",
)
ERROR = Act(
    act=ActKind.ERROR, worksheet="BookRoom", field="time", text="Hart is full at 19:00. 18:30 and 20:15 are free."
)
PROPOSE = Act(act=ActKind.PROPOSE, worksheet="BookRoom", text="Would you like me to book Hart?")
PICK = Act(
    act=ActKind.ASK,
    worksheet="BookRoom",
    field="inn",
    text="Which inn would you like: Fig & Foghorn or Hart?",
    options=("Fig & Foghorn", "Hart"),
)
FOUND = Found(question="is Hart quiet?", description="Hart", titles=("Hart",), rows=({"name": "Hart", "quiet": "Yes"},))


def request(*acts: Act, found: tuple[Found, ...] = ()) -> RespondRequest:
    conversation = Conversation(assistant="stay", tables=("inns",), now=datetime(2026, 11, 20, 10, 0))
    return RespondRequest(message="und weiter?", conversation=conversation, acts=acts, found=found)


def reply(*sayings: str, text: str = "", suggestions: tuple[str, ...] = ()) -> Say:
    numbered = [{"act": number, "text": one} for number, one in enumerate(sayings)]
    return Say(json.dumps({"text": text, "sayings": numbered, "suggestions": list(suggestions)}))


# -- one act, one wording ---------------------------------------------------------------------------------------------

GOOD = [
    (ASK, "Lovely, two guests on Friday, December 4. How many nights will it be?"),
    (ASK, "For 2 guests on Friday, Dec 4, then. And for how many nights?"),
    (
        CONFIRM,
        "Here is what I have: Fig & Foghorn, 2 guests, Friday, December 4 at 19:30, half board. Shall I book it?",
    ),
    (CONFIRM, "Shall I book **Fig & Foghorn** for two guests on December 4 at 7:30 pm with half board?"),
    (LISTED, "This is the list:\n- Course:\n  - Name: CS 161\n  - Letter: yes\n- Visa: no\n\nMay I enroll you now?"),
    (REPORT, "Good news: your room at Hart is booked for December 4, under the number R-7041."),
    (ERROR, "Sorry, Hart is full at 7 pm, but 6:30 pm and 8:15 pm are free."),
    (PICK, "Which of the two inns shall it be, Hart or Fig & Foghorn?"),
    (PROPOSE, "If you like Hart, shall I book it for you?"),
]
BAD = {
    "nothing": (ASK, " "),
    "another value": (ASK, "For 3 guests on Friday, December 4. How many nights?"),
    "another value in words": (ASK, "For three guests, 2 on Friday, December 4. How many nights?"),
    "another day": (ASK, "For 2 guests on Saturday, December 4. How many nights?"),
    "a day of its own": (ASK, "For 2 guests on Friday, December 4, tomorrow. How many nights?"),
    "no question": (ASK, "For 2 guests on Friday, December 4. I need the nights."),
    "another question": (ASK, "For 2 guests on Friday, December 4. May I have an e-mail address?"),
    "a value left out of an ask": (ASK, "On Friday, December 4. How many nights will you stay?"),
    "a confirmation without its name": (CONFIRM, "Shall I book for 2 guests on December 4 at 7:30 pm, half board?"),
    "a confirmation without its time": (CONFIRM, "Shall I book Fig & Foghorn for 2 guests, December 4, half board?"),
    "a confirmation without its month": (CONFIRM, "Shall I book Fig & Foghorn, 2 guests, the 4, 7:30 pm, half board?"),
    "a confirmation without its board": (CONFIRM, "Shall I book Fig & Foghorn for 2 guests on December 4 at 7:30 pm?"),
    "a confirmation that is done": (
        CONFIRM,
        "I have booked Fig & Foghorn for 2 guests on Friday, December 4 at 7:30 pm with half board. All right?",
    ),
    "a confirmation that is a plan": (
        CONFIRM,
        "I'll reserve Fig & Foghorn for 2 guests on Friday, December 4 at 7:30 pm, half board. Shall I book?",
    ),
    "a list without a line": (LISTED, "- Course:\n  - Name: CS 161\n- Visa: no\n\nShall I enroll you?"),
    "a list with another answer": (LISTED, "- Name: CS 161\n  - Letter: no\n- Visa: no\n\nShall I enroll you?"),
    "a choice left out": (PICK, "Which inn would you like, Hart?"),
    "all choices left out": (PICK, "Which inn would you like?"),
    "a report without its number": (REPORT, "Your room at Hart is booked for December 4."),
    "a report of the contrary": (REPORT, "Your room at Hart could not be booked for December 4. The number is R-7041."),
    "a promise": (REPORT, "Your room at Hart is booked for December 4, number R-7041. You will receive an e-mail."),
    "a deed": (REPORT, "Your room at Hart is booked for December 4, number R-7041, and your card was charged."),
    "a price": (REPORT, "Your room at Hart is booked for December 4, number R-7041. It costs $5."),
    "a gift": (REPORT, "Your room at Hart is booked for December 4, number R-7041. Breakfast is free of charge."),
    "a name": (REPORT, "Your room at Hart is booked for December 4, number R-7041. Ask for Giuseppe."),
    "an error made light of": (ERROR, "All good, see you at 19:00, 18:30 or 20:15!"),
    "an error without its way out": (ERROR, "Hart is full at 19:00. 18:30 is free."),
    "a moment": (PROPOSE, "Give me a moment. Would you like me to book Hart?"),
    "a check": (PROPOSE, "Let me check that for you. Shall I book Hart?"),
}  # fmt: skip


@pytest.mark.parametrize(("act", "text"), GOOD)
def test_other_words_for_the_same_act_will_do(act, text):
    assert faults(act, text, act.text, act.text) == []


@pytest.mark.parametrize(("act", "text"), BAD.values(), ids=BAD)
def test_what_is_not_the_act_is_noticed(act, text):
    assert faults(act, text, act.text, act.text) != []


# -- a whole reply ----------------------------------------------------------------------------------------------------


async def test_answers_come_first_and_acts_after_in_their_order(
    server: ModelServer, speak: Callable[..., OpenAILanguage]
):
    server.will(
        reply("Back to the room: 2 guests, Friday, December 4, and how many nights?", text="Yes, Hart is quiet.")
    )
    said = await speak().respond(request(ASK, found=(FOUND,)))
    assert said.text == "Yes, Hart is quiet. Back to the room: 2 guests, Friday, December 4, and how many nights?"


async def test_a_wrong_wording_is_sent_back_with_what_is_wrong(server, speak):
    right = "For two guests on Friday, December 4. How many nights?"
    server.will(reply("Give me a moment. How many nights?"), reply(right))
    said = await speak().respond(request(ASK))
    assert said.text == right
    error = server.requests[1]["messages"][-1]["content"]
    assert "Give me a" in error
    assert "it leaves out 2" in error


@pytest.mark.parametrize(("act", "text"), BAD.values(), ids=BAD)
async def test_a_model_that_insists_is_not_heard(server, speak, act, text):
    server.will(reply(text))
    said = await speak().respond(request(act))
    assert said.text == act.text
    assert len(server.requests) == 2


async def test_only_the_act_that_is_said_wrongly_is_said_in_its_own_words(server, speak):
    fine = "I'm afraid Hart is full at 19:00; 18:30 and 20:15 are free."
    server.will(reply(fine, "Done! How many nights?"))
    said = await speak().respond(request(ERROR, ASK))
    assert said.text == f"{fine} {ASK.text}"


async def test_an_act_that_is_not_said_is_said(server, speak):
    server.will(Say(json.dumps({"text": "", "sayings": [], "suggestions": []})))
    assert (await speak().respond(request(CONFIRM))).text == CONFIRM.text


async def test_words_beside_the_acts_are_dropped_where_there_is_nothing_to_answer(server, speak):
    server.will(reply("Would you like me to book Hart?", text="Your table costs $99."))
    assert (await speak().respond(request(PROPOSE))).text == "Would you like me to book Hart?"


@pytest.mark.parametrize("text", ["", "You're welcome, and let me check the price."])
async def test_thanks_need_no_answer_where_there_is_an_act_to_say(server, speak, text):
    server.will(reply("Would you like me to book Hart?", text=text))
    thanks = request(PROPOSE).model_copy(update={"chat": ChatKind.THANKS})
    assert (await speak().respond(thanks)).text == "Would you like me to book Hart?"


async def test_an_answer_that_says_more_than_was_found_is_said_plainly(server, speak):
    server.will(reply("Would you like me to book Hart?", text="Hart has 41 rooms. Let me check the price."))
    said = await speak().respond(request(PROPOSE, found=(FOUND,)))
    assert "41" not in said.text
    assert "Let me check" not in said.text
    assert "**Hart**" in said.text


@pytest.mark.parametrize("behaviour", [Say("no JSON at all"), Say(refusal="I would rather not")])
async def test_a_model_that_cannot_say_it_leaves_the_acts_to_speak(server, speak, behaviour):
    server.will(behaviour)
    assert (await speak().respond(request(ERROR, ASK))).text == f"{ERROR.text}\n\n{ASK.text}"


async def test_the_reply_is_shown_while_it_is_written(server, speak):
    shown: list[str] = []
    server.will(reply("Would you like me to book Hart?", text="Yes, Hart is quiet."))
    said = await speak().respond_streaming(request(PROPOSE, found=(FOUND,)), shown.append)
    assert len(shown) > 2
    assert shown[-1] == said.text
    assert all(said.text.startswith(text) for text in shown)


async def test_nothing_else_is_suggested_while_an_answer_is_awaited(server, speak):
    fine = "Would you like me to book Hart?"
    server.will(reply(fine, suggestions=("Something cheaper",)))
    assert (await speak().respond(request(PROPOSE))).suggestions == ()


async def test_a_report_about_a_question_is_its_answer(server, speak):
    report = Act(act=ActKind.REPORT, worksheet="inns", values={"found": ["hart"]}, query=0)
    server.will(Say(json.dumps({"text": "Yes, Hart is quiet.", "suggestions": []})))
    assert (await speak().respond(request(report, found=(FOUND,)))).text == "Yes, Hart is quiet."


async def test_a_server_that_is_down_is_an_error(server, speak):
    server.will(Fail(500))
    with pytest.raises(ModelUnavailable):
        await speak().respond(request(ASK))


def test_an_act_in_its_own_words_is_said():
    text = "For the first course: the units, please: 3, 4 or 5."
    act = Act(act=ActKind.ASK, worksheet="Course", field="units", text=text, options=("3", "4", "5"))
    assert faults(act, text, text, "") == []
    assert faults(act, "For the first course, how many units: 3, 4 or 5?", text, "") == []


@pytest.mark.parametrize(("text", "waits"), [("It is on a second floor.", False), ("One second, please.", True)])
def test_asking_for_time_is_told_from_an_ordinal(text, waits):
    assert bool(promised(text, text)) is waits
