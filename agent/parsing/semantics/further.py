"""What a message asks beside its first question: "..., and how are the grades decided?"; and what it compares."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent import grammar
from agent.parsing.frame import Condition, Node, Projection
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board, Mention
from agent.suql.catalogue import Table

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
    r"\b(?:compare|compared|versus|vs|difference)\b"
)

_QUALITY = re.compile(
    r"\b(?:(?:more|less) (?P<plain>[a-z]+)|(?P<ended>[a-z]+er|worse))\b"
    r"(?: (?P<thing>(?!course|class|one|than|or|in|for)[a-z]+))?"
)
_IRREGULAR = {"better": "good", "worse": "bad"}
_OF_TIMES = frozenset({"late", "early", "old", "new", "high", "low", "far"})
_SEVERAL = 2
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
        graded = _IRREGULAR.get(match["ended"] or "") or english.comparatives().get(match["ended"] or "", "")
        quality = graded or (match["plain"] if match["plain"] and english.describes(match["plain"]) else "")
        told = any(m.projection is not None for m in board.mentions if m.start < match.end() and m.stop > match.start())
        if not quality or quality in _OF_TIMES or told:
            continue
        thing = match["thing"] if match["thing"] and grammar.is_noun(grammar.tags((quality, match["thing"]))[1]) else ""
        sentence = next(s for s in _SENTENCE.finditer(board.norm) if s.start() <= match.start() < s.end())
        has = f"does this {noun} have {english.with_article(f'{quality} {thing}')}?"
        return Comparison(has if thing else f"is this {noun} {quality}?", board.words(*sentence.span()))
    return None


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
    told = [part for part in asked if any(m.kind == "projection" for m in _understood(board, *part))]
    rest = [board.words(*part).strip(" ?!.,;") for part in asked if part not in told]
    return f"{' and '.join(rest)}?" if told and rest else message


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


def side_by_side(
    board: Board, nodes: tuple[Node, ...], projections: Sequence[Projection], tables: Sequence[Table]
) -> tuple[tuple[Node, ...], list[Projection]]:
    """Conditions and projections where values of a column are compared: "harder in spring than in autumn".

    The column is then shown, so that the rows can be told apart; and where all that is asked is read from a table that
    has the column as well, its own is meant: how hard it was found in spring, not when it is held.
    """
    shown = list(projections)
    several = [n for n in nodes if isinstance(n, Condition) and n.op == "=" and len(n.values) > 1 and not n.negated]
    read = {projection.table for projection in shown if projection.question}
    named = next((table for table in tables if {table.name} == read), None)
    if _COMPARED.search(board.norm) is None or named is None:
        return nodes, shown
    moved: list[Node] = list(nodes)
    for node in several:
        if node.table == tables[0].name or named.column(node.column) is None:
            continue  # what the rows are about names itself
        moved[moved.index(node)] = node.model_copy(update={"table": named.name})
        shown.insert(0, Projection(table=named.name, column=node.column))
    return tuple(moved), shown
