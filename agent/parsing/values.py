"""The value memory: the distinct values that the columns of the corpora hold.

Whoever owns the data hands it over; the parser links words to values with it, and `agent.parsing.correction` puts the
literals of a query right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rapidfuzz import fuzz, process

from agent.parsing.semantics.lexing import fold


class ValueMemory:
    """Distinct values by "table.column". Immutable; build a new one when the data changes."""

    def __init__(self, values: Mapping[str, Sequence[str]]) -> None:
        self._values = {name: tuple(dict.fromkeys(v for v in listed if v)) for name, listed in values.items()}
        self._folded = {name: {fold(value): value for value in listed} for name, listed in self._values.items()}

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def of(self, table: str, column: str) -> tuple[str, ...]:
        """The values of a column; empty where nothing is remembered."""
        return self._values.get(f"{table}.{column}", ())

    def exact(self, table: str, column: str, words: str) -> str | None:
        """The value that the words spell, whatever their case, accents and hyphens."""
        return self._folded.get(f"{table}.{column}", {}).get(fold(words))

    def nearest(self, table: str, column: str, words: str, cutoff: float = 86) -> str | None:
        """The value that the words most nearly spell, or None where none comes within `cutoff` (0 to 100).

        A value is compared with its words in order and, for parts of long names, as a set of words.
        """
        folded = self._folded.get(f"{table}.{column}", {})
        if value := folded.get(fold(words)):
            return value
        for scorer, least in ((fuzz.ratio, cutoff), (fuzz.token_sort_ratio, cutoff)):
            found = process.extractOne(fold(words), folded.keys(), scorer=scorer, score_cutoff=least)
            if found:
                return folded[found[0]]
        return None
