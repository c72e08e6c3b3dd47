"""One user turn, start to end: understand, parse, execute, respond.

Each step takes what the step before it left and returns one typed, serialisable outcome, so that a turn can be stored
after every step and taken up by another process from the last stored one. The site stores; this module only thinks.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from agent.language.tasks import Conversation, Parsed, Question, Reply, Understanding


class Stored(BaseModel):
    """Base of everything a turn leaves behind; written to the database as JSON and read back unchanged."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Constraint(Stored):
    """One thing that was searched for, as a chip: `id` is what `agent.suql.describe.without` takes to remove it."""

    id: str
    label: str


class Query(Stored):
    """One question turned into SUQL. `parts` is the description in pieces, (text, emphasised)."""

    question: Question
    parsed: Parsed
    suql: str = ""
    description: str = ""
    parts: tuple[tuple[str, bool], ...] = ()
    constraints: tuple[Constraint, ...] = ()


class Card(Stored):
    """A row as it is shown: its values by column, and what made it match."""

    values: dict[str, Any]
    key: str | None = None
    table: str = ""
    title: str = ""
    evidence: tuple[dict[str, Any], ...] = ()  # agent.suql.result.Evidence as dicts


class Outcome(Stored):
    """What executing one query gave. `query` is the one that was finally run, `relaxed` what was dropped on the way."""

    query: Query
    columns: tuple[str, ...] = ()
    rows: tuple[Card, ...] = ()
    relaxed: tuple[str, ...] = ()
    complete: bool = True
    notes: tuple[str, ...] = ()
    usage: dict[str, float] = {}
    plan: dict[str, Any] = {}
    error: str = ""


class TurnState(Stored):
    """A turn so far. A field that is None has not been reached."""

    message: str
    conversation: Conversation
    understanding: Understanding | None = None
    queries: tuple[Query, ...] | None = None
    outcomes: tuple[Outcome, ...] = ()
    reply: Reply | None = None
