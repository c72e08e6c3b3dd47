"""An export holds everything about conversations, once, under pseudonyms, and can be read back."""

from __future__ import annotations

import csv
import json
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from hybridchat.chat import services as chat
from hybridchat.chat.models import Conversation, Feedback, Turn
from hybridchat.research.exports import services
from hybridchat.research.exports.choosing import Filters
from hybridchat.research.exports.folding import unfold
from hybridchat.research.exports.formats import FORMATS
from hybridchat.research.exports.naming import IDENTIFIER
from hybridchat.research.exports.tables import TABLES
from hybridchat.research.models import Export

Run = Callable[..., Path]


def texts(folder: Path) -> str:
    return "".join(path.read_text() for path in sorted(folder.iterdir()) if path.suffix != ".parquet")


def records(folder: Path) -> list[dict[str, Any]]:
    return [unfold(json.loads(line)) for line in (folder / "conversations.jsonl").read_text().splitlines()]


def without_names(text: str) -> str:
    """The text with identifiers numbered in the order in which they first stand."""
    seen: dict[str, int] = {}
    return IDENTIFIER.sub(lambda found: f"#{seen.setdefault(found[0], len(seen))}", text)


def test_json_lines_hold_everything_stored(talk: Turn, export: Run) -> None:
    (record,) = records(export(with_personal_data=True))
    last = record["turns"][-1]
    assert [turn["message"] for turn in record["turns"]][-1] == talk.message
    assert last["state"]["outcomes"] == json.loads(json.dumps(talk.state))["outcomes"]
    assert [event["kind"] for event in last["events"]] == ["received", "outcome", "replied", "done"]
    assert last["events"][1]["payload"]["outcome"] == last["state"]["outcomes"][0]
    assert last["calls"][0]["model"] == "small"
    assert (last["feedback"]["rating"], last["timings"]) == (-1, {"done": 12.5})
    assert last["configuration"] == talk.configuration_id
    assert {one["hash"] for one in record["configurations"]} >= {turn["configuration"] for turn in record["turns"]} - {
        None
    }


def test_each_fact_is_written_once(talk: Turn, export: Run) -> None:
    folder = export(with_personal_data=True)
    text = (folder / "conversations.jsonl").read_text()
    assert text.count("We had a table by the window") == 1
    assert len(text) < 0.6 * len(json.dumps(records(folder), ensure_ascii=False))


def test_an_export_is_imported_losslessly_into_an_empty_site(talk: Turn, export: Run) -> None:
    chat.request_stop(chat.retry(talk, talk.conversation_id)[0])
    first = export(with_personal_data=True)
    Conversation.objects.all().delete()
    call_command("import_conversations", first)
    assert Turn.objects.count() == 4
    again = export(with_personal_data=True)
    assert without_names((first / "conversations.jsonl").read_text()) == without_names(
        (again / "conversations.jsonl").read_text()
    )


def test_an_import_done_twice_changes_nothing(talk: Turn, export: Run, capsys: Any) -> None:
    folder = export()
    Conversation.objects.all().delete()
    call_command("import_conversations", folder)
    call_command("import_conversations", folder)
    assert Turn.objects.count() == 3
    assert "0 conversations imported, 1 were there already" in capsys.readouterr().out


def test_an_import_names_the_line_that_cannot_be_read(talk: Turn, export: Run) -> None:
    data = export() / "conversations.jsonl"
    data.write_text(data.read_text().replace('"position"', '"possession"'))
    with pytest.raises(CommandError, match=r"line 1.*possession: unknown here"):
        call_command("import_conversations", data.parent)
    assert Turn.objects.count() == 3


@pytest.mark.parametrize("form", FORMATS)
def test_no_identifier_of_a_row_and_no_owner_is_exported(talk: Turn, export: Run, form: str) -> None:
    folder = export(format=form, with_personal_data=True)
    text = "".join(path.read_bytes().decode("latin-1") for path in folder.iterdir())
    for secret in (talk.pk, talk.conversation_id):
        assert str(secret) not in text
        assert secret.hex not in text
    assert talk.conversation.owner_key not in text


@pytest.mark.parametrize("form", FORMATS)
def test_personal_data_is_taken_out_of_every_format(talk: Turn, export: Run, form: str) -> None:
    folder = export(format=form)
    if form == "parquet":
        text = json.dumps(duckdb.sql(f"FROM '{folder}/turns.parquet'").fetchall(), default=str)
    else:
        text = texts(folder)
    assert "[e-mail 1]" in text
    for word in ("ada@example.org", "Byron", "555 0100"):
        assert word not in text


def test_scopes_share_pseudonyms_and_others_do_not(talk: Turn, export: Run) -> None:
    one, two = (records(export(scope="study one"))[0] for _ in range(2))
    other = records(export())[0]
    assert (one["person"], one["id"]) == (two["person"], two["id"])
    assert other["person"] != one["person"]
    assert other["turns"][0]["id"] != one["turns"][0]["id"]


