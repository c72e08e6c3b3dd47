"""A corpus that is imported while a worker runs is answered over at the next turn; nothing is restarted."""

from __future__ import annotations

import csv
import json
import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import psutil
import pytest
from django.core.management import call_command
from django.db import connection

from agent.turn import TurnState
from hybridchat import services as servers
from hybridchat.agents import agent_for, rehearse
from hybridchat.chat import runner, services
from hybridchat.chat.models import Turn
from hybridchat.chat.owners import Owner, key_of
from hybridchat.guard.agent import GuardedAgent
from hybridchat.guard.fork_server import ForkServer

pytestmark = pytest.mark.timeout(240)

LIGHTHOUSES = {
    "name": "lighthouses",
    "noun": ["lighthouse", "lighthouses"],
    "tables": [
        {
            "name": "lighthouses", "file": "lighthouses.csv", "key": "code", "title": "name",
            "noun": ["lighthouse", "lighthouses"],
            "columns": [
                {"name": "code", "kind": "TEXT"}, {"name": "name", "kind": "TEXT"},
                {"name": "height", "kind": "NUMBER", "unit": "m"},
            ],
        },
    ],
}  # fmt: skip
ROWS = [("code", "name", "height"), ("L1", "Skerryvore", 48), ("L2", "Muckle Flugga", 20), ("L3", "Ardnamurchan", 36)]


@pytest.fixture
def fork_server(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[ForkServer]:
    """The real agent in processes of its own, for the turns that this process works on."""
    database = servers.postgres().server.database_url(connection.settings_dict["NAME"])
    kept = ForkServer("hybridchat.agents.agent_for", {**os.environ, "DATABASE_URL": database})
    monkeypatch.setattr(runner, "agent_for", lambda language: GuardedAgent(language, kept))
    yield kept
    kept.close()


def imported(folder: Path, thing: str = "lighthouse") -> None:
    table, spec = folder / f"{thing}s.csv", folder / "corpus.json"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows(ROWS)
    spec.write_text(json.dumps(LIGHTHOUSES).replace("lighthouse", thing))
    call_command("import_corpus", f"{thing}s", str(table), spec=spec, yes=True, verbosity=0)


async def answered(assistant: str, message: str) -> Turn:
    conversation = await runner.in_thread(services.new_conversation, Owner(key_of("somebody")), assistant)
    turn, _ = await runner.in_thread(services.receive, conversation, uuid4(), message)
    await runner.work_on(turn.pk)
    await runner.in_thread(turn.refresh_from_db)
    assert turn.status == Turn.Status.DONE, turn.error
    return turn


async def test_an_imported_corpus_is_answered_over_without_a_restart(fork_server: ForkServer, tmp_path: Path) -> None:
    await runner.agent_for("builtin").ready()
    before = await fork_server.process()
    loaded_by = psutil.Process(before.pid).ppid()
    await runner.in_thread(imported, tmp_path)
    turn = await answered("lighthouses", "How many lighthouses are there?")
    assert "3" in turn.state["reply"]["text"]
    after = await fork_server.process()
    assert after.pid != before.pid
    assert psutil.Process(after.pid).ppid() == loaded_by
    await answered("lighthouses", "Which lighthouse is the tallest?")
    assert (await fork_server.process()).pid == after.pid, "an agent process that is up to date is kept"


async def test_a_corpus_without_example_questions_is_rehearsed_with_one_from_its_data(
    transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await runner.in_thread(imported, tmp_path, "beacon")
    agent = await runner.in_thread(agent_for, "builtin")
    heard: list[str] = []

    async def parse_turn(self: object, state: TurnState, emit: object) -> TurnState:
        heard.append(state.message)
        return state

    monkeypatch.setattr(type(agent), "parse_turn", parse_turn)
    await rehearse(agent)
    assert heard
    assert any("beacon" in message for message in heard)
