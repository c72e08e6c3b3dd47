"""The value memory: the distinct values that the columns of the corpora hold.

Whoever owns the data hands it over; the parser links words to values with it, and `agent.suql.correction` puts the
literals of a query right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rapidfuzz import fuzz, process

from agent.text.letters import fold

_PART = 4  # letters of a word that may stand for the name that it is part of
_CODE = 8  # letters beside digits up to which a value is a code ("MATH 53"), not a name with a number in it


class ValueMemory:
    """Distinct values by "table.column". Immutable; build a new one when the data changes."""

    def __init__(
        self,
        values: Mapping[str, Sequence[str]],
        entities: Mapping[str, Mapping[str, str]] | None = None,
        spoken: Mapping[str, Sequence[str]] | None = None,
        times: Mapping[str, tuple[str, str]] | None = None,
    ) -> None:
        """`entities` are what titles name, by table: "CS 215" is the course called "Compilers"; `spoken` are the words
        that the texts of a table say; `times` the earliest and the latest time of day in a column, as HH:MM."""
        self._times = times or {}
        self._entities = entities or {}
        self._spoken = spoken or {}
        self._values = {name: tuple(dict.fromkeys(v for v in listed if v)) for name, listed in values.items()}
        self._folded = {name: {fold(value): value for value in listed} for name, listed in self._values.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def of(self, table: str, column: str) -> tuple[str, ...]:
        """The values of a column; empty where nothing is remembered."""
        return self._values.get(f"{table}.{column}", ())

    def times(self, table: str, column: str) -> tuple[str, str] | None:
        """The earliest and the latest time of day in a column; None where they are not known."""
        return self._times.get(f"{table}.{column}")

    def entities(self, table: str) -> Mapping[str, str]:
        """The entity of each title of a table; empty where nothing is remembered."""
        return self._entities.get(table, {})

    def spoken(self, table: str) -> tuple[str, ...]:
        """The words that the texts of a table say; empty where they are not remembered."""
        return tuple(self._spoken.get(table, ()))

    def exact(self, table: str, column: str, words: str) -> str | None:
        """The value that the words spell, whatever their case, accents and hyphens."""
        return self._folded.get(f"{table}.{column}", {}).get(fold(words))

    def of_part(self, table: str, column: str, words: str, cutoff: float = 86) -> str | None:
        """The one value that has all these words ("Lund" of "Ingrid Lund"); None where several have, or none."""
        said = fold(words).split()
        if _numerals(" ".join(said)) or not any(len(word) >= _PART for word in said):
            return None
        having = [
            v for key, v in self._folded.get(f"{table}.{column}", {}).items() if _are_among(said, key.split(), cutoff)
        ]
        return having[0] if len(having) == 1 else None

    def nearest(self, table: str, column: str, words: str, cutoff: float = 86) -> str | None:
        """The value that the words most nearly spell, or None where none comes within `cutoff` (0 to 100).

        A value is compared with its words in order and, for parts of long names, as a set of words. Digits are never
        misspelt: "CS 161" is another course than "CS 11", and a code of few letters is right or unknown.
        """
        folded = self._folded.get(f"{table}.{column}", {})
        said = fold(words)
        if value := folded.get(said):
            return value
        candidates = list(folded)
        if numerals := _numerals(said):
            joined = said.replace(" ", "")
            if value := next((folded[key] for key in folded if key.replace(" ", "") == joined), None):
                return value
            if sum(letter.isalpha() for letter in said) <= _CODE:
                return None
            candidates = [key for key in folded if _numerals(key) == numerals]
        for scorer, least in ((fuzz.ratio, cutoff), (fuzz.token_sort_ratio, cutoff)):
            found = process.extractOne(said, candidates, scorer=scorer, score_cutoff=least)
            if found:
                return folded[found[0]]
        return None


def _are_among(said: list[str], words: list[str], cutoff: float) -> bool:
    """Whether each word that was said is one of some words; the longer ones may be misspelt."""
    return all(
        any(one == word or (len(one) >= _PART and fuzz.ratio(one, word) >= cutoff) for word in words) for one in said
    )


def _numerals(words: str) -> list[str]:
    """The words with digits in them."""
    return [word for word in words.split() if any(letter.isdigit() for letter in word)]
