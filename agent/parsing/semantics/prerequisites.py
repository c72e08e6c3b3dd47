"""Courses that are called by their titles where a message says what has or has not to come first: "I have not taken
algorithms", "that do not list machine learning as a prerequisite"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from agent.parsing.frame import Condition
from agent.parsing.semantics import english
from agent.parsing.semantics.workspace import Board, Mention
from agent.text.frequencies import english_rank
from agent.text.letters import fold

_WORDS = 5  # of a title, as people say it
_COMMON = 600  # a word more frequent than this calls no course
_LEAD = re.compile(
    r"\b(?:(?:(?:have|has|had) (?:only |just |already |not |never |yet )*|not |never |i (?:only |just |already )*)"
    r"(?:taken|took|done|did|finished|completed|passed|had)|"
    r"without(?: having| first)*(?: taken| taking| doing| done)|having (?:only |just )?(?:taken|done|finished|passed)|"
    r"not (?:requir(?:e|ing)|need(?:ing)?|list(?:ing)?)|(?:that|which) (?:requires?|needs?|lists?)|requiring|"
    r"after (?:i |we )?(?:take|took|taking|finish|finishing|finished|complete|completing|pass|passing))"
    r"(?: (?:any|the|a|an|my|yet))* "
)
_DENIED = re.compile(r"\b(?:not|never|without)\b")
_LIKED = re.compile(r"\b(?:similar|loved|liked|enjoyed|hated|disliked|like (?:it|that|this))\b")
_AS = re.compile(
    r"(?: course| class)?(?P<said> (?:as|for) (?:an? |the |its )?(?:prerequisites?|requirements?)(?=\s|$))"
)
_CALLED_COURSE = re.compile(r" (?:course|class)(?=\s|$)")  # "the algorithms course"
_GOES_ON = re.compile(r" (?:, )?(?:and|or|nor|plus|,) (?:(?:the|a|an|my) )*")


class PriorCourses:
    """Conditions on the codes in `needs`, for titles in `called` ({title: code})."""

    def __init__(self, table: str, needs: str, called: Mapping[str, str], short: Mapping[str, str]) -> None:
        """`short` are other words for subjects: "ml" for machine learning."""
        self.table, self.needs = table, needs
        self._codes = {fold(title): code for title, code in called.items()}
        self._short = {other: fold(name) for other, name in short.items()}

    def __call__(self, board: Board) -> None:
        for lead in _LEAD.finditer(board.norm):
            at = first = self._after_codes(board, lead.end())
            if at == lead.end() and not board.free(*lead.span()):
                continue
            if _LIKED.search(board.norm) and not _DENIED.search(lead.group()):
                continue  # "I took machine learning and loved it, what is similar?"
            while (said := self._called(board, at)) is not None:
                stop, code = said
                after = _AS.match(board.norm, stop)
                if after is None and (course := _CALLED_COURSE.match(board.norm, stop)) is not None:
                    stop = course.end()
                node = Condition(table=self.table, column=self.needs, values=(code,), words=board.words(at, stop))
                slot, denied = f"{self.table}.{self.needs}", _DENIED.search(lead.group()) is not None
                board.add(Mention(at, stop, "node", slot, node, label="value", fixed=True, denied=denied))
                if after is not None:
                    board.claim(*after.span("said"))
                if at == lead.end():
                    board.claim(lead.start(), first)
                joined = _GOES_ON.match(board.norm, stop)
                if joined is None:
                    break
                at = joined.end()

    def _after_codes(self, board: Board, at: int) -> int:
        """Where a list goes on after the courses that it names by code: "I have done CS 101 and <statistics>"."""
        slot = f"{self.table}.{self.needs}"
        for mention in sorted(board.mentions, key=lambda one: one.start):
            joined = _GOES_ON.match(board.norm, mention.stop)
            if mention.start == at and joined is not None and mention.slot == slot:
                at = joined.end()
        return at

    def _called(self, board: Board, at: int) -> tuple[int, str] | None:
        """Where the longest title that begins at a position ends, and the code of the course."""
        words = board.norm[at:].split()[:_WORDS]
        for size in range(len(words), 0, -1):
            said, stop = " ".join(words[:size]), at + len(" ".join(words[:size]))
            if board.free(at, stop) and (code := self._code(said)):
                return stop, code
        return None

    def _code(self, said: str) -> str:
        """The one course that is called so, or whose title begins or is introduced so, or has these words in it."""
        said = self._short.get(said, said)
        if said in self._codes:
            return self._codes[said]
        words = said.split()
        plain = all(word in english.filler() | english.generic() for word in words)
        if plain or (len(words) == 1 and english_rank().get(said, 10**6) < _COMMON):
            return ""
        if words[0] in english.filler() or words[-1] in english.filler():
            return ""
        return next((codes[0] for codes in self._holding(said) if len(codes) == 1), "")

    def _holding(self, said: str) -> Iterator[list[str]]:
        words = re.escape(said)
        introduced = rf"(?:(?:introduction|intro) to |(?:\w+ and )?\w+ of (?={words}$))?{words}\b"
        for pattern in (rf"^{introduced}", rf"^(?!advanced ).* {words}$", rf"\b{words}\b"):
            yield [code for title, code in self._codes.items() if re.search(pattern, title)]
