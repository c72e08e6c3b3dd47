"""Times ranking on a large table, against the bare pgvector queries that a person would write for the same rows.

With a structured filter every passage that is left is scored, by the engine and by the bare query, and the rows are
the same. Over all rows the engine takes the nearest from the indexes: beside its time stand that of the bare query
over the HNSW index, that of scoring every passage, and how many of the ten nearest rows it found.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import psycopg

from agent.suql import Engine, Result
from agent.suql.database import session
from agent.suql.nearest import WORDS_SHARE
from agent.suql.passages import Passages
from agent.suql.tree import literal
from hybridchat.research.bench_suql import BATCH, CONCURRENCY, EVERYTHING, Connect
from hybridchat.research.bench_vectors import RANKED, VOCABULARY, Clusters, generate, word
from hybridchat.research.bench_world import SCHEMA, SimulatedReader

WORDS = "somewhere to sit in peace"  # none of the passages says any of them, so that the vectors alone decide
SQL = f"SELECT id FROM venues WHERE city = 'City 3' AND stars > 4 ORDER BY similar(about, '{WORDS}') DESC, id LIMIT 10"
FIRST = "SELECT id FROM venues WHERE id > {} AND answer(about, 'rare?') = 'Yes' LIMIT 3"
RUNS = 9
INDEXED = 200_000  # rows; with more of them the HNSW index is built, which takes minutes
ASKED = 12  # different words to rank all rows by

_OWNED = "p.owner_table = 'venues' AND p.column_name = 'about'"
_FILTERED = (
    f"SELECT v.id FROM {SCHEMA}.venues v JOIN {SCHEMA}.passages p ON p.owner_key = v.id::text AND {_OWNED} "
    "WHERE v.city = 'City 3' AND v.stars > 4 "
    "ORDER BY p.embedding OPERATOR({schema}.<=>) %(v)s::{schema}.halfvec LIMIT 10"
)
_NEAREST = (
    f"SELECT p.owner_key FROM {SCHEMA}.passages p WHERE {_OWNED} "
    "ORDER BY p.embedding OPERATOR({schema}.<=>) %(v)s::{schema}.halfvec LIMIT 10"
)
_WHOLE = (
    f"SELECT p.owner_key::int FROM {SCHEMA}.passages p WHERE {_OWNED} "
    "ORDER BY {score} + 1 - (p.embedding OPERATOR({schema}.<=>) %(v)s::{schema}.halfvec) DESC, 1 LIMIT 10"
)


@dataclass(frozen=True, slots=True)
class Unfiltered:
    """All rows in order: seconds (medians) and the share of the ten nearest that were found."""

    engine: float
    bare: float  # the ten nearest in meaning, by the HNSW index alone
    whole: float  # every passage scored
    recall: float


@dataclass(frozen=True, slots=True)
class Ranked:
    """Over a table of so many rows: seconds of the engine and of the bare query (medians) with a structured filter.

    `first` are the seconds until three of one in ten rows are found, with a model of 500 ms; `unfiltered` is measured
    where there is an HNSW index.
    """

    rows: int
    engine: float
    bare: float
    first: float
    unfiltered: Unfiltered | None

    @property
    def ratio(self) -> float:
        return self.engine / self.bare


async def measure_ranking(connection: psycopg.Connection[Any], connect: Connect, rows: int) -> Ranked:
    """Makes the table, and times the engine and the bare queries, one after the other, several times."""
    schema = generate(connection, rows, index=rows > INDEXED)
    clusters = Clusters()
    engine = Engine(connect, RANKED, SimulatedReader(), clusters, budget=EVERYTHING)
    vector = await _written(clusters, WORDS)
    mine, bare = [], []
    for _ in range(RUNS):
        seconds, result = await _timed(lambda: engine.run(SQL))
        mine.append(seconds)
        seconds, right = _queried(connection, _FILTERED.format(schema=schema), {"v": vector})
        bare.append(seconds)
        if [row.values["id"] for row in result.rows] != right:
            raise AssertionError("the engine ranks other rows first than the bare query")
    unfiltered = await _unfiltered(connection, connect, engine, clusters, schema) if rows > INDEXED else None
    first = await _first(connect, clusters, rows)
    return Ranked(rows, statistics.median(mine), statistics.median(bare), first, unfiltered)


async def _first(connect: Connect, clusters: Clusters, rows: int) -> float:
    """The median over several starts in the table, with engines that have learned nothing yet."""
    seconds = []
    for start in range(0, rows // 2, rows // 2 // RUNS):
        reader = SimulatedReader(0.5, BATCH, CONCURRENCY)
        engine = Engine(connect, RANKED, reader, clusters, budget=EVERYTHING, clock=reader.clock)
        seconds.append((await engine.run(FIRST.format(start))).usage.seconds)
    return statistics.median(seconds)


async def _unfiltered(
    connection: psycopg.Connection[Any], connect: Connect, engine: Engine, clusters: Clusters, schema: str
) -> Unfiltered:
    connection.execute("SET hnsw.iterative_scan = 'strict_order'")
    mine, bare, whole, found = [], [], [], []
    for number in range(ASKED):
        words = [word(rank) for rank in (number, 20 * number + 30, VOCABULARY - 1 - number)]  # often, at times, rarely
        asked = " ".join(words) if number % 3 else f"nobody ever said {number}"
        form = f"SELECT id FROM venues ORDER BY similar(about, '{asked}') DESC, id LIMIT 10"
        vector = await _written(clusters, asked)
        seconds, result = await _timed(lambda form=form: engine.run(form))
        mine.append(seconds)
        bare.append(_queried(connection, _NEAREST.format(schema=schema), {"v": vector})[0])
        score = await _score(connect, asked)
        seconds, right = _queried(connection, _WHOLE.format(schema=schema, score=score), {"v": vector})
        whole.append(seconds)
        found.append(len({row.values["id"] for row in result.rows} & set(right)) / len(right))
    median = statistics.median
    return Unfiltered(median(mine), median(bare), median(whole), statistics.fmean(found))


async def _score(connect: Connect, words: str) -> str:
    """What saying the words adds to a passage's score, as SQL."""
    async with session(connect, SCHEMA, 60.0) as database:
        found = await Passages(database, SCHEMA, RANKED.passages, None).words(words, "venues", "about")
    terms = (
        f"{WORDS_SHARE * weight:.4f} * (p.search @@ {literal(said)}::tsquery)::int"
        for said, weight in found.weights.items()
    )
    return " + ".join(["0", *terms])


async def _written(clusters: Clusters, words: str) -> str:
    """The vector of words, as pgvector writes it."""
    (vector,) = await clusters.embed([words])
    return "[" + ",".join(f"{float(number):.6g}" for number in vector) + "]"


async def _timed(run: Callable[[], Awaitable[Result]]) -> tuple[float, Result]:
    started = time.perf_counter()
    result = await run()
    return time.perf_counter() - started, result


def _queried(connection: psycopg.Connection[Any], sql: str, parameters: dict[str, Any]) -> tuple[float, list[Any]]:
    started = time.perf_counter()
    rows = connection.execute(sql.encode(), parameters).fetchall()
    return time.perf_counter() - started, [row[0] for row in rows]
