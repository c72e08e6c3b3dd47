"""The answer to a yes/no question over the passages of one or several texts.

Where the question names an aspect, the clauses that speak of it vote, one vote a text; a newer text that tells of a
change settles it against older ones, and otherwise the majority does. Where nothing speaks of the aspect, or the
question names none, the small network looks at the passages nearest the question. Thin evidence is "no info".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from agent.language.builtin.reading import evidence, network
from agent.language.builtin.reading.aspects import Asked, aspects_asked
from agent.language.builtin.reading.features import look, texts_needed
from agent.language.builtin.reading.questions import Question
from agent.language.builtin.reading.units import units
from agent.language.builtin.reading.vectors import Vectors
from agent.language.tasks import AnswerReply, Passage, Span

ASPECT_SHARE = 0.85  # how much of a question an aspect's words must make up
LOOKED_AT = 3  # passages of a list that the network looks at
YES_LEAST = 0.58  # the network's probability from which Yes is said, of one text; below, the likelier of the others
LIST_NEAR = 0.40  # in a list of texts, a passage must be this near to the question (or share most of its words)
LIST_MARGIN = 0.12  # and the network this much surer


@dataclass(frozen=True, slots=True)
class Stand:
    """What one text says: `sign` 1 yes, -1 no; the deciding stretch is characters `start:stop` of passage `passage`."""

    sign: int
    strength: float
    passage: int
    start: int
    stop: int
    dated: str
    changed: bool


def texts_for(question: Question, passages: Sequence[Passage]) -> Iterable[str]:
    """Every text that judging will need the vector of."""
    return texts_needed(question, [passage.text for passage in passages])


def judge(question: Question, passages: Sequence[Passage], vectors: Vectors) -> AnswerReply:
    """Yes, No or no info (value None), with the stretches that decided."""
    several = len({passage.document for passage in passages}) > 1
    asked = [one for one in aspects_asked(question.claim) if one.share >= ASPECT_SHARE]
    stands = _by_aspect(question, asked[0], passages, vectors) if asked else []
    if not stands and not (asked and several):
        stands = _by_network(question, passages, vectors, several)
    return _settle(stands)


def _by_aspect(question: Question, asked: Asked, passages: Sequence[Passage], vectors: Vectors) -> list[Stand]:
    sign = -asked.sign if question.negated else asked.sign
    yes, no = vectors.of(asked.aspect.yes), vectors.of(asked.aspect.no)
    found: dict[int, list[Stand]] = {}
    for number, passage in enumerate(passages):
        cut = tuple(units(passage.text))
        if not cut:
            continue
        rows = vectors.of([unit.text for unit in cut])
        for vote in evidence.votes(asked.aspect, cut, rows, yes, no):
            unit = cut[vote.unit]
            stand = Stand(
                sign * vote.sign,
                vote.strength,
                number,
                unit.start,
                unit.stop,
                passage.dated,
                evidence.tells_change(unit.text),
            )
            found.setdefault(passage.document, []).append(stand)
    return [_of_one_text(stands) for stands in found.values()]


def _of_one_text(stands: list[Stand]) -> Stand:
    """The strongest stand of the side that says more."""
    balance = sum(stand.sign * stand.strength for stand in stands)
    side = [stand for stand in stands if stand.sign * balance >= 0] or stands
    return max(side, key=lambda stand: (stand.strength, stand.start - stand.stop))


def _by_network(question: Question, passages: Sequence[Passage], vectors: Vectors, several: bool) -> list[Stand]:
    chosen = list(range(len(passages)))
    if several:
        whole = vectors.of([passage.text for passage in passages]) @ vectors.of([question.text])[0]
        chosen = [int(index) for index in np.argsort(-whole)[:LOOKED_AT]]
    stands: dict[int, Stand] = {}
    for number in chosen:
        passage = passages[number]
        seen = look(question, passage.text, vectors)
        yes, no, none = network.load().probabilities(seen.aligned, seen.features)
        if several and (seen.near[seen.best] < LIST_NEAR and seen.shared < 0.6):
            continue
        extra = LIST_MARGIN if several else 0.0
        if yes >= max(YES_LEAST + extra, no, none):
            sign, strength = 1, float(yes)
        elif no >= none + 2 * extra:
            sign, strength = -1, float(no)
        else:
            continue
        unit = seen.units[seen.best]
        stand = Stand(sign, strength, number, unit.start, unit.stop, passage.dated, evidence.tells_change(unit.text))
        known = stands.get(passage.document)
        if known is None or known.strength < strength:
            stands[passage.document] = stand
    return list(stands.values())


def _settle(stands: list[Stand]) -> AnswerReply:
    """Majority of the texts; a newer text that tells of a change settles it against older ones; a tie goes to the newest."""
    if not stands:
        return AnswerReply(value=None, confidence=0.0)
    newest = max(stands, key=lambda stand: (stand.dated, stand.strength))
    balance = sum(stand.sign * stand.strength for stand in stands)
    if newest.changed and newest.dated and len(stands) > 1:
        sign = newest.sign
    elif abs(balance) < 0.25:
        sign = newest.sign if newest.dated else 1 if balance > 0 else -1
    else:
        sign = 1 if balance > 0 else -1
    ordered = sorted(stands, key=lambda stand: (stand.sign != sign, -stand.strength))
    spans = tuple(
        Span(passage=one.passage, start=one.start, stop=one.stop, supports=one.sign == sign) for one in ordered
    )
    total = sum(stand.strength for stand in stands)
    side = sum(stand.strength for stand in stands if stand.sign == sign)
    return AnswerReply(value="Yes" if sign > 0 else "No", spans=spans, confidence=round(side / (total + 0.5), 3))