def test_people_stay_told_apart(talk: Turn, answer: Any, export: Run) -> None:
    answer("ramen")
    answer("ramen", owner="somebody else")
    people = [record["person"] for record in records(export())]
    assert people[0] == people[1] != people[2]


def test_csv_has_tables_whose_cells_no_spreadsheet_runs(talk: Turn, answer: Any, export: Run) -> None:
    answer('=HYPERLINK("http://evil.example")')
    folder = export(format="csv", with_personal_data=True)
    assert {path.stem for path in folder.glob("*.csv")} == set(TABLES)
    with (folder / "turns.csv").open(newline="") as file:
        turns = list(csv.DictReader(file))
    assert tuple(turns[0]) == tuple(TABLES["turns"])
    assert turns[3]["user"].startswith("'=HYPERLINK")
    assert turns[2]["rating"] == "-1"
    assert json.loads(turns[2]["feedback"])["comment"].startswith("=wrong")


def test_parquet_is_read_back_with_types(talk: Turn, export: Run) -> None:
    folder = export(format="parquet", with_personal_data=True)
    read = duckdb.sql(f"SELECT user, seconds, rating, created, cost FROM '{folder}/turns.parquet' ORDER BY position")
    last = read.fetchall()[-1]
    assert last[0] == talk.message
    assert last[2] == -1
    assert last[3] == talk.created
    assert last[4] == 0.25
    counted = duckdb.sql(f"SELECT count(*) FROM '{folder}/rows.parquet' JOIN '{folder}/turns.parquet' USING (turn)")
    assert counted.fetchall() == [(6,)]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_table_has_what_the_dictionary_says(talk: Turn, export: Run, form: str) -> None:
    folder = export(format=form)
    told = (folder / "dictionary.md").read_text()
    for table, columns in TABLES.items():
        read = duckdb.sql(f"FROM '{folder}/{table}.{form}' LIMIT 0")
        assert read.columns == list(columns)
        assert all(f"| {column} |" in told for column in columns)


def test_messages_are_what_was_said(talk: Turn, export: Run) -> None:
    (line,) = (export(format="messages", with_personal_data=True) / "messages.jsonl").read_text().splitlines()
    said = json.loads(line)["messages"]
    assert [one["role"] for one in said] == ["user", "assistant"] * 3
    assert said[4]["content"] == talk.message


def test_convokit_finds_its_files_and_each_reply_its_message(talk: Turn, answer: Any, export: Run) -> None:
    answer("ramen")
    folder = export(format="convokit")
    lines = (folder / "utterances.jsonl").read_text().splitlines()
    utterances = {one["id"]: one for one in map(json.loads, lines)}
    speakers, conversations, index = (
        json.loads((folder / f"{name}.json").read_text()) for name in ("speakers", "conversations", "index")
    )
    assert len(speakers) == 2
    assert set(speakers) == {one["speaker"] for one in utterances.values()}
    assert set(conversations) == {one["conversation_id"] for one in utterances.values()} <= set(utterances)
    assert all(one["reply-to"] is None or one["reply-to"] in utterances for one in utterances.values())
    assert {name for one in utterances.values() for name in one["meta"]} <= set(index["utterances-index"])


def test_the_manifest_says_what_is_in_it(talk: Turn, export: Run) -> None:
    folder = export(assistant="restaurants", rating="down")
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["filters"] == {"assistant": "restaurants", "rating": "down"}
    assert (manifest["conversations"], manifest["turns"], manifest["schema_version"]) == (1, 3, 3)
    assert manifest["scrubbed"] is True


def test_filters_choose_whole_conversations(talk: Turn, answer: Any, export: Run) -> None:
    later = answer("ramen")
    Turn.objects.filter(pk=later.pk).update(created=timezone.now().replace(year=2020))
    assert len(records(export(rating="down"))[0]["turns"]) == 3
    assert len(records(export(rating="up"))) == 0
    assert [len(one["turns"]) for one in records(export(until="2021-01-01"))] == [1]
    assert [len(one["turns"]) for one in records(export(since="2021-01-01"))] == [3]


def test_feedback_is_found_by_its_label(talk: Turn, export: Run) -> None:
    assert records(export(label="prices")) == []
    Feedback.objects.update(labels=["prices", "dates"])
    assert len(records(export(label="prices"))) == 1


def test_a_turn_under_way_is_left_out(talk: Turn, export: Run) -> None:
    chat.receive(talk.conversation, talk.conversation_id, "and one more")
    assert [len(one["turns"]) for one in records(export())] == [3]


def test_who_exported_what_is_kept_and_no_copy(talk: Turn, export: Run) -> None:
    export(rating="down")
    made = Export.objects.get()
    assert made.by.endswith("(terminal)")
    assert made.filters == {"rating": "down"}
    assert (made.status, made.turns, made.downloads, made.kept) == ("done", 3, 1, False)
    assert not list(services.folder().iterdir())


