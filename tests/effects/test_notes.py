"""A conversation can be told something that nobody asked for."""

from __future__ import annotations

from uuid import uuid4

import pytest

from agent.language import Reply
from agent.record import TurnState
from hybridchat.agents import conversation_for
from hybridchat.chat import fragments, leases, selectors, services
from hybridchat.chat.errors import Busy, Malformed
from hybridchat.chat.fragments import Cursor
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner
from hybridchat.chat.presenting import turn_views


@pytest.fixture
def answered(conversation: Conversation) -> Turn:
    """The first turn, answered."""
    turn = services.receive(conversation, uuid4(), "hello")[0]
    leases.take(turn.pk, "me")
    context = conversation_for("", (), turn.created)
    state = TurnState(message="hello", conversation=context, reply=Reply(text="Hello."))
    leases.finish(turn.pk, "me", state.model_dump(mode="json"), {}, {})
    turn.refresh_from_db()
    return turn


def test_what_is_told_is_a_finished_turn_below_what_was_said(answered: Turn) -> None:
    told = services.tell(answered.conversation, uuid4(), "About your ticket", "It is **solved**.")
    view = turn_views(selectors.turns_of(answered.conversation))[1]
    assert (told.position, told.status) == (2, "done")
    assert (view.message, view.told, view.reply_text) == ("About your ticket", True, "It is **solved**.")
    assert "<strong>solved</strong>" in view.reply_html


def test_an_open_page_is_shown_it_without_a_way_to_try_it_again(answered: Turn, owner: Owner) -> None:
    told = services.tell(answered.conversation, uuid4(), "About your ticket", "It is solved.")
    frame = fragments.since(answered.conversation, owner, Cursor(1, answered.last_event))
    added = frame.html.split("beforeend:#turns")[1]
    assert "It is solved." in added
    assert "You asked" not in added
    assert "Try again" not in added
    assert frame.cursor == Cursor(2, told.last_event)


def test_it_is_told_once(answered: Turn) -> None:
    note = uuid4()
    for _ in range(2):
        services.tell(answered.conversation, note, "About your ticket", "It is solved.")
    assert answered.conversation.turns.count() == 2


def test_it_waits_for_the_turn_that_runs(conversation: Conversation) -> None:
    services.receive(conversation, uuid4(), "hello")
    with pytest.raises(Busy):
        services.tell(conversation, uuid4(), "About your ticket", "It is solved.")


def test_it_does_not_come_between_a_question_and_its_answer(answered: Turn) -> None:
    services.tell(answered.conversation, uuid4(), "About your ticket", "It is solved.")
    following = services.receive(answered.conversation, uuid4(), "and now?")[0]
    assert [state.message for state in selectors.past_states(following)] == ["hello"]


def test_it_cannot_be_tried_again(answered: Turn) -> None:
    told = services.tell(answered.conversation, uuid4(), "About your ticket", "It is solved.")
    with pytest.raises(Malformed, match="nothing to try again"):
        services.retry(told, uuid4())
