"""What can be seen when a yes/no question is laid beside a passage, as numbers a small model can weigh.

The numbers are of six kinds: closeness in meaning (of the question, its claim and its denial to the sentences and
clauses), alignment of words (same, same family, opposite, under a negation) and of tokens in context, contrast with the
opposite claim, numbers that bear out or contradict,
what the clause is like (negated, conditional, about the past), and the wording of the question itself.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from agent.language.builtin.reading.alignment import Aligned, align
from agent.language.builtin.reading.aspects import Asked, aspects_asked, cue
from agent.language.builtin.reading.contrast import contrast, opposite_claims
from agent.language.builtin.reading.numbers import compare, quantities
from agent.language.builtin.reading.questions import Question
from agent.language.builtin.reading.units import Unit, units
from agent.language.builtin.reading.vectors import Array, Vectors
from agent.language.builtin.reading.words import Concept, Token, concepts, is_negation, tokens

Features = NDArray[np.float64]

# Orders of the columns, which the committed weights know.
_STARTS = "is are was were do does did can could will would has have may might should must"
_MARKS = (
    "still any ever always only all every extra free charge cost enough own allowed need more less than same also too "
    "during after before other"
)
_PAST = re.compile(r"\bused to|no longer|any ?more|before\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Seen:
    """A question beside a passage. `best` is the unit nearest in meaning, `lexical` the one that shares most words."""

    features: Features
    aligned: Aligned
    units: tuple[Unit, ...]
    near: Array  # closeness of each unit to the question
    best: int
    lexical: int
    number: int  # what the passage's numbers say: 1, -1 or 0
    shared: float  # share of the question's words met in the passage


def texts_needed(question: Question, passages: list[str]) -> list[str]:
    """Every text whose vector `look` will ask for, so that a batch can be encoded in one call."""
    if question.topic:
        return [question.topic, *passages, *(unit.text for passage in passages for unit in units(passage))]
    wanted = [question.text, question.claim, question.denial, *opposite_claims(question.claim)]
    for passage in passages:
        wanted.append(passage)
        wanted.extend(unit.text for unit in units(passage))
    for asked in aspects_asked(question.claim):
        wanted.extend((*asked.aspect.yes, *asked.aspect.no))
    return wanted


def look(question: Question, passage: str, vectors: Vectors) -> Seen:
    """Lay the question beside the passage."""
    found = tuple(units(passage)) or (Unit(passage, 0, len(passage), 0, whole=True),)
    asked_vector, claim_vector, denial_vector = vectors.of([question.text, question.claim, question.denial])
    rows = vectors.of([unit.text for unit in found])
    whole = vectors.of([passage])[0]
    near, claim, denial = rows @ asked_vector, rows @ claim_vector, rows @ denial_vector
    words, families = tokens(question.claim), concepts(question.claim)
    aligned = np.array([_align(words, families, unit.text) for unit in found])
    best = int(np.argmax(near + claim))
    lexical = int(np.argmax(aligned[:, 4] + 0.3 * near))
    whole_aligned = _align(words, families, passage)
    number = compare(question.text, passage)
    ranked = np.sort(near)[::-1]
    asked_tokens, told_tokens = vectors.tokens_of([question.text, passage])
    pairs = align(question.text, asked_tokens, passage, told_tokens)
    values = [
        *(ranked[0], ranked[min(1, len(ranked) - 1)], near.mean()),
        *(whole @ asked_vector, whole @ claim_vector, whole @ denial_vector),
        *(claim[best], denial[best], claim[best] - denial[best]),
        *((claim - denial).max(), (claim - denial).min(), claim.max() - denial.max()),
        *aligned[best],
        *aligned[lexical],
        *whole_aligned,
        *(near[lexical], claim[lexical] - denial[lexical]),
        *_manner(found[best].text),
        *_manner(found[lexical].text),
        *(compare(question.text, found[best].text), number, len(quantities(question.text)) > 0),
        *_stance(aspects_asked(question.claim), found, rows, vectors, question.negated),
        *_wording(question),
        *(len(passage) / 500, len(found) / 10),
        *pairs.summary,
        *contrast(question, found, rows, near + claim, whole, vectors),
        *asked_vector,
    ]
    return Seen(np.array(values, dtype=np.float64), pairs, found, near, best, lexical, number, whole_aligned[4])


@dataclass(frozen=True, slots=True)
class Met:
    """How a text meets a claim's words: the share met at all, and how many it negates or turns into opposites."""

    share: float
    negated: int
    opposite: int


def meet(claim: str, text: str) -> Met:
    """Lay the words of a claim beside those of a text."""
    aligned = _align(tokens(claim), concepts(claim), text)
    return Met(share=aligned[4], negated=int(aligned[8]), opposite=int(aligned[7]))


def _align(words: tuple[Token, ...], families: tuple[Concept, ...], text: str) -> tuple[float, ...]:
    """Of the question's content words, the share met in `text`: as they are, in kind, as opposites, negated, at all."""
    there = tokens(text)
    stems = {token.stem: token for token in reversed(there)}
    met: dict[int, list[Concept]] = {}
    for concept in concepts(text):
        met.setdefault(concept.family, []).append(concept)
    same = alike = opposite = negated = 0
    content = [index for index, token in enumerate(words) if token.content]
    for index in content:
        if (token := stems.get(words[index].stem)) is not None:
            same += 1
            negated += token.negated
            continue
        pairs = [
            (mine, other) for mine in families if mine.first <= index < mine.last for other in met.get(mine.family, ())
        ]
        if pairs:
            mine, other = pairs[0]
            alike += mine.pole == other.pole
            opposite += mine.pole != other.pole
            negated += there[other.first].negated
    size = max(len(content), 1)
    total = same + alike + opposite
    return (same / size, alike / size, opposite / size, negated / size, total / size, same, alike, opposite, negated)


def _manner(text: str) -> tuple[float, ...]:
    """How a clause is put: denials, length, contrast, question, exclamation, condition, restriction, the past."""
    words = [token.text.lower().replace("’", "'") for token in tokens(text)]
    return (
        sum(is_negation(word) for word in words),
        len(words) / 20,
        "but" in words,
        "?" in words,
        "!" in words,
        "if" in words,
        "only" in words,
        _PAST.search(text) is not None,
    )


def _stance(
    asked: tuple[Asked, ...], found: tuple[Unit, ...], rows: Array, vectors: Vectors, negated: bool
) -> tuple[float, ...]:
    """What the passage says of the aspect asked for: by cue words, and by nearness to its statements."""
    if not asked:
        return (0.0,) * 6
    first = asked[0]
    sign = -first.sign if negated else first.sign
    cues = [cue(first.aspect, unit.text).sign for unit in found]
    for_it = rows @ vectors.of(first.aspect.yes).T
    against = rows @ vectors.of(first.aspect.no).T
    margin = for_it.max(axis=1) - against.max(axis=1)
    strongest = int(np.argmax(np.maximum(for_it.max(axis=1), against.max(axis=1))))
    return (
        first.share,
        sign * float(np.sign(sum(cues))),
        sign * float(margin[strongest]),
        float(max(for_it.max(), against.max())),
        sign * float(for_it.max() - against.max()),
        first.share * sign * float(np.sign(sum(cues))),
    )


def _wording(question: Question) -> tuple[float, ...]:
    words = question.text.lower().strip("?").split()
    first = words[0] if words else ""
    return (
        *(float(first == start) for start in _STARTS.split()),
        *(float(mark in words) for mark in _MARKS.split()),
        len(words) / 10,
        float(question.negated),
        float(any(quantity.unit for quantity in quantities(question.text))),
    )
