"""What a turn of a conversation gives a curator to begin with, where they make something lasting of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from hybridchat.chat.models import Feedback, Turn
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
        "message": turn.message,
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
