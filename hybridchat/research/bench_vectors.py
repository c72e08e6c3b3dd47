"""A large table of passages with vectors for `bench suql`: clustered, as embeddings of texts are, and cheap to make."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

from hybridchat.research.bench_world import CATALOGUE, SCHEMA, create

DIMENSIONS = 384  # as the passages of the application
CLUSTERS = 1_000
MOVES = 4_096  # ways in which the vector of a text may lie beside the middle of its cluster; each takes two
SPREAD = 0.8  # of a vector around the middle of its cluster, whose length is 1: two of a cluster have a cosine of 0.6
VOCABULARY = 5_000  # different words in the passages, the n-th as often as 1/n
SAID = 12  # words in a passage
CHUNK = 10_000  # rows made at a time

RANKED = replace(CATALOGUE, passages="passages")

_VENUES = f"""
INSERT INTO {SCHEMA}.venues (id, name, city, stars, about)
    SELECT n, 'Venue ' || n, 'City ' || n * 7 %% 10, 1 + trunc({SCHEMA}.chance(%(seed)s, n, 'stars') * 9) / 2,
        {SCHEMA}.told(%(seed)s, n)
    FROM generate_series(1, %(rows)s) AS n;
"""
_PASSAGES = f"""
CREATE UNLOGGED TABLE {SCHEMA}.passages (
    id int, owner_table text, owner_key text, column_name text, text_index int, text_md5 text, start int, stop int,
    body text, dated date, label text, embedding {{schema}}.halfvec({DIMENSIONS}),
    search tsvector GENERATED ALWAYS AS (to_tsvector('english', coalesce(body, ''))) STORED
);
"""
_COPY = (
    f"COPY {SCHEMA}.passages (id, owner_table, owner_key, column_name, text_index, text_md5, start, stop, body, label, "
    "embedding) FROM STDIN (FORMAT binary)"
)
_INDEXES = f"""
CREATE INDEX ON {SCHEMA}.venues (city);
CREATE UNIQUE INDEX ON {SCHEMA}.passages (owner_table, owner_key, column_name, text_index, start);
CREATE INDEX ON {SCHEMA}.passages (text_md5);
CREATE INDEX ON {SCHEMA}.passages USING gin (search);
ANALYZE {SCHEMA}.venues, {SCHEMA}.passages;
"""
_BY_NEARNESS = f"CREATE INDEX ON {SCHEMA}.passages USING hnsw (embedding {{schema}}.halfvec_cosine_ops)"


class Clusters:
    """The middles of the clusters; `embed` makes of words a vector in one of them, the same for the same words."""

    name = "clusters"
    dimensions = DIMENSIONS

    def __init__(self, seed: int = 1) -> None:
        chance = np.random.default_rng(seed)
        middles = chance.normal(size=(CLUSTERS, DIMENSIONS)).astype(np.float32)
        self._middles = middles / np.linalg.norm(middles, axis=1, keepdims=True)
        scale = SPREAD / (2 * DIMENSIONS) ** 0.5
        self._moves = chance.normal(size=(MOVES, DIMENSIONS), scale=scale).astype(np.float32)

    def draw(self, chance: np.random.Generator, count: int) -> NDArray[np.float32]:
        """So many vectors, of any cluster."""
        around = chance.normal(size=(count, DIMENSIONS), scale=SPREAD / DIMENSIONS**0.5).astype(np.float32)
        drawn: NDArray[np.float32] = self._middles[chance.integers(CLUSTERS, size=count)] + around
        return drawn

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Stands in for a model: nothing is loaded, and next to nothing computed."""
        hashes = b"".join(hashlib.blake2b(text.encode(), digest_size=12).digest() for text in texts)
        chosen = np.frombuffer(hashes, np.uint32).reshape(-1, 3)
        drawn = self._middles[chosen[:, 0] % CLUSTERS] + self._moves[chosen[:, 1:] % MOVES].sum(axis=1)
        return (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(np.float32)


def generate(connection: psycopg.Connection[Any], rows: int, *, index: bool, seed: int = 1) -> str:
    """So many venues, each with one passage; the schema of pgvector. `index`: with an HNSW index, which takes long.

    The embedded server needs POSTGRES_MEMORY_MB=4000 in its environment for that.
    """
    ((schema,),) = connection.execute(
        "SELECT n.nspname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typname = 'halfvec'"
    ).fetchall()
    create(connection)
    connection.execute(_VENUES, {"seed": seed, "rows": rows})
    connection.execute(_PASSAGES.format(schema=schema).encode())
    with connection.cursor() as cursor, cursor.copy(_COPY.encode()) as copy:
        copy.write(b"PGCOPY\n\xff\r\n\0" + struct.pack("!ii", 0, 0))
        for chunk in _chunks(rows, seed):
            copy.write(chunk)
        copy.write(struct.pack("!h", -1))
    connection.execute(_INDEXES.encode())
    if index:
        connection.execute("SET LOCAL maintenance_work_mem = '3GB'")
        connection.execute(_BY_NEARNESS.format(schema=schema).encode())
    connection.commit()
    return str(schema)


def _chunks(rows: int, seed: int) -> Iterator[bytes]:
    """The passages as COPY's binary format has them."""
    clusters, chance = Clusters(seed), np.random.default_rng(seed)
    often = 1 / np.arange(1, VOCABULARY + 1)
    words = np.array([word(number) for number in range(VOCABULARY)])
    for start in range(1, rows + 1, CHUNK):
        count = min(CHUNK, rows + 1 - start)
        vectors = clusters.draw(chance, count).astype(">f2")
        said = words[chance.choice(VOCABULARY, size=(count, SAID), p=often / often.sum())]
        yield b"".join(_row(start + place, " ".join(said[place]), vectors[place].tobytes()) for place in range(count))


def word(number: int) -> str:
    """The words of the vocabulary, the most frequent first; no two of them have the same stem."""
    return f"w{number:04d}x"


def _row(number: int, body: str, vector: bytes) -> bytes:
    key = str(number).encode()
    text = body.encode()
    fields = (
        struct.pack("!i", number), b"venues", key, b"about", struct.pack("!i", 0), key, struct.pack("!i", 0),
        struct.pack("!i", len(text)), text, b"", struct.pack("!hh", DIMENSIONS, 0) + vector,
    )  # fmt: skip
    return struct.pack("!h", len(fields)) + b"".join(struct.pack("!i", len(field)) + field for field in fields)
