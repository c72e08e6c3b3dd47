"""Keeping the passages in step with the texts: what has changed is cut and embedded again, the rest is left alone."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from asgiref.sync import async_to_sync
from django.db import transaction
from pgvector import HalfVector

from agent.language.tasks import Embedder
from agent.suql.catalogue import Catalogue
from corpora.models import Passage
from corpora.passages.cutting import cut
from corpora.passages.texts import Text, texts

HEADING = 300  # characters of a row's title, at most, that its passages carry
BATCH = 128  # passages embedded, written and reported at once

IDENTITY = (
    "owner_table", "owner_key", "column_name", "text_index", "text_md5", "start", "stop", "dated", "label", "heading",
    "embedder",
)  # fmt: skip

Report = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Indexed:
    """What `index` did, in passages."""

    written: int
    removed: int
    kept: int


def index(
    catalogue: Catalogue,
    embedder: Embedder,
    *,
    keys: dict[str, Collection[str]] | None = None,
    report: Report = lambda done, total: None,
) -> Indexed:
    """Bring the passages of all rows, or of the rows named ({table: keys}), in step with their texts.

    Safe to interrupt and to run again: each batch is a transaction of its own, and what is missing is found anew.
    `report(done, total)` is called after each batch. Raises agent.errors.LanguageError if texts cannot be embedded.
    """
    wanted = {_identity(passage): passage for passage in _passages(texts(catalogue, keys), embedder.name)}
    present = dict(_present(catalogue, keys))
    stale = [pk for identity, pk in present.items() if identity not in wanted]
    missing = [passage for identity, passage in wanted.items() if identity not in present]
    Passage.objects.filter(pk__in=stale).delete()
    missing.sort(key=lambda passage: len(passage.body))
    embed = async_to_sync(embedder.embed)
    for start in range(0, len(missing), BATCH):
        batch = missing[start : start + BATCH]
        for passage, vector in zip(batch, embed([_as_read(passage) for passage in batch]), strict=True):
            passage.embedding = HalfVector(vector)
        with transaction.atomic():
            Passage.objects.bulk_create(batch)
        report(start + len(batch), len(missing))
    return Indexed(written=len(missing), removed=len(stale), kept=len(present) - len(stale))


def _passages(sources: Iterable[Text], embedder: str) -> Iterator[Passage]:
    for source in sources:
        md5 = hashlib.md5(source.text.encode(), usedforsecurity=False).hexdigest()
        for start, stop in cut(source.text):
            yield Passage(
                owner_table=source.table,
                owner_key=source.key,
                column_name=source.column,
                text_index=source.index,
                text_md5=md5,
                start=start,
                stop=stop,
                body=source.text[start:stop],
                dated=source.dated,
                label=source.label,
                heading=source.heading[:HEADING],
                embedder=embedder,
            )


def _as_read(passage: Passage) -> str:
    """What is embedded of a passage: a rule far down in an article is about the article's subject without naming it."""
    return f"{passage.heading}. {passage.body}" if passage.heading else passage.body


def _identity(passage: Passage) -> tuple[object, ...]:
    return tuple(getattr(passage, name) for name in IDENTITY)


def _present(catalogue: Catalogue, keys: dict[str, Collection[str]] | None) -> Iterator[tuple[tuple[object, ...], int]]:
    """The passages there are, of the same rows; those of tables that are gone count as stale in a full run."""
    found = Passage.objects.all()
    if keys is None:
        yield from ((tuple(row[1:]), row[0]) for row in found.values_list("pk", *IDENTITY))
        return
    for table in catalogue:
        if table.name in keys:
            rows = found.filter(owner_table=table.name, owner_key__in=list(keys[table.name]))
            yield from ((tuple(row[1:]), row[0]) for row in rows.values_list("pk", *IDENTITY))
