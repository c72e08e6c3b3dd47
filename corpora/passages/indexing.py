"""Keeping the passages in step with the texts: what has changed is cut and embedded again, the rest is left alone."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass

from asgiref.sync import async_to_sync
from django.db import connection, transaction
from pgvector import HalfVector

from agent.catalogue.tables import Catalogue, Kind
from agent.protocols.reading import Embedder
from corpora.models import Passage
from corpora.passages.cutting import cut
from corpora.passages.texts import Text, texts

HEADING = 300  # characters of a row's title, at most, that its passages carry
BATCH = 128  # passages embedded, written and reported at once

IDENTITY = (
    "owner_table", "owner_key", "column_name", "text_index", "text_md5", "start", "stop", "dated", "label", "heading",
    "embedder",
)  # fmt: skip

PLACE = 4  # the first parts of an identity, which say where a text stands
Place = tuple[object, ...]

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
    tables: Collection[str] | None = None,
    report: Report = lambda done, total: None,
) -> Indexed:
    """Bring the passages of all rows, of some tables, or of the rows named ({table: keys}) in step with their texts.

    Safe to interrupt and to run again. A text's passages are written, and those they take the place of removed, in one
    transaction: at any moment a text has all of its passages, those of before, or none. `report(done, total)` is
    called after each batch. Raises `LanguageError` if texts cannot be embedded; then nothing was removed that has no
    successor.
    """
    if tables is not None:
        catalogue = catalogue.only(*tables)
    wanted = {_identity(passage): passage for passage in _passages(texts(catalogue, keys), embedder.name)}
    present = dict(_present(catalogue, keys, tables))
    stale: dict[Place, list[int]] = defaultdict(list)
    for identity, pk in present.items():
        if identity not in wanted:
            stale[identity[:PLACE]].append(pk)
    removed = sum(map(len, stale.values()))
    missing: dict[Place, list[Passage]] = defaultdict(list)
    for identity, passage in wanted.items():
        if identity not in present:
            missing[identity[:PLACE]].append(passage)
    total = sum(map(len, missing.values()))
    embed = async_to_sync(embedder.embed)
    done = 0
    for places in _batches(missing):
        batch = [passage for place in places for passage in missing[place]]
        read = list(dict.fromkeys(map(_as_read, batch)))  # a text may stand in two tables
        vectors = dict(zip(read, embed(read), strict=True))
        for passage in batch:
            passage.embedding = HalfVector(vectors[_as_read(passage)])
        with transaction.atomic():
            Passage.objects.filter(pk__in=[pk for place in places for pk in stale.pop(place, ())]).delete()
            Passage.objects.bulk_create(batch)
        done += len(batch)
        report(done, total)
    Passage.objects.filter(pk__in=[pk for pks in stale.values() for pk in pks]).delete()  # their texts are gone
    return Indexed(written=total, removed=removed, kept=len(present) - removed)


def unfinished(catalogue: Catalogue) -> bool:
    """Is there a text that has no passages yet? A first start may have been cut off while it embedded."""
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        for table in catalogue:
            for column in table.columns:
                if column.kind is not Kind.FREE_TEXT or len(table.key) != 1:
                    continue
                value = quote(column.name)
                one = f"unnest({value})" if column.many else value
                cursor.execute(
                    f"SELECT EXISTS (SELECT FROM (SELECT md5(body) AS hash FROM (SELECT {one} AS body "
                    f"FROM {quote(catalogue.schema)}.{quote(table.name)}) AS t WHERE body ~ '\\S') AS t "
                    "WHERE NOT EXISTS "
                    f"(SELECT FROM {quote(Passage._meta.db_table)} AS p WHERE p.text_md5 = t.hash))"
                )
                if cursor.fetchone()[0]:
                    return True
    return False


def _batches(missing: dict[Place, list[Passage]]) -> Iterator[list[Place]]:
    """The places of whole texts, short ones first, about `BATCH` passages at a time."""
    batch: list[Place] = []
    count = 0
    for place in sorted(missing, key=lambda place: max(len(passage.body) for passage in missing[place])):
        if batch and count + len(missing[place]) > BATCH:
            yield batch
            batch, count = [], 0
        batch.append(place)
        count += len(missing[place])
    if batch:
        yield batch


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


def _present(
    catalogue: Catalogue, keys: dict[str, Collection[str]] | None, tables: Collection[str] | None
) -> Iterator[tuple[tuple[object, ...], int]]:
    """The passages there are, of the same rows; those of tables that are gone count as stale in a full run."""
    found = Passage.objects.all() if tables is None else Passage.objects.filter(owner_table__in=tables)
    if keys is None:
        yield from ((tuple(row[1:]), row[0]) for row in found.values_list("pk", *IDENTITY))
        return
    for table in catalogue:
        if table.name in keys:
            rows = found.filter(owner_table=table.name, owner_key__in=list(keys[table.name]))
            yield from ((tuple(row[1:]), row[0]) for row in rows.values_list("pk", *IDENTITY))
