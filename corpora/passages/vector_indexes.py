"""The HNSW indexes over the vectors of passages: one for each column that has more of them than are scored singly.

A single index over all passages would be kept up while a million vectors come, which takes four times as long as
building it afterwards, and a search in one column would look through those of all others. See
docs/decisions/vector-indexes.md.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable

from django.conf import settings
from django.db import connection

from agent.suql.nearest import SCORED
from corpora.locks import held
from corpora.models import Passage

PREFIX = "passage_vectors_"
KEPT = SCORED // 2  # passages of a column for which its index stays: it may soon have more again
PAUSE = 0.5  # seconds between two looks at how far a build is
TABLE = f'"{Passage._meta.db_table}"'

Column = tuple[str, str]  # a table of the knowledge schema, and a column of it
Report = Callable[[int, int], None]


def bring_vector_indexes_in_step(report: Report = lambda done, total: None) -> None:
    """Build the indexes that are missing, and drop those that serve few passages by now.

    Nobody waits for it: passages are read and written meanwhile. Safe to interrupt, to run again, and to run while
    somebody else does. `report(done, total)` follows a build, in passages; what it raises ends it. Not for use in a
    transaction.
    """
    counts = _passages_of_columns()
    kept = {_name(column) for column, count in counts.items() if count >= KEPT}
    for name in sorted(_indexes().keys() - kept):
        _alone(name, _drop(name))
    for column, count in counts.items():
        while count > SCORED and not _indexes().get(_name(column)):
            _build(_name(column), column, count, report)


def _passages_of_columns() -> dict[Column, int]:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT owner_table, column_name, count(*) FROM {TABLE} GROUP BY 1, 2 ORDER BY 3")
        return {(table, column): count for table, column, count in cursor.fetchall()}


def _name(column: Column) -> str:
    return PREFIX + hashlib.md5("\n".join(column).encode(), usedforsecurity=False).hexdigest()[:12]


def _indexes() -> dict[str, bool]:
    """The indexes that there are, and whether each is whole: a build that was cut off leaves one that is not."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT c.relname, i.indisvalid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
            "WHERE i.indrelid = %s::regclass AND starts_with(c.relname, %s)",
            [TABLE, PREFIX],
        )
        return dict(cursor.fetchall())


def _build(name: str, column: Column, passages: int, report: Report) -> None:
    """Build an index in a thread, or wait a moment where somebody else does, and report how far it is."""
    create = connection.ops.compose_sql(
        f'CREATE INDEX CONCURRENTLY "{name}" ON {TABLE} USING hnsw (embedding halfvec_cosine_ops) '
        "WHERE owner_table = %s AND column_name = %s",
        list(column),
    )
    problems: list[BaseException] = []
    over = threading.Event()

    def build() -> None:
        try:
            if not _alone(name, _drop(name), create):
                time.sleep(PAUSE)
        except Exception as error:  # raised again in the thread that waits
            problems.append(error)
        finally:
            connection.close()
            over.set()

    threading.Thread(target=build, name="vector index").start()
    try:
        report(0, passages)
        while not over.wait(PAUSE):
            report(min(_done(name), passages), passages)
    except BaseException:
        _end(name)
        over.wait()
        raise
    if problems:
        raise problems[0]


def _drop(name: str) -> str:
    return f'DROP INDEX CONCURRENTLY IF EXISTS "{name}"'


def _alone(name: str, *statements: str) -> bool:
    """Execute statements on an index, and return whether nobody else does: their session would hold its lock.

    A worker that is killed leaves PostgreSQL at work on what it began.
    """
    with held(name) as free, connection.cursor() as cursor:
        if free:
            try:
                cursor.execute(f"SET maintenance_work_mem = '{settings.VECTOR_INDEX_MEMORY_MB}MB'")
                for statement in statements:
                    cursor.execute(statement)
            finally:  # the session goes back to the pool
                cursor.execute("RESET maintenance_work_mem")
        return free


_PROGRESS = "FROM pg_stat_progress_create_index WHERE index_relid = to_regclass(%s)"


def _done(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT coalesce(max(tuples_done), 0) {_PROGRESS}", [f'"{name}"'])
        return int(cursor.fetchone()[0])


def _end(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT pg_cancel_backend(pid) {_PROGRESS}", [f'"{name}"'])
