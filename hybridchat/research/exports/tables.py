"""Conversations as flat tables, for spreadsheets and data frames: one row a conversation, turn, query, row, call.

`TABLES` is also the data dictionary: what each column means, and its type in Parquet. JSON is for what is nested.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

Columns = dict[str, tuple[str, str]]
_CONVERSATION = {"conversation": ("VARCHAR", "Pseudonym of the conversation.")}
_PARTICIPATION = {"participation": ("VARCHAR", "Pseudonym of the participation in a study.")}
_TURN: Columns = {**_CONVERSATION, "turn": ("VARCHAR", "Pseudonym of the turn.")}
_QUERY: Columns = {**_TURN, "query": ("INTEGER", "Which query of the turn, from 0.")}

TABLES: dict[str, Columns] = {
    "conversations": {
        **_CONVERSATION,
        "person": ("VARCHAR", "Pseudonym of the browser session or user; the same in all exports of one scope."),
        "assistant": ("VARCHAR", "The assistant's slug."),
        "title": ("VARCHAR", "The title: the first message, shortened, unless its owner renamed it."),
        "language": ("VARCHAR", "The language backend of the latest turn."),
        "created": ("TIMESTAMPTZ", "When it began."),
        "updated": ("TIMESTAMPTZ", "When its latest turn began."),
        "signed_in": ("BOOLEAN", "Whether its owner had signed in."),
        "turns": ("INTEGER", "How many finished turns it has."),
        "study": ("VARCHAR", "The study it belongs to, by its slug."),
        "arm": ("VARCHAR", "The study's arm that answered."),
    },
    "turns": {
        **_TURN,
        "position": ("INTEGER", "1 is the first turn of the conversation."),
        "kind": ("VARCHAR", "message, retry, without (a search without one condition), form, or note."),
        "origin": ("VARCHAR", "The turn that this one repeats, of kinds retry and without."),
        "status": ("VARCHAR", "done, failed or stopped."),
        "created": ("TIMESTAMPTZ", "When the message arrived."),
        "finished_at": ("TIMESTAMPTZ", "When the turn was over."),
        "seconds": ("DOUBLE", "From one to the other."),
        "user": ("VARCHAR", "The message."),
        "agent": ("VARCHAR", "The reply."),
        "suql": ("VARCHAR", "The queries that were run, separated by semicolons."),
        "rows": ("INTEGER", "How many rows all queries returned."),
        "relaxed": ("BOOLEAN", "Whether a condition was dropped to find something."),
        "understanding": ("JSON", "What was understood (agent.language.Understanding)."),
        "acts": ("JSON", "What the policy did, in order."),
        "effects": ("JSON", "What actions did, with their results."),
        "suggestions": ("JSON", "What could be asked next."),
        "rating": ("INTEGER", "1 thumbs up, -1 thumbs down, empty where not rated."),
        "feedback": ("JSON", "Everything the person said about the turn, and when."),
        "error": ("VARCHAR", "The sentence that was shown where the turn failed."),
        "calls": ("INTEGER", "Calls to language models."),
        "tokens": ("INTEGER", "Tokens of all calls, prompts and completions."),
        "cost": ("DOUBLE", "US dollars of all calls."),
        "timings": ("JSON", "Milliseconds after the message at which each step was reached."),
        "usage": ("JSON", "What the turn used, as counted by the engine."),
        "configuration": ("JSON", "What answered, with its hash: release, language, models, versions."),
    },
    "queries": {
        **_QUERY,
        "question": ("VARCHAR", "The question in words."),
        "suql": ("VARCHAR", "The query that was finally run."),
        "description": ("VARCHAR", "What the person read: I searched for …"),
        "columns": ("JSON", "The names of the result's columns."),
        "rows": ("INTEGER", "How many rows it returned."),
        "relaxed": ("JSON", "The conditions that were dropped to find something."),
        "complete": ("BOOLEAN", "False where the budget ran out first."),
        "error": ("VARCHAR", "Why it could not be run."),
        "usage": ("JSON", "Calls, cached answers, tokens, cost, seconds."),
    },
    "rows": {
        **_QUERY,
        "row": ("INTEGER", "Which row of the query, from 0."),
        "table": ("VARCHAR", "The table the row is of."),
        "key": ("VARCHAR", "Which entity the row is; empty for a figure."),
        "title": ("VARCHAR", "What it is called."),
        "values": ("JSON", "The values by column."),
        "evidence": ("JSON", "The sentences that made it match."),
    },
    "events": {
        **_TURN,
        "seq": ("INTEGER", "From 1, without gaps."),
        "kind": ("VARCHAR", "What happened. What it carried stands in the other tables, and in the JSON-lines format."),
        "created": ("TIMESTAMPTZ", "When."),
    },
    "calls": {
        **_TURN,
        "call": ("INTEGER", "Which call of the turn, from 0."),
        "task": ("VARCHAR", "What the model was asked to do."),
        "model": ("VARCHAR", "Its name."),
        "prompt_hash": ("VARCHAR", "Hash of the prompt's template."),
        "prompt_tokens": ("INTEGER", ""),
        "completion_tokens": ("INTEGER", ""),
        "cost": ("DOUBLE", "US dollars."),
        "milliseconds": ("DOUBLE", "How long it took."),
        "cached": ("BOOLEAN", "Whether the answer was known already."),
        "items": ("INTEGER", "How many texts it was about."),
        "error": ("VARCHAR", ""),
        "created": ("TIMESTAMPTZ", ""),
    },
    "participations": {
        **_PARTICIPATION,
        **_CONVERSATION,
        "person": ("VARCHAR", "Pseudonym of the participant."),
        "study": ("VARCHAR", "The study's slug."),
        "arm": ("VARCHAR", "The arm's name; empty where the study has none."),
        "overrides": ("JSON", "What is different in the arm's conversations."),
        "place": ("INTEGER", "Which place of the quota; empty where it was given away."),
        "consent": ("INTEGER", "Version of the consent text that was agreed to."),
        "scenarios": ("JSON", "What they were asked to get done."),
        **{
            step: ("TIMESTAMPTZ", f"When they {step}; empty where they did not come so far.")
            for step in ("arrived", "agreed", "began", "ended", "finished")
        },
    },
    "answers": {
        **_PARTICIPATION,
        **_CONVERSATION,
        "study": ("VARCHAR", "The study's slug."),
        "arm": ("VARCHAR", "The arm's name."),
        "item": ("VARCHAR", "The item of the questionnaire."),
        "position": ("INTEGER", "Where it stood for this person, from 0."),
        "value": ("JSON", "A text or a number; null where nothing was answered."),
        "attentive": ("BOOLEAN", "Of an attention check: whether it was passed."),
        "created": ("TIMESTAMPTZ", "When it was answered."),
    },
    "questions": {
        **_PARTICIPATION,
        "study": ("VARCHAR", "The study's slug."),
        "position": ("INTEGER", "Which question of this person, from 1."),
        "text": ("VARCHAR", "What they would ask."),
        "created": ("TIMESTAMPTZ", "When it was handed in."),
    },
    "annotations": {
        **_TURN,
        "project": ("VARCHAR", "The annotation project."),
        "scheme": ("VARCHAR", "What was asked, by its name and version."),
        "annotator": ("VARCHAR", "Pseudonym of the annotator; adjudicator for the one label that was decided on."),
        "status": ("VARCHAR", "done, skipped or open."),
        "answers": ("JSON", "The answers by question."),
        "gold": ("JSON", "The right answers, where they were known beforehand."),
        "flagged": ("BOOLEAN", "Whether the annotator wanted somebody to look at it."),
        "note": ("VARCHAR", "What the annotator noted."),
        "seconds": ("DOUBLE", "How long the item was worked on."),
        "finished_at": ("TIMESTAMPTZ", "When it was answered."),
    },
}


def table_rows(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The rows that a conversation, or somebody who wrote questions, has in the tables: each under its table's name,
    with that table's columns."""
    for table, row in _rows(record) if "turns" in record else _taking_part(record, record["person"], None):
        yield table, {column: row.get(column) for column in TABLES[table]}


