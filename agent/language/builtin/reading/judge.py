"""The answer to a yes/no question over the passages of one or several texts.

Where the question names an aspect, the clauses that speak of it vote, one vote a text; silent texts are not against
it. A newer text that tells of a change settles it against older ones, and otherwise the majority does. Other questions,
and a single text that does not speak of the aspect in so many words, go to the small network, text by text; in a long
list, where most texts are about something else, only clauses that plainly say what is asked count. Thin evidence is
"no info".
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.language.builtin.reading import evidence, network
from agent.language.builtin.reading.aspects import Asked, aspects_asked
from agent.language.builtin.reading.companies import people_asked
from agent.language.builtin.reading.features import Met, look, meet, texts_needed
from agent.language.builtin.reading.questions import Question
from agent.language.builtin.reading.topics import central
from agent.language.builtin.reading.units import Unit, units
from agent.language.builtin.reading.vectors import Vectors
from agent.language.tasks import AnswerReply, Passage, Span

ASPECT_SHARE = 0.85  # how much of a question an aspect's words must make up
FEW = 6  # texts that the network reads one by one; of more, only clauses that plainly speak of the question count
YES_LEAST = 0.58  # the network's probability from which Yes is said, of one text; below, the likelier of the others
FEW_NEAR = 0.42  # of several passages, one must be this near to the question for its verdict to count
PLAIN_NEAR = 0.50  # of many texts, a clause must be this near to the question
PLAIN_SHARE = 0.6  # and meet this share of its words;
ALL_NEAR, ALL_SHARE = 0.3, 0.99  # a clause that meets all of them may be less near


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
    """Every text that judging will need the vector of; of a long list, only clauses that may speak of the question."""
    texts = len({passage.document for passage in passages})
    asked = _aspect_of(question)
    if question.topic or texts == 1 or (texts <= FEW and not asked):
        return texts_needed(question, [passage.text for passage in passages])
    if asked:
        wanted = [*asked.aspect.yes, *asked.aspect.no]
        cuts = [tuple(units(passage.text)) for passage in passages]
        return [*wanted, *(cut[at].text for cut in cuts for at in evidence.speaking(asked.aspect, cut))]
    said = [unit.text for passage in passages for unit, _ in _plainly(question.claim, passage.text)]
    return [question.text, question.claim, *said]


def judge(question: Question, passages: Sequence[Passage], vectors: Vectors) -> AnswerReply:
    """Yes, No or no info (value None), with the stretches that decided."""
    texts = len({passage.document for passage in passages})
    if question.topic:
        return _settle(_by_topic(question, passages, vectors))
    asked = _aspect_of(question)
    if asked:
        stands = _by_aspect(question, asked, passages, vectors)
        if stands or len(passages) > 1:  # a longer text that does not speak of it says nothing of it
            return _settle(stands)
    if texts > FEW:
        return _settle(_by_nearness(question, passages, vectors))
    return _settle(_by_network(question, passages, vectors, FEW_NEAR if len(passages) > 1 else 0.0))


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


def _of_one_text(stands: list[Stand]) -> Stand:
    """The strongest stand of the side that says more."""
    balance = sum(stand.sign * stand.strength for stand in stands)
    side = [stand for stand in stands if stand.sign * balance >= 0] or stands
    return max(side, key=lambda stand: (stand.strength, stand.start - stand.stop))


def _by_network(question: Question, passages: Sequence[Passage], vectors: Vectors, nearest: float) -> list[Stand]:
    """What the network makes of each text that is near enough to the question."""
    stands: dict[int, Stand] = {}
    for number, passage in enumerate(passages):
        seen = look(question, passage.text, vectors)
        if seen.near[seen.best] < nearest:
            continue
        yes, no, none = network.load().probabilities(seen.aligned, seen.features)
        if yes >= max(YES_LEAST, no, none):
            sign, strength = 1, float(yes)
        elif no >= none:
            sign, strength = -1, float(no)
        else:
            continue
        _keep_stronger(stands, passage, _stand(sign, strength, number, passage, seen.units[seen.best]))
    return list(stands.values())


def _by_nearness(question: Question, passages: Sequence[Passage], vectors: Vectors) -> list[Stand]:
    """Clauses that say nearly what is asked, mostly in its words or their kin; a denial or an opposite turns them."""
    wanted = vectors.of([question.text, question.claim]).mean(axis=0)
    stands: dict[int, Stand] = {}
    for number, passage in enumerate(passages):
        said = _plainly(question.claim, passage.text)
        near = vectors.of([unit.text for unit, _ in said]) @ wanted if said else ()
        for (unit, met), closeness in zip(said, near, strict=True):
            if closeness < (ALL_NEAR if met.share >= ALL_SHARE else PLAIN_NEAR):
                continue
            turned = (met.negated + met.opposite) % 2 == 1
            sign = -1 if turned != question.negated else 1
            _keep_stronger(stands, passage, _stand(sign, float(closeness), number, passage, unit))
    return list(stands.values())


@lru_cache(maxsize=20_000)
def _plainly(claim: str, text: str) -> tuple[tuple[Unit, Met], ...]:
    """The units of a text that state a fact and meet most words of a claim."""
    cut = tuple(units(text))
    met = [(unit, meet(claim, unit.text)) for unit in cut]
    return tuple(pair for at, pair in enumerate(met) if pair[1].share >= PLAIN_SHARE and evidence.counting(cut, at))


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
