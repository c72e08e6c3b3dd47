"""What a message asks beside its first question: "..., and how are the grades decided?"; and what it compares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent.parsing.frame import Asked, Condition, Node, Projection, leaves
from agent.parsing.generate import SUMMARY
from agent.parsing.semantics import english
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.workspace import Board, Mention
from agent.text import grammar

_ANOTHER = re.compile(
    r"(?<=\s)(?:(?:[,;.?]|and|but|also|plus) )+"
    r"(?=(?:how|whats?|when|where|why|which|who|do|does|did|is|are|was|were|can|could|will|would|should|has|have)"
    r"\s(?!not\b))"
)
_ASKING = re.compile(
    r"(?:(?:so|and|hi|hello|hey|please|ok|,) )*(?:how|whats?|why|when|where|do|does|did|is|are|was|were|can|could|will|"
    r"would|should|has|have)\s"
)
_COMPARED = re.compile(
    r"\b(?:\w{3,}er|more|less|worse|better|different(?:ly)?)\b(?:\s\S+)* (?:than|or)\b|"
    r"\b(?:compare|compared|versus|vs|difference|between (?:\S+ ){1,3}and)\b"
)

_QUALITY = re.compile(
    r"\b(?:(?:more|less) (?P<plain>[a-z]+)|(?P<ended>[a-z]+er|worse))\b"
    r"(?: (?P<thing>(?!course|class|one|than|or|in|for|to|with)[a-z]+))?"
    r"(?P<whom>(?: (?:for|to|with)(?: (?!(?:than|or|and|is|are)\b)[a-z0-9'-]+){1,4})?)"
)
_IRREGULAR = {"better": "good", "worse": "bad"}
_OF_TIMES = frozenset({"late", "early", "old", "new", "high", "low", "far"})
_SEVERAL = 2
_SET_BESIDE = re.compile(r"\b(?:compare[sd]?|comparison|versus|vs|side by side)\b")
_BY = re.compile(
    r"\b(?:on|in terms of|regarding|concerning|with regard to|when it comes to|mostly|mainly|especially|particularly|"
    r"as (?:to|for)|by)(?: (?:the|their|its))* "
)
_LISTED = re.compile(r"(?:\s(?:,|and|or)(?=\s)(?: (?:the|their|its)(?=\s))?)+")
_SENTENCE = re.compile(r"(?:^|(?<=[.!?;] ))[^.!?;]+")


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several things that are named are compared by, as a question to put to each, and the words that ask it."""

    question: str
    words: str


def comparison(board: Board, noun: str) -> Comparison | None:
    """What several things that are named are compared by: "is X <easier> than Y?"; None where they are not, or by
    what a column tells."""
    named = [m for m in board.mentions if m.label in ("name", "title") and isinstance(m.node, Condition)]
    if sum(len(m.node.values) for m in named if isinstance(m.node, Condition) and not m.node.negated) < _SEVERAL:
        return None
    for match in _QUALITY.finditer(board.norm):
        graded = _IRREGULAR.get(match["ended"] or "") or english.positive(match["ended"] or "")
        quality = graded or (match["plain"] if match["plain"] and english.describes(match["plain"]) else "")
        told = any(m.projection is not None for m in board.mentions if m.start < match.end() and m.stop > match.start())
        if not quality or quality in _OF_TIMES or told:
            continue
        thing = match["thing"] if match["thing"] and grammar.is_noun(grammar.tags((quality, match["thing"]))[1]) else ""
        sentence = next(s for s in _SENTENCE.finditer(board.norm) if s.start() <= match.start() < s.end())
        whom = "" if _named_in(board, *match.span("whom")) else match["whom"]
        has = f"does this {noun} have {english.with_article(f'{quality} {thing}')}{whom}?"
        return Comparison(has if thing else f"is this {noun} {quality}{whom}?", board.words(*sentence.span()))
    return None


def _named_in(board: Board, start: int, stop: int) -> bool:
    """Whether one of the things that are named stands in a stretch."""
    return any(m.label in ("name", "title") and m.start < stop and m.stop > start for m in board.mentions)


