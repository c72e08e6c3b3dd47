"""What people say of something: sentences of several texts that speak of it, rather than one stretch cut from one.

"What do guests say about the coffee?", "how is the service?" have no short answer; two or three sentences by different
hands have it. A sentence speaks of a topic if it names it, if it votes on an aspect that the topic names ("the cook
shrugged" on the service), or if the cross-encoder finds in it whether the topic is good. Whoever asks for complaints is
told what the cross-encoder takes for one; which sentences it reads, vectors tell, since it takes its time. Praise it
tells less well, and what people like is what they say most.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files

import numpy as np

from agent.backends.builtin.reading import evidence
from agent.backends.builtin.reading.aspects import Aspect, aspects_asked
from agent.backends.builtin.reading.clauses import Stems, find, stems
from agent.backends.builtin.reading.evidence import counts
from agent.backends.builtin.reading.readings import Readings
from agent.backends.builtin.reading.summary import BLAME, BLAMES, LEAN, PRAISE, PRAISES, REDUNDANT, summarise
from agent.backends.builtin.reading.units import Unit, units
from agent.backends.builtin.reading.vectors import Vectors
from agent.networks.layers import Array
from agent.protocols.reading import AnswerReply, Passage, Span
from agent.text.words import tokens

SENTENCES = 3
NEAR = 0.38  # closeness from which a sentence speaks of a topic without sharing a word with it
SHARED = 0.5  # what sharing a word with it is worth, beside closeness; a vote on it as much as it is strong
KINDRED = 0.8  # what having a word is worth that speaks of it
TELLS = 0.65  # how likely a sentence must tell whether the topic is good, if it neither names it nor votes on it
WHOLE = 0.85  # how much of a topic an aspect's words must make up
READ = 24  # sentences that the cross-encoder reads
_COMPLAINTS = re.compile(
    r"\b(?:complain\w*|bad|wrong|not (?:so )?good|criticis\w*|criticiz\w*|dislike|hate|downsides?|drawbacks?)\b",
    re.IGNORECASE,
)
_WHO = r"(?:people|ppl|students|reviewers|reviews|guests|diners|customers|visitors|others|everyone|they|comments)"
_ASKS = re.compile(
    rf"(?:so |and )?(?:what (?:do|did|have|are|is) (?:the |most |other )?{_WHO} (?:actually |really |usually |mostly )*"
    r"(?:say|saying|said|think|thinking|write|report|mention|feel|complain|complaining|complained|criticise|criticize|"
    r"dislike|hate|like|love|praise|enjoy)(?: (?:about|of|on))?(?: (?P<what>.+))?|"
    r"(?:(?:what are|are there|is there) )?(?:(?:the|any|main|common|usual|biggest|other) )*(?:complaints|praises|"
    r"criticisms?|opinions|downsides?|upsides?|drawbacks?)(?: (?:about|of|on|with|at|in|to|for) (?P<of>.+))?|"
    r"what(?:'?s| is) (?:so |not so )?(?:bad|wrong|good|great|special|nice|not good) (?:about|with|at|in) (?P<so>.+)|"
    rf"why (?:do|did|does) (?:the |so many |most |some )?{_WHO} (?:actually |really |all )*"
    r"(?:complain|dislike|hate)(?: (?:about|of))?(?: (?P<why>.+?))?(?: (?:so|that|this) much)?)",
    re.IGNORECASE,
)
_HOW = re.compile(
    r"(?:so |and )?(?:how(?:'?s| is| are| was| were)|how (?!long|much|many|far|old|often)\w+ (?:is|are|was|were)) "
    r"(?:the|their|its) (?P<how>.+)|"
    r"(?:so |and )?what(?:'?s| is| are| was| were) (?:the|their|its) (?:(?P<like>.+?) like\b.*|"
    r"(?P<air>(?:vibe|atmosphere|ambi[ae]nce|mood|feel)\b.*))",
    re.IGNORECASE,
)
_AMOUNT = re.compile(r"how (?:long|much|far|often) (?:is|are|was|were) (?:the|their|its) (?P<of>.+)", re.IGNORECASE)
_ITSELF = re.compile(
    r"^(?:there|here)$|\s(?:there|here)$|"
    r"^(?:the )?(?:this|that|it|its|their|the)? ?(?:place|restaurant|course|class|spot|one)?$|"
    r"(?: (?:at|of|in|for|about)|^(?:about|at|in|of))? (?:this|that|the) (?:place|restaurant|course|class|spot|one)$|"
    r"^(?:at|in|of|about) (?:this|that|the) (?:place|restaurant|course|class|spot|one)$",
    re.IGNORECASE,
)


def topic_of(question: str) -> str | None:
    """What a question wants to be told opinions of, empty for all of them; None for a question that wants none."""
    plain = question.strip().rstrip("?!. ")
    if (how := _HOW.fullmatch(plain)) is not None:
        return _ITSELF.sub("", how["how"] or how["like"] or how["air"]).strip() or None
    asked = _ASKS.fullmatch(plain)
    if asked is None:
        return None
    return re.sub(
        r"^(?:the|their|its) ",
        "",
        _ITSELF.sub("", asked["what"] or asked["of"] or asked["why"] or asked["so"] or "").strip(),
    )


def topic_of_amount(question: str) -> str | None:
    """Return what an amount is asked of, of which people may say how it is without a number: "how long is the wait"."""
    asked = _AMOUNT.fullmatch(question.strip().rstrip("?!. "))
    return _ITSELF.sub("", asked["of"]).strip() or None if asked is not None else None


def of_complaints(question: str) -> bool:
    """Return whether complaints are asked for, rather than whatever people say."""
    return _COMPLAINTS.search(question) is not None


def texts_for(topic: str, passages: Sequence[Passage]) -> Iterable[str]:
    """Return every text that `opinions` will need the vector of."""
    aspect = _aspect_of(topic)
    said = [*aspect.yes, *aspect.no] if aspect is not None else []
    return [*([topic] if topic else []), *PRAISE, *BLAME, *said, *(u.text for one in passages for u in units(one.text))]


def pairs_for(topic: str, question: str, passages: Sequence[Passage], vectors: Vectors) -> list[tuple[str, str]]:
    """Return every pair that `opinions`, or `complaints`, will need a verdict of."""
    if of_complaints(question):
        return [(asked, unit.text) for _, unit in _blaming(topic, passages, vectors) for asked in (BLAMES, PRAISES)]
    found = _counting(passages)
    return [(_is_good(topic), found[at][1].text) for at in _to_read(topic, found, vectors)]


def complaints(topic: str, passages: Sequence[Passage], vectors: Vectors, readings: Readings) -> AnswerReply:
    """The sentences that surely complain, of a topic or of anything, one a text; no info (value None) where none do."""
    found = _blaming(topic, passages, vectors)
    blames, praises = (readings.verdicts([(asked, unit.text) for _, unit in found]) for asked in (BLAMES, PRAISES))
    lean = [blame.yes - praise.yes for blame, praise in zip(blames, praises, strict=True)]
    chosen: list[int] = []
    for at in sorted(range(len(found)), key=lambda at: -lean[at]):
        if lean[at] >= LEAN and all(found[at][0] != found[one][0] for one in chosen) and len(chosen) < SENTENCES:
            chosen.append(at)
    return _told([found[at] for at in chosen])


def opinions(topic: str, passages: Sequence[Passage], vectors: Vectors, readings: Readings) -> AnswerReply:
    """Return the sentences that say most of the topic, one a text; no info (value None) where none speaks of it."""
    if not topic:
        return summarise(passages, vectors, readings)
    found = _counting(passages)
    if not found:
        return AnswerReply(value=None, confidence=0.0)
    rows = vectors.of([unit.text for _, unit in found])
    shares, voted = _naming(topic, found), _voting(topic, passages, found, vectors)
    tells = np.zeros(len(found), np.float32)
    read = _to_read(topic, found, vectors)
    for at, one in zip(read, readings.verdicts([(_is_good(topic), found[at][1].text) for at in read]), strict=True):
        tells[at] = 1.0 - one.nothing
    near = rows @ vectors.of([topic])[0]
    chosen: list[int] = []
    for at in map(int, np.argsort(-(near + SHARED * (shares + voted + tells)))):
        fresh = all(found[at][0] != found[one][0] and float(rows[at] @ rows[one]) < REDUNDANT for one in chosen)
        speaks = shares[at] or voted[at] or near[at] >= NEAR or tells[at] >= TELLS
        if speaks and fresh and len(chosen) < SENTENCES:
            chosen.append(at)
    return _told([found[at] for at in chosen])


def _counting(passages: Sequence[Passage]) -> list[tuple[int, Unit]]:
    """The sentences that state a fact about this place as it is, with the numbers of their texts."""
    whole = [(number, unit) for number, one in enumerate(passages) for unit in units(one.text) if unit.whole]
    return [(number, unit) for number, unit in whole if counts(unit.text) and not evidence.about_the_past(unit.text)]


def _is_good(topic: str) -> str:
    """The question whose yes or no tells that a sentence speaks of a topic."""
    return f"{'are' if re.search(r'[^s]s$', topic) else 'is'} the {topic} good?"


def _to_read(topic: str, found: Sequence[tuple[int, Unit]], vectors: Vectors) -> list[int]:
    """The numbers of the sentences nearest to a topic, to be read for it: none of a topic whose words are known."""
    if not (topic and found) or stems(topic) in _kindred():
        return []
    near = vectors.of([unit.text for _, unit in found]) @ vectors.of([topic])[0]
    return list(map(int, np.argsort(-near)))[:READ]


def _naming(topic: str, found: Sequence[tuple[int, Unit]]) -> Array:
    """Which sentences share a word with a topic, or have a word of those that speak of it: 1, a bit less, or 0."""
    words = {token.stem for token in tokens(topic) if token.content}
    kindred = _kindred().get(stems(topic), ())
    named = np.zeros(len(found), np.float32)
    for at, (_, unit) in enumerate(found):
        row = [token.stem for token in tokens(unit.text)]
        if words & set(row):
            named[at] = 1.0
        elif any(find(row, phrase) is not None for phrase in kindred):
            named[at] = KINDRED
    return named


@cache
def _kindred() -> dict[Stems, tuple[Stems, ...]]:
    """By the stems of a topic's name, the words and phrases by which a sentence speaks of it."""
    table = tomllib.loads((files(__package__) / "data" / "topics.toml").read_text(encoding="utf-8"))
    return {
        stems(name): tuple(map(stems, one["words"].split(",")))
        for one in table["topic"]
        for name in one["names"].split(",")
    }


