"""Answers that the built-in checker suggests: read off what is stored of a turn, by rules, without a model.

It suggests only what those facts tell. What it says is shown as a program's, is never filled in for an annotator, and
counts nowhere: agreement and figures are of people alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from hybridchat.chat.models import Turn
from hybridchat.research.annotation.models import Item, Project
from hybridchat.research.annotation.parts import parts
from hybridchat.research.annotation.questions import Question, questions_of

GOOD, BAD = ("right", "true_positive"), ("wrong", "false_positive")
READS = re.compile(r"\b(?:answer|summary|answer_all|validate|same)\s*\(", re.IGNORECASE)


def suggest(project: Project) -> int:
    """Suggest answers to the items that have no suggestion; returns how many got one."""
    questions, told = questions_of(project.scheme.questions), []
    for item in project.items.filter(suggestion__isnull=True).select_related("turn__conversation"):
        if suggestion := suggested(item.turn, questions):
            item.suggestion = suggestion
            told.append(item)
    Item.objects.bulk_update(told, ["suggestion"], batch_size=500)
    return len(told)


def suggested(turn: Turn, questions: Iterable[Question]) -> dict[str, Any]:
    """What the checker would answer to each question that the facts of a turn tell about."""
    found = {}
    for question in questions:
        values = {option.value for option in question.options}
        if question.kind == "judge":
            verdicts = dict(_verdicts(turn, question.source))
            named = {True: next(iter(values & set(GOOD)), ""), False: next(iter(values & set(BAD)), "")}
            judged = {part: named[fits] for part, fits in verdicts.items() if named[fits]}
            if judged:
                found[question.name] = {"parts": judged}
        elif question.name == "search" and (needed := _needed(turn)) in values:
            found[question.name] = needed
    return found


def _verdicts(turn: Turn, source: str) -> Iterator[tuple[str, bool]]:
    """Whether each part of a turn is as it should be, as far as the stored facts tell."""
    state = turn.state or {}
    outcomes = state.get("outcomes") or []
    if source == "entities":
        wished = {
            f"{row['table']}:{row['key']}": not outcome["relaxed"] for outcome in outcomes for row in outcome["rows"]
        }
        yield from ((part.id, wished[part.id]) for part in parts(turn, source))
    elif source == "executions":
        yield from ((f"query {at}", not outcome["error"]) for at, outcome in enumerate(outcomes))
    elif source == "statements":
        yield from ((f"query {at}", bool(query["suql"])) for at, query in enumerate(state.get("queries") or []))


def _needed(turn: Turn) -> str:
    """What the queries of a turn needed: columns alone, or texts as well; "none" where nothing was looked for, and ""
    where what was looked for was not written as a query."""
    asked = (turn.state or {}).get("queries") or []
    queries = [query["suql"] for query in asked if query["suql"]]
    if not queries:
        return "" if asked else "none"
    return "combination" if any(map(READS.search, queries)) else "structured"
