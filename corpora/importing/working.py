"""What a worker does for an import: copy, recognise, rehearse, store, embed, index. May run twice, or begin again.

Whoever works on an import holds a lock of a database session of its own, which goes when the process goes, however it
ends. The state and what made it so are committed together, so that whoever comes next goes on where the last one was.
"""

from __future__ import annotations

import io
import logging
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.core.files.base import ContentFile, File
from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.utils import timezone

from agent.protocols.errors import LanguageError
from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder, require_embedder
from corpora.importing.addresses import read_address, unseal
from corpora.importing.describing import describe, left_out_of, specification
from corpora.importing.postgresql import copy_database
from corpora.importing.reading import NoSource, Table, tables_of
from corpora.importing.removing import remove
from corpora.importing.sources import Row, Source, open_sources
from corpora.importing.specification import BadSpecification, CorpusSpec, identifier
from corpora.importing.storing import Imported, NameTaken, store, views_ever
from corpora.importing.telling import notes_of, write_refused
from corpora.loading.sources import Unreadable
from corpora.models import CorpusVersion, Import, ImportFile
from corpora.passages.indexing import index
from corpora.passages.vector_indexes import bring_vector_indexes_in_step
from corpora.politeness import politely
from corpora.services import asking_others, go_back_and_index

State = Import.State
EXPECTED = (Unreadable, NoSource, NameTaken, BadSpecification, LanguageError)  # what a curator can do something about
PASSING = (OperationalError, InterfaceError, SoftTimeLimitExceeded)  # another worker goes on
LOCK = 0x494D50  # the first half of the lock of an import; its key is the second
PAUSE = 0.5  # seconds between two reports
LOOK_EVERY = 1000  # rows of a file after which a worker looks whether it should stop

logger = logging.getLogger(__name__)


class Cancelled(Exception):
    """Somebody asked for the import to end."""


class Watch:
    """A second session beside the one that works: it holds the lock, reports progress, and hears of a wish to stop."""

    def __init__(self, pk: int, session: BaseDatabaseWrapper) -> None:
        self._pk, self._session, self._said = pk, session, 0.0
        session.inc_thread_sharing()  # the thread that works reports, while the one that waits for it does nothing

    def report(self, done: int = 0, total: int = 0) -> None:
        """Say how far it is. Raises Cancelled."""
        now = time.monotonic()
        if now - self._said < PAUSE and done < max(total, 1):
            return
        self._said = now
        with self._session.cursor() as cursor:
            cursor.execute(
                "UPDATE corpora_import SET done = greatest(done, %s), total = greatest(%s, done, %s) WHERE id = %s "
                "RETURNING cancel_asked",
                [done, total, done, self._pk],
            )
            row = cursor.fetchone()
        if row is None or row[0]:
            raise Cancelled


@contextmanager
def _alone(pk: int) -> Iterator[Watch | None]:
    """A watch over the import, or None where another process works on it."""
    session = connections.create_connection(DEFAULT_DB_ALIAS)
    session.settings_dict = connections[DEFAULT_DB_ALIAS].settings_dict
    try:
        with session.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [LOCK, pk])
            (free,) = cursor.fetchone()
        try:
            yield Watch(pk, session) if free else None
        finally:
            if free:
                with session.cursor() as cursor:
                    cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [LOCK, pk])
    finally:
        session.close()


def work_on(pk: int) -> None:
    """Do what is due on an import, to the next state in which a person has to do something."""
    with _alone(pk) as watch:
        if watch is None:
            return
        while (one := Import.objects.filter(pk=pk).first()) and one.working:
            try:
                watch.report()
                politely(partial(STEPS[State(one.state)], one, watch))
            except PASSING:
                raise
            except Cancelled:
                _cancelled(one)
            except EXPECTED as error:
                _failed(one, str(error))
            except Exception as error:
                logger.exception("import %s", pk)
                _failed(one, f"Something went wrong that nobody foresaw ({type(error).__name__}); it is in the log.")


@contextmanager
def _opened(one: Import, watch: Watch) -> Iterator[list[Source]]:
    """The tables in the files of an import, under the names that the files came with."""
    with tempfile.TemporaryDirectory(prefix="import-") as folder:
        named = Path(folder, "named")
        named.mkdir()
        paths = [named / file.name for file in one.files.all()]
        for path, file in zip(paths, one.files.all(), strict=True):
            path.symlink_to(file.file.path)
        unpacked = Path(folder, "unpacked")
        unpacked.mkdir()
        sources = open_sources(paths, unpacked, one.encoding)
        yield [replace(source, rows=partial(_watched, source.rows, watch)) for source in sources]


