"""What no recogniser claimed and still means something becomes a question to the free text.

A message is cut into clauses at punctuation; requests, courtesies, reasons and sentences about the user are dropped;
each clause is cut again (`pieces`) where something begins to be said of the thing searched for, and every piece is
handed to `wording` to become a well-formed question.
"""

from __future__ import annotations

import re

from agent.parsing.frame import Asked
from agent.parsing.semantics import english
from agent.parsing.semantics.board import Board, Mention
from agent.parsing.semantics.licensing import Licence
from agent.parsing.semantics.pieces import (
    EXCEPT,
    WHERE,
    WHICH,
    WHY,
    Piece,
    Word,
    clauses,
    pieces,
    skip,
    words_of,
)
from agent.parsing.semantics.soundness import sound
from agent.parsing.semantics.wording import Question, Wording

_WANTING = re.compile(
    r"\b(want|wants|need|needs|looking|like|likes|love|loves|prefer|prefers|craving|"
    r"crave|craves|insists?|must|avoid|avoiding|searching|require|requires|fancy|(?:hear|heard|"
    r"hearing|told|read|thinking|wondering) (?:(?:me|us) )?(?:about|of)|interested in)\b(?! you\b)"
)
_PLANNED = re.compile(r"thinking (?:of|about) (?!learning|studying|understanding|exploring|mastering)[a-z]+ing\b")
_WISHED = re.compile(
    r"(split|share|pay|bring|park|smoke|learn|study|understand|explore|practi[cs]e|master|watch|sit|hear|play|listen|dance|see|meet)\b"
)
_SPEAKER = re.compile(
    r"(?<= )(?=(?:(?:i|we) (?:really |just |now )*(?:am |are |have been )?(?:looking|searching|hoping|craving|in need|"
    r"want|need|would|fancy|feel like|avoid|avoiding|could)|(?:can|could) you|(?:is|are) there|what|where|which)\b)"
)

_TIMED = re.compile(r"(?:after|before|during|until) ")
_WHERE_SOMEBODY = re.compile(r"where (?:the \w+|they|staff|servers|waiters|chefs|nobody|no one|everyone|kids|dogs) ")
_MAKING = re.compile(r"(?:build|make|design|write|create|program|develop|train)\b")  # what is done in a course
_UNWANTED = re.compile(
    r"(?:^|\b(?:do|does|did|would|could|am|are|is|was) )not (?:really |actually |even )?(?!only|just|know)\w|"
    r"\bavoid(?:ing)?\b"
)