def study_of(record: dict[str, Any]) -> dict[str, str]:
    """The names of the study and the arm that a conversation belongs to; empty where it belongs to none."""
    return _named(record["participation"]) if record["participation"] else {}


def _named(own: dict[str, Any]) -> dict[str, str]:
    return {"study": own["study"]["slug"], "arm": (own["arm"] or {}).get("name", "")}


def _taking_part(own: dict[str, Any], person: str, conversation: str | None) -> Iterator[tuple[str, dict[str, Any]]]:
    told = {"participation": own["id"], "conversation": conversation, **_named(own)}
    consent, arm = own["consent"] or {}, own["arm"] or {}
    more = {"person": person, "overrides": arm.get("overrides"), "consent": consent.get("version")}
    yield "participations", {**own, **more, **told}
    for table in ("answers", "questions"):
        yield from ((table, {**one, **told}) for one in own.get(table, ()))


def _rows(record: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    configurations = {one["hash"]: {"hash": one["hash"], **one["document"]} for one in record["configurations"]}
    own = study_of(record)
    yield "conversations", {**record, **own, "conversation": record["id"], "turns": len(record["turns"])}
    if record["participation"]:
        yield from _taking_part(record["participation"], record["person"], record["id"])
    for turn in record["turns"]:
        named = {"conversation": record["id"], "turn": turn["id"]}
        outcomes = turn["state"].get("outcomes") or []
        told_with = {"configuration": configurations.get(turn["configuration"])}
        yield "turns", {**turn, **named, **_turn(turn, outcomes), **told_with}
        for number, outcome in enumerate(outcomes):
            query = {**named, "query": number}
            yield "queries", {**outcome, **query, **_query(outcome)}
            for position, row in enumerate(outcome["rows"]):
                yield "rows", {**row, **query, "row": position}
        for event in turn["events"]:
            yield "events", {**event, **named}
        for number, call in enumerate(turn["calls"]):
            yield "calls", {**call, **named, "call": number}
        for item in turn["annotated"]:
            asked = {**named, "project": item["project"], "scheme": "{slug} {version}".format(**item["scheme"])}
            for one in item["annotations"]:
                yield "annotations", {**one, **asked, "gold": item["gold"]}
            if item["adjudication"]:
                yield "annotations", {**item["adjudication"], **asked, "annotator": "adjudicator", "status": "done"}


def _turn(turn: dict[str, Any], outcomes: list[dict[str, Any]]) -> dict[str, Any]:
    state, calls = turn["state"], turn["calls"]
    reply = state.get("reply") or {}
    created, finished = (datetime.fromisoformat(turn[name]) for name in ("created", "finished_at"))
    return {
        "user": turn["message"],
        "agent": reply.get("text") or turn["error"],
        "seconds": round((finished - created).total_seconds(), 3),
        "suql": "; ".join(outcome["query"]["suql"] for outcome in outcomes),
        "rows": sum(len(outcome["rows"]) for outcome in outcomes),
        "relaxed": any(outcome["relaxed"] for outcome in outcomes),
        "understanding": state.get("understanding"),
        "acts": state.get("acts") or [],
        "effects": state.get("effects") or [],
        "suggestions": reply.get("suggestions") or [],
        "rating": (turn["feedback"] or {}).get("rating"),
        "calls": len(calls),
        "tokens": sum(call["prompt_tokens"] + call["completion_tokens"] for call in calls),
        "cost": sum(call["cost"] for call in calls),
    }


def _query(outcome: dict[str, Any]) -> dict[str, Any]:
    query = outcome["query"]
    return {
        "question": query["question"]["words"],
        "suql": query["suql"],
        "description": query["description"],
        "rows": len(outcome["rows"]),
    }
