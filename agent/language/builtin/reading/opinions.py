"""What people say of something: sentences of several texts that speak of it, rather than one stretch cut from one.

"What do guests say about the coffee?" has no short answer; two or three sentences by different hands have it. Praise
and blame are not told apart, since vectors do not tell them: whoever asks for complaints is told what is said.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from agent.language.builtin.reading.evidence import counts
from agent.language.builtin.reading.summary import REDUNDANT, summarise
from agent.language.builtin.reading.units import units
from agent.language.builtin.reading.vectors import Vectors
from agent.language.builtin.reading.words import tokens
from agent.language.tasks import AnswerReply, Passage, Span

SENTENCES = 3
NEAR = 0.38  # closeness from which a sentence speaks of a topic without sharing a word with it
SHARED = 0.5  # what sharing a word with it is worth
_WHO = r"(?:people|ppl|students|reviewers|reviews|guests|diners|customers|visitors|others|everyone|they|comments)"
_ASKS = re.compile(
    rf"(?:so |and )?(?:what (?:do|did|have|are|is) (?:the |most |other )?{_WHO} (?:actually |really |usually |mostly )*"
    r"(?:say|saying|said|think|thinking|write|report|mention|feel|complain|complaining|complained|criticise|criticize|"
    r"dislike|hate|like|love|praise|enjoy)(?: (?:about|of|on))?(?: (?P<what>.+))?|"
    r"what are (?:the )?(?:main |common |usual |biggest )?(?:complaints|praises|criticisms|opinions|downsides|upsides|"
    r"drawbacks)(?: (?:about|of|on|with|at|in) (?P<of>.+))?)",
    re.IGNORECASE,
)
_ITSELF = re.compile(
    r"^(?:the )?(?:this|that|it|its|their|the)? ?(?:place|restaurant|course|class|spot)?$|"
    r"(?: (?:at|of|in|for|about)|^(?:about|at|in|of))? (?:this|that|the) (?:place|restaurant|course|class|spot)$|"
    r"^(?:at|in|of|about) (?:this|that|the) (?:place|restaurant|course|class|spot)$",
    re.IGNORECASE,
)


def topic_of(question: str) -> str | None:
    """What a question wants to be told opinions of, empty for all of them; None for a question that wants none."""
    asked = _ASKS.fullmatch(question.strip().rstrip("?!. "))
    if asked is None:
        return None
    return re.sub(r"^(?:the|their|its) ", "", _ITSELF.sub("", asked["what"] or asked["of"] or "").strip())


def texts_for(topic: str, passages: Sequence[Passage]) -> Iterable[str]:
    """Every text that `opinions` will need the vector of."""
    return [*([topic] if topic else []), *(unit.text for one in passages for unit in units(one.text))]


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
    if not chosen:
        return AnswerReply(value=None, confidence=0.0)
    spans = tuple(Span(passage=found[at][0], start=found[at][1].start, stop=found[at][1].stop) for at in chosen)
    return AnswerReply(value=" ".join(found[at][1].text for at in chosen), spans=spans, confidence=0.5)
