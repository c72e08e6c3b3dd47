"""Cutting what a question is asked of into pieces that can be read at once, the nearest first to be thought of.

Few texts are read whole: a short passage as it is, a longer one cut between sentences. Of a long list most texts are
about something else, and only the sentences nearest to the question are read.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agent.backends.builtin.reading.units import Unit, units
from agent.backends.builtin.reading.vectors import Vectors
from agent.protocols.reading import Passage, Span

FEW = 6  # texts; more are a long list
NEAREST = 4  # sentences of a long list that are read
NEAR = 0.30  # a sentence of a long list must be this near to the question to be read
AT_ONCE = 400  # characters of a passage that are read together
WORTH = 0.30  # nearness from which a piece that does not answer is worth a look; what it may say counts for READ_SHARE
READ_SHARE = 0.3
SHOWN = 240  # characters of a piece that is shown whole

Accept = Callable[[tuple[Unit, ...], int], bool]


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of passage `number` from character `start` on, and the unit of it that is nearest to the question, with
    the cosine of both."""

    number: int
    text: str
    start: int
    nearest: Unit
    near: float


def is_list(passages: Sequence[Passage]) -> bool:
    """Are these so many texts that they are not read whole?"""
    return len({passage.document for passage in passages}) > FEW


def texts_for_pieces(
    asked: Sequence[str], passages: Sequence[Passage], accept: Accept = lambda cut, at: True, *, whole: bool = False
) -> list[str]:
    """Return every text that `pieces` will need the vector of."""
    listed = is_list(passages) and not whole
    return [*asked, *(cut[at].text for _, cut, group in _readable(passages, accept, listed=listed) for at in group)]


def pieces(
    asked: Sequence[str],
    passages: Sequence[Passage],
    vectors: Vectors,
    accept: Accept = lambda cut, at: True,
    *,
    whole: bool = False,
) -> list[Piece]:
    """Return what is to be read of the passages for a question, put in one or several ways.

    Of a long list, `accept` says of each sentence, given as the units of its passage and its number, if it may be read;
    but where the texts are to be read `whole`, all of it is.
    """
    listed = is_list(passages) and not whole
    readable = _readable(passages, accept, listed=listed)
    if not readable:
        return []
    wanted = vectors.of(asked).mean(axis=0)
    found: list[Piece] = []
    for number, cut, group in readable:
        near = (vectors.of([cut[at].text for at in group]) @ wanted).tolist()
        nearest, best = max(zip(near, group, strict=True))
        start, stop = cut[group[0]].start, max(cut[at].stop for at in group)
        found.append(Piece(number, passages[number].text[start:stop], start, cut[best], nearest))
    if listed:
        found = sorted((one for one in found if one.near >= NEAR), key=lambda one: -one.near)[:NEAREST]
    return found


def closest(read: Sequence[Piece], says: Sequence[float]) -> tuple[Span, ...]:
    """Where to look when no piece answers: the one that comes nearest to the question, if any comes near. `says` is how
    likely each says something of it."""
    scored = [(one.near + READ_SHARE * told, one) for one, told in zip(read, says, strict=True)]
    score, best = max(scored, key=lambda pair: pair[0], default=(0.0, None))
    if best is None or score < WORTH:
        return ()
    if len(best.text) <= SHOWN:
        return (Span(passage=best.number, start=best.start, stop=best.start + len(best.text)),)
    return (Span(passage=best.number, start=best.nearest.start, stop=best.nearest.stop),)


def _readable(
    passages: Sequence[Passage], accept: Accept, *, listed: bool
) -> list[tuple[int, tuple[Unit, ...], list[int]]]:
    """(number of its passage, units of that, numbers of its own units) of every piece that may be read."""
    found = []
    for number, passage in enumerate(passages):
        cut = tuple(units(passage.text))
        groups = _groups(cut, 0 if listed else AT_ONCE)
        found += [(number, cut, group) for group in groups if not listed or accept(cut, group[0])]
    return found


def _groups(cut: Sequence[Unit], longest: int) -> list[list[int]]:
    """Numbers of units: sentences with their clauses, as many as `longest` characters hold and one at least."""
    groups: list[list[int]] = []
    for at, unit in enumerate(cut):
        same = groups and unit.sentence == cut[groups[-1][-1]].sentence
        if groups and (same or unit.stop - cut[groups[-1][0]].start <= longest):
            groups[-1].append(at)
        else:
            groups.append([at])
    return groups
