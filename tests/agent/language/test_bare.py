"""A bare answer to what was asked, and an act that a model would copy, cost no call."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from agent.backends.openai import OpenAILanguage
from agent.backends.prompted.bare import bare_answer, offered_day
from agent.backends.prompted.provenance import told
from agent.language import ChatKind, Conversation, PastTurn, RespondRequest, UnderstandRequest
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.specification import Basic
from agent.worksheets.state import Slot
from agent.worksheets.statements import Assign, Confirm, Decline
from tests.agent.language.model_server import ModelServer
from tests.agent.language.stay import ROOM, STAY, state

NOW = datetime(2026, 11, 20, 10)


def read(message: str, waits: str) -> Any:
    before = state(waits, ROOM)
    conversation = Conversation(assistant="stay", tables=("inns",), now=NOW, state=before)
    request = UnderstandRequest(message=message, conversation=conversation, specification=STAY)
    understood = bare_answer(request, before, STAY)
    if understood is None:
        return None
    (said,) = understood.statements
    return said


@pytest.mark.parametrize(
    ("field", "said", "value"),
    [
        ("guests", "4", 4),
        ("guests", "four people please", 4),
        ("nights", "3.", 3),
        ("arrival", "tomorrow", "2026-11-21"),
        ("arrival", "on December 4", "2026-12-04"),
        ("time", "7pm", "19:00"),
        ("time", "at 19:30 please", "19:30"),
        ("parking", "yes", True),
        ("parking", "no thanks", False),
        ("board", "Half board", "Half board"),
        ("name", "Sasha Holm", "Sasha Holm"),
    ],
)
def test_a_bare_answer_is_read_by_code(field: str, said: str, value: object) -> None:
    assert read(said, f"ask book_room_1.{field}") == Assign(
        instance="book_room_1", field=field, value=value, words=said
    )


@pytest.mark.parametrize(
    ("field", "said"),
    [
        ("guests", "4 or 5"),
        ("name", "the same as before"),
        ("name", "Why do you ask?"),
        ("guests", "4, and a cot please"),
        ("guests", "how many fit?"),
        ("guests", "not 4"),
        ("time", "7"),
        ("time", "after 7pm"),
        ("arrival", "tomorrow or Sunday"),
        ("arrival", "not tomorrow"),
        ("parking", "is it free?"),
        ("parking", "maybe"),
        ("board", "what is half board?"),
    ],
)
def test_what_is_open_is_left_to_the_model(field: str, said: str) -> None:
    assert read(said, f"ask book_room_1.{field}") is None


def test_a_plain_yes_and_no_need_no_model() -> None:
    waits = "confirm book_room_1.confirm"
    assert read("yes please", waits) == Confirm(instance="book_room_1", field="confirm", words="yes please")
    assert read("no", waits) == Confirm(instance="book_room_1", field="confirm", yes=False, words="no")
    assert read("ok whatever", waits) is None
    assert read("oui", waits) is None


async def test_no_request_reaches_the_model(server: ModelServer, speak: Callable[..., OpenAILanguage]) -> None:
    before = state("ask book_room_1.guests", ROOM)
    conversation = Conversation(assistant="stay", tables=("inns",), now=NOW, state=before)
    language = speak()
    await language.understand(UnderstandRequest(message="4", conversation=conversation, specification=STAY))
    ask = Act(act=ActKind.ASK, worksheet="BookRoom", field="nights", text="How many nights will you stay?")
    reply = await language.respond(RespondRequest(message="4", conversation=conversation, acts=(ask,)))
    assert reply.text == ask.text
    assert server.requests == []


ASK = Act(act=ActKind.ASK, worksheet="BookRoom", field="nights", text="How many nights will you stay?")
UNREAD = Act(act=ActKind.CLARIFY, worksheet="BookRoom", field="nights", text="I did not get the nights from that.")
FULL = Act(act=ActKind.ERROR, worksheet="BookRoom", field="arrival", text="Hart is full on December 4.")


async def test_acts_that_only_ask_again_are_said_in_their_own_words(
    server: ModelServer, speak: Callable[..., OpenAILanguage]
) -> None:
    conversation = Conversation(assistant="stay", tables=("inns",), now=NOW)
    request = RespondRequest(message="a good while", conversation=conversation, acts=(UNREAD, ASK))
    assert (await speak().respond(request)).text == f"{UNREAD.text} {ASK.text}"
    assert server.requests == []


@pytest.mark.parametrize(
    "more",
    [
        {"chat": ChatKind.SMALL_TALK},
        {"chat_reply": "It is a fine day.", "message": "zwei Nächte bitte"},
        {"acts": (FULL, ASK)},
        {"message": "zwei Nächte bitte"},
    ],
)
async def test_what_has_more_to_say_or_another_language_is_written_by_the_model(
    more: dict[str, Any], server: ModelServer, speak: Callable[..., OpenAILanguage]
) -> None:
    past = (PastTurn(user="a room please", agent="For how many?"),)
    conversation = Conversation(assistant="stay", tables=("inns",), now=NOW, past=past)
    request = RespondRequest.model_validate({"message": "4", "conversation": conversation, "acts": (ASK,)} | more)
    await speak().respond(request)
    assert server.requests


async def test_what_was_written_while_understanding_is_said_without_a_call(
    server: ModelServer, speak: Callable[..., OpenAILanguage]
) -> None:
    conversation = Conversation(assistant="stay", tables=("inns",), now=NOW)
    thanked = RespondRequest(
        message="thanks", conversation=conversation, chat=ChatKind.THANKS, chat_reply="You're welcome."
    )
    assert (await speak().respond(thanked)).text == "You're welcome."
    asked = thanked.model_copy(update={"acts": (ASK,)})
    assert (await speak().respond(asked)).text == f"You're welcome. {ASK.text}"
    assert server.requests == []


def test_a_weekday_that_answers_an_offer_is_one_of_the_days_offered() -> None:
    slot = Slot(options=("2026-12-01", "2026-12-03"))
    assert offered_day(slot, "2026-11-24") == "2026-12-01"  # "then tuesday"
    assert offered_day(slot, "2026-12-03") == "2026-12-03"
    assert offered_day(slot, "2026-11-27") == ""


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("06481257", "zero six four eight one two five seven"),
        ("0071", "double oh seven one"),
        ("jo.doe@example.com", "it's jo dot doe at example dot com"),
        (12, "twelve of us"),
    ],
)
def test_what_is_spelled_out_was_said(value: str | int, said: str) -> None:
    assert told(value, said)
    assert not told("99887766", said)


def test_a_wish_that_need_not_be_had_is_declined() -> None:
    fields = STAY.by_name["BookRoom"].fields
    optional = next(one for one in fields if not one.required and one.type.basic is Basic.TEXT)
    assert isinstance(read("no thanks", f"ask book_room_1.{optional.name}"), Decline)
