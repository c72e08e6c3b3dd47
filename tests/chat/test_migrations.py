"""What migrations of the chat do with rows. That they run back to nothing is shown in tests/corpora/test_migrations."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.db import connection

from hybridchat.chat.configurations import hash_of
from hybridchat.chat.models import Configuration, Turn, TurnEvent


@pytest.mark.timeout(400)  # seconds, on a busy machine
def test_turns_keep_their_configuration_both_ways_and_events_with_gaps_are_numbered_anew(turn: Turn) -> None:
    """One way back and forth for both, since it takes long."""
    given = {"language": "openai", "model": {"model": "big"}}
    turn.configuration = Configuration.objects.create(hash=hash_of(given), document=given)
    turn.save(update_fields=["configuration"])
    call_command("migrate", "chat", "0003", verbosity=0)
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT configuration->>'language' FROM chat_turn")
            assert cursor.fetchall() == [("openai",)]
        TurnEvent.objects.create(turn=turn, seq=4, kind="searching")
        TurnEvent.objects.create(turn=turn, seq=9, kind="row")
        Turn.objects.filter(pk=turn.pk).update(last_event=9)
    finally:
        call_command("migrate", verbosity=0)
    numbered = turn.events.order_by("seq").values_list("seq", "kind")
    assert list(numbered) == [(1, "received"), (2, "searching"), (3, "row")]
    turn.refresh_from_db()
    assert turn.last_event == 3
    assert turn.configuration is not None
    assert turn.configuration.document == given
