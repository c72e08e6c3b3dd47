"""What goes into every export beside the data: a manifest for programs, and a dictionary for people."""

from __future__ import annotations

from typing import Any

from hybridchat.research.exports.records import told
from hybridchat.research.exports.tables import TABLES

SCHEMA_VERSION = 3
"""Counts up with every change that makes an older reader wrong."""

_JSONL = """\
`conversations.jsonl` has one conversation a line, with everything stored about it. `collected.jsonl`, where there is
one, has a line for each participant of a study who wrote questions instead of talking. What stands twice in a line is
written once: the second time it is `{"$same": POINTER}`, a JSON pointer (RFC 6901) to the first. `manage.py
import_conversations` reads the file back; in Python, `hybridchat.research.exports.folding.unfold` gives whole records.
"""
_MESSAGES = """\
`messages.jsonl` has one conversation a line: `id`, `person`, `assistant`, `created` and `messages`, a list of
`{"role": "user" | "assistant", "content": TEXT}`; of a study also `study`, `arm` and `answers`, by item.
"""
_CONVOKIT = """\
A folder that ConvoKit opens (`Corpus(filename=FOLDER)`): `utterances.jsonl`, `speakers.json`, `conversations.json`,
`corpus.json`, `index.json`. Speakers are people, and `agent`. The meta of a reply has its queries, acts and rating,
that of a conversation its study, its arm and the answers to the questionnaire.
"""
_FLAT = "One row a conversation, turn, query, row, event, call, label or answer; they are joined by the pseudonyms.\n"
ABOUT = {"jsonl": _JSONL, "csv": _FLAT, "parquet": _FLAT, "messages": _MESSAGES, "convokit": _CONVOKIT}


def dictionary(form: str, manifest: dict[str, Any]) -> str:
    """The data dictionary of an export, in Markdown."""
    head = [
        "# Data dictionary",
        "",
        f"Schema version {manifest['schema_version']}, written by hybridchat {manifest['release']}.",
        "People, conversations and turns are named by pseudonyms; within one scope they are the same in every export.",
        "Moments are in ISO 8601 with their offset.",
        "",
        ABOUT[form],
    ]
    return "\n".join([*head, *(_tables() if form in ("csv", "parquet") else _models() if form == "jsonl" else [])])


def _tables() -> list[str]:
    lines = []
    for table, columns in TABLES.items():
        lines += [f"## {table}", "", "| column | type | meaning |", "|---|---|---|"]
        lines += [f"| {name} | {kind} | {meaning} |" for name, (kind, meaning) in columns.items()] + [""]
    return lines


def _models() -> list[str]:
    from corpora.models import ModelCall
    from hybridchat.chat.models import Configuration, Conversation, Feedback, Turn, TurnEvent
    from hybridchat.research.models import (
        Arm,
        CollectedQuestion,
        ConsentText,
        Participation,
        QuestionnaireAnswer,
        Study,
        StudyEvent,
    )

    lines = []
    studies = (Participation, Study, ConsentText, Arm, QuestionnaireAnswer, CollectedQuestion, StudyEvent)
    for model in (Conversation, Turn, TurnEvent, ModelCall, Feedback, Configuration, *studies):
        lines += [f"## {model._meta.verbose_name}", "", "| member | type | meaning |", "|---|---|---|"]
        lines += [f"| {field.name} | {field.get_internal_type()} | {field.help_text} |" for field in told(model)] + [""]
    return lines
