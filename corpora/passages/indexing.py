"""Keeping the passages in step with the texts: what has changed is cut and embedded again, the rest is left alone."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from operator import attrgetter

from django.db import connection, transaction
from django.db.models import QuerySet

from agent.catalogue.tables import Catalogue, Kind, Table
from agent.protocols.reading import Embedder
from corpora.models import Passage
from corpora.passages.cutting import cut
from corpora.passages.embedding import embedded
from corpora.passages.sharing import Wanted, claimed, view_of
from corpora.passages.texts import ROWS, Part, Text, parts, prose, texts_in, texts_of_part
from corpora.passages.writing import NewPassage, write

HEADING = 300  # characters of a row's title, at most, that its passages carry
BATCH = 512  # passages embedded, written and reported at once

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
    wanted: Wanted = lambda tables, after: None,
) -> Indexed:
    """Bring the passages of all rows, of some tables, or of the rows named ({table: keys}) in step with their texts.

    Rows are read a few at a time, so that memory does not grow with them. Safe to interrupt and to run again. A text's
    passages are written, and those they take the place of removed, in one transaction: at any moment a text has all of
    its passages, those of before, or none. `report(done, total)` follows each batch, in texts; those that are as they
    were count as done. Before each part of a table, `wanted(tables, after)` says where others may come in, as
    `help_along` does. Raises `LanguageError` if texts cannot be embedded; what is left is then as it was.
    """
    shown = catalogue if tables is None else catalogue.only(*tables)
    if keys is not None:
        work = _Work(catalogue.schema, embedder, report)
        for table in (table for table in shown if table.name in keys):
            for some in _fews(keys[table.name]):
                work.bring_rows(table, some)
    else:
        total = sum(_count(catalogue.schema, table) for table in shown)
        work = _Work(catalogue.schema, embedder, report, total, whole=True)
        work.share(list(shown), wanted)
        work.removed += _without_rows(shown, tables)
    return Indexed(written=work.written, removed=work.removed, kept=work.kept)


def help_along(
    catalogue: Catalogue,
    embedder: Embedder,
    tables: Sequence[str],
    after: str | None,
    go_on: Callable[[], bool],
) -> int:
    """Take parts that nobody has of what `index` does elsewhere; returns how many passages were written.

    Begins in the first of the tables after the row of that key; ends with the last table, or where `go_on` says so
    between two parts.
    """
    work = _Work(catalogue.schema, embedder, lambda done, total: None, whole=True)
    for name in tables:
        table = catalogue.table(name)
        left = iter(()) if table is None else parts(table, catalogue.schema, after)
        while go_on() and (part := next(left, None)):
            with claimed(part) as free:
                if free:
                    work.bring_part(part)
        after = None
    return work.written


class _Work:
    """A run of `index`, over `whole` tables or rows that are named: what it did so far."""

    def __init__(self, schema: str, embedder: Embedder, report: Report, total: int = 0, *, whole: bool = False) -> None:
        self.written = self.removed = self.kept = 0
        self._schema, self._embedder, self._report = schema, embedder, report
        self._done, self._total, self._whole = 0, total, whole

    def share(self, tables: Sequence[Table], wanted: Wanted) -> None:
        """Bring the passages of whole tables in step, part by part; what others are at is looked at again at the end.

        The others are where this one is, so that what they have taken counts as done.
        """
        taken: list[Part] = []
        for place, table in enumerate(tables):
            for part in parts(table, self._schema):
                wanted([one.name for one in tables[place:]], part.after)
                with claimed(part) as free:
                    if free:
                        self.bring_part(part)
                    else:
                        taken.append(part)
                        self._tell(part.texts)
        for part in taken:
            with claimed(part, wait=lambda: self._tell(0)):
                self._done -= part.texts
                self.bring_part(part)

    def bring_rows(self, table: Table, keys: Collection[str]) -> None:
        """Bring the passages of the rows named in step with their texts; those of rows that are gone go."""
        view, there = view_of(self._schema, table), set[str]()
        for part in parts(table, self._schema, only=keys):
            there.update(self.bring_part(part))
        gone = Passage.objects.filter(owner_table=table.name, owner_key__in=set(keys) - there)
        if (stale := list(gone.values_list("pk", flat=True))) and self._replace(table, view, stale, []):
            self.removed += len(stale)

    def bring_part(self, part: Part) -> list[str]:
        """Bring the passages of a part in step with its texts; returns the keys of its rows."""
        view = view_of(self._schema, part.table)
        keys, read = texts_of_part(part, self._schema)
        self._bring(part, view, keys, read)
        return keys

    def _tell(self, texts: int) -> None:
        self._done += texts
        self._report(self._done, max(self._total, self._done))

    def _bring(self, part: Part, view: int | None, keys: Collection[str], read: Sequence[Text]) -> None:
        wanted = {_identity(passage): passage for passage in _passages(read, self._embedder.name)}
        present = {tuple(row[1:]): row[0] for row in _found(part, keys).values_list("pk", *IDENTITY)}
        stale: dict[Place, list[int]] = defaultdict(list)
        for identity, pk in present.items():
            if identity not in wanted:
                stale[identity[:PLACE]].append(pk)
        missing: dict[Place, list[NewPassage]] = defaultdict(list)
        for identity, passage in wanted.items():
            if identity not in present:
                missing[identity[:PLACE]].append(passage)
        gone = sum(map(len, stale.values()))
        self.kept += len(present) - gone
        batches = list(_batches(missing))
        passages = ([one for place in places for one in missing[place]] for places in batches)
        with closing(embedded(passages, self._embedder)) as made:
            for places, batch in zip(batches, made, strict=True):
                if not self._replace(part.table, view, [pk for place in places for pk in stale.pop(place, ())], batch):
                    return
                self.written += len(batch)
                self._tell(len(places))
        if stale and not self._replace(part.table, view, [pk for pks in stale.values() for pk in pks], []):
            return
        self.removed += gone
        self._done += len({identity[:PLACE] for identity in wanted}) - len(missing)

    def _replace(self, table: Table, view: int | None, gone: Sequence[int], batch: Sequence[NewPassage]) -> bool:
        """Write passages in place of others, unless the rows are others by now: whoever stored them indexes them."""
        with transaction.atomic():
            if self._whole:  # what a crash of the server undoes is found missing by whoever goes on
                with connection.cursor() as cursor:
                    cursor.execute("SET LOCAL synchronous_commit = off")
            if view_of(self._schema, table, keep=True) != view:
                return False
            Passage.objects.filter(pk__in=gone).delete()
            write(batch)
        return True


def _found(part: Part, keys: Collection[str]) -> QuerySet[Passage]:
    """The passages that there are where the texts of a part have theirs."""
    found = Passage.objects.filter(owner_table=part.table.name, owner_key__in=list(keys))
    if not part.column:
        return found
    found = found.filter(column_name=part.column, text_index__gte=part.start)
    return found if part.stop is None else found.filter(text_index__lt=part.stop)


def _fews(keys: Collection[str]) -> Iterator[list[str]]:
    named = sorted(keys)
    for start in range(0, len(named), ROWS):
        yield named[start : start + ROWS]


def _count(schema: str, table: Table) -> int:
    """How many texts a table has."""
    if not prose(table):
        return 0
    quote = connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT sum({texts_in(table)}) FROM {quote(schema)}.{quote(table.name)}")
        return int(cursor.fetchone()[0] or 0)


def _without_rows(catalogue: Catalogue, tables: Collection[str] | None) -> int:
    """Remove the passages of rows, columns and tables that are gone; returns how many."""
    quote, passages = connection.ops.quote_name, quote_passages()
    kept = [table for table in catalogue if prose(table)]
    found = Passage.objects.exclude(owner_table__in=[table.name for table in kept])
    removed, _ = (found if tables is None else found.filter(owner_table__in=list(tables))).delete()
    with connection.cursor() as cursor:
        for table in kept:
            (key,) = map(quote, table.key)
            cursor.execute(
                f"DELETE FROM {passages} p WHERE owner_table = %s AND NOT EXISTS "
                f"(SELECT FROM {quote(catalogue.schema)}.{quote(table.name)} t WHERE t.{key}::text = p.owner_key)",
                [table.name],
            )
            removed += cursor.rowcount
            others = Passage.objects.filter(owner_table=table.name)
            removed += others.exclude(column_name__in=[column.name for column in prose(table)]).delete()[0]
    return removed


def quote_passages() -> str:
    """Return the table of the passages, as SQL."""
    return connection.ops.quote_name(Passage._meta.db_table)


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


def _passages(sources: Iterable[Text], embedder: str) -> Iterator[NewPassage]:
    for source in sources:
        md5 = hashlib.md5(source.text.encode(), usedforsecurity=False).hexdigest()
        for start, stop in cut(source.text):
            yield NewPassage(
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


def _batches(missing: dict[Place, list[NewPassage]]) -> Iterator[list[Place]]:
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


_identity: Callable[[NewPassage], tuple[object, ...]] = attrgetter(*IDENTITY)
