"""A message cut into clauses, and a clause into pieces at the words that begin something new ("with", "where", "for").

Clauses end at punctuation; a piece holds what stands after its marker, and knows which of its words are already
understood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board, Mention
from agent.parsing.semantics.wording import TOUGH

_CLAUSE = re.compile(
    r"(?:^|(?<=\s))(?:[.,;:!?()]|thanks|thank you|lol|haha)(?=\s|$)|"
    r"(?<=\s)(?:and|but|so) (?=(?:i|we) (?:am|are|want|need|would|could|feel|fancy|crave)\b)"  # a speaker anew
)
_COURTESY = re.compile(r"thanks|thank you|lol|haha")
_LEAD = re.compile(
    r"\s+|(?:and|but|so|then|or|plus|also|because|well|now|yes|ideally|preferably|hopefully|with|oh)(?=\s)"
)
_WORD = re.compile(r"\S+")

EXCEPT = frozenset({"except", "excluding"})
_JOIN = frozenset({"and", "or", "but", "plus"})
WHY = frozenset(
    {"because", "since", "if", "as", "when", "while", "although", "though", "after", "before", "until", "than", "cause"}
)
HAVING = (
    frozenset({"with", "w", "has", "have", "having", "serving", "offering", "without", "featuring", "including"})
    | EXCEPT
)
WHICH = frozenset({"that", "which", "who"})
WHERE = frozenset({"where", "whose"})
_FOR = frozenset({"for", "to"})
_MARKERS = _JOIN | WHY | HAVING | WHICH | WHERE | _FOR | {"so"}

_FINITE = frozenset({"is", "are", "was", "were", "has", "have", "does", "do"})
_SOMEBODY = frozenset({"you", "we", "i", "they", "people", "guests", "students"})
_INTRODUCTION = frozenset({"intro", "introduction"})
_NEEDING = frozenset({"space", "room", "menu", "seats", "area", "willing", "able", "happy", "deals", "discount"})

# After which markers a piece ends at which others.
_ENDS: dict[str, frozenset[str]] = {
    **dict.fromkeys(HAVING, _JOIN | WHY | WHERE | {"so"}),
    **dict.fromkeys(WHICH, _JOIN | WHY | {"so"}),
    **dict.fromkeys(WHERE, frozenset({"but", "plus", "because", "since", "so", "if"})),
    **dict.fromkeys(_FOR, (_JOIN | WHY | WHICH | WHERE | HAVING | {"so"}) - {"or"}),
    **dict.fromkeys(WHY, frozenset({"but", "so"})),
}


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a clause; `mention` is what claimed it, if that is something a question may be about."""

    text: str
    start: int
    stop: int
    claimed: bool
    mention: Mention | None = None


@dataclass(slots=True)
class Piece:
    """The words after a marker ("with"; "" at the beginning of a clause)."""

    marker: str
    words: list[Word]
    denied: bool = False  # what was said before it denies it: "I don't want ..."

    @property
    def free(self) -> list[str]:
        return [word.text for word in self.words if not word.claimed]


def clauses(board: Board) -> Iterator[tuple[int, int]]:
    """Where each clause of a message begins and ends."""
    start = 0
    for match in _CLAUSE.finditer(board.norm):
        if not board.taken(match.start()) or _COURTESY.fullmatch(match.group()):
            yield start, match.start()
            start = match.end()
    yield start, len(board.norm)


def skip(board: Board, start: int, stop: int) -> int:
    """Past spaces, conjunctions and claimed courtesies at the beginning of a clause."""
    while start < stop:
        match = _LEAD.match(board.norm, start, stop)
        if match is not None and match.end() > start and (match.group().strip() != "with"):
            start = match.end()
            continue
        if board.taken(start) and not any(m.start <= start < m.stop for m in board.mentions):
            start += 1
            continue
        break
    return start


def words_of(board: Board, start: int, stop: int) -> list[Word]:
    """The words of a clause."""
    found: list[Word] = []
    for match in _WORD.finditer(board.norm, start, stop):
        mention = next((m for m in board.mentions if m.start <= match.start() < m.stop), None)
        found.append(Word(match.group(), *match.span(), claimed=board.taken(match.start()), mention=mention))
    return found


