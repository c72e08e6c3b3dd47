"""The playground: one question or query over a corpus, tried by a worker and shown with everything that came of it.

Nothing is done beside reading: a trial has no worksheets, so that no policy acts, and its queries are checked,
read-only and within the settings' budget like any other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.models import AbstractBaseUser
from django.db import transaction
from django.utils import timezone

from agent.describing import described
from agent.language import Parsed, Question, Understanding
from agent.protocols.errors import AgentError
from agent.record import Card, Outcome, TurnState
from agent.suql import check
from agent.understanding.schema import read_schema
from corpora.catalogue.imported import whole_catalogue
from corpora.examples import StoredExamples, check_query, tables_of
from corpora.models import Assistant
from corpora.selectors import assistant_tables, value_memory
from hybridchat.agents import conversation_for
from hybridchat.celery import app
from hybridchat.research.models import PlaygroundRun
from hybridchat.talk import Answering, ignore, query_report

PLAY = "hybridchat.research.tasks.play"
KEPT = timedelta(days=7)
MOST_ROWS = 50
LONGEST = 300  # characters of a stretch of evidence
CELL = 120  # characters of a value
BROKEN = "Something went wrong on our side while this was tried."


def start(by: AbstractBaseUser, corpus: str, question: str, suql: str, language: str) -> PlaygroundRun:
    """Keep a trial and, after commit, ask a worker for it. Raises QueryError for a query that cannot be run."""
    if suql:
        check_query(corpus, suql)
    with transaction.atomic():
        run = PlaygroundRun.objects.create(by=by, corpus=corpus, question=question, suql=suql, language=language)
        transaction.on_commit(lambda: app.send_task(PLAY, [str(run.pk)]), robust=True)
    return run


def forget() -> int:
    """Forget trials that are older than a week; returns how many."""
    return PlaygroundRun.objects.filter(created__lt=timezone.now() - KEPT).delete()[0]


async def play(run: PlaygroundRun, agent: Answering) -> None:
    """Try what a run asks, and keep what came of it; of two workers that try, the first one counts."""
    try:
        state = await sync_to_async(_opening)(run)
        if state.queries is None:
            state = await agent.parse_turn(state, ignore)
        state = await agent.execute_turn(state, ignore)
        result = await sync_to_async(_result)(run, state)
    except AgentError as error:
        await sync_to_async(_end)(run, PlaygroundRun.Status.FAILED, {}, error.sentence)
    except Assistant.DoesNotExist:
        await sync_to_async(_end)(run, PlaygroundRun.Status.FAILED, {}, "This corpus is gone.")
    else:
        await sync_to_async(_end)(run, PlaygroundRun.Status.DONE, result, "")


def fail(run: PlaygroundRun) -> None:
    """End a trial that broke."""
    _end(run, PlaygroundRun.Status.FAILED, {}, BROKEN)


def _opening(run: PlaygroundRun) -> TurnState:
    """The turn as it begins: without worksheets, and with the query where one was written."""
    conversation = conversation_for(run.corpus, [], timezone.localtime()).model_copy(update={"state": None})
    state = TurnState(message=run.question or run.suql, conversation=conversation)
    if not run.suql:
        return state
    catalogue = whole_catalogue().only(*conversation.tables)
    check(run.suql, catalogue)
    question = Question(words=run.question or run.suql)
    # As an aggregate it is run as it stands: nothing is given up where it finds nothing.
    parsed = Parsed(suql=run.suql, tables=tables_of(run.suql), presentation="aggregate")
    query = described(question, parsed, run.suql, catalogue)
    return state.model_copy(update={"understanding": Understanding(questions=(question,)), "queries": (query,)})


def _end(run: PlaygroundRun, status: str, result: dict[str, Any], error: str) -> None:
    running = PlaygroundRun.objects.filter(pk=run.pk, status=PlaygroundRun.Status.RUNNING)
    running.update(status=status, result=result, error=error)


def _result(run: PlaygroundRun, state: TurnState) -> dict[str, Any]:
    understanding = state.understanding
    return {
        "candidates": candidates(run.corpus, run.question) if run.question else [],
        "near": near_pairs(run.corpus, run.question) if run.question else [],
        "questions": [question.words for question in understanding.questions] if understanding else [],
        "chat": str(understanding.chat) if understanding and understanding.chat else "",
        "unused": list(understanding.unused) if understanding else [],
        "reply": state.reply.text if state.reply else "",
        "queries": [_outcome(outcome) for outcome in state.outcomes],
    }


def candidates(corpus: str, question: str) -> list[dict[str, Any]]:
    """Return the stored values that a question names, by column: what the parser may compare with."""
    schema = read_schema(whole_catalogue().only(*assistant_tables(corpus)), value_memory())
    return [
        {
            "column": f"{schema.tables[schema.fields[at].table].name}.{schema.fields[at].column.name}",
            "values": list(values),
        }
        for at, values in sorted(schema.found(question).items())
    ]


def near_pairs(corpus: str, question: str) -> list[dict[str, Any]]:
    """Return the few-shot pairs that are nearest to a question."""
    ranked = StoredExamples().ranked(question, assistant_tables(corpus))
    return [{"message": one.message, "suql": one.suql, "near": round(near, 2)} for one, near in ranked]


def _outcome(outcome: Outcome) -> dict[str, Any]:
    report = query_report(outcome)
    columns = list(outcome.columns)
    if outcome.rows and not set(columns) <= set(outcome.rows[0].values):
        columns = list(outcome.rows[0].values)
    return {
        **{name: report[name] for name in ("question", "suql", "description", "relaxed", "complete", "notes", "error")},
        "usage": report["usage"] | {name: int(report["usage"][name]) for name in ("calls", "cached", "tokens")},
        "keys": [row.key for row in outcome.rows if row.key],
        "presentation": outcome.query.parsed.presentation,
        "columns": columns,
        "rows": [_row(row, columns) for row in outcome.rows[:MOST_ROWS]],
        "found": len(outcome.rows),
        "plan": list(_steps(outcome.plan)),
    }


def _row(row: Card, columns: list[str]) -> dict[str, Any]:
    evidence = [
        {
            "question": one["question"],
            "value": one["value"],
            "stance": one["stance"],
            "text": one["text"][one["start"] : one["stop"]][:LONGEST],
        }
        for one in row.evidence
    ]
    return {"values": [_short(row.values.get(name)) for name in columns], "title": row.title, "evidence": evidence}


def _short(value: Any) -> str:
    if value is None:
        return ""
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return text if len(text) <= CELL else f"{text[: CELL - 1]}…"


def _steps(plan: dict[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    """The steps of a plan as lines, with what each took."""
    if not plan:
        return
    took = ", ".join(f"{name} {value:.4g}" for name, value in (plan.get("actual") or {}).items())
    yield {"title": plan.get("title", ""), "detail": plan.get("detail", ""), "took": took, "depth": min(depth, 4)}
    for child in plan.get("children", ()):
        yield from _steps(child, depth + 1)
