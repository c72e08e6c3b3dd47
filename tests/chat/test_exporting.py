"""Exports hold everything about each turn, name nobody, and are harmless in a spreadsheet."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from agent.record import Outcome, TurnState
from corpora.models import ModelCall
from corpora.spreadsheets import neutral
from hybridchat.chat import leases, services
from hybridchat.chat.exporting import COLUMNS
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import Owner, key_of
from tests.chat import fakes


@pytest.fixture
def answered(conversation: Conversation) -> Turn:
    """A finished turn with everything that can be stored about one."""
    turn, _ = services.receive(conversation, uuid4(), '=HYPERLINK("http://evil.example")')
    leases.take(turn.pk, "me")
    query = fakes.query_for(turn.message)
    state = TurnState(message=turn.message, conversation=fakes.conversation_for(turn))
    outcome = Outcome(query=query, columns=("name",), rows=(fakes.card(1),), usage={"calls": 3})
    state = state.model_copy(update={"queries": (query,), "outcomes": (outcome,)})
    leases.append_event(turn.pk, "me", "searching", {"query": 0, "done": 1, "total": 2})
    leases.finish(turn.pk, "me", state.model_dump(mode="json"), {"done": 12.5}, {"calls": 3})
    ModelCall.objects.create(turn=turn.pk, task="answer", model="small", prompt_tokens=10)
    services.give_feedback(turn, -1, "@wrong")
    return turn


def exported(tmp_path: Path, **options: Any) -> str:
    out = tmp_path / "out"
    call_command("export_conversations", out=str(out), **options)
    return out.read_text()


def test_json_lines_hold_everything_stored_about_a_turn(answered: Turn, tmp_path: Path) -> None:
    record = json.loads(exported(tmp_path))
    assert tuple(record) == COLUMNS
    assert record["user"] == answered.message
    assert "romantic" in record["queries"][0]["suql"]
    assert record["outcomes"][0]["rows"][0]["evidence"][0]["label"] == "Noor A."
    assert [event["kind"] for event in record["events"]] == ["received", "searching", "done"]
    assert record["timings"] == {"done": 12.5}
    assert record["usage"] == {"calls": 3}
    assert (record["calls"][0]["model"], record["calls"][0]["prompt_tokens"]) == ("small", 10)
    assert record["configuration"]["language"] == "builtin"
    assert (record["rating"], record["comment"]) == (-1, "@wrong")


def test_csv_holds_the_same_and_no_cell_is_a_formula(answered: Turn, tmp_path: Path) -> None:
    (row,) = csv.DictReader(exported(tmp_path, format="csv").splitlines())
    assert tuple(row) == COLUMNS
    assert row["user"] == "'" + answered.message
    assert row["comment"] == "'@wrong"
    assert row["rating"] == "-1"
    assert json.loads(row["events"])[1]["payload"]["total"] == 2


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_no_identifier_of_a_row_is_exported(answered: Turn, tmp_path: Path, form: str) -> None:
    again, _ = services.retry(answered, uuid4())
    services.request_stop(again)
    told = exported(tmp_path, format=form)
    for row in (answered, again):
        assert str(row.pk) not in told
        assert row.pk.hex not in told
    assert str(answered.conversation_id) not in told


def test_turns_of_one_conversation_and_their_origins_are_named_alike(answered: Turn, tmp_path: Path) -> None:
    again, _ = services.retry(answered, uuid4())
    services.request_stop(again)
    first, second = map(json.loads, exported(tmp_path).splitlines())
    assert first["conversation"] == second["conversation"]
    assert second["origin"] == first["turn"] != second["turn"]


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1+cmd|' /C calc'!A0", "@SUM(A1)", "\t=1", "\r=1", "  =1", "＝1"])
def test_what_would_start_a_formula_is_neutralised(cell: str) -> None:
    assert neutral(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["", "ramen", "2+2", "it's = 4"])
def test_other_cells_stay_as_they_are(cell: str) -> None:
    assert neutral(cell) == cell


def test_sessions_are_pseudonymised_and_stay_told_apart(answered: Turn, owner: Owner, tmp_path: Path) -> None:
    for someone in (owner, Owner(key_of("somebody else"))):
        services.receive(services.new_conversation(someone, "restaurants"), uuid4(), "hello")
    text = exported(tmp_path)
    people = [json.loads(line)["person"] for line in text.splitlines()]
    assert people[0] == people[1] != people[2]
    assert owner.key not in text
    assert "a session's token" not in text


def test_only_turns_since_a_date_and_of_an_assistant(answered: Turn, owner: Owner, tmp_path: Path) -> None:
    services.receive(services.new_conversation(owner, "courses"), uuid4(), "databases")
    assert len(exported(tmp_path).splitlines()) == 2
    assert [json.loads(line)["user"] for line in exported(tmp_path, assistant="courses").splitlines()] == ["databases"]
    call_command("export_conversations", "--since", "2999-01-01", "--out", str(tmp_path / "none"))
    assert (tmp_path / "none").read_text() == ""


def test_wrong_options_are_explained(answered: Turn, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="astrology"):
        exported(tmp_path, assistant="astrology")
    with pytest.raises(CommandError, match="not a date"):
        call_command("export_conversations", "--since", "yesterday", "--out", str(tmp_path / "out"))
    with pytest.raises(CommandError, match="cannot be written"):
        call_command("export_conversations", "--out", str(tmp_path / "missing" / "out"))
