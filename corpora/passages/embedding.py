"""Giving new passages their vectors, batch by batch."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from asgiref.sync import async_to_sync
from django.db import connection

from agent.protocols.reading import Embedder
from corpora.models import Passage
from corpora.passages.writing import NewPassage, binary

MOST_ALIKE = 100  # passages of one text that are looked at for its vector: a text of one word may stand in many rows
PASSAGES = f'"{Passage._meta.db_table}"'


def embedded(batches: Iterable[list[NewPassage]], embedder: Embedder) -> Generator[list[NewPassage], None, None]:
    """Yield each batch with its vectors; those of the next are made while the caller has one."""
    before: _Begun | None = None
    with ThreadPoolExecutor(1, "embedding") as ahead:
        for batch in batches:
            begun = _begin(ahead, batch, embedder)
            if before:
                yield before.finish()
            before = begun
        if before:
            yield before.finish()


def _begin(ahead: Executor, batch: list[NewPassage], embedder: Embedder) -> _Begun:
    """Have vectors made; what stands in another table already is not embedded again."""
    vectors = _known(batch, embedder.name)
    wanted = list(dict.fromkeys(_as_read(one) for one in batch if _as_read(one) not in vectors))
    made = ahead.submit(async_to_sync(embedder.embed), wanted) if wanted else None
    return _Begun(batch, vectors, wanted, made)


@dataclass(frozen=True, slots=True)
class _Begun:
    """A batch whose vectors are known, or being made."""

    batch: list[NewPassage]
    vectors: dict[str, bytes]
    wanted: list[str]
    made: Future[Any] | None

    def finish(self) -> list[NewPassage]:
        """Give each passage its vector, once there is one."""
        if self.made:
            self.vectors.update(zip(self.wanted, binary(np.asarray(self.made.result(), np.float32)), strict=True))
        for passage in self.batch:
            passage.embedding = self.vectors[_as_read(passage)]
        return self.batch


def _known(batch: Sequence[NewPassage], embedder: str) -> dict[str, bytes]:
    """The vectors of passages like those of a batch, by what was embedded.

    Of a text that stands in very many rows, some are looked at.
    """
    texts = list({passage.text_md5 for passage in batch})
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT md5 FROM unnest(%s::text[]) AS wanted (md5) "
            f"WHERE EXISTS (SELECT FROM {PASSAGES} WHERE text_md5 = md5)",
            [texts],
        )
        there = {md5 for (md5,) in cursor.fetchall()}
        wanted = [one for one in batch if one.text_md5 in there]
        if not wanted:
            return {}
        cursor.execute(
            f"""
            SELECT number, halfvec_send(embedding)
            FROM unnest(%s::text[], %s::text[], %s::text[]) WITH ORDINALITY AS wanted (md5, heading, body, number),
            LATERAL (
                SELECT embedding FROM (
                    SELECT * FROM {PASSAGES} WHERE text_md5 = wanted.md5 LIMIT {MOST_ALIKE}
                ) AS alike
                WHERE (heading, body, embedder) = (wanted.heading, wanted.body, %s) LIMIT 1
            ) AS known
            """,
            [*map(list, zip(*((one.text_md5, one.heading, one.body) for one in wanted), strict=True)), embedder],
        )
        return {_as_read(wanted[number - 1]): bytes(vector) for number, vector in cursor.fetchall()}


def _as_read(passage: NewPassage) -> str:
    """What is embedded of a passage: a rule far down in an article is about the article's subject without naming it."""
    return f"{passage.heading}. {passage.body}" if passage.heading else passage.body
