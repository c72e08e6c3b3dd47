"""Storing a corpus as its next version, all or nothing: new tables, views over them, and what differed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.auth.models import AbstractBaseUser
from django.db import connection, transaction
from django.db.models import Max

from corpora.catalogue import catalogue
from corpora.importing import tables as stored_tables
from corpora.importing.history import carry_edits, differences, journal, same_numbers
from corpora.importing.reading import RefusedCell, Table
from corpora.importing.showing import gathered, hide, show
from corpora.importing.specification import CorpusSpec, TableSpec
from corpora.importing.tables import VISIBLE, Report, count, stored_name
from corpora.models import Assistant, CorpusVersion, Passage

REHEARSAL = 0  # the number of what is taken back: no version's

Kind = CorpusVersion.Kind


class NameTaken(Exception):
    """A name of the corpus that something else has."""


@dataclass(slots=True)
class Imported:
    """What an import did, by table: rows read, stored, added, changed, removed; and what was refused."""

    version: int = 0
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    refused: list[RefusedCell] = field(default_factory=list)  # the first of each table
    times_refused: int = 0
    dangling: list[str] = field(default_factory=list)  # links that lead to no row, in words


def store(
    spec: CorpusSpec,
    tables: list[Table],
    *,
    by: AbstractBaseUser | None = None,
    rehearse: bool = False,
    overwrite_edits: bool = False,
    report: Report = lambda rows: None,
) -> Imported:
    """Store a corpus as its next version, all or nothing. With `rehearse`, take it back and say what would be.

    Rows that were edited by hand stay as they are, unless `overwrite_edits`. `report(rows)` is called every so often
    with how many rows are stored; what it raises ends the import. Texts are not indexed: see
    `corpora.passages.indexing`. Raises NameTaken, Unreadable.
    """
    done = Imported()
    with transaction.atomic():
        if not rehearse:
            lock(spec.name)
        if removal_of(spec.name):
            raise NameTaken(f"the corpus {spec.name!r} was removed; bring it back first, or call this one otherwise")
        check_names(spec)
        before = active_version(spec.name)
        number = REHEARSAL if rehearse else next_number(spec.name)
        stored = {
            table.spec.name: _fill(spec, table, before, number, overwrite_edits, done, report) for table in tables
        }
        done.dangling = list(_dangling(spec, number))
        done.version = number
        if not rehearse:
            put_in_place(
                spec, stored, before, CorpusVersion(kind=Kind.IMPORT, number=number, changes=done.counts, by=by)
            )
        transaction.set_rollback(rehearse)
    return done


def lock(corpus: str) -> None:
    """Wait until nobody else changes a corpus; to the end of the transaction, nobody else does."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext(%s))", [f"corpus {corpus}"])


def active_version(corpus: str) -> CorpusVersion | None:
    """Return the version of a corpus that counts."""
    return CorpusVersion.objects.filter(corpus=corpus, active=True).first()


def removal_of(corpus: str) -> CorpusVersion | None:
    """Return the version that set a corpus aside, if it is."""
    last = CorpusVersion.objects.filter(corpus=corpus).order_by("-number").first()
    return last if last and last.kind == Kind.REMOVAL else None


def views_ever(corpus: str) -> list[str]:
    """Return all tables that queries saw of any version of a corpus: passages of those that are gone go, too."""
    versions = CorpusVersion.objects.filter(corpus=corpus)
    return sorted({table["view"] for version in versions for table in version.stored.values()})


def next_number(corpus: str) -> int:
    """Return the number of the next version of a corpus."""
    last = CorpusVersion.objects.filter(corpus=corpus).aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def put_in_place(
    spec: CorpusSpec, stored: dict[str, Any], before: CorpusVersion | None, version: CorpusVersion
) -> CorpusVersion:
    """Let a version count whose tables are filled, instead of the one before; what differs is noted."""
    for table in spec.tables:
        stored[table.name]["gathered"] = list(gathered(spec, table))
    if before is not None:
        hide(before)
        CorpusVersion.objects.filter(pk=before.pk).update(active=False)
    version.corpus, version.rows_of, version.active = spec.name, version.number, True
    version.specification, version.stored = spec.model_dump(mode="json"), stored
    version.save()
    if before is not None:
        journal(before, version)
        for name in before.stored:
            stored_tables.drop(stored_name(spec.name, before.rows_of, name))
    new = set(_views(stored)).difference(_views(before.stored) if before else ())
    Passage.objects.filter(owner_table__in=new).delete()  # of a corpus that had such a table before
    show(spec, stored, version.rows_of)
    _let_ask(spec, _views(stored), _views(before.stored) if before else [])
    return version


