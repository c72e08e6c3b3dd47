"""A value with the evidence for it, as it is kept between queries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agent.protocols.reading import AnswerReply
from agent.suql.calls import Ask
from agent.suql.passages import Cut
from agent.suql.result import Evidence


@dataclass(frozen=True, slots=True)
class Found:
    """A value with its evidence."""

    value: str | None
    evidence: tuple[Evidence, ...] = ()


def evidence(question: str, value: str | None, reply: AnswerReply, cuts: list[Cut]) -> tuple[Evidence, ...]:
    """The deciding stretches, or those nearest to the question where nothing answers it (None), in their whole texts.
    A span outside its passage is a mistake and is left out."""
    found = []
    for span in reply.spans:
        if not 0 <= span.passage < len(cuts):
            continue
        cut = cuts[span.passage]
        start, stop = max(span.start, 0), min(span.stop, len(cut.body))
        if start < stop:
            stance = "for" if span.supports else "against"
            place = (cut.text, cut.start + start, cut.start + stop)
            found.append(Evidence(question, value, *place, stance, cut.label, cut.dated, confidence=reply.confidence))
    return tuple(found)


def to_memo(found: Found) -> dict[str, Any]:
    """Return the value as JSON."""
    pieces = [[each.text, each.start, each.stop, each.stance, each.label, each.dated] for each in found.evidence]
    question = found.evidence[0].question if found.evidence else ""
    sure = found.evidence[0].confidence if found.evidence else 1.0
    return {"value": found.value, "evidence": pieces, "question": question, "confidence": sure}


def from_memo(ask: Ask, stored: dict[str, Any]) -> Found:
    """Return the value that `to_memo` wrote."""
    question = stored.get("question") or ask.question
    sure = stored.get("confidence", 1.0)
    pieces = (Evidence(question, stored["value"], *each) for each in stored["evidence"])
    return Found(stored["value"], tuple(replace(piece, confidence=sure) for piece in pieces))
