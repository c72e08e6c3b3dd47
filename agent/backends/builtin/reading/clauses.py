"""A clause as a row of words, the signs it may show, and the numbers of people it tells.

A sign is a set of groups of words; a clause shows it when it has one of every group, in whatever order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.text.english import NUMBERS
from agent.text.words import Token, tokens, word_set

Stems = tuple[str, ...]
Group = frozenset[Stems]  # words or phrases of which one must be there
MANY = 7  # people from whom on a company is a group
MANY_MARK = "#"  # what stands in a sign, and for a word, where it is such a number
_JOINING = word_set("and but so or while though although yet")
_LACKING = word_set("no without zero")  # these deny the thing that follows, not what is said of the one before
_MARKS = frozenset({MANY_MARK, "$"})
_NO_PEOPLE_AFTER = word_set("at past until till by since after before half $")
_NO_PEOPLE_BEFORE = word_set(
    "am pm a.m p.m o'clock minut min hour dollar buck cent percent year dai week month block mile slot"
)


@dataclass(frozen=True, slots=True)
class Sign:
    """A clause that has one of every group in `there`, in any order, and none of `absent`."""

    there: tuple[Group, ...]
    absent: Group = frozenset()


def read_signs(text: str) -> tuple[Sign, ...]:
    """One sign a line: "dog + sleeps, lies - hot dog" has one of the first words, one of the second, none of the last.

    A clause that has none of the first words does not speak of the aspect, so the most telling ones are the first.
    """
    lines = [line.partition(" - ") for line in text.strip().splitlines() if line.strip()]
    return tuple(
        Sign(tuple(read_group(part) for part in there.split("+")), read_group(absent)) for there, _, absent in lines
    )


def read_group(text: str) -> Group:
    """Words and phrases of which one must be there, written with commas between."""
    parts = [part.strip() for part in text.split(",")]
    return frozenset(_with_marks(part.split()) for part in parts if part)


def _with_marks(words: list[str]) -> Stems:
    return tuple(one for word in words for one in ((word,) if word in _MARKS else stems(word)))


def stems(text: str) -> Stems:
    """Return the stems of the words of a text, marks left out."""
    return tuple(token.stem for token in tokens(text) if token.stem[:1].isalnum())


def find(row: list[str], phrase: Stems) -> int | None:
    """Return the first place of `phrase` in `row`."""
    size = len(phrase)
    for place in range(len(row) - size + 1):
        if tuple(row[place : place + size]) == phrase:
            return place
    return None


@dataclass(frozen=True, slots=True)
class Clause:
    """The words of a clause, and their stems with a mark for each number of people that makes a group."""

    words: tuple[Token, ...]
    row: list[str]
    begins: tuple[int, ...]  # the words that begin another clause: after a comma, "and" or the like

    def meets(self, sign: Sign) -> list[tuple[int, Stems]]:
        """Where each group of a sign stands, with what stands there; empty where the clause does not show the sign."""
        met = []
        for group in sign.there:
            found = self.first(group)
            if found is None:
                return []
            met.append(found)
        return [] if self.first(sign.absent) else met

    def first(self, group: Group) -> tuple[int, Stems] | None:
        """Return the first place where one of the group stands, with what stands there."""
        index = _by_first_word(group)
        for place, word in enumerate(self.row):
            found = [one for one in index.get(word, ()) if tuple(self.row[place : place + len(one)]) == one]
            if found:
                return place, min(found)
        return None

    def denies(self, met: list[tuple[int, Stems]]) -> bool:
        """Whether a negation turns it round: one that is not part of the words met ("without raising our voices")."""
        if any(has_negation(phrase) for _, phrase in met):
            return False
        return any(self.words[place].negated and not self._lacks_else(met[0][0], place) for place, _ in met)

    def _lacks_else(self, first: int, place: int) -> bool:
        """Whether the word at `place` is lacking in a clause of its own: "an exam, and <no office hours>"."""
        start = max((begin for begin in self.begins if first < begin <= place), default=place)
        said = [word.text.lower() for word in self.words[start:place]]
        return bool(_LACKING & set(said)) and not any(has_negation((word,)) for word in said if word not in _LACKING)


@lru_cache(maxsize=20_000)
def read_clause(text: str) -> Clause:
    """Return the clause in words: marks are left out but for the sign of money."""
    plain = tuple(token for token in tokens(text) if token.stem[:1].isalnum() or token.text == "$")
    begins = tuple(
        place
        for place in range(1, len(plain))
        if plain[place].text.lower() in _JOINING and "," in text[plain[place - 1].stop : plain[place].start]
    )
    return Clause(plain, [_as_counted(plain, place) for place in range(len(plain))], begins)


@lru_cache(maxsize=4_096)
def _by_first_word(group: Group) -> dict[str, list[Stems]]:
    index: dict[str, list[Stems]] = {}
    for phrase in group:
        index.setdefault(phrase[0], []).append(phrase)
    return index


def headcounts(text: str) -> list[int]:
    """Return the numbers of people, from two on, that a clause tells."""
    words = read_clause(text).words
    return [value for place in range(len(words)) if (value := _people(words, place)) > 1]


def _as_counted(plain: Sequence[Token], place: int) -> str:
    """The stem of a token, or the mark of a number of people that make a group; a price or a time is no such number."""
    return MANY_MARK if _people(plain, place) >= MANY else plain[place].stem


def _people(plain: Sequence[Token], place: int) -> int:
    """The number of people told from this token on; 0 if it is no number, or one of something else."""
    value = _number(plain, place)
    if not value or value >= 400:
        return 0
    before = plain[place - 1].stem if place else ""
    tens = place + 1 < len(plain) and 20 <= value < 100 and value % 10 == 0 and 0 < _number(plain, place + 1) < 10
    value += _number(plain, place + 1) if tens else 0
    after = [token.stem for token in plain[place + 1 + tens : place + 2 + tens]]
    if before in _NO_PEOPLE_AFTER or (after and (after[0] in _NO_PEOPLE_BEFORE or _number(plain, place + 1 + tens))):
        return 0
    return 0 if place and _number(plain, place - 1) else value


def _number(plain: Sequence[Token], place: int) -> int:
    return as_number(plain[place].text.lower()) if place < len(plain) else 0


def as_number(word: str) -> int:
    """Return the whole number that one word writes, in figures or letters, or 0."""
    if word.isdigit():
        return int(word)
    return 12 if word == "dozen" else 100 if word == "hundred" else int(NUMBERS.get(word, 0))


def has_negation(phrase: Stems) -> bool:
    """Does it deny by itself?"""
    return any(word in {"no", "not", "never", "without", "nothing"} or word.endswith("n't") for word in phrase)
