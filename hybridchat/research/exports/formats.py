"""The formats of an export. Each says which files it has and what lines a conversation adds to them, and finishes them.

Files are written a line at a time and only ever appended to, so that an export of any size needs little memory and can
be taken up again where it stood.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import duckdb

from corpora.spreadsheets import csv_line, neutral
from hybridchat.research.exports.folding import fold
from hybridchat.research.exports.tables import TABLES, study_of, table_rows

Line = tuple[str, str]  # a file's name and a line for it
AGENT = "agent"


@dataclass(frozen=True, slots=True)
class Format:
    """`lines` are what a conversation adds, and `collected` what somebody adds who only wrote questions; `begin` stands
    at the head of files; `finish` makes the final files."""

    title: str
    lines: Callable[[dict[str, Any]], Iterator[Line]]
    begin: Callable[[], Iterable[Line]] = tuple
    finish: Callable[[Path], None] = lambda folder: None
    collected: Callable[[dict[str, Any]], Iterable[Line]] = lambda record: ()


def written(value: Any) -> str:
    """A value as one line of JSON."""
    return json.dumps(value, ensure_ascii=False)


# --- JSON lines: everything, to be read back -------------------------------------------------------------------------


def _whole(record: dict[str, Any]) -> Iterator[Line]:
    yield "conversations.jsonl", written(fold(record)) + "\n"


def _whole_collected(record: dict[str, Any]) -> Iterator[Line]:
    yield "collected.jsonl", written(fold(record)) + "\n"


# --- CSV and Parquet: flat tables ------------------------------------------------------------------------------------


def _csv_begin() -> Iterator[Line]:
    for table, columns in TABLES.items():
        yield f"{table}.csv", csv_line(columns)


def _csv_lines(record: dict[str, Any]) -> Iterator[Line]:
    for table, row in table_rows(record):
        yield f"{table}.csv", csv_line(_cell(value) for value in row.values())


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return neutral(value) if isinstance(value, str) else written(value)


def _table_begin() -> Iterator[Line]:
    for table in TABLES:
        yield f"{table}.lines", ""


def _table_lines(record: dict[str, Any]) -> Iterator[Line]:
    for table, row in table_rows(record):
        yield f"{table}.lines", written(row) + "\n"


def _parquet(folder: Path) -> None:
    """DuckDB, which is here for the corpora, writes Parquet in bounded memory; it is read by whatever reads Parquet."""
    for table, columns in TABLES.items():
        lines = folder / f"{table}.lines"
        types = {name: kind for name, (kind, _) in columns.items()}
        with duckdb.connect() as base:
            read = base.read_json(str(lines), columns=types, format="newline_delimited", maximum_object_size=2**28)
            read.write_parquet(str(folder / f"{table}.parquet"), compression="zstd")
        lines.unlink()


# --- Chat messages, as language models are trained on ----------------------------------------------------------------


def _messages(record: dict[str, Any]) -> Iterator[Line]:
    said = [message for turn in record["turns"] for message in _exchange(turn)]
    facts = {name: record[name] for name in ("id", "person", "assistant", "created")}
    yield "messages.jsonl", written({**facts, **_study(record), "messages": said}) + "\n"


def _study(record: dict[str, Any]) -> dict[str, Any]:
    """Of a conversation in a study: the study, the arm, and the answers to the questionnaire by item."""
    if not record["participation"]:
        return {}
    return {
        **study_of(record),
        "answers": {one["item"]: one["value"] for one in record["participation"]["answers"]},
    }


def _exchange(turn: dict[str, Any]) -> Iterator[dict[str, str]]:
    if turn["kind"] != "note":
        yield {"role": "user", "content": turn["message"]}
    if reply := _replied(turn):
        yield {"role": "assistant", "content": reply}


def _replied(turn: dict[str, Any]) -> str:
    return (turn["state"].get("reply") or {}).get("text") or turn["error"]


# --- ConvoKit's corpus -----------------------------------------------------------------------------------------------


def _convokit_begin() -> Iterator[Line]:
    for name in ("utterances.jsonl", "speakers.lines", "conversations.lines"):
        yield name, ""
    yield "speakers.lines", written([AGENT, {"role": "agent"}]) + "\n"


def _convokit_lines(record: dict[str, Any]) -> Iterator[Line]:
    """An utterance each for a message and its reply. As ConvoKit has it, a conversation is named by its first one."""
    root, before = "", None
    for turn in record["turns"]:
        for speaker, text, time, meta in _utterances(record, turn):
            name = f"{turn['id']}.{'agent' if speaker == AGENT else 'user'}"
            root = root or name
            yield (
                "utterances.jsonl",
                written(
                    {
                        "id": name,
                        "conversation_id": root,
                        "text": text,
                        "speaker": speaker,
                        "reply-to": before,
                        "timestamp": datetime.fromisoformat(time).timestamp(),
                        "meta": meta,
                        "vectors": [],
                    }
                )
                + "\n",
            )
            before = name
    if root:
        facts = {name: record[name] for name in ("id", "assistant", "title", "language", "created")}
        yield "conversations.lines", written([root, {**facts, **_study(record)}]) + "\n"
        yield "speakers.lines", written([record["person"], {"role": "person"}]) + "\n"


def _utterances(record: dict[str, Any], turn: dict[str, Any]) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    state = turn["state"]
    if turn["kind"] != "note":
        yield record["person"], turn["message"], turn["created"], {"turn": turn["id"], "kind": turn["kind"]}
    if reply := _replied(turn):
        meta = {
            "turn": turn["id"],
            "status": turn["status"],
            "suql": [outcome["query"]["suql"] for outcome in state.get("outcomes") or ()],
            "acts": [act["act"] for act in state.get("acts") or ()],
            "rating": (turn["feedback"] or {}).get("rating"),
        }
        yield AGENT, reply, turn["finished_at"], meta


META_INDEX = {
    "utterances-index": ("turn", "kind", "status", "suql", "acts", "rating"),
    "speakers-index": ("role",),
    "conversations-index": ("id", "assistant", "title", "language", "created", "study", "arm", "answers"),
    "overall-index": (),
}
TYPES = {"suql": "<class 'list'>", "acts": "<class 'list'>", "rating": "<class 'int'>", "answers": "<class 'dict'>"}


def _convokit(folder: Path) -> None:
    for name in ("speakers", "conversations"):
        _as_object(folder / f"{name}.lines", folder / f"{name}.json")
    (folder / "corpus.json").write_text("{}", encoding="utf-8")
    index = {part: {name: [TYPES.get(name, "<class 'str'>")] for name in names} for part, names in META_INDEX.items()}
    (folder / "index.json").write_text(written({**index, "version": 1, "vectors": []}), encoding="utf-8")


def _as_object(lines: Path, target: Path) -> None:
    """One object of lines of [name, meta], each name once."""
    with duckdb.connect() as base, target.open("w", encoding="utf-8") as out:
        read = base.execute(
            "SELECT json->>0 AS name, any_value(json->1) FROM read_ndjson_objects($path) GROUP BY name ORDER BY name",
            {"path": str(lines)},
        )
        between = "{"
        while row := read.fetchone():
            out.write(f'{between}{written(row[0])}: {{"meta": {row[1]}, "vectors": []}}')
            between = ",\n"
        out.write("}" if between != "{" else "{}")
    lines.unlink()


FORMATS: dict[str, Format] = {
    "jsonl": Format(
        "JSON lines: everything, can be imported again",
        _whole,
        lambda: [("conversations.jsonl", "")],
        collected=_whole_collected,
    ),
    "csv": Format("CSV: flat tables for spreadsheets", _csv_lines, _csv_begin, collected=_csv_lines),
    "parquet": Format(
        "Parquet: flat tables for data frames", _table_lines, _table_begin, _parquet, collected=_table_lines
    ),
    "messages": Format("Chat messages, one conversation a line", _messages, lambda: [("messages.jsonl", "")]),
    "convokit": Format("ConvoKit's corpus format", _convokit_lines, _convokit_begin, _convokit),
}