def test_work_that_was_cut_off_is_taken_up_without_doubling(
    talk: Turn, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        answer(f"ramen {number}")
    monkeypatch.setattr(services, "SLICE", 1)
    made = services.request("me", "jsonl", Filters())
    assert services.work(made.pk, seconds=0) is False
    data = services.folder() / f"{made.pk}.work" / "conversations.jsonl"
    with data.open("a") as file:
        file.write('{"half a line')
    while not services.work(made.pk, seconds=0):
        pass
    made.refresh_from_db()
    assert (made.status, made.done, made.total, made.turns) == ("done", 5, 5, 7)
    with zipfile.ZipFile(services.archive_of(made)) as packed:
        lines = packed.read("conversations.jsonl").decode().splitlines()
    assert len({unfold(json.loads(line))["id"] for line in lines}) == len(lines) == 5


def test_two_workers_do_not_write_one_export(talk: Turn) -> None:
    made = services.request("me", "jsonl", Filters())
    taken = services._taken(made.pk)
    assert taken is not None
    assert services.work(made.pk, seconds=60) is True
    made.refresh_from_db()
    assert made.done == 0
    Export.objects.update(lease_until=timezone.now())
    assert services.abandoned() == [made.pk]
    services.work(made.pk, seconds=60)
    made.refresh_from_db()
    assert made.status == "done"


def test_an_export_that_fails_says_why(talk: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    made = services.request("me", "jsonl", Filters())
    monkeypatch.setattr(services, "_append", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        services.work(made.pk, seconds=60)
    made.refresh_from_db()
    assert (made.status, made.error) == ("failed", "ZeroDivisionError: division by zero")


def test_deleting_a_conversation_removes_the_stored_exports_it_is_in(talk: Turn, answer: Any) -> None:
    made = services.request("me", "jsonl", Filters())
    services.work(made.pk, seconds=60)
    unrelated = answer("later")
    chat.delete(unrelated.conversation)
    assert services.archive_of(made).exists()
    chat.delete(talk.conversation)
    made.refresh_from_db()
    assert not services.archive_of(made).exists()
    assert not made.kept


def test_an_export_that_is_being_written_begins_again_when_a_conversation_is_deleted(
    talk: Turn, answer: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer("ramen")
    monkeypatch.setattr(services, "SLICE", 1)
    made = services.request("me", "jsonl", Filters())
    services.work(made.pk, seconds=0)
    chat.delete(talk.conversation)
    append, late = services._append, answer("and one that is deleted while it is written")

    def appended(export: Export, told: list[dict[str, Any]]) -> dict[str, int]:
        if Conversation.objects.filter(pk=late.conversation_id).exists():
            chat.delete(late.conversation)
        return append(export, told)

    monkeypatch.setattr(services, "_append", appended)
    while not services.work(made.pk, seconds=0):
        pass
    made.refresh_from_db()
    assert (made.status, made.done, made.turns) == ("done", 1, 1)
    with zipfile.ZipFile(services.archive_of(made)) as packed:
        (line,) = packed.read("conversations.jsonl").decode().splitlines()
    assert "ada" not in line


def test_files_of_old_exports_go_and_their_record_stays(talk: Turn) -> None:
    made = services.request("me", "jsonl", Filters())
    services.work(made.pk, seconds=60)
    assert services.expire() == 0
    Export.objects.update(finished_at=timezone.now() - services.KEPT)
    assert services.expire() == 1
    assert not services.archive_of(made).exists()
    assert Export.objects.count() == 1


def test_a_cancelled_export_ends_and_leaves_no_files(talk: Turn, monkeypatch: pytest.MonkeyPatch) -> None:
    made = services.request("me", "jsonl", Filters())
    services.work(made.pk, seconds=0)
    services.cancel(made)
    assert services.work(made.pk, seconds=60) is True
    made.refresh_from_db()
    assert made.status == "cancelled"
    assert not list(services.folder().iterdir())


def test_wrong_options_are_explained(talk: Turn, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="astrology"):
        call_command("export", out=tmp_path / "x", assistant="astrology")
    with pytest.raises(CommandError, match="not a date"):
        call_command("export", "--since", "yesterday", "--out", str(tmp_path / "x"))
    (tmp_path / "there.zip").write_text("")
    with pytest.raises(CommandError, match="exists already"):
        call_command("export", out=tmp_path / "there.zip")


def test_a_preview_shows_what_is_personal(talk: Turn, capsys: Any) -> None:
    call_command("export", preview=True)
    told = capsys.readouterr().out
    assert re.search(r"e-mail +ada@example.org", told)
    assert re.search(r"name +Ada Byron  \(form\)", told)
    assert "1 × telephone" in told
