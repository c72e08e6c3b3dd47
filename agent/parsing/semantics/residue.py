"""What no recogniser claimed and still means something becomes a question to the free text.

A message is cut into clauses at punctuation; requests, courtesies and sentences about the user are dropped; each
clause is cut again where something begins to be said of the thing searched for ("with ...", "where ...", "that ...",
"for ..."), and every piece is put as a well-formed question: "does this restaurant have belly dancing?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from agent.parsing.frame import Asked
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board, Mention

_CLAUSE = re.compile(r"(?:^|(?<=\s))[.,;:!?()](?=\s|$)")
_MARKERS = (
    "with", "w", "that", "which", "who", "where", "whose", "for", "to", "and", "but", "plus", "or", "has", "have", "having", "serving", "offering", "when", "because", "so", "since", "if", "without", "while", "as",
)  # fmt: skip
_SPLIT = re.compile(
    rf"(?:^|(?<=\s))({'|'.join(_MARKERS)}|known for|famous for|reviewers (?:call|say|describe as|mention))(?=\s|$)"
)
_OBJECT = "\u2060"  # stands for a claimed stretch inside a clause
_WANTING = re.compile(
    r"\b(want|wants|need|needs|looking|like|love|loves|prefer|prefers|craving|crave|craves|insists?|must|searching|require)\b"
)


@dataclass(slots=True)
class Piece:
    """A stretch of a clause after a marker ("with", "" at the beginning)."""

    marker: str
    start: int
    stop: int
    negated: bool = False


class Residue:
    """Puts what is left of a message as questions to a table's column of opinions."""

    def __init__(self, table: str, column: str, noun: str) -> None:
        self.table, self.column, self.noun = table, column, noun

    def __call__(self, board: Board) -> list[str]:
        """Adds the questions to the board; returns the content words that were dropped."""
        for pattern in english.noise():
            for match in board.find(pattern):
                board.claim(*match.span())
        dropped: list[str] = []
        for start, stop in self._clauses(board):
            dropped.extend(self._clause(board, start, stop))
        return dropped

    def _clauses(self, board: Board) -> Iterator[tuple[int, int]]:
        start = 0
        for match in _CLAUSE.finditer(board.norm):
            if not board.taken(match.start()):
                yield start, match.start()
                start = match.end()
        yield start, len(board.norm)

    def _clause(self, board: Board, start: int, stop: int) -> list[str]:
        start = self._trim(board, start, stop)
        begun = english.request().match(board.norm, start, stop)
        if begun and begun.end() > start:
            start = self._trim(board, begun.end(), stop)
        elif english.personal().match(board.norm, start, stop):
            wanting = next((m for m in _WANTING.finditer(board.norm, start, stop) if not board.taken(m.start())), None)
            if wanting is None:
                return english.content(self._free(board, start, stop))
            start = wanting.end()
        return [word for piece in self._pieces(board, start, stop) for word in self._ask(board, piece)]

    def _trim(self, board: Board, start: int, stop: int) -> int:
        """Past leading spaces, claimed courtesies and conjunctions."""
        while start < stop:
            match = re.compile(r"\s+|(?:and|but|so|then|or|plus|also|because|well|now|yes|no worries)(?=\s)").match(
                board.norm, start, stop
            )
            if match is None or match.end() == start:
                break
            start = match.end()
        return start

    def _pieces(self, board: Board, start: int, stop: int) -> Iterator[Piece]:
        marker, begin = "", start
        for match in _SPLIT.finditer(board.norm, start, stop):
            if board.taken(match.start()) and board.taken(match.end() - 1):
                continue
            yield Piece(marker, begin, match.start())
            word = match.group(1)
            carried = (
                marker
                if word in ("and", "or", "plus") and marker in ("with", "has", "have", "serving", "that")
                else word
            )
            marker, begin = carried, match.end()
        yield Piece(marker, begin, stop)

    def _free(self, board: Board, start: int, stop: int) -> list[str]:
        """The words of a stretch, claimed ones as one placeholder each run."""
        words: list[str] = []
        for match in re.compile(r"\S+").finditer(board.norm, start, stop):
            if board.taken(match.start()):
                if words[-1:] != [_OBJECT]:
                    words.append(_OBJECT)
            else:
                words.append(match.group())
        return words

    def _ask(self, board: Board, piece: Piece) -> list[str]:
        words = self._free(board, piece.start, piece.stop)
        said = english.content(words)
        if not said:
            return []
        question, negated = self.question(piece.marker, words, self._object(board, piece))
        if not question:
            return said
        if piece.marker == "without":
            negated = not negated
        start, stop = self._extent(board, piece)
        node = Asked(
            table=self.table,
            columns=(self.column,),
            question=question,
            expected="No" if negated else "Yes",
            words=board.words(start, stop),
        )
        board.add(Mention(start, stop, "node", f"{self.table}.{self.column}?", node, fixed=True, label="residue"))
        return []

    def _extent(self, board: Board, piece: Piece) -> tuple[int, int]:
        """Where the free words of a piece begin and end."""
        spans = [
            m.span()
            for m in re.compile(r"\S+").finditer(board.norm, piece.start, piece.stop)
            if not board.taken(m.start())
        ]
        return spans[0][0], spans[-1][1]

    def _object(self, board: Board, piece: Piece) -> tuple[str, str]:
        """The label and words of the claimed stretch next to a piece: what its words may describe."""
        inside = [m for m in board.mentions if piece.start <= m.start < piece.stop and m.label in ("dish", "kind")]
        if inside:
            return inside[0].label, board.norm[inside[0].start : inside[0].stop]
        before = [
            m for m in board.mentions if m.stop <= piece.start and m.label == "dish" and piece.start - m.stop < 12
        ]
        return ("before", board.norm[before[-1].start : before[-1].stop]) if before else ("", "")

    # -- wording -----------------------------------------------------------------------------------------------------

    def question(self, marker: str, words: list[str], near: tuple[str, str] = ("", "")) -> tuple[str, bool]:
        """The question for a piece, and whether it is negated; empty where it asks for nothing."""
        label, thing = near
        words, negated = self._unnegated([word for word in words if word not in ("please", "thanks")])
        if _OBJECT in words:
            return self._described(words, thing, negated) if label == "dish" else self._around(marker, words, negated)
        words = self._bare(words)
        if not words:
            return "", negated
        if (
            label == "before"
            and marker in ("that", "which", "")
            and (words[0] in ("is", "are") or english.describes(words[-1]))
        ):
            plain = words[1:] if words[0] in ("is", "are") else words
            return f"is the {thing} {' '.join(plain)}?", negated
        return self._worded(marker, words), negated

    def _described(self, words: list[str], thing: str, negated: bool) -> tuple[str, bool]:
        """Adjectives of a dish: "smoky brisket"."""
        at = words.index(_OBJECT)
        before = [word for word in words[:at] if word not in english.filler() and word not in english.generic()]
        after = self._bare(words[at + 1 :])
        if before:
            return f"does this {self.noun} serve {' '.join(before)} {thing}?", negated
        if english.content(after):
            tail = after[1:] if after[0] in ("is", "are") else after
            return f"is the {thing} {' '.join(tail)}?", negated
        return "", negated

    def _around(self, marker: str, words: list[str], negated: bool) -> tuple[str, bool]:
        """Words on either side of something already understood: each side is a piece of its own."""
        at = words.index(_OBJECT)
        sides = [self._bare([w for w in side if w != _OBJECT]) for side in (words[:at], words[at + 1 :])]
        for index, side in enumerate(sides):
            if english.content(side):
                return self._worded(marker if index == 0 else "", side), negated
        return "", negated

    @staticmethod
    def _unnegated(words: list[str]) -> tuple[list[str], bool]:
        for index, word in enumerate(words[:4]):
            if word in ("not", "no", "never", "without", "nothing"):
                return words[:index] + words[index + 1 :], True
        return words, False

    @staticmethod
    def _bare(words: list[str]) -> list[str]:
        """Without the filler at either end."""
        keep = {"is", "are", "has", "have", "can", "you", "they", "good", "great", "does", "do"}
        ends = english.filler() | english.generic()
        while words and words[0] in ends - keep:
            words = words[1:]
        while words and words[-1] in ends:
            words = words[:-1]
        return words

    def _worded(self, marker: str, words: list[str]) -> str:
        head, rest = words[0], words[1:]
        said = " ".join(words)
        if not english.content(words):
            return ""
        if marker in ("where", "so", "when", "because", "if"):
            return self._clause_question(words)
        if marker == "whose":
            return self._clause_question(["the", *words])
        if marker in ("that", "which", "who"):
            return self._verb_phrase(words)
        if head in ("good", "great") and rest[:1] == ["for"]:
            return f"is this {self.noun} {said}?"
        if marker == "for":
            return f"is this {self.noun} good for {said}?"
        if marker == "to":
            return f"is this {self.noun} a good place to {said}?" if len(words) > 1 else ""
        if head in ("is", "are"):
            return f"is this {self.noun} {' '.join(rest)}?" if rest else ""
        if head in ("has", "have"):
            return f"does this {self.noun} have {' '.join(rest)}?" if rest else ""
        if len(words) > 2 and words[1] in ("is", "are"):
            return self._clause_question(words)
        if marker in ("with", "w", "has", "have", "having", "offering", "without", "plus"):
            return f"does this {self.noun} have {said}?"
        if english.describes(words[-1]) and len(words) <= 3:
            return f"is this {self.noun} {said}?"
        return f"does this {self.noun} have {said}?"

    def _verb_phrase(self, words: list[str]) -> str:
        head, rest = words[0], " ".join(words[1:])
        if head in ("is", "are", "was"):
            return f"is this {self.noun} {rest}?" if rest else ""
        if head in ("has", "have"):
            return f"does this {self.noun} have {rest}?" if rest else ""
        if head in ("can", "will", "would", "could"):
            return f"can this {self.noun} {rest}?" if rest else ""
        if head in ("you", "i", "we", "they", "people", "the"):
            return self._clause_question(words)
        if head.endswith("s") or (rest and not english.describes(head)):
            return f"does this {self.noun} {english.base(head)}{' ' + rest if rest else ''}?"
        return f"is this {self.noun} {' '.join(words)}?"

    def _clause_question(self, words: list[str]) -> str:
        """A clause with a subject, as a question about the thing searched for."""
        head, rest = words[0], words[1:]
        if head in ("you", "i", "we", "one", "guests", "people"):
            if rest[:1] and rest[0] in ("can", "could", "may"):
                return f"can guests {' '.join(rest[1:])} at this {self.noun}?" if rest[1:] else ""
            return f"can guests {' '.join(rest)} at this {self.noun}?" if rest else ""
        if head in ("they", "staff") and rest:
            if rest[0] in ("are", "can", "will"):
                return f"{rest[0]} they {' '.join(rest[1:])} at this {self.noun}?"
            return f"do they {' '.join(rest)} at this {self.noun}?"
        for verb in ("is", "are", "can", "will"):
            if verb in words[1:4]:
                at = words.index(verb)
                subject = words[:at] if words[0] in ("the", "there", "all") else ["the", *words[:at]]
                return f"{verb} {' '.join(subject)} {' '.join(words[at + 1 :])} at this {self.noun}?"
        if head in ("has", "have"):
            return f"does this {self.noun} have {' '.join(rest)}?"
        return f"does this {self.noun} have {' '.join(words)}?"
