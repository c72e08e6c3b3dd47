"""Reading an export in JSON lines back into a site.

Pseudonyms become the identifiers of the new rows, so that an import done twice changes nothing the second time. People
stay apart as they were, but nobody can open an imported conversation: its owner's key is made of the pseudonym.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import DatabaseError, transaction
from django.db.models import Model

from corpora.models import ModelCall
from hybridchat.chat.models import Configuration, Conversation, Feedback, Turn, TurnEvent
from hybridchat.chat.owners import key_of
from hybridchat.research.exports import participations
from hybridchat.research.exports.annotations import restore
from hybridchat.research.exports.dictionary import SCHEMA_VERSION
from hybridchat.research.exports.folding import Dangling, unfold
from hybridchat.research.exports.records import told
from hybridchat.research.studies.participations import Participation

DATA, COLLECTED = "conversations.jsonl", "collected.jsonl"
NESTED = frozenset(
    {
        *("configurations", "turns", "events", "calls", "feedback", "annotated", "person", "signed_in"),
        *("participation", "study", "consent", "arm", "answers", "questions"),
    }
)
"""Members of a record that are rows of their own, or no rows at all."""


class NotAnExport(Exception):
    """A file that cannot be imported; the message says where and why."""


def import_file(path: Path) -> Iterator[bool]:
    """Import an export's conversations, and who wrote questions, one by one: for each, whether it is new. Raises
    NotAnExport."""
    with opened(path, DATA, COLLECTED) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                record = unfold(json.loads(line))
                yield import_conversation(record) if "turns" in record else import_participation(record)
            except (ValueError, Dangling, KeyError, TypeError, ValidationError, DatabaseError) as error:
                raise NotAnExport(f"{path}, line {number}: {type(error).__name__}: {error}") from error


@transaction.atomic
def import_conversation(record: dict[str, Any]) -> bool:
    """Store a conversation with all its turns; False where it is there already."""
    if Conversation.objects.filter(pk=record["id"]).exists():
        return False
    for facts in record["configurations"]:
        if not Configuration.objects.filter(pk=facts["hash"]).exists():
            _row(Configuration, facts).save(force_insert=True)
    conversation = _row(Conversation, record, owner_key=key_of(record["person"]))
    conversation.save(force_insert=True)
    for turn in record["turns"]:
        _row(Turn, turn, conversation_id=conversation.pk).save(force_insert=True)
        TurnEvent.objects.bulk_create([_row(TurnEvent, event, turn_id=turn["id"]) for event in turn["events"]])
        for call in turn["calls"]:
            _insert(_row(ModelCall, call, turn=turn["id"]), call)
        if turn["feedback"]:
            _insert(_row(Feedback, turn["feedback"], turn_id=turn["id"]), turn["feedback"])
        restore(turn["id"], turn["annotated"])
    if record.get("participation"):  # exports of the first schema have none
        participations.restore(conversation, conversation.owner_key, record["participation"], _row)
    return True


@transaction.atomic
def import_participation(record: dict[str, Any]) -> bool:
    """Store who wrote questions in a study; False where they are there already."""
    if Participation.objects.filter(pk=record["id"]).exists():
        return False
    participations.restore(None, key_of(record["person"]), record, _row)
    return True


def _row(model: type[Model], facts: dict[str, Any], **given: Any) -> Any:
    """A row of what was exported of one. A field that this version does not know stops the import."""
    known = {field.name: field for field in told(model)}
    if unknown := set(facts) - set(known) - NESTED:
        raise ValueError(f"{', '.join(sorted(unknown))}: unknown here; the export is of a newer version.")
    values = {known[name].attname: known[name].to_python(value) for name, value in facts.items() if name in known}
    return model(**{**values, **given})


def _insert(row: Model, facts: dict[str, Any]) -> None:
    """Insert a row whose times Django would set to now."""
    row.save(force_insert=True)
    times = {name: facts[name] for name in ("created", "updated") if name in facts}
    type(row)._default_manager.filter(pk=row.pk).update(**times)


@contextmanager
def opened(path: Path, *names: str) -> Iterator[Iterator[str]]:
    """The lines of an archive or a folder (of the files of these names that it has, the conversations unless others
    are named), or of a file of lines."""
    names = names or (DATA,)
    try:
        with ExitStack() as stack:
            if zipfile.is_zipfile(path):
                packed = stack.enter_context(zipfile.ZipFile(path))
                _check(json.loads(packed.read("manifest.json")))
                there = [name for name in names if name in packed.namelist()]
                files = [io.TextIOWrapper(stack.enter_context(packed.open(name)), encoding="utf-8") for name in there]
            elif path.is_dir():
                _check(json.loads((path / "manifest.json").read_text(encoding="utf-8")))
                there = [name for name in names if (path / name).exists()]
                files = [stack.enter_context((path / name).open(encoding="utf-8")) for name in there]
            else:
                files = [stack.enter_context(path.open(encoding="utf-8"))]
            yield chain.from_iterable(files)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise NotAnExport(f"{path} is no export in JSON lines: {error}") from error


def _check(manifest: dict[str, Any]) -> None:
    if manifest.get("format") != "jsonl":
        raise NotAnExport(f"Only the format jsonl can be imported; this is {manifest.get('format')}.")
    if manifest["schema_version"] > SCHEMA_VERSION:
        raise NotAnExport(
            f"The export's schema has version {manifest['schema_version']}; this site reads {SCHEMA_VERSION}."
        )
