"""The step of a turn in which worksheets move: what was said is applied, and the policy decides what the agent does."""

from __future__ import annotations

from typing import Protocol

from sqlglot import exp, parse_one

from agent.catalogue.tables import Catalogue
from agent.describing import ordered_by
from agent.inviting import invites
from agent.parsing.tasks.phrases import THE_ONE
from agent.record import Outcome, TurnState
from agent.worksheets.actions import Registry
from agent.worksheets.policy import Context, Report
from agent.worksheets.specification import Specification, WorksheetKind
from agent.worksheets.stages import take_turn
from agent.worksheets.state import DialogueState, Entity
from agent.worksheets.statements import Fill
from agent.worksheets.update import Found


class Applications(Protocol):
    """What the assistants' worksheets are, and what they may call."""

    async def specification(self, state: DialogueState) -> Specification:
        """Return the specification in the version that the state was begun with."""
        ...

    def registry(self, application: str, conversation: str) -> Registry:
        """The application's actions and checks, some of which concern what whoever speaks there has (a booking)."""
        ...


async def decided(state: TurnState, applications: Applications, catalogue: Catalogue) -> TurnState:
    """Return the turn with its new dialogue state, the acts, and the effects that actions had.

    Deciding again from the same state calls the same actions under the same keys, so that a turn that is taken up by
    another process has its effects once.
    """
    before = state.conversation.state
    assert before is not None, "a conversation without worksheets decides nothing"
    specification = await applications.specification(before)
    registry = applications.registry(before.application, state.conversation.id)
    understanding = state.understanding
    statements = understanding.statements if understanding else ()
    found = {item.question: _found(state, item.question, catalogue) for item in statements if isinstance(item, Fill)}
    context = Context(
        conversation=state.conversation.id,
        now=state.conversation.now,
        assistant=state.conversation.assistant,
        answered=bool(understanding and understanding.reply),
    )
    reports = _reports(state, specification, catalogue)
    decision = await take_turn(before, statements, found, reports, specification, registry, context)
    return state.model_copy(update={"dialogue": decision.state, "acts": decision.acts, "effects": decision.effects})


def _found(state: TurnState, question: int, catalogue: Catalogue) -> Found:
    """What the question of a `Fill` came to."""
    if question >= len(state.outcomes):
        return Found()
    outcome = state.outcomes[question]
    first = first_alike(outcome) if THE_ONE.search(outcome.query.question.words) and not outcome.relaxed else ()
    return Found(
        entities=first or _entities(outcome),
        best=len(first) == 1,
        named=_is_named(outcome, catalogue),
        error=outcome.error,
    )


def first_alike(outcome: Outcome) -> tuple[Entity, ...]:
    """The row that comes first, with those that come first as well: that nothing in the query's order tells apart."""
    entities = _entities(outcome)
    keys = ordered_by(outcome.query.suql)
    if len(entities) != len(outcome.rows) or keys is None:
        return entities[:1]
    values = [[row.values.get(key) for key in keys] for row in outcome.rows]
    return tuple(entity for entity, value in zip(entities, values, strict=True) if value == values[0])


def _is_named(outcome: Outcome, catalogue: Catalogue) -> bool:
    """Whether the query asks for an entity by its name."""
    if not outcome.query.suql:
        return False
    titles = {table.title for table in catalogue.tables if table.title}
    compared = parse_one(outcome.query.suql, dialect="postgres").find_all(exp.EQ, exp.In)
    return any(isinstance(one.this, exp.Column) and one.this.name in titles for one in compared)


def _reports(state: TurnState, specification: Specification, catalogue: Catalogue) -> tuple[Report, ...]:
    """What became of the turn's questions. A place that was not named narrows a search, and is asked for beside it."""
    reports = [reported(index, state, specification) for index in range(len(state.outcomes))]
    missing = state.understanding.ask if state.understanding else ""
    if missing == "location" and reports and not reports[-1].error:
        reports.append(Report(query=reports[-1].query, worksheet=reports[-1].worksheet, missing=missing))
    return tuple(reports)


def reported(index: int, state: TurnState, specification: Specification) -> Report:
    """What the policy is told of one question. Rows found by asking for less, or that say no, please nobody; nor does
    an offer please who only wanted to know something."""
    outcome = state.outcomes[index]
    table = next((row.table for row in outcome.rows if row.table), "") or next(iter(outcome.query.parsed.tables), "")
    asked = [one for one in specification.worksheets if one.kind is WorksheetKind.KNOWLEDGE and one.table == table]
    name = asked[0].name if table and asked else table
    denied = any(value == "No" for row in outcome.rows for value in row.values.values())
    searched = outcome.query.parsed.presentation == "list"
    return Report(
        query=index,
        worksheet=name,
        error=outcome.error,
        entities=_entities(outcome),
        pleases=not outcome.relaxed and not denied and invites(state, specification, searched=searched),
    )


def _entities(outcome: Outcome) -> tuple[Entity, ...]:
    return tuple(Entity(table=row.table, key=row.key, title=row.title) for row in outcome.rows if row.key is not None)