def _watched(rows: Callable[[], Iterator[Row]], watch: Watch) -> Iterator[Row]:
    for count, row in enumerate(rows(), start=1):
        if count % LOOK_EVERY == 0:
            watch.report()
        yield row


def _copy(one: Import, watch: Watch) -> None:
    """Make a file of the database, so that all that comes after needs neither the server nor its password."""
    address = replace(read_address(one.address), password=unseal(one.sealed))
    if not address.is_allowed(settings.IMPORT_DATABASE_HOSTS):  # an operator may have struck it out meanwhile
        raise Unreadable(f"{address.host} is not among the hosts that data may be copied from.")
    with tempfile.TemporaryDirectory(prefix="import-") as folder:
        path = Path(folder, f"{identifier(address.database)}.sqlite")
        copy_database(address, path, only=one.only, report=watch.report)
        with transaction.atomic(), path.open("rb") as file:
            ImportFile.objects.create(of=one, name=path.name, file=File(file, path.name))
            _move(one, State.RECOGNISING)


def _recognise(one: Import, watch: Watch) -> None:
    active = CorpusVersion.objects.filter(corpus=one.corpus, active=True).first()
    known = CorpusSpec.model_validate(active.specification) if active else None
    last = Import.objects.filter(corpus=one.corpus, state=State.DONE).order_by("-pk").first()
    with _opened(one, watch) as sources:
        described = describe(one.corpus, sources, known, left_out_of(last.described) if last else frozenset())
    _move(one, State.DESCRIBING, described=described)


def _check(one: Import, watch: Watch) -> None:
    spec = specification(one.corpus, one.described)
    with _opened(one, watch) as sources:
        done = store(
            spec, tables_of(spec, sources), rehearse=True, overwrite_edits=one.overwrite_edits, report=watch.report
        )
    _move(one, State.CHECKED, **_found(one, done))


def _store(one: Import, watch: Watch) -> None:
    require_embedder()
    spec = specification(one.corpus, one.described)
    total = sum(counts["stored"] for counts in one.counts.values())
    with _opened(one, watch) as sources:
        tables: list[Table] = tables_of(spec, sources)
        with transaction.atomic():
            done = store(
                spec, tables, by=one.by, overwrite_edits=one.overwrite_edits,
                report=lambda rows: watch.report(rows, total),
            )  # fmt: skip
            version = CorpusVersion.objects.get(corpus=spec.name, number=done.version)
            _move(one, State.EMBEDDING, version=version, **_found(one, done))


def _embed(one: Import, watch: Watch) -> None:
    tables = views_ever(one.corpus)
    index(whole_catalogue(), embedder(), tables=tables, report=watch.report, wanted=asking_others())
    _move(one, State.INDEXING)


def _index(one: Import, watch: Watch) -> None:
    bring_vector_indexes_in_step(watch.report)
    _move(one, State.DONE)


STEPS: dict[State, Callable[[Import, Watch], None]] = {
    State.COPYING: _copy,
    State.RECOGNISING: _recognise,
    State.CHECKING: _check,
    State.STORING: _store,
    State.EMBEDDING: _embed,
    State.INDEXING: _index,
}


def _found(one: Import, done: Imported) -> dict[str, object]:
    """What a run found, as fields; the refused cells go into a file."""
    text = io.StringIO()
    write_refused(text, done.refused)
    if one.refused:
        one.refused.delete(save=False)
    one.refused.save(f"{one.pk}/refused.csv", ContentFile(text.getvalue().encode("utf-8-sig")), save=False)
    return {
        "counts": done.counts,
        "notes": notes_of(done),
        "times_refused": done.times_refused,
        "refused": one.refused.name,
    }


def _move(one: Import, state: State, **fields: object) -> None:
    Import.objects.filter(pk=one.pk, state=one.state).update(
        state=state, **({"problem": "", "sealed": "", "done": 0, "total": 0, "since": timezone.now()} | fields)
    )


def _failed(one: Import, problem: str) -> None:
    """Rows that are stored stay; before that, what the curator can mend is to be mended."""
    _move(one, State.DESCRIBING if one.state == State.CHECKING else State.FAILED, problem=problem)


def _take_back(version: CorpusVersion, by: AbstractBaseUser | None) -> None:
    """Let the corpus be what it was before a version."""
    before = CorpusVersion.objects.filter(corpus=version.corpus, number__lt=version.number).order_by("-number").first()
    if before is None:
        remove(version.corpus)
        return
    go_back_and_index(before, by)


def _cancelled(one: Import) -> None:
    if one.version is not None:
        _take_back(one.version, one.by)
    _move(one, State.CANCELLED, cancel_asked=False, version=None)
