"""One question about more than a reader takes at once: asked of each part, and then of what decided it there.

The second time, the reader reads the passages that were decisive in the parts, for and against, so that whatever a
question means (is it said anywhere, do most say it) it means of all of them together. Where they are still too many,
they are thinned out, each side by the same share. What was asked of a part and got no answer within the budget is
counted, and said.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from agent.protocols.errors import LanguageError
from agent.protocols.reading import AnswerReply, Span
from agent.suql.calls import Ask
from agent.suql.passages import Cut
from agent.text.values import AnswerType

CAPACITY = 6_000  # characters of one request, where the reader does not say
PASSAGES = 40  # passages of one request, where the reader does not say
SMALLER = 0.7  # of the size before, from which on what decided is gone through in parts again
SHOWN = 12  # deciding passages of parts that agree

_SPENT = AnswerReply(value=None, problem="The budget has run out.")
_OPPOSITE = {"Yes": "No", "No": "Yes"}

Answers = Sequence[AnswerReply | LanguageError]
Asking = Callable[[Sequence[list[Cut]]], Awaitable[Answers]]


@dataclass(frozen=True, slots=True)
class Capacity:
    """How much goes into one request."""

    characters: int = CAPACITY
    passages: int = PASSAGES

    @classmethod
    def of(cls, reader: object) -> Capacity:
        """Return what a reader declares with an attribute `capacity`, in characters."""
        characters = int(getattr(reader, "capacity", 0) or 0)
        return cls(characters, characters) if characters else cls()

    def holds(self, cuts: Sequence[Cut]) -> bool:
        """Do they go into one request?"""
        return len(cuts) <= self.passages and sum(len(cut.body) for cut in cuts) <= self.characters

    def parts(self, cuts: Sequence[Cut]) -> list[list[Cut]]:
        """Return the passages in their order, in as many requests as they take."""
        parts: list[list[Cut]] = [[]]
        for cut in cuts:
            if parts[-1] and not self.holds([*parts[-1], cut]):
                parts.append([])
            parts[-1].append(cut)
        return parts


@dataclass(frozen=True, slots=True)
class Reduced:
    """The answer, the passages that its spans are in, and the rows that were read."""

    reply: AnswerReply | LanguageError
    cuts: list[Cut]
    read: frozenset[int]


async def reduced(cuts: list[Cut], wanted: Ask, capacity: Capacity, ask: Asking) -> Reduced:
    """Return the answer to one question over all the passages. `ask` may answer for fewer parts than it is given."""
    level, read = cuts, frozenset[int]()
    while not capacity.holds(level):
        parts = capacity.parts(level)
        replies = await ask(parts)
        answered = [(part, one) for part, one in zip(parts, replies, strict=False) if _is_answer(one)]
        if not answered:
            failed = next((one for one in replies if not isinstance(one, AnswerReply)), None)
            return Reduced(failed or AnswerReply(value=None, problem="No part of it could be read."), level, read)
        seen = frozenset(cut.document for part, _ in answered for cut in part)
        read = seen if level is cuts else read
        said = [(part, one) for part, one in answered if isinstance(one, AnswerReply) and one.value is not None]
        if len({one.value for _, one in said}) <= 1 and (wanted.type is AnswerType.BOOLEAN or len(said) <= 1):
            return _agreed(said, answered, read)
        if not wanted.summary and not any(one.spans for _, one in said):
            return await _row_by_row(level, capacity, ask)
        found = _decisive(said)
        before = sum(len(cut.body) for part, _ in answered for cut in part)
        smaller = sum(len(cut.body) for _, cut in found) <= SMALLER * before
        fits = capacity.holds([cut for _, cut in found])
        level = [cut for _, cut in found] if fits or smaller else _thinned(found, capacity)
    (reply,) = await ask([level]) or [_SPENT]
    return Reduced(_without_invented(reply, level), level, read or frozenset(cut.document for cut in cuts))


async def _row_by_row(cuts: Sequence[Cut], capacity: Capacity, ask: Asking) -> Reduced:
    """The same where the reader does not say what decided: each row is asked by itself, which tells its side."""
    rows = [list(row) for _, row in groupby(cuts, key=lambda cut: cut.document)]
    replies = [pair for pair in zip(rows, await ask(rows), strict=False) if _is_answer(pair[1])]
    read = frozenset(row[0].document for row, _ in replies)
    found = [
        (one.value, cut)
        for row, one in replies
        if isinstance(one, AnswerReply) and one.value is not None
        for cut in row
    ]
    if not found:
        return Reduced(AnswerReply(value=None), list(cuts), read)
    level = [cut for _, cut in found]
    level = level if capacity.holds(level) else _thinned(found, capacity)
    (reply,) = await ask([level]) or [_SPENT]
    return Reduced(reply, level, read)


def _is_answer(reply: AnswerReply | LanguageError) -> bool:
    return isinstance(reply, AnswerReply) and not reply.problem


def _agreed(
    said: Sequence[tuple[list[Cut], AnswerReply]],
    answered: Sequence[tuple[list[Cut], AnswerReply | LanguageError]],
    read: frozenset[int],
) -> Reduced:
    """What all parts that say anything say, with the passages that they say it for."""
    cuts: list[Cut] = []
    spans: list[Span] = []
    for part, reply in said or answered[:1]:
        assert isinstance(reply, AnswerReply)
        for span in reply.spans:
            if 0 <= span.passage < len(part) and len(spans) < SHOWN:
                spans.append(span.model_copy(update={"passage": len(cuts)}))
                cuts.append(part[span.passage])
    value = said[0][1].value if said else None
    sure = [reply.confidence for _, reply in said]
    return Reduced(AnswerReply(value=value, spans=tuple(spans), confidence=min(sure, default=0.0)), cuts, read)


def _decisive(said: Sequence[tuple[list[Cut], AnswerReply]]) -> list[tuple[str, Cut]]:
    """The passages that decided the parts, each with the side that it is on; the answer itself where none is named."""
    found: list[tuple[str, Cut]] = []
    for part, reply in said:
        value = reply.value or ""
        spans = {span.passage: span for span in reply.spans if 0 <= span.passage < len(part)}
        for place in sorted(spans):
            found.append((value if spans[place].supports else _OPPOSITE.get(value, f"not {value}"), part[place]))
        if not spans:
            found.append((value, Cut(value, "", 0, part[0].document)))
    return found


def _thinned(found: Sequence[tuple[str, Cut]], capacity: Capacity) -> list[Cut]:
    """As many of the passages as one request holds, each side by the same share, those of a side spread evenly."""
    longest = max(len(cut.body) for _, cut in found)
    room = max(2, min(capacity.passages, capacity.characters // max(longest, 1)))
    sides: dict[str, list[int]] = {}
    for place, (side, _) in enumerate(found):
        sides.setdefault(side, []).append(place)
    shares = {side: max(1, room * len(places) // len(found)) for side, places in sides.items()}
    ranked = sorted(sides, key=lambda side: -len(sides[side]))
    for more, fewer in pairwise(ranked):
        if len(sides[more]) > len(sides[fewer]) and shares[more] == shares[fewer]:  # a majority stays one
            shares[fewer] = max(1, shares[fewer] - 1)
            shares[more] += shares[more] == shares[fewer]
    kept = sorted(
        places[number * len(places) // shares[side]] for side, places in sides.items() for number in range(shares[side])
    )
    return [found[place][1] for place in kept[: max(room, len(sides))]]


def _without_invented(reply: AnswerReply | LanguageError, cuts: Sequence[Cut]) -> AnswerReply | LanguageError:
    """The reply without spans in passages that are no texts of the corpus but answers of parts."""
    if not isinstance(reply, AnswerReply):
        return reply
    kept = tuple(span for span in reply.spans if 0 <= span.passage < len(cuts) and cuts[span.passage].text)
    return reply.model_copy(update={"spans": kept})
