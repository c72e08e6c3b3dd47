"""What `bench export` measures: an export in a process of its own, of copies that are gone afterwards."""

from __future__ import annotations

import os
from typing import Any

import pytest
from django.db import connection

from hybridchat import services
from hybridchat.chat.models import Conversation
from hybridchat.research.bench_export import SCHEMA, Exported, export_table, measure_export
from hybridchat.research.models import Export
from tests.research.talks import answer

__all__ = ["answer"]


@pytest.mark.django_db(transaction=True)
def test_copies_are_exported_whole_and_gone_afterwards(answer: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    address = services.postgres().server.database_url(connection.settings_dict["NAME"])
    monkeypatch.setitem(os.environ, "DATABASE_URL", address)
    turn = answer("ramen")
    answer("a cheaper one", conversation=turn.conversation)
    (found,) = measure_export(address, turn.conversation_id, 5, ["messages"])
    assert (found.format, found.turns) == ("messages", 6)
    assert min(found.memory, found.size, found.seconds) > 0
    assert Conversation.objects.count() == 1
    assert not Export.objects.exists()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_namespace WHERE nspname = %s", [SCHEMA])
        assert cursor.fetchone() == (0,)


def test_a_line_says_how_fast_and_how_large() -> None:
    assert export_table([Exported("csv", 1_000, 4.0, 300_000_000, 2_500_000)]).splitlines()[1].split() == [
        *("csv", "1,000", "4.0", "250", "300", "2.5")
    ]
