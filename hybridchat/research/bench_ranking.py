"""Times a structured filter with ranking against the bare pgvector query that gives the same rows."""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import psycopg

from agent.suql import Engine
from hybridchat.research.bench_suql import EVERYTHING, Connect
from hybridchat.research.bench_world import CATALOGUE, DIMENSIONS, SCHEMA, SimulatedReader

WORDS = "somewhere to sit in peace"
RUNS = 5
SQL = f"SELECT id FROM venues WHERE city = 'City 3' AND stars > 4 ORDER BY similar(about, '{WORDS}') DESC, id LIMIT 10"

_PASSAGES = f"""
CREATE UNLOGGED TABLE {SCHEMA}.passages (
    id int, owner_table text, owner_key text, column_name text, text_index int, text_md5 text, start int, stop int,
    body text, dated date, label text, embedding {{schema}}.halfvec({DIMENSIONS}), search tsvector
);
INSERT INTO {SCHEMA}.passages
    SELECT n, 'venues', n::text, 'about', 0, md5(n::text), 0, 0, '', NULL, '',
        (SELECT array_agg(random() - 0.5) FROM generate_series(1, {DIMENSIONS} + 0 * n))::real[]::{{schema}}.halfvec,
        ''::tsvector
    FROM generate_series(1, {{rows}}) AS n;
CREATE INDEX ON {SCHEMA}.passages (owner_table, owner_key, column_name);
ANALYZE {SCHEMA}.passages;
"""


@dataclass(frozen=True, slots=True)
class Ranked:
    """Seconds of the engine and of the bare query (medians), over a table of so many rows."""

    rows: int
    engine: float
    bare: float

    @property
    def ratio(self) -> float:
        return self.engine / self.bare


class FixedEmbedder:
    """The same words have the same vector; nothing is loaded."""

    name = "fixed"
    dimensions = DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> Any:
        vectors = np.array([np.random.default_rng(sum(text.encode())).normal(size=DIMENSIONS) for text in texts])
        return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


async def measure_ranking(connection: psycopg.Connection[Any], connect: Connect, rows: int) -> Ranked:
    """Adds vectors to the tables, one for each venue, and times both, one after the other, several times."""
    ((schema,),) = connection.execute(
        "SELECT n.nspname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typname = 'halfvec'"
    ).fetchall()
    connection.execute(_PASSAGES.format(schema=schema, rows=rows).encode())
    connection.commit()
    embedder = FixedEmbedder()
    catalogue = replace(CATALOGUE, passages="passages")
    engine = Engine(connect, catalogue, SimulatedReader(), embedder, budget=EVERYTHING)
    (vector,) = await embedder.embed([WORDS])
    written = "[" + ",".join(f"{float(number):.6g}" for number in vector) + "]"
    bare = (
        f"SELECT v.id FROM {SCHEMA}.venues v JOIN {SCHEMA}.passages p ON p.owner_table = 'venues' "
        f"AND p.owner_key = v.id::text AND p.column_name = 'about' WHERE v.city = 'City 3' AND v.stars > 4 "
        f"ORDER BY p.embedding OPERATOR({schema}.<=>) %s::{schema}.halfvec LIMIT 10"
    )
    mine, others = [], []
    for _ in range(RUNS):
        started = time.perf_counter()
        result = await engine.run(SQL)
        mine.append(time.perf_counter() - started)
        started = time.perf_counter()
        right = connection.execute(bare.encode(), [written]).fetchall()
        others.append(time.perf_counter() - started)
        if [row.values["id"] for row in result.rows] != [row[0] for row in right]:
            raise AssertionError("the engine ranks other rows first than the bare query")
    return Ranked(rows, statistics.median(mine), statistics.median(others))
