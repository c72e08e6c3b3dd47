"""The database itself refuses what must never be."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import IntegrityError, transaction
from django.utils import timezone

from hybridchat.chat.models import Conversation, Feedback, ModelChoice, Turn, TurnEvent


def violates(name: str, act: Any) -> None:
    with pytest.raises(IntegrityError, match=name), transaction.atomic():
        act()


def update(thing: Any, **fields: Any) -> Any:
    return lambda: type(thing).objects.filter(pk=thing.pk).update(**fields)


def another(turn: Turn, **fields: Any) -> Any:
    values = {
        "id": uuid4(),
        "conversation": turn.conversation,
        "position": 2,
        "message": "and cheaper?",
        "status": "done",
        "finished_at": timezone.now() + timedelta(minutes=1),
    }
    return lambda: Turn.objects.create(**{**values, **fields})


def test_a_conversation_has_an_owner(conversation: Conversation) -> None:
    violates("chat_conversation_has_an_owner", update(conversation, owner_key=""))


def test_a_conversation_has_an_assistant(conversation: Conversation) -> None:
    violates("chat_conversation_has_an_assistant", update(conversation, assistant=""))


def test_a_conversation_is_not_updated_before_it_was_created(conversation: Conversation) -> None:
    earlier = conversation.created - timedelta(days=1)
    violates("chat_conversation_updated_later", update(conversation, updated=earlier))


def test_a_position_is_unique_in_its_conversation(turn: Turn) -> None:
    violates("chat_turn_position_unique", another(turn, position=1))


def test_positions_begin_at_one(turn: Turn) -> None:
    violates("chat_turn_position_positive", update(turn, position=0))


def test_one_turn_runs_in_a_conversation(turn: Turn) -> None:
    running = {"status": "parsed", "finished_at": None, "lease_until": timezone.now()}
    violates("chat_one_running_turn_per_conversation", another(turn, **running))
    another(turn)()


def test_a_turn_has_a_message(turn: Turn) -> None:
    violates("chat_turn_has_a_message", update(turn, message=""))


def test_a_status_is_one_of_those_there_are(turn: Turn) -> None:
    violates("chat_turn_(status_valid|finished_has_a_time|running_has_a_lease)", update(turn, status="thinking"))


def test_a_kind_is_one_of_those_there_are(turn: Turn) -> None:
    violates("chat_turn_kind_valid", another(turn, kind="guess", origin=turn))


def test_trying_again_names_what_is_tried_again(turn: Turn) -> None:
    violates("chat_turn_again_has_an_origin", another(turn, kind="retry"))
    violates("chat_turn_again_has_an_origin", another(turn, origin=turn))
    violates("chat_turn_again_has_an_origin", another(turn, kind="form", given=[{"kind": "unclear"}], origin=turn))


def test_a_form_says_something(turn: Turn) -> None:
    violates("chat_turn_form_says_something", another(turn, kind="form"))


def test_a_finished_turn_has_a_time_and_a_running_one_has_none(turn: Turn) -> None:
    violates("chat_turn_finished_has_a_time", update(turn, status="done", lease_until=None))
    violates("chat_turn_finished_has_a_time", update(turn, finished_at=timezone.now()))


def test_a_turn_is_not_finished_before_it_was_created(turn: Turn) -> None:
    earlier = turn.created - timedelta(seconds=1)
    violates("chat_turn_finished_after_created", another(turn, created=turn.created, finished_at=earlier))


def test_a_running_turn_has_a_lease_and_a_finished_one_has_none(turn: Turn) -> None:
    violates("chat_turn_running_has_a_lease", update(turn, lease_until=None))
    violates("chat_turn_running_has_a_lease", another(turn, lease_holder="me"))
    violates("chat_turn_running_has_a_lease", another(turn, lease_until=timezone.now()))


def test_a_failed_turn_says_why(turn: Turn) -> None:
    violates("chat_turn_failed_says_why", another(turn, status="failed"))


def test_a_stopped_turn_was_asked_to_stop(turn: Turn) -> None:
    violates("chat_turn_stopped_was_asked", another(turn, status="stopped"))


def test_event_numbers_are_unique_in_their_turn_and_begin_at_one(turn: Turn) -> None:
    violates("chat_event_seq_unique", lambda: TurnEvent.objects.create(turn=turn, seq=1, kind="row"))
    violates("chat_event_seq_positive", lambda: TurnEvent.objects.create(turn=turn, seq=0, kind="row"))


def test_events_are_numbered_without_gaps(turn: Turn) -> None:
    violates("chat_event_follows_another", lambda: TurnEvent.objects.create(turn=turn, seq=3, kind="row"))
    for seq in (2, 3):
        TurnEvent.objects.create(turn=turn, seq=seq, kind="row")
    middle, last = turn.events.get(seq=2), turn.events.get(seq=3)
    violates("chat_event_follows_another", update(last, seq=4))
    violates("chat_event_is_last", middle.delete)
    last.delete()
    Conversation.objects.all().delete()
    assert not TurnEvent.objects.exists()


def test_an_event_is_of_a_known_kind(turn: Turn) -> None:
    violates("chat_event_kind_valid", lambda: TurnEvent.objects.create(turn=turn, seq=2, kind="gossip"))


def test_feedback_is_a_thumb_or_a_comment_and_one_a_turn(turn: Turn) -> None:
    violates("chat_feedback_rating_valid", lambda: Feedback.objects.create(turn=turn, rating=3))
    violates("chat_feedback_says_something", lambda: Feedback.objects.create(turn=turn))
    violates("chat_feedback_reasons_valid", lambda: Feedback.objects.create(turn=turn, rating=-1, reasons=["bad"]))
    violates("chat_feedback_status_valid", lambda: Feedback.objects.create(turn=turn, rating=-1, status="lost"))
    violates(
        "chat_feedback_correction_has_words", lambda: Feedback.objects.create(turn=turn, rating=-1, correction=turn)
    )
    Feedback.objects.create(turn=turn, comment="nice")
    violates("chat_feedback_turn_id", lambda: Feedback.objects.create(turn=turn, rating=1))


def test_a_choice_of_a_model_is_whole(transactional_db: None) -> None:
    violates("chat_choice_is_whole", lambda: ModelChoice.objects.create(model="small"))
    violates("chat_choice_is_of_the_web", lambda: ModelChoice.objects.create(model="small", base_url="file:///etc"))
    ModelChoice.objects.create(model="small", base_url="http://127.0.0.1:11434/v1")


def test_the_migrations_say_what_the_models_say(transactional_db: None) -> None:
    call_command("makemigrations", "chat", check=True, dry_run=True, verbosity=0)