def _views(stored: dict[str, Any]) -> list[str]:
    return [table["view"] for table in stored.values()]


def _let_ask(spec: CorpusSpec, views: list[str], gone: list[str]) -> None:
    """An assistant over the corpus; where there is one, its tables follow, and all else is left as it is."""
    assistant, made = Assistant.objects.get_or_create(slug=spec.name, defaults=_assistant(spec, views))
    kept = [table for table in assistant.tables if table in views or table not in gone]
    tables = [*kept, *(view for view in views if view not in kept and view not in gone)]
    if not made and assistant.tables != tables:
        assistant.tables = tables
        assistant.save(update_fields=["tables"])


def _assistant(spec: CorpusSpec, views: list[str]) -> dict[str, Any]:
    last = Assistant.objects.aggregate(last=Max("position"))["last"] or 0
    title = spec.name.replace("_", " ").capitalize()
    return {"title": title, "description": spec.description[:300], "tables": views, "position": last + 1}


def check_names(spec: CorpusSpec) -> None:
    """Raise NameTaken where something else has the name of the corpus or of one of its tables."""
    others = CorpusVersion.objects.filter(active=True).exclude(corpus=spec.name)
    taken = {one["view"]: other.corpus for other in others for one in other.stored.values()}
    for table in spec.tables:
        if table.name in catalogue() or table.name == catalogue().passages:
            raise NameTaken(f"the table name {table.name!r} is a sample corpus's; call it {spec.name}_{table.name}")
        if table.name in taken:
            raise NameTaken(f"the table name {table.name!r} is the corpus {taken[table.name]!r}'s; choose another")
    known = CorpusVersion.objects.filter(corpus=spec.name).exists()
    if not known and Assistant.objects.filter(slug=spec.name).exists():
        raise NameTaken(f"there is an assistant {spec.name!r} already; call the corpus otherwise")


def _fill(
    spec: CorpusSpec,
    table: Table,
    before: CorpusVersion | None,
    number: int,
    overwrite_edits: bool,
    done: Imported,
    report: Report,
) -> dict[str, Any]:
    """Make the table, copy the rows into it as they are read, and say what that settled."""
    name = stored_name(spec.name, number, table.spec.name)
    other = sum(counts["stored"] for counts in done.counts.values())
    stored_tables.create(name, table.columns)
    stored_tables.fill(name, table, lambda rows: report(other + rows))
    own = {column.name for column in table.spec.columns}
    stored: dict[str, Any] = {
        "view": table.spec.name,
        "parent_key": table.parent_key,
        "added": [column.model_dump(mode="json") for column in table.columns if column.name not in own],
    }
    kept = 0
    if before is not None and table.spec.name in before.stored:
        same_numbers(before, table.spec, name)
        kept = 0 if overwrite_edits else carry_edits(before, table.spec, table.columns, name)
    stored |= stored_tables.finish(name, table.columns, table.spec.keys, references(table.spec, table.parent_key))
    rows = count(f"SELECT count(*) FROM {name} WHERE {VISIBLE}")
    report(other + rows)
    done.refused += table.refused
    done.times_refused += table.times_refused
    counts = {"read": table.rows_read, "stored": rows, **differences(before, table.spec.name, name)}
    done.counts[table.spec.name] = counts | ({"kept as edited": kept} if kept else {})
    return stored


def references(table: TableSpec, parent_key: str) -> list[str]:
    """Return the columns of a table that refer to other tables."""
    return list(dict.fromkeys(filter(None, [*(link.column for link in table.links), parent_key])))


def _dangling(spec: CorpusSpec, number: int) -> Iterator[str]:
    for table in spec.tables:
        for link in table.links:
            own, other = (stored_name(spec.name, number, name) for name in (table.name, link.table))
            found = count(
                f'SELECT count(*) FROM {own} a WHERE a."{link.column}" IS NOT NULL AND a.{VISIBLE} AND NOT EXISTS '
                f'(SELECT FROM {other} b WHERE b."{link.target}"::text = a."{link.column}"::text AND b.{VISIBLE})'
            )
            if found:
                yield f"{found:,} rows of {table.name}: {link.column} names no {link.target} of {link.table}"