class Residue:
    """Puts what is left of a message as questions to a table's column of opinions."""

    def __init__(self, table: str, column: str, noun: str) -> None:
        self.table, self.column = table, column
        self.wording = Wording(noun)

    def __call__(self, board: Board) -> list[str]:
        """Adds the questions to the board; returns the content words that were dropped."""
        dropped: list[str] = []
        spans = list(clauses(board))
        licence = Licence(board, self.wording.noun, spans if self.wording.noun != "course" else [])
        for start, stop in spans:
            if licence.is_scene(start):
                dropped.extend(english.content([w.text for w in words_of(board, start, stop) if not w.claimed]))
            else:
                dropped.extend(self._clause(board, licence, start, stop))
        return dropped

    def _clause(self, board: Board, licence: Licence, start: int, stop: int) -> list[str]:
        start = skip(board, start, stop)
        first = start
        if (wished := self._after_scene(board, start, stop)) > start:
            return self._clause(board, licence, wished, stop)
        describing = _WHERE_SOMEBODY.match(board.norm, start, stop) is not None
        timed = _TIMED.match(board.norm, start, stop) is not None
        begun = None if describing or timed else english.request().match(board.norm, start, stop)
        doing = False
        if begun and begun.end() > start:
            start = skip(board, begun.end(), stop)
            # "I want to surprise my wife with ..." is what the user is up to; "I want to learn Rust" is what is wanted.
            doing = begun.group().endswith(" to") and not _WISHED.match(board.norm, start, stop)
        elif english.personal().match(board.norm, start, stop):
            wanting = next((m for m in _WANTING.finditer(board.norm, start, stop) if not board.taken(m.start())), None)
            if wanting is None and (reported := licence.reported_from(start, stop)):
                return self._clause(board, licence, reported, stop)
            if wanting is None:
                return english.content([w.text for w in words_of(board, start, stop) if not w.claimed])
            if _PLANNED.match(board.norm, wanting.start(), stop):
                return english.content([w.text for w in words_of(board, wanting.end(), stop) if not w.claimed])
            start = wanting.end()
            aim = re.compile(r" to (?!be |have )").match(board.norm, start, stop)
            if aim is not None and not _WISHED.match(board.norm, aim.end(), stop):
                start, doing = aim.end(), True
        acting = begun is not None and begun.group().endswith(" to") and not doing and self.wording.noun != "course"
        dropped: list[str] = []
        denied = bool(_UNWANTED.search(board.norm[first:start]))
        if not doing and not describing and not timed:
            start = licence.wish_from(start, stop)
        making = doing and self.wording.noun == "course" and _MAKING.match(board.norm, start, stop)
        for index, piece in enumerate(pieces(words_of(board, start, stop))):
            piece.denied = denied and index == 0
            if doing and index == 0:
                piece.marker = "making" if making else "since"
            elif acting and index == 0 and not piece.marker:
                piece.marker = "acting"
            dropped.extend(self._ask(board, piece))
        return dropped

    @staticmethod
    def _after_scene(board: Board, start: int, stop: int) -> int:
        """Where the wish begins that a clause of time or reason leads to: "after a long week <I want ...>"."""
        if board.norm[start:stop].split(" ", 1)[0] not in WHY:
            return start
        for subject in _SPEAKER.finditer(board.norm, start, stop):
            if subject.start() > start and not board.taken(subject.start()):
                return subject.start()
        return start

    def _ask(self, board: Board, piece: Piece) -> list[str]:
        """Adds a piece's question; returns its content words where it makes none."""
        said = english.content(piece.free)
        if not said:
            return []
        if piece.marker in WHY or _tells(piece) or _answers(piece, said):
            return said
        whole = piece.marker in WHICH | WHERE
        words = _until_other(piece.words) if whole else piece.words
        dishes = [word.mention for word in words if word.mention is not None and word.mention.label == "dish"]
        if whole and _only_leads(piece.words, words):
            return []
        if whole and english.content([w.text for w in words if not w.claimed]):
            question = self.wording.clause(piece.marker, [word.text for word in words])
            if dishes and piece.marker != "whose" and question.text:
                board.mentions[:] = [m for m in board.mentions if m is not dishes[0]]
            questions = [question]
        else:
            questions = self.wording.phrases(piece.marker, _runs(piece.words), self._before(board, piece))
        asked = [question for question in questions if question.text and sound(question.text)]
        for question in asked:
            self._put(board, piece, question, dishes)
        return [] if asked else said

    def _put(self, board: Board, piece: Piece, question: Question, dishes: list[Mention]) -> None:
        """Adds a piece's question, unless it says of a dish what that is then asked for."""
        if not question.negated and not piece.denied and self._narrowed(question.text, dishes):
            return
        if question.negated or piece.denied:  # "no raw fish" wants no fish
            board.mentions[:] = [m for m in board.mentions if m not in dishes or not self._implied(question.text, m)]
        without = piece.denied or piece.marker in EXCEPT | {"without"}
        self._add(board, piece, question.text, negated=question.negated != without)

    @staticmethod
    def _implied(question: str, dish: Mention) -> bool:
        """Whether who serves what is asked for serves the dish: raw fish is fish."""
        served = dish.node.question.rpartition(" serve ")[2] if isinstance(dish.node, Asked) else ""
        return bool(served) and " serve " in question and question.endswith(f" {served}")

    @staticmethod
    def _narrowed(question: str, dishes: list[Mention]) -> bool:
        """Whether the words name a dish more closely ("chocolate <croissants>"), which is then asked for instead."""
        for dish in dishes:
            node = dish.node
            if isinstance(node, Asked) and question != node.question:
                served = node.question.rpartition(" serve ")[2].rstrip("?")
                named = re.search(rf" serve (?:\S+ )*?(\S+) {re.escape(served)}\?", question)
                if named is not None and not english.describes(named[1]):
                    dish.node = node.model_copy(update={"question": question, "questions": {}})
                    return True
        return False

    def _add(self, board: Board, piece: Piece, text: str, *, negated: bool) -> None:
        free = [word for word in piece.words if not word.claimed]
        said = [word for word in free if english.content([word.text])] or free
        start, stop = said[0].start, free[-1].stop
        node = Asked(
            table=self.table,
            columns=(self.column,),
            question=text,
            expected="No" if negated else "Yes",
            unsure=True,
            words=board.words(start, stop),
        )
        board.add(Mention(start, stop, "node", f"{self.table}.{self.column}?", node, fixed=True, label="residue"))

    @staticmethod
    def _before(board: Board, piece: Piece) -> str:
        """The dish that stands right before a piece: what "crispy" describes in "falafel, crispy"."""
        start = piece.words[0].start
        near = [m for m in board.mentions if m.label == "dish" and 0 <= start - m.stop < 10]
        return board.norm[near[-1].start : near[-1].stop] if near else ""


def _tells(piece: Piece) -> bool:
    """Whether a piece tells of the speaker: "... and <I can't let it go>", "could I <trouble you> for ..."."""
    words = [word.text for word in piece.words]
    if words[:1] and words[0] in ("i", "he", "she"):
        return piece.marker not in WHERE | WHICH
    return piece.marker in ("", "acting", "since") and words[1:2] == ["you"] and not words[0].endswith("s")


def _answers(piece: Piece, said: list[str]) -> bool:
    """Whether a piece names what an answer is rather than a place: "proof", "a quick answer"."""
    return set(said) <= english.spoken() or (piece.marker == "" and piece.words[-1].text in english.spoken())


def _until_other(words: list[Word]) -> list[Word]:
    """The words of a clause up to something that has been understood otherwise: a place, a time, a price."""
    for index, word in enumerate(words):
        if word.claimed and (word.mention is None or word.mention.label not in ("dish", "kind")):
            return words[:index]
    return words


def _only_leads(words: list[Word], said: list[Word]) -> bool:
    """Whether what is `said` of a clause only leads to something understood: "they play <loud music>"."""
    following = words[len(said)].mention if len(said) < len(words) else None
    if following is None or following.label != "aspect":
        return False
    last = said[-1].text if said else ""
    return last in english.filler() or english.base(last) in english.verbs() | {"play"}


def _runs(words: list[Word]) -> list[str | Mention]:
    """The words of a piece, each claimed stretch as the mention that claimed it (once)."""
    runs: list[str | Mention] = []
    for word in words:
        if not word.claimed:
            runs.append(word.text)
        elif word.mention is not None and (not runs or runs[-1] is not word.mention):
            runs.append(word.mention)
    return runs
