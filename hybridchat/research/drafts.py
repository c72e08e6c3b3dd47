"""What a turn of a conversation gives a curator to begin with, where they make something lasting of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from hybridchat.chat.models import Feedback, Turn
from hybridchat.research.models import PlaygroundRun
from hybridchat.research.selectors import keys_of, leading_to, queries_of


def turn_named(identifier: str) -> Turn | None:
    """Return the turn of an identifier that came with an address; None where it is none, or is gone."""
    try:
        pk = UUID(identifier)
    except ValueError:
        return None
    return Turn.objects.select_related("conversation", "feedback__correction").filter(pk=pk).first()


def answering(turn: Turn) -> Turn:
    """Return the turn that shows what a turn should have found: what the person asked in other words, else itself."""
    feedback = getattr(turn, "feedback", None)
    return feedback.correction if feedback and feedback.correction else turn


def is_trusted(turn: Turn) -> bool:
    """Whether what a turn found may be taken for right until somebody checks it: nobody said that it is wrong."""
    feedback = getattr(turn, "feedback", None)
    if feedback and feedback.correction:
        return is_trusted(feedback.correction)
    return feedback is None or feedback.rating != Feedback.Rating.DOWN


def pair_from(turn: Turn) -> dict[str, Any]:
    """Return the first values of a few-shot pair: the message, and the query that it should have become."""
    queries = queries_of(answering(turn))
    return {
        "corpus": turn.conversation.assistant,
        "message": " ".join(turn.message.split())[:500],
        "suql": queries[0].suql if queries else "",
        "presentation": queries[0].parsed.presentation if queries else "list",
    }


def case_from(turn: Turn) -> dict[str, Any]:
    """Return the first values of a regression case: what was said, and what was found where nobody doubts it."""
    return {
        "corpus": turn.conversation.assistant,
        "messages": leading_to(turn),
        "expected_keys": keys_of(answering(turn)) if is_trusted(turn) else [],
    }


def question_from(turn: Turn) -> dict[str, Any]:
    """Return the first values of a question that people ask."""
    return {"text": turn.message[:300]}


def run_named(identifier: str) -> PlaygroundRun | None:
    """Return the trial of an identifier that came with an address; None where it is none, or is gone."""
    try:
        return PlaygroundRun.objects.filter(pk=UUID(identifier)).first()
    except ValueError:
        return None


def pair_from_run(run: PlaygroundRun) -> dict[str, Any]:
    """Return the first values of a few-shot pair: the question, and the query that was written or found for it."""
    queries = run.result.get("queries") or [{}]
    return {
        "corpus": run.corpus,
        "message": run.question,
        "suql": run.suql or queries[0].get("suql", ""),
        "presentation": "list" if run.suql else queries[0].get("presentation", "list"),
    }


def case_from_run(run: PlaygroundRun) -> dict[str, Any]:
    """Return the first values of a regression case: the question, and the rows that the trial found."""
    keys = [key for query in run.result.get("queries", ()) for key in query["keys"]]
    return {"corpus": run.corpus, "messages": [run.question], "expected_keys": list(dict.fromkeys(keys))}
