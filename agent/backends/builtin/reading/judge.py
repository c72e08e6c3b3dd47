"""The answer to a yes/no question over the passages of one or several texts.

Few texts are read one by one by the cross-encoder. Of a long list, where most texts are about something else, it reads
the sentences nearest to the question; but where the question names an aspect, the clauses that speak of it vote. One
vote a text; silent texts are not against it. A newer text that tells of a change settles it against older ones, and
otherwise the majority does. Thin evidence is "no info".
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agent.backends.builtin.reading import evidence, menus, worth
from agent.backends.builtin.reading.aspects import Asked, aspects_asked
from agent.backends.builtin.reading.companies import people_asked
from agent.backends.builtin.reading.pieces import Piece, closest, pieces, texts_for_pieces
from agent.backends.builtin.reading.questions import Question
from agent.backends.builtin.reading.readings import Pair, Readings, Verdict
from agent.backends.builtin.reading.topics import central
from agent.backends.builtin.reading.units import Unit, units
from agent.backends.builtin.reading.vectors import Vectors
from agent.protocols.reading import AnswerReply, Passage, Span
from agent.text.words import stem, tokens

ASPECT_SHARE = 0.85  # how much of a question an aspect's words must make up
YES_LEAST = 0.5  # the probability from which Yes is said of one text; below, the likelier of the others
_EVERYWHERE = frozenset(map(stem, ("restaurant", "place", "course", "class", "guests", "students")))
EVEN, LEAST_SAID = 0.5, 1e-5  # the certainty from which a reading counts, the probability that it takes at least
DENIED = 0.6  # how sure it is that a sentence that denies all of what is asked says no
#: Of several texts most speak of something else: log-odds of a reading and nearness to the question, together, say how
#: certain it is, and whether it counts. Fitted on labeled texts of imported corpora (docs/decisions/reading.md).
NEARNESS_WEIGHT, EVIDENCE_LEAST = 12.0, 4.6


@dataclass(frozen=True, slots=True)
class Stand:
    """What one text says: `sign` 1 yes, -1 no; the deciding stretch is characters `start:stop` of passage `passage`.

    `certainty` is how certain that is among texts that speak of something else.
    """

    sign: int
    strength: float
    passage: int
    start: int
    stop: int
    dated: str
    changed: bool
    certainty: float = 1.0


def texts_for(question: Question, passages: Sequence[Passage]) -> Iterable[str]:
    """Return every text that judging will need the vector of."""
    if of_each := _of_worth(question, passages):
        return texts_for_pieces([of_each], passages, whole=True)
    if question.topic:
        texts = [passage.text for passage in passages]
        return [question.topic, *texts, *(unit.text for text in texts for unit in units(text))]
    asked = _aspect_by_votes(question, passages)
    if asked:
        wanted = [*asked.aspect.yes, *asked.aspect.no]
        cuts = [tuple(units(passage.text)) for passage in passages]
        return [*wanted, *(cut[at].text for cut in cuts for at in evidence.speaking(asked.aspect, cut))]
    return texts_for_pieces([question.text, question.claim], passages, evidence.counting)


def pairs_for(question: Question, passages: Sequence[Passage], vectors: Vectors) -> Iterable[Pair]:
    """Return what judging will need the cross-encoder to read; `vectors` know the texts of `texts_for`."""
    if of_each := _of_worth(question, passages):
        return [(of_each, piece.text) for piece in pieces([of_each], passages, vectors, whole=True)]
    if question.topic or _aspect_by_votes(question, passages) or menus.named(question, passages):
        return []
    return [(question.text, piece.text) for piece in _pieces(question, passages, vectors)]


def judge(question: Question, passages: Sequence[Passage], vectors: Vectors, readings: Readings) -> AnswerReply:
    """Yes, No or no info (value None), with the stretches that decided."""
    if of_each := _of_worth(question, passages):
        return _settle(_by_worth(question, of_each, passages, vectors, readings))
    if question.topic:
        return _settle(_by_topic(question, passages, vectors))
    if asked := _aspect_by_votes(question, passages):
        return _settle(_by_aspect(question, asked, passages, vectors))
    if there := menus.named(question, passages):
        return _settle([_on_the_list(question, number, passages[number]) for number in there])
    read = _pieces(question, passages, vectors)
    verdicts = readings.verdicts([(question.text, piece.text) for piece in read])
    stands = _by_reading(question, passages, read, verdicts)
    settled = _settle(stands)
    if settled.value is None:
        return settled.model_copy(update={"spans": closest(read, [1 - said.nothing for said in verdicts])})
    sign = 1 if settled.value == "Yes" else -1
    return settled.model_copy(update={"confidence": max(one.certainty for one in stands if one.sign == sign)})


def _pieces(question: Question, passages: Sequence[Passage], vectors: Vectors) -> list[Piece]:
    """What is read of the passages."""
    return pieces([question.text, question.claim], passages, vectors, evidence.counting)


def _certainty(piece: Piece, probability: float) -> float:
    """How certain it is that a piece says what it is read as.

    Among many sentences that speak of something else, some are misread as answering: the farther one is from the
    question, the less a reading of it is worth.
    """
    kept = min(max(probability, LEAST_SAID), 1 - LEAST_SAID)
    odds = math.log(kept / (1 - kept)) + NEARNESS_WEIGHT * piece.near - EVIDENCE_LEAST
    return 1 / (1 + math.exp(-odds))


def _asked_words(question: Question) -> set[str]:
    """The stems of the words that say what is asked."""
    return {token.stem for token in tokens(question.claim) if token.content and token.stem not in _EVERYWHERE}


def _aspect_by_votes(question: Question, passages: Sequence[Passage]) -> Asked | None:
    """The aspect that the clauses of several passages are to vote on."""
    return _aspect_of(question) if len(passages) > 1 else None


def _aspect_of(question: Question) -> Asked | None:
    """The aspect that the question is about and little else."""
    asked = aspects_asked(question.claim)
    return asked[0] if asked and asked[0].share >= ASPECT_SHARE else None


def _by_aspect(question: Question, asked: Asked, passages: Sequence[Passage], vectors: Vectors) -> list[Stand]:
    sign = -asked.sign if question.negated else asked.sign
    yes, no = vectors.of(asked.aspect.yes), vectors.of(asked.aspect.no)
    people = people_asked(question.claim)
    found: dict[int, list[Stand]] = {}
    for number, passage in enumerate(passages):
        cut = tuple(units(passage.text))
        numbers = evidence.speaking(asked.aspect, cut)
        if not numbers:
            continue
        rows = vectors.of([cut[at].text for at in numbers])
        for vote in evidence.votes(asked.aspect, cut, numbers, rows, yes, no, people):
            stand = _stand(sign * vote.sign, vote.strength, number, passage, cut[vote.unit], cut[vote.through])
            found.setdefault(passage.document, []).append(stand)
    return [_of_one_text(stands) for stands in found.values()]


def _on_the_list(question: Question, number: int, passage: Passage) -> Stand:
    """That a name on a list is what is asked for."""
    return Stand(-1 if question.negated else 1, 1.0, number, 0, len(passage.text), passage.dated, changed=False)


def _of_one_text(stands: list[Stand]) -> Stand:
    """The strongest stand of the side that says more."""
    balance = sum(stand.sign * stand.strength for stand in stands)
    side = [stand for stand in stands if stand.sign * balance >= 0] or stands
    return max(side, key=lambda stand: (stand.strength, stand.start - stand.stop))


def _by_reading(
    question: Question, passages: Sequence[Passage], read: Sequence[Piece], verdicts: Sequence[Verdict]
) -> list[Stand]:
    """What the cross-encoder makes of each text, by the piece that says most."""
    stands: dict[int, Stand] = {}
    several = len({passage.document for passage in passages}) > 1
    asked = _asked_words(question)
    for piece, said in zip(read, verdicts, strict=True):
        yes, no = _certainty(piece, said.yes), _certainty(piece, said.no)
        least = EVEN if several else 0.0
        denied = evidence.denied(asked, piece.nearest.text) and not question.negated
        if yes >= least and said.yes >= max(YES_LEAST, said.no, said.nothing):
            sign, strength, certainty = -1 if denied else 1, said.yes, yes
        elif no >= least and said.no >= said.nothing:
            sign, strength, certainty = -1, said.no, no
        elif denied and asked and evidence.names_all(asked, piece.nearest.text):
            sign, strength, certainty = -1, DENIED, DENIED
        else:
            continue
        passage = passages[piece.number]
        stand = _stand(sign, certainty if several else strength, piece.number, passage, piece.nearest)
        _keep_stronger(stands, passage, replace(stand, certainty=certainty))
    return list(stands.values())


def _of_worth(question: Question, passages: Sequence[Passage]) -> str:
    """What is asked of each of several texts, where it is whether something is good at all; else empty."""
    return worth.asked_of_each(question.claim) if len({passage.document for passage in passages}) > 1 else ""


def _by_worth(
    question: Question, of_each: str, passages: Sequence[Passage], vectors: Vectors, readings: Readings
) -> list[Stand]:
    """What each text makes of a thing, read whole."""
    sign = -1 if question.negated != worth.turned(question.claim) else 1
    stands: dict[int, Stand] = {}
    read = pieces([of_each], passages, vectors, whole=True)
    for piece, said in zip(read, readings.verdicts([(of_each, piece.text) for piece in read]), strict=True):
        if max(said.yes, said.no) >= YES_LEAST:
            side, strength = (sign, said.yes) if said.yes > said.no else (-sign, said.no)
            passage = passages[piece.number]
            _keep_stronger(stands, passage, _stand(side, strength, piece.number, passage, piece.nearest))
    return list(stands.values())


def _by_topic(question: Question, passages: Sequence[Passage], vectors: Vectors) -> list[Stand]:
    """The texts that the topic asked about is central to; one that it is not central to says nothing."""
    sign = -1 if question.negated else 1
    stands: list[Stand] = []
    for document in dict.fromkeys(passage.document for passage in passages):
        numbers = [number for number, passage in enumerate(passages) if passage.document == document]
        found = central(question.topic, [passages[number].text for number in numbers], vectors)
        if found is not None:
            number = numbers[found.passage]
            stands.append(_stand(sign, found.strength, number, passages[number], found.unit))
    return stands


def _stand(sign: int, strength: float, number: int, passage: Passage, unit: Unit, through: Unit | None = None) -> Stand:
    """The stand of a text, decided by what reaches from `unit` to the end of `through`."""
    stop = (through or unit).stop
    changed = evidence.tells_change(passage.text[unit.start : stop])
    return Stand(sign, strength, number, unit.start, stop, passage.dated, changed)


def _keep_stronger(stands: dict[int, Stand], passage: Passage, stand: Stand) -> None:
    known = stands.get(passage.document)
    if known is None or known.strength < stand.strength:
        stands[passage.document] = stand


def _settle(stands: list[Stand]) -> AnswerReply:
    """The majority of the texts; a newer one that tells of a change settles it alone; a tie goes to the newest."""
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