def _aspect_of(topic: str) -> Aspect | None:
    """The aspect that a topic names and that votes can be cast on."""
    asked = aspects_asked(topic)
    return asked[0].aspect if topic and asked and asked[0].share >= WHOLE else None


def _voting(topic: str, passages: Sequence[Passage], found: Sequence[tuple[int, Unit]], vectors: Vectors) -> Array:
    """How strongly each sentence, or a clause of it, votes on the aspect that a topic names."""
    strongest = np.zeros(len(found), np.float32)
    aspect = _aspect_of(topic)
    if aspect is None:
        return strongest
    yes, no = vectors.of(aspect.yes), vectors.of(aspect.no)
    places = {(number, unit.sentence): at for at, (number, unit) in enumerate(found)}
    for number, passage in enumerate(passages):
        cut = tuple(units(passage.text))
        speaking = evidence.speaking(aspect, cut)
        if not speaking:
            continue
        rows = vectors.of([cut[at].text for at in speaking])
        for vote in evidence.votes(aspect, cut, speaking, rows, yes, no):
            at = places.get((number, cut[vote.unit].sentence))
            if at is not None:
                strongest[at] = max(strongest[at], vote.strength)
    return strongest


def _blaming(topic: str, passages: Sequence[Passage], vectors: Vectors) -> list[tuple[int, Unit]]:
    """The sentences, with the numbers of their texts, that come nearer to blame than to praise; those of a topic."""
    found = _counting(passages)
    if not found:
        return []
    rows = vectors.of([unit.text for _, unit in found])
    blame, praise = ((rows @ vectors.of(list(said)).T).max(axis=1) for said in (BLAME, PRAISE))
    order = list(map(int, np.argsort(praise - blame)))
    if topic:
        words = {token.stem for token in tokens(topic) if token.content}
        near = rows @ vectors.of([topic])[0]
        order = [at for at in order if near[at] >= NEAR or words & {token.stem for token in tokens(found[at][1].text)}]
    return [found[at] for at in order[:READ]]


def _told(chosen: Sequence[tuple[int, Unit]]) -> AnswerReply:
    if not chosen:
        return AnswerReply(value=None, confidence=0.0)
    spans = tuple(Span(passage=number, start=unit.start, stop=unit.stop) for number, unit in chosen)
    return AnswerReply(value=" ".join(unit.text for _, unit in chosen), spans=spans, confidence=0.5)
