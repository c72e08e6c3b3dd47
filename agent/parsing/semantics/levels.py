"""Levels of courses: by the hundred of their number ("200-level", "CS 300s") and in words ("upper-division")."""

from __future__ import annotations

import re

from agent.parsing.frame import Asked, Condition
from agent.parsing.semantics.profile import Profile
from agent.parsing.semantics.workspace import Board, Mention, compiled

_THING = r"(?:courses?|class(?:es)?|seminars?|lectures?|electives?|offerings?|ones?)"
_LEAD = r"(?:(?:at|the|a|an|in|of|on|is|are|from) )*"
_HUNDRED = compiled(
    rf"{_LEAD}(?:(?P<dept>[a-z]{{2,5}}) )?(?:(?P<other>[1-9])00(?: ?s| level)? (?:, )?(?:and|or|to|,) )?"
    r"(?P<hundred>[1-9])00(?: ?s| (?:level|series|range))(?P<up> (?:or|and) (?:above|higher|up|over|beyond))?"
)
_UPWARDS = r"(?:above|over|from|at least|starting at)"
_NO_MEASURE = r"(?! (?:students?|people|seats?|spots?|places?|ratings?|reviews?|responses?|enrol\w+|participants?)\b)"
_ABOVE = compiled(
    rf"{_LEAD}(?:(?P<dept>[a-z]{{2,5}}) )?"
    rf"(?:(?:numbered |(?<=courses )|(?<=classes )){_UPWARDS} (?P<above>[1-9])00(?: level)?{_NO_MEASURE}|"
    r"(?:numbered |with numbers? |(?:course )?numbers? )?(?:"
    rf"{_UPWARDS} (?P<from>[1-9])00(?= (?:level|numbers?|series)|$)|"
    r"(?P<hundred>[1-9])00(?: level)? (?:or|and) (?:above|higher|up|over|beyond))(?: level)?)"
)
_GROWN = r"(?:under)?grad(?:uate)?|doctoral|phd|masters|master's|advanced|intermediate"
_YOUNG = r"introductory|intro"
_DIVISION = r"(?:upper|lower) (?:division|div|level)"
_WORDS = compiled(
    rf"{_LEAD}(?:(?P<level>{_GROWN}|{_YOUNG}|introduction|entry|first year|beginners?) level|(?P<half>{_DIVISION}))"
    rf"(?: {_THING})?"
)
_OF_COURSES = compiled(
    rf"(?:an? |the )?(?P<level>{_GROWN}|{_YOUNG}) {_THING}(?! (?:to|on|in|about|into) )|"
    rf"(?:an? |the )?(?P<only>{_GROWN}) {_THING}"
)
_LONE = compiled(rf"(?:an? |the )?(?P<level>{_YOUNG}|introduction)(?: {_THING})?(?: (?:to|in|on))?(?= [a-z])")
_NAMES = {
    "grad": "graduate",
    "undergrad": "undergraduate",
    "doctoral": "PhD",
    "phd": "PhD",
    "masters": "master's",
    "intro": "introductory",
    "introduction": "introductory",
    "entry": "introductory",
    "first year": "introductory",
    "beginner": "introductory",
    "beginners": "introductory",
    "upper div": "upper division",
    "lower div": "lower division",
    "upper level": "advanced",
    "lower level": "introductory",
}
_HIGHEST = 9
_GRADUATE = 2  # the hundred from which numbers are those of courses for graduates as well


class LevelFinder:
    """Finds levels, in the numbers of a column of codes and in the column that describes the rows."""

    def __init__(self, profile: Profile, codes: str, known: tuple[str, ...], needs: str = "") -> None:
        """`codes` is the column of codes, `known` its values; `needs` that of the codes that come first."""
        self.profile, self.table, self.codes, self.needs = profile, profile.table.name, codes, needs
        self._departments = frozenset(code.split()[0].lower() for code in known)
        hundreds = {int(number[1]) for code in known if (number := re.search(r" (\d)\d\d", code))}
        self._top = max(hundreds, default=_HIGHEST)

    def __call__(self, board: Board) -> None:
        for pattern in (_HUNDRED, _ABOVE):
            for match in board.find(pattern):
                self._numbered(board, match)
        for pattern in (_WORDS, _OF_COURSES):
            for match in board.find(pattern):
                self._said(board, match)

    def introductions(self, board: Board) -> None:
        """What is called an introduction, where no subject was found that it leads into."""
        for match in board.find(_LONE):
            self._said(board, match)

    def _numbered(self, board: Board, match: re.Match[str]) -> None:
        said = match.groupdict()
        first = int(said.get("hundred") or said["above"] or said["from"])
        upwards = bool(said.get("up")) or "hundred" not in said or match.re is _ABOVE
        hundreds = list(range(first, max(self._top, first) + 1)) if upwards else [first]
        if said.get("other"):
            hundreds.insert(0, int(said["other"]))
        start, department = match.start(), said["dept"] or ""
        if department and department not in self._departments:
            start, department = match.start("dept") + len(department) + 1, ""
        patterns = tuple(f"{department.upper() or '%'} {hundred}__%" for hundred in hundreds)
        words = board.words(start, match.end())
        node = Condition(table=self.table, column=self.codes, op="like", values=patterns, words=words)
        board.add(Mention(start, match.end(), "node", f"{self.table}.level", node, label="level"))

    def _said(self, board: Board, match: re.Match[str]) -> None:
        if self.profile.subject is None:
            return
        table, column = self.profile.subject
        said = next(value for value in match.groupdict().values() if value)
        level = _NAMES.get(said, said)
        question = f"is this {self.profile.noun} at the {level} level?"
        words = board.words(*match.span())
        node = Asked(table=table, columns=(column,), question=question, words=words, also=self._known_by(level, words))
        board.add(Mention(*match.span(), "node", f"{table}.{column}?", node, label="level"))

    def _known_by(self, level: str, words: str) -> tuple[Condition, ...]:
        """What else tells a level: graduates' numbers, and that nothing has to come before an introduction."""
        if level == "graduate" and self._top > _GRADUATE:
            patterns = tuple(f"% {hundred}__%" for hundred in range(_GRADUATE, self._top + 1))
            return (Condition(table=self.table, column=self.codes, op="like", values=patterns, words=words),)
        if level == "introductory" and self.needs:
            return (Condition(table=self.table, column=self.needs, op="empty", words=words),)
        return ()
