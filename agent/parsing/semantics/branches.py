"""Alternatives: wishes joined as wholes ("either a cheap thai place with parking or a lively korean one"), and
conditions that exclude each other, as nothing is in two cities, nor cheap and dear at once.

"Or" before an article and a phrase with a head of its own joins whole things, each with all that is said of it, rather
than two values of one column. What is said of where and when at the very end holds of both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from agent.parsing.frame import Condition, Node
from agent.parsing.semantics import english
from agent.parsing.semantics.workspace import Board, Mention

_TURN = re.compile(
    r"(?<=\s)or (?:else |maybe |perhaps |possibly |just |even )*(?=\S)"
    r"(?P<article>(?:an?|some|somewhere|something)(?=\s))?"
)
_EITHER = re.compile(r"(?:^|\s)either(?=\s)")
_ARTICLE = re.compile(r"(?:^|(?<=\s))(?:an?|some|somewhere|something)(?=\s)")
_END = re.compile(r"\s[.,;:!?()](?=\s|$)")
_SENTENCE = re.compile(r"(?:^|\s)[.;:!?](?=\s)")


def branches(board: Board, mentions: Sequence[Mention]) -> tuple[list[Mention], list[Mention]] | None:
    """The mentions of two things that are alternatives; None where "or" joins less than that."""
    for turn in _TURN.finditer(board.norm):
        if board.taken(turn.start()) and any(m.start <= turn.start() < m.stop for m in mentions):
            continue
        whole = bool(turn["article"])
        end = _END.search(board.norm, turn.end())
        right = (turn.start("article") if whole else turn.end()), end.start() if end else len(board.norm)
        said = _within(mentions, right)
        for start in _beginnings(board.norm, turn.start(), whole=whole):
            left = start, turn.start()
            first = _within(mentions, left)
            second = [m for m in said if not _shared(m) or any(m.slot == other.slot for other in first)]
            if _whole(board, left, first) and _whole(board, right, second) and len(first) + len(second) > 2:
                return first, second
    return None


def _beginnings(norm: str, turn: int, *, whole: bool) -> list[int]:
    """Where the first of two alternatives may begin.

    That is after "either", else at an article, the nearest first, else where the clause begins.
    `whole`: the second begins with an article; without one, only "either" tells that wholes are meant.
    """
    sentence = max((match.end() for match in _SENTENCE.finditer(norm, 0, turn)), default=0)
    said = [match.end() for match in _EITHER.finditer(norm, sentence, turn)]
    articles = [match.start() for match in _ARTICLE.finditer(norm, sentence, turn)] if whole else []
    clause = max((match.end() for match in _END.finditer(norm, 0, turn)), default=0)
    return said[-1:] or articles[::-1] or [clause] * whole


def _within(mentions: Sequence[Mention], span: tuple[int, int]) -> list[Mention]:
    return [mention for mention in mentions if span[0] <= mention.start < span[1]]


def _shared(mention: Mention) -> bool:
    """Whether what is said holds of both alternatives: where they are, and when."""
    return mention.label == "place" or mention.slot.endswith((".opening_hours", ".season"))


def _whole(board: Board, span: tuple[int, int], mentions: Sequence[Mention]) -> bool:
    """Whether a phrase names a thing of its own, rather than one more value or property of the same."""
    named = any(word in english.generic() for word in board.norm[slice(*span)].split())
    kind = any(mention.label == "kind" for mention in mentions)
    return bool(mentions) and (named or (kind and len(mentions) > 1))


def one_place(nodes: tuple[Node, ...], column: str, city: Callable[[str], str]) -> tuple[Node, ...]:
    """The nodes with one condition on the place; `city` gives the city of a place, itself for a city.

    A landmark and its city are one place: "Union Square, San Francisco".
    """
    places = [n for n in nodes if isinstance(n, Condition) and n.column == column and not n.negated]
    values = [str(v) for node in places for v in node.values]
    narrow = [v for v in values if city(v) != v]
    wide = [v for v in values if v not in narrow]
    if not narrow or not wide:
        return _together(nodes, places, soft=all(place.soft for place in places)) if len(places) > 1 else nodes
    kept = tuple(v for v in wide if not any(city(n) in (v, "") for n in narrow))
    merged = tuple(f"{n}, {wide[0]}" if len(wide) == 1 and wide[0] not in n else n for n in narrow)
    first = places[0].model_copy(update={"values": (*merged, *kept)})
    return tuple(first if node is places[0] else node for node in nodes if node is places[0] or node not in places)


def one_step(nodes: tuple[Node, ...], column: str) -> tuple[Node, ...]:
    """The nodes with steps of a scale that exclude each other as alternatives: "cheap, or at least moderate"."""
    said = [n for n in nodes if isinstance(n, Condition) and n.column == column and not n.negated and n.op == "="]
    if len(said) < 2 or set(said[0].values).intersection(*(node.values for node in said[1:])):
        return nodes
    return _together(nodes, said, soft=said[0].soft)


def _together(nodes: tuple[Node, ...], said: list[Condition], *, soft: bool) -> tuple[Node, ...]:
    """The nodes with one condition, in the place of the first that was `said`, which any of their values meets."""
    values = tuple(dict.fromkeys(value for node in said for value in node.values))
    merged = said[0].model_copy(update={"values": values, "soft": soft})
    return tuple(merged if node is said[0] else node for node in nodes if node is said[0] or node not in said)
