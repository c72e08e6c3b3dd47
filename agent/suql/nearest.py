"""Which rows are nearest to words, found for all rows at once: passage by passage, or by the indexes of the passages.

The score of a row is that of its best passage: cosine similarity, plus a share for the words that it says. One
statement scores the passages of all rows that the cheap conditions leave. Where those are too many, the passages
nearest in meaning come from the HNSW index, in their order, and those that say rarer words, or several words together,
from the text index. No passage outside of both can score above a bound, as in the threshold algorithm (Fagin, Lotem
and Naor 2003): the rows above it are the nearest ones. Where they are too few, more is fetched, and at last all is
scored. What stays approximate is the HNSW index itself, which may miss a passage that is near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from agent.suql.database import Untyped
from agent.suql.tree import literal, quoted

if TYPE_CHECKING:
    from agent.suql.database import Database
    from agent.suql.passages import Words
    from agent.suql.statements import Statement

WORDS_SHARE = 0.5  # what saying all of the words is worth beside the similarity
SCORED = 50_000  # passages that are scored one by one; of more, the indexes say which are near
LEAST = 200  # passages taken from the index of meaning, at least
FURTHEST = 20_000  # passages taken from the index of meaning, at most
SAID = 20_000  # passages that are expected to say some words, for the text index to fetch them, at most
COMBINED = 6  # words that are looked for in combinations, the weightiest ones
MORE = 4  # times as many passages are fetched where those fetched are too few


@dataclass(frozen=True, slots=True)
class Target:
    """Words to be near to, among the passages of one column. `passages` is their table, `vectors` pgvector's schema."""

    passages: str
    vectors: str
    table: str
    column: str
    words: Words
    vector: str  # "" if there is no embedder

    @property
    def here(self) -> str:
        """The condition that a passage `p` is one of the column's."""
        return f"p.owner_table = {literal(self.table)} AND p.column_name = {literal(self.column)}"

    def distance(self, statement: Statement) -> str:
        """Return the cosine distance of a passage `p`, written as the index knows it."""
        schema = quoted(self.vectors)
        return f"p.embedding OPERATOR({schema}.<=>) {statement.shared(self.vector)}::text::{schema}.halfvec"

    def score(self, statement: Statement) -> str:
        """Return the score of a passage `p`."""
        terms = [
            f"{WORDS_SHARE * weight:.4f} * (p.search @@ {statement.shared(word)}::text::tsquery)::int"
            for word, weight in self.words.weights.items()
        ]
        if self.vector:
            terms.append(f"1 - ({self.distance(statement)})")
        return " + ".join(terms) or "0"


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows that are ranked, about `count` of them.

    `write` gives a query of the column that names them, as text, under one more condition; `key` is that column.
    """

    key: str
    count: int
    write: Callable[[Statement, str], str]


class Nearest:
    """Finds the nearest of some rows: scores by key, the best first."""

    def __init__(self, database: Database, new_statement: Callable[[], Statement], target: Target, rows: Rows) -> None:
        self._database = database
        self._new = new_statement
        self._target = target
        self._rows = rows

    async def all(self) -> dict[str, float]:
        """Return the scores of all rows that have passages."""
        statement = self._new()
        sql = f"SELECT r.c0, (max({self._target.score(statement)}))::float8 {self._joined(statement)} GROUP BY r.c0"
        return dict(await self._database.rows(sql, statement.parameters))

    async def first(self, count: int, *, about: bool) -> dict[str, float]:
        """The `count` nearest rows whose score is above zero, more where scores are equal; fewer where there are fewer.

        No other row has a score as high as theirs. With `about`, rows that are about as near will do.
        """
        found = None if self.one_by_one else await self._by_index(count, about=about)
        return await self._by_passage(count) if found is None else found

    @property
    def one_by_one(self) -> bool:
        """Are the passages few enough to be scored one by one?"""
        passages = self._target.words.total
        return min(passages, self._rows.count * passages / max(self._target.words.rows, 1.0)) <= SCORED

    def _joined(self, statement: Statement) -> str:
        return (
            f"FROM ({self._rows.write(statement, '')}) AS r JOIN {self._target.passages} AS p "
            f"ON {self._target.here} AND p.owner_key = r.c0"
        )

    # -- passage by passage --------------------------------------------------------------------------------------------

    async def _by_passage(self, count: int) -> dict[str, float]:
        """The best passages in order, more of them until they are of enough different rows."""
        passages = 2 * count
        while True:
            statement = self._new()
            sql = (
                f"SELECT r.c0, ({self._target.score(statement)})::float8 AS s {self._joined(statement)} "
                f"ORDER BY s DESC FETCH FIRST {passages} ROWS WITH TIES"
            )
            rows = await self._database.rows(sql, statement.parameters)
            found = _best(rows)
            if len(found) >= count or len(rows) < passages:
                return found
            passages *= MORE

    # -- by the indexes ------------------------------------------------------------------------------------------------

    async def _by_index(self, count: int, *, about: bool) -> dict[str, float] | None:
        """What the indexes show; None if that does not settle which rows are the nearest."""
        passages = max(LEAST, round(2 * count * self._target.words.rows / max(self._rows.count, 1)))
        while passages <= FURTHEST:
            near, nearest_left = await self._in_meaning(passages)
            saying, said_left = await self._saying(2 * passages)
            found = await self._kept(_best([*near, *saying]))
            if not about:
                bound = max(said_left, nearest_left + self.share_left())
                found = {key: score for key, score in found.items() if score > bound}
            if len(found) >= count or (about and passages * MORE > FURTHEST):
                return found
            passages *= MORE
        return None

    async def _in_meaning(self, count: int) -> tuple[list[tuple[str, float]], float]:
        """The passages nearest in meaning, with their scores; and the similarity that those left have at most."""
        if not self._target.vector:
            return [], 0.0
        statement = self._new()
        distance = self._target.distance(statement)
        sql = (
            f"SELECT p.owner_key, ({self._target.score(statement)})::float8, (1 - ({distance}))::float8 "
            f"FROM {self._target.passages} AS p WHERE {self._target.here} ORDER BY {distance} LIMIT {count}"
        )
        rows = await self._database.rows(sql, statement.parameters)
        left = rows[-1][2] if len(rows) == count else 1.0  # a scan that ended early says nothing about the rest
        return [(key, score) for key, score, _ in rows], left

    async def _saying(self, count: int) -> tuple[list[tuple[str, float]], float]:
        """The best passages of those that the text index fetches; and the score that those left have at most."""
        fetched = self.fetched()
        if not fetched:
            return [], 0.0
        statement = self._new()
        query = " | ".join(f"({' & '.join(words)})" for words in fetched)
        sql = (
            f"SELECT p.owner_key, ({self._target.score(statement)})::float8 AS s FROM {self._target.passages} AS p "
            f"WHERE {self._target.here} AND p.search @@ {statement.parameter(query)}::text::tsquery "
            f"ORDER BY s DESC LIMIT {count}"
        )
        rows = await self._database.rows(sql, statement.parameters)
        return rows, rows[-1][1] if len(rows) == count else 0.0

    def fetched(self) -> list[tuple[str, ...]]:
        """Return the smallest combinations of words that few enough passages are expected to say."""
        total = max(self._target.words.total, 1.0)
        chosen: list[tuple[str, ...]] = []
        for words in self._combinations():
            expected = total
            for word in words:
                expected *= min(1.0, self._target.words.said[word] / total)
            if expected <= SAID and not any(set(one) <= set(words) for one in chosen):
                chosen.append(words)
        return chosen

    def share_left(self) -> float:
        """Return what words can add to the score of a passage that the text index does not fetch."""
        fetched = [set(words) for words in self.fetched()]
        weights = self._target.words.weights
        rest = sum(weights.values()) - sum(weights[word] for word in self._combined())
        left = [sum(weights[word] for word in words) for words in self._combinations() if not _covered(words, fetched)]
        return WORDS_SHARE * (max(left, default=0.0) + rest)

    def _combined(self) -> list[str]:
        weights = self._target.words.weights
        return sorted(weights, key=lambda word: -weights[word])[:COMBINED]

    def _combinations(self) -> Iterator[tuple[str, ...]]:
        words = self._combined()
        return (chosen for size in range(1, len(words) + 1) for chosen in combinations(words, size))

    async def _kept(self, found: dict[str, float]) -> dict[str, float]:
        """Those of some rows that the conditions leave."""
        statement = self._new()
        condition = f"{self._rows.key} = ANY ({statement.parameter(as_array(list(found)))})"
        rows = await self._database.rows(self._rows.write(statement, condition), statement.parameters)
        left = {key for (key,) in rows}
        return {key: score for key, score in found.items() if key in left}


def as_array(items: Sequence[str]) -> Untyped:
    """Return an array, of the type of the column that it is compared with."""
    escaped = (item.replace("\\", "\\\\").replace('"', '\\"') for item in items)
    return Untyped("{" + ",".join(f'"{item}"' for item in escaped) + "}")


def _covered(words: Sequence[str], fetched: Sequence[set[str]]) -> bool:
    return any(one <= set(words) for one in fetched)


def _best(rows: Sequence[tuple[str, float]]) -> dict[str, float]:
    """The best score of each row that is above zero, the highest first."""
    found: dict[str, float] = {}
    for key, score in sorted(rows, key=lambda row: -row[1]):
        if score > 0:
            found.setdefault(key, score)
    return found
