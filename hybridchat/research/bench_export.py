"""What exports cost: turns a second and memory at most, of as many stored turns as are wanted.

A conversation is held, and copied under other names and hours into a schema in which the export finds its tables. Each
format is then written by `manage.py export` in a process of its own, whose memory is its own. The schema and the
conversation are gone afterwards.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
from django.apps import apps
from psycopg import sql

from corpora.models import ModelCall
from hybridchat.chat.models import Configuration, Conversation, Turn, TurnEvent
from hybridchat.services.folder import CHECKOUT

SCHEMA = "bench_export"
MILLION = 1_000_000
AT_ONCE = 1_000  # copies of the conversation in one statement
MESSAGES = (
    "romantic restaurants in Palo Alto",
    "somewhere cheaper, please",
    "which of these are quiet?",
    "what do people say about the first one?",
    "how many restaurants in Palo Alto have outdoor seating?",
)
"""As many as SUQL's study asks of a participant."""

_KEY = "md5({column}::text || n)::uuid"
CHANGED = {
    Conversation: {
        "id": _KEY,
        "owner_key": "md5({column} || n)",
        "title": "{column} || ' ' || n",
        "created": "{column} - n * interval '1 second'",
        "updated": "{column} - n * interval '1 second'",
    },
    Turn: {"id": _KEY, "conversation_id": _KEY, "origin_id": _KEY, "message": "{column} || ' ' || n"},
    TurnEvent: {"id": "", "turn_id": _KEY},
    ModelCall: {"id": "", "turn": _KEY},
}
"""What a copy has of its own, by model and column; n is its number, and what is empty is left to the database."""


@dataclass(frozen=True, slots=True)
class Exported:
    """One export: what it took, and how much it is."""

    format: str
    turns: int
    seconds: float
    memory: int  # bytes, at most
    size: int  # bytes of the archive


def measure_export(address: str, conversation: UUID, turns: int, formats: Sequence[str]) -> list[Exported]:
    """Export so many turns, copied from a conversation, in each format."""
    with _copied(address, conversation, turns) as stored, tempfile.TemporaryDirectory() as folder:
        return [_exported(form, stored, Path(folder) / f"{form}.zip") for form in formats]


def export_table(found: Sequence[Exported]) -> str:
    """What each format took, a line each."""
    lines = [f"{'format':10}{'turns':>11}{'seconds':>9}{'turns/s':>9}{'memory MB':>11}{'archive MB':>12}"]
    for one in found:
        speed, memory, size = one.turns / one.seconds, one.memory / MILLION, one.size / MILLION
        lines.append(f"{one.format:10}{one.turns:11,}{one.seconds:9.1f}{speed:9.0f}{memory:11.0f}{size:12.1f}")
    return "\n".join(lines)


@contextmanager
def _copied(address: str, conversation: UUID, turns: int) -> Iterator[int]:
    """A schema with copies of a conversation that have so many turns, or a few more; yields how many."""
    with psycopg.connect(address, autocommit=True) as owner:
        owner.execute(sql.SQL("DROP SCHEMA IF EXISTS {} CASCADE").format(sql.Identifier(SCHEMA)))
        owner.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(SCHEMA)))
        try:
            for table in _tables():
                like = sql.SQL("CREATE UNLOGGED TABLE {} (LIKE {} INCLUDING ALL)")
                owner.execute(like.format(sql.Identifier(SCHEMA, table), sql.Identifier("public", table)))
            yield _fill(owner, conversation, turns)
        finally:
            owner.execute(sql.SQL("DROP SCHEMA {} CASCADE").format(sql.Identifier(SCHEMA)))


def _tables() -> list[str]:
    """The tables that an export reads and writes."""
    models = [model for name in ("chat", "research") for model in apps.get_app_config(name).get_models()]
    return sorted({model._meta.db_table for model in [*models, ModelCall] if not model._meta.proxy})


def _fill(owner: psycopg.Connection[Any], conversation: UUID, turns: int) -> int:
    told = Turn.objects.filter(conversation=conversation)
    keys = list(told.values_list("pk", flat=True))
    of_model: dict[Any, tuple[str, list[UUID]]] = {
        Conversation: ("id", [conversation]),
        Turn: ("id", keys),
        TurnEvent: ("turn_id", keys),
        ModelCall: ("turn", keys),
    }
    table = Configuration._meta.db_table
    whole = sql.SQL("INSERT INTO {} SELECT * FROM {}")
    owner.execute(whole.format(sql.Identifier(SCHEMA, table), sql.Identifier("public", table)))
    copies = -(-turns // len(keys))
    for first in range(1, copies + 1, AT_ONCE):
        numbers = (first, min(first + AT_ONCE - 1, copies))
        for model, (column, named) in of_model.items():
            owner.execute(_copying(model, column), (*numbers, named))
    owner.execute("ANALYZE")
    return copies * len(keys)


def _copying(model: Any, column: str) -> sql.Composed:
    """The statement that copies the rows of a model, named by a column, once for each number of a range."""
    table, changed = model._meta.db_table, CHANGED[model]
    names = [field.column for field in model._meta.concrete_fields if changed.get(field.column) != ""]
    values = [sql.SQL(changed.get(name, "{column}")).format(column=sql.Identifier("told", name)) for name in names]
    return sql.SQL(
        "INSERT INTO {} ({}) SELECT {} FROM {} AS told, generate_series(%s::int, %s::int) AS n WHERE {} = ANY(%s)"
    ).format(
        sql.Identifier(SCHEMA, table),
        sql.SQL(", ").join(map(sql.Identifier, names)),
        sql.SQL(", ").join(values),
        sql.Identifier("public", table),
        sql.Identifier("told", column),
    )


def _exported(form: str, turns: int, out: Path) -> Exported:
    """Run the command. Raises RuntimeError, with what it printed, where it fails."""
    environment = {**os.environ, "PGOPTIONS": f"-c search_path={SCHEMA},public"}
    command = [sys.executable, "manage.py", "export", "--format", form, "--out", str(out)]
    began = time.monotonic()
    with tempfile.TemporaryFile("w+") as printed:
        process = subprocess.Popen(command, cwd=CHECKOUT, env=environment, stdout=printed, stderr=printed)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - began
        printed.seek(0)
        if process.returncode or f" {turns:,} turns" not in (told := printed.read()):
            raise RuntimeError(f"The export failed, or has not all turns:\n{told}")
    size = out.stat().st_size
    out.unlink()
    return Exported(form, turns, seconds, used.ru_maxrss * 1024, size)
