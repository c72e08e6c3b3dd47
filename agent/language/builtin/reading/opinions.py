"""What people say of something: sentences of several texts that speak of it, rather than one stretch cut from one.

"What do guests say about the coffee?" has no short answer; two or three sentences by different hands have it. Whoever
asks for complaints is told what the cross-encoder takes for one; which sentences it reads, vectors tell, since it takes
its time. Praise it tells less well, and what people like is what they say most.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from agent.language.builtin.reading.evidence import counts
from agent.language.builtin.reading.readings import Readings
from agent.language.builtin.reading.summary import BLAME, PRAISE, REDUNDANT, summarise
from agent.language.builtin.reading.units import Unit, units
from agent.language.builtin.reading.vectors import Vectors
from agent.language.builtin.reading.words import tokens
from agent.language.tasks import AnswerReply, Passage, Span

SENTENCES = 3
NEAR = 0.38  # closeness from which a sentence speaks of a topic without sharing a word with it
SHARED = 0.5  # what sharing a word with it is worth
READ = 14  # sentences that are read for complaints
LEAN = 0.2  # how much likelier a sentence complains than praises, to be told as a complaint
_BLAMES, _PRAISES = "does the reviewer complain about something?", "does the reviewer praise something?"
_COMPLAINTS = re.compile(
    r"\b(?:complain\w*|criticis\w*|criticiz\w*|dislike|hate|complaints|criticisms|downsides|drawbacks)\b", re.IGNORECASE
)
_WHO = r"(?:people|ppl|students|reviewers|reviews|guests|diners|customers|visitors|others|everyone|they|comments)"
_ASKS = re.compile(
    rf"(?:so |and )?(?:what (?:do|did|have|are|is) (?:the |most |other )?{_WHO} (?:actually |really |usually |mostly )*"
    r"(?:say|saying|said|think|thinking|write|report|mention|feel|complain|complaining|complained|criticise|criticize|"
    r"dislike|hate|like|love|praise|enjoy)(?: (?:about|of|on))?(?: (?P<what>.+))?|"
    r"what are (?:the )?(?:main |common |usual |biggest )?(?:complaints|praises|criticisms|opinions|downsides|upsides|"
    r"drawbacks)(?: (?:about|of|on|with|at|in) (?P<of>.+))?|"
    rf"why (?:do|did|does) (?:the |so many |most |some )?{_WHO} (?:actually |really |all )*"
    r"(?:complain|dislike|hate)(?: (?:about|of))?(?: (?P<why>.+?))?(?: (?:so|that|this) much)?)",
    re.IGNORECASE,
)
_ITSELF = re.compile(
    r"^(?:there|here)$|\s(?:there|here)$|"
    r"^(?:the )?(?:this|that|it|its|their|the)? ?(?:place|restaurant|course|class|spot|one)?$|"
    r"(?: (?:at|of|in|for|about)|^(?:about|at|in|of))? (?:this|that|the) (?:place|restaurant|course|class|spot|one)$|"
    r"^(?:at|in|of|about) (?:this|that|the) (?:place|restaurant|course|class|spot|one)$",
    re.IGNORECASE,
)


def topic_of(question: str) -> str | None:
    """What a question wants to be told opinions of, empty for all of them; None for a question that wants none."""
    asked = _ASKS.fullmatch(question.strip().rstrip("?!. "))
    if asked is None:
        return None
    return re.sub(
        r"^(?:the|their|its) ", "", _ITSELF.sub("", asked["what"] or asked["of"] or asked["why"] or "").strip()
    )


def of_complaints(question: str) -> bool:
    """Whether complaints are asked for, rather than whatever people say."""
    return _COMPLAINTS.search(question) is not None


def texts_for(topic: str, passages: Sequence[Passage]) -> Iterable[str]:
    """Every text that `opinions` will need the vector of."""
    return [*([topic] if topic else []), *PRAISE, *BLAME, *(unit.text for one in passages for unit in units(one.text))]


def pairs_for(topic: str, passages: Sequence[Passage], vectors: Vectors) -> list[tuple[str, str]]:
    """Every pair that `complaints` will need a verdict of."""
    return [(asked, unit.text) for _, unit in _blaming(topic, passages, vectors) for asked in (_BLAMES, _PRAISES)]


def complaints(topic: str, passages: Sequence[Passage], vectors: Vectors, readings: Readings) -> AnswerReply:
    """The sentences that surely complain, of a topic or of anything, one a text; no info (value None) where none do."""
    found = _blaming(topic, passages, vectors)
    blames, praises = (readings.verdicts([(asked, unit.text) for _, unit in found]) for asked in (_BLAMES, _PRAISES))
    lean = [blame.yes - praise.yes for blame, praise in zip(blames, praises, strict=True)]
    chosen: list[int] = []
    for at in sorted(range(len(found)), key=lambda at: -lean[at]):
        if lean[at] >= LEAN and all(found[at][0] != found[one][0] for one in chosen) and len(chosen) < SENTENCES:
            chosen.append(at)
    return _told([found[at] for at in chosen])


def opinions(topic: str, passages: Sequence[Passage], vectors: Vectors) -> AnswerReply:
    """The sentences that say most of the topic, one a text; no info (value None) where none speaks of it."""
    if not topic:
        return summarise(passages, vectors)
    whole = [(number, unit) for number, one in enumerate(passages) for unit in units(one.text) if unit.whole]
    found = [(number, unit) for number, unit in whole if counts(unit.text)]
    if not found:
        return AnswerReply(value=None, confidence=0.0)
    rows = vectors.of([unit.text for _, unit in found])
    near = rows @ vectors.of([topic])[0]
    words = {token.stem for token in tokens(topic) if token.content}
    shares = np.array([bool(words & {token.stem for token in tokens(unit.text)}) for _, unit in found])
    chosen: list[int] = []
    for at in map(int, np.argsort(-(near + SHARED * shares))):
        fresh = all(found[at][0] != found[one][0] and float(rows[at] @ rows[one]) < REDUNDANT for one in chosen)
        if (shares[at] or near[at] >= NEAR) and fresh and len(chosen) < SENTENCES:
            chosen.append(at)
    return _told([found[at] for at in chosen])


def _blaming(topic: str, passages: Sequence[Passage], vectors: Vectors) -> list[tuple[int, Unit]]:
    """The sentences, with the numbers of their texts, that come nearer to blame than to praise; those of a topic."""
    whole = [(number, unit) for number, one in enumerate(passages) for unit in units(one.text) if unit.whole]
    found = [(number, unit) for number, unit in whole if counts(unit.text)]
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
