"""What a turn leaves behind after each step: typed, immutable, stored as JSON and read back unchanged."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from agent.language import Conversation, Parsed, PastQuery, PastTurn, Question, Reply, Understanding
from agent.worksheets.acts import Act, Effect
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Statement


class Stored(BaseModel):
    """Base of everything that is stored about a turn."""

    model_config = ConfigDict(frozen=True, extra="forbid")


SHORT = 80  # characters of a value, or of several words in a list, that is kept with the talk


class Constraint(Stored):
    """One thing that was searched for, as a chip: `id` is what `agent.suql.without` takes to remove it."""

    id: str
    label: str


class Query(Stored):
    """One question turned into SUQL. `parts` is the description in pieces, (text, emphasised).

    `suql` is empty where no query could be written; `parsed.problem` then says why, for the user.
    """

    question: Question
    parsed: Parsed
    suql: str = ""
    description: str = ""
    parts: tuple[tuple[str, bool], ...] = ()
    constraints: tuple[Constraint, ...] = ()


class Card(Stored):
    """A row as it is shown: its values by column, and the evidence (`agent.suql.Evidence` as dicts) for it."""

    values: dict[str, Any]
    key: str | None = None
    table: str = ""
    title: str = ""
    evidence: tuple[dict[str, Any], ...] = ()


class Outcome(Stored):
    """What executing one query gave. `query` is the one that was finally run, `relaxed` what was dropped on the way.

    `holds` is the answer to a yes/no question about an entity, of which the rows tell what is so.
    `error` is a sentence for the user where the query could not be run: never to be taken for "no results".
    """

    query: Query
    columns: tuple[str, ...] = ()
    rows: tuple[Card, ...] = ()
    relaxed: tuple[str, ...] = ()
    complete: bool = True
    notes: tuple[str, ...] = ()
    holds: bool | None = None
    usage: dict[str, float] = Field(default_factory=dict)
    plan: dict[str, Any] = Field(default_factory=dict)
    nearest: str = ""  # the title of the text that was read and did not answer
    error: str = ""


class TurnState(Stored):
    """A turn so far. `understanding`, `queries` and `reply` are None until their step is done.

    `given` are statements that need no understanding: a value edited in the panel, a button of a confirmation card.
    `dialogue` is the state of the worksheets after the turn (before it: `conversation.state`).
    """

    message: str
    given: tuple[Statement, ...] = ()
    conversation: Conversation
    understanding: Understanding | None = None
    queries: tuple[Query, ...] | None = None
    outcomes: tuple[Outcome, ...] = ()
    dialogue: DialogueState | None = None
    acts: tuple[Act, ...] = ()
    effects: tuple[Effect, ...] = ()
    reply: Reply | None = None


def past_turn(state: TurnState) -> PastTurn:
    """Return the turn as later ones see it."""
    return PastTurn(
        user=state.message,
        agent=state.reply.text if state.reply else _quoted(state),
        queries=tuple(_past_query(outcome) for outcome in state.outcomes if not outcome.error),
        asked=state.understanding.ask if state.understanding else "",
    )


def _quoted(state: TurnState) -> str:
    """What the texts asked in a turn that is not over answered."""
    asked = (outcome for outcome in state.outcomes if outcome.query.parsed.presentation == "article")
    return " ".join(
        value for outcome in asked for row in outcome.rows for value in row.values.values() if isinstance(value, str)
    )


def _past_query(outcome: Outcome) -> PastQuery:
    query = outcome.query
    shown = [row for row in outcome.rows if row.key is not None]
    groups = () if shown else outcome.rows  # "the instructor with the best ratings" is no entity, and yet was told
    return PastQuery(
        question=query.question.words,
        suql=query.suql,
        description=query.description,
        table=shown[0].table if shown else next(iter(query.parsed.tables), ""),
        keys=tuple(row.key for row in shown if row.key is not None),
        titles=tuple(row.title for row in shown),
        nearest=outcome.nearest,
        rows=tuple(_plain(row.values) for row in shown or groups),
        presentation=query.parsed.presentation,
        frame=query.parsed.frame,
    )


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """The values a later message can compare with or point by ("cheaper", "the spanish one"): no texts or documents."""
    return {name: value for name, value in values.items() if _is_short(value)}


def _is_short(value: object) -> bool:
    words = isinstance(value, list | tuple) and all(isinstance(one, str) for one in value)
    return (isinstance(value, int | float | str) or words) and len(str(value)) < SHORT