def set_beside(board: Board, nodes: tuple[Node, ...], profile: Profile, settled: set[str]) -> list[Projection] | None:
    """What is asked of each of several named things that are set beside each other, "mostly the wait and the broth":
    what the message names, or else what there is to tell; None where it sets nothing beside another. Conditions on the
    `settled` columns only say which things are meant."""
    compares = [match.end() for match in _SET_BESIDE.finditer(board.norm)]
    if not compares or profile.opinions is None:
        return None
    table, column = profile.opinions
    asked: list[Projection] = []
    for leaf in (leaf for node in nodes for leaf in leaves(node)):
        if isinstance(leaf, Asked):
            dish = len(leaf.columns) > 1  # that it is served is taken for granted
            question = f"what do guests say about the {leaf.words.lower()}?" if dish else leaf.question
            asked.append(Projection(table=leaf.table, column=leaf.columns[-1], question=question))
        elif f"{leaf.table}.{leaf.column}" not in settled:
            asked.append(Projection(table=leaf.table, column=leaf.column))
    named = [mention.stop for mention in board.mentions if mention.label == "name"]
    if (cue := _BY.search(board.norm, max([*compares, *named]))) is not None:
        stop = next((s.end() for s in _SENTENCE.finditer(board.norm) if s.start() <= cue.end() < s.end()), cue.end())
        topics = [topic.strip() for topic in _LISTED.split(board.norm[cue.end() : stop])]
        fresh = [topic for topic in topics if topic and not _told(board, topic, cue.end())]
        asked += [
            Projection(table=table, column=column, question=f"what do guests say about the {one}?") for one in fresh
        ]
    if asked or any(mention.projection for mention in board.mentions):
        return asked
    columns = [part for part in (profile.rating, profile.scale, profile.kinds) if part is not None]
    return [
        *(Projection(table=of, column=one) for of, one in columns),
        Projection(table=table, column=column, question=SUMMARY),
    ]


def _told(board: Board, words: str, after: int) -> bool:
    """Whether something was understood in words that stand after a place in the text."""
    start = board.norm.index(words, after)
    return bool(_understood(board, start, start + len(words)))


def unread(board: Board) -> list[str]:
    """The questions of a message that asks several, in which nothing was understood, in the user's words."""
    found = []
    for start, stop in _questions(board):
        inside = _understood(board, start, stop)
        words = [m.group() for m in re.compile(r"\S+").finditer(board.norm, start, stop) if not board.taken(m.start())]
        if all(m.label in ("name", "title") for m in inside) and (english.content(words) or "about" in words):
            found.append(board.words(start, stop).rstrip(" ?!.,;"))
    return found


def beside_columns(board: Board, message: str) -> str:
    """The message without those of its questions that a column answers: "when does it open and <is it loud?>"."""
    asked = list(_questions(board))
    told = [part for part in asked if _of_columns(_understood(board, *part))]
    rest = [board.words(*part).strip(" ?!.,;") for part in asked if part not in told]
    return f"{' and '.join(rest)}?" if told and rest else message


def question_with(board: Board, leaf: Asked | Condition) -> str:
    """That one of several questions of a message in which something was understood; empty where there is but one."""
    said = [m.start for m in board.mentions if m.node is not None and leaf in leaves(m.node)]
    parts = (part for part in _questions(board) if any(part[0] <= start < part[1] for start in said))
    return next((board.words(*part).strip(" ?!.,;") for part in parts), "")


def _of_columns(inside: Sequence[Mention]) -> bool:
    """Whether what was understood in a question is told by columns: asked for, or a time that it is open at."""
    timed = [m for m in inside if isinstance(m.node, Condition) and m.slot.endswith("opening_hours")]
    return any(m.kind == "projection" for m in inside) or (bool(timed) and len(timed) == len(inside))


def _questions(board: Board) -> Iterator[tuple[int, int]]:
    """Where the questions of a message that asks several begin and end."""
    begun = list(_ANOTHER.finditer(board.norm))
    starts = [match.end() for match in begun]
    stops = [match.start() for match in begun[1:]] + [len(board.norm)] * bool(begun)
    if begun and _ASKING.match(board.norm):
        starts, stops = [0, *starts], [begun[0].start(), *stops]
    yield from zip(starts, stops, strict=True)


def _understood(board: Board, start: int, stop: int) -> list[Mention]:
    """What was understood in a stretch of the text."""
    return [m for m in board.mentions if m.start < stop and m.stop > start and m.kind in ("node", "projection")]