def pieces(words: list[Word]) -> Iterator[Piece]:
    """A clause cut at the words that begin something new."""
    piece = Piece("", [])
    for index, word in enumerate(words):
        if _begins_clause(words, index) and piece.words[-1:] and piece.words[-1].text in english.generic():
            yield piece  # "somewhere you can talk"
            piece = Piece("where", [word])
        elif not word.claimed and word.text == "and" and _another_clause(piece, words[index + 1 : index + 4]):
            yield piece
            piece = Piece("" if words[index + 1].text in _MARKERS else piece.marker, [])
        elif not word.claimed and word.text in _MARKERS and _ends(piece, word.text, words[index + 1 : index + 2]):
            yield piece
            piece = Piece(_carried(piece.marker, word.text, words[index + 1 : index + 2]), [])
        elif word.text == "to" and _purpose(piece):
            yield piece
            piece = Piece("since", [])
        else:
            piece.words.append(word)
    yield piece


def _begins_clause(words: list[Word], index: int) -> bool:
    """Whether a clause begins with its subject: "you can talk", "the staff explain the dishes"."""
    word = words[index]
    following = words[index + 1].text if index + 1 < len(words) else ""
    somebody = word.text in _SOMEBODY or (word.text == "the" and following in english.subjects())
    return somebody and not word.claimed


def _another_clause(piece: Piece, following: list[Word]) -> bool:
    """Whether a second clause follows a whole one: "where <the sauces are rich> and the rice is fluffy"."""
    if piece.marker not in WHERE or not any(word.text in _FINITE for word in piece.words[1:]):
        return False
    return any(word.text in _FINITE for word in following[1:]) and not following[0].claimed


def _purpose(piece: Piece) -> bool:
    """Whether "to" says what something understood is for: "with a <fireplace> to warm up"."""
    return piece.marker in HAVING and bool(piece.words) and piece.words[-1].mention is not None


def _predicated(following: list[Word]) -> bool:
    """Whether a verb follows that says something of what stands before "that"."""
    word = following[0].text if following else ""
    acting = word.endswith("s") and english.base(word) in english.verbs()
    return acting or word in ("is", "are", "has", "have", "do", "does", "can", "will", "was")


def _ends(piece: Piece, marker: str, following: list[Word]) -> bool:
    """Whether a marker ends the piece before it."""
    if piece.marker in WHICH | WHERE and piece.words[-1:] and piece.words[-1].mention is not None and marker in _JOIN:
        return True  # after something understood, another clause begins: "where the portions are huge and ..."
    if marker == "for" and piece.words and piece.words[-1].mention is not None and not english.content(piece.free):
        return True  # "without <heavy math> for designers"
    if marker in ("that", "which") and piece.marker == "" and _predicated(following):
        return not (piece.free and piece.free[-1] in english.subjects())
    if piece.marker in HAVING | {""} and any(word in WHICH for word in piece.free):
        return marker in _JOIN | WHY  # inside "staff who ..."
    if marker in WHICH and piece.marker in HAVING | {""}:
        return not english.content(piece.free) and not any(word in english.subjects() for word in piece.free)
    inside = piece.marker in WHICH | WHERE and following
    if marker == "if" and inside and following[0].text in _SOMEBODY - {"we", "i"}:
        return False  # "that holds your table if you run late"
    if marker == "to" and piece.marker == "" and piece.free[-1:] and piece.free[-1] in TOUGH:
        return False
    if marker in _FOR and piece.marker == "" and piece.free[-1:] and piece.free[-1] in _NEEDING | _INTRODUCTION:
        return False  # "space for strollers", "willing to ...": part of what is said
    return marker in _ENDS.get(piece.marker, _MARKERS)


def _carried(before: str, marker: str, following: list[Word]) -> str:
    """What a joining word carries on: "with a patio and heaters", "that is quiet and has parking"."""
    if marker not in _JOIN:
        return marker
    next_word = following[0].text if following else ""
    if before in WHERE and not (following and following[0].claimed):
        return before
    if before in WHICH and (next_word in ("is", "are", "has", "have", "does") or next_word.endswith("s")):
        return before
    return before if before in HAVING else ""
