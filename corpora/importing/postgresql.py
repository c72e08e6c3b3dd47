"""Tables of a PostgreSQL database, copied in one read-only transaction into a SQLite file.

All that comes after reads the file: the dry run and the import see the same rows, and an import that is taken up again
needs neither the server nor its password. Types, keys and links are declared in the file as the database has them.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import psycopg
from django.db import connection as own_connection
from django.db import transaction
from psycopg import sql

from corpora.importing.addresses import Address
from corpora.importing.archives import MOST_MEMBERS, MOST_UNPACKED
from corpora.importing.databases import COPIED, NOTES, quoted
from corpora.importing.source import MOST_HEADERS
from corpora.importing.specification import ColumnKind
from corpora.loading.sources import Unreadable

BATCH = 1000  # rows
STATEMENT_SECONDS = 60  # that the server may take for one step
TABLES, VIEWS = ("r", "p"), ("v", "m")  # kinds of relations; views are copied where they are named

Report = Callable[[int, int], None]

_KINDS = {
    "B": ColumnKind.BOOLEAN.value, "N": ColumnKind.NUMBER.value, "D": f"{ColumnKind.DATE.value} TEXT",
    "E": f"{ColumnKind.ENUM.value} TEXT", "A": "JSON TEXT",
}  # fmt: skip
_BY_NAME = {
    "time": f"{ColumnKind.TIME.value} TEXT", "timetz": f"{ColumnKind.TIME.value} TEXT",
    "json": "JSON TEXT", "jsonb": "JSON TEXT",
}  # fmt: skip
_NO_DATA = ("bytea", "tsvector", "geometry", "geography", "vector", "halfvec")  # nothing that people read

_RELATIONS = """
SELECT c.oid, n.nspname, c.relname, c.relkind::text, greatest(c.reltuples, 0)::bigint
FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind = ANY(%s) AND NOT c.relispartition AND n.nspname NOT IN ('pg_catalog', 'information_schema')
    AND n.nspname !~ '^pg_(toast|temp)'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
ORDER BY n.nspname <> 'public', n.nspname, c.oid
"""
_COLUMNS = """
SELECT a.attname, t.typname, t.typcategory::text FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
WHERE a.attrelid = %s AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum
"""
_KEY = """
SELECT a.attname FROM pg_constraint c, unnest(c.conkey) WITH ORDINALITY AS k (attnum, place)
JOIN pg_attribute a ON a.attnum = k.attnum
WHERE c.conrelid = %s AND a.attrelid = c.conrelid AND c.contype = 'p' ORDER BY k.place
"""
_LINKS = """
SELECT a.attname, c.confrelid, b.attname FROM pg_constraint c
JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
WHERE c.conrelid = %s AND c.contype = 'f' AND cardinality(c.conkey) = 1 ORDER BY c.oid
"""


@dataclass(frozen=True, slots=True)
class _Table:
    """A table of the server: where it is, what it is called here, and its columns with what they are declared here."""

    oid: int
    schema: str
    name: str
    rows: int
    columns: tuple[tuple[str, str], ...]
    left_out: tuple[str, ...]

    @property
    def called(self) -> str:
        return self.name if self.schema == "public" else f"{self.schema}.{self.name}"


def copy_database(
    address: Address,
    target: Path,
    *,
    only: Collection[str] = (),
    trusted: bool = False,
    report: Report = lambda done, total: None,
) -> None:
    """Copy the tables of a database into a new SQLite file: all that its user may read, or `only` those named.

    `trusted` is whoever works on this machine; others cannot reach the database that the site itself uses.
    `report(done, total)` is told of the rows; what it raises ends the copy. Raises Unreadable.
    """
    with _connected(address, trusted) as server, closing(sqlite3.connect(target, isolation_level=None)) as file:
        file.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF")
        file.execute(f"PRAGMA application_id = {COPIED}")
        file.execute(f"CREATE TABLE {quoted(NOTES)} (part TEXT, note TEXT)")
        tables = _tables(server, only)
        total, done = sum(table.rows for table in tables), 0
        for table in tables:
            _create(server, file, table, {one.oid: one.called for one in tables})
            for rows in _rows(server, table):
                file.execute("BEGIN")
                file.executemany(
                    f"INSERT INTO {quoted(table.called)} VALUES ({', '.join('?' * len(table.columns))})", rows
                )
                file.execute("COMMIT")
                done += len(rows)
                report(done, max(total, done))
                if target.stat().st_size > MOST_UNPACKED:
                    raise Unreadable(
                        f"The tables have more than {MOST_UNPACKED:,} bytes. Name those that are needed, or let "
                        "whoever runs the database make a smaller one of them."
                    )


@contextmanager
def _connected(address: Address, trusted: bool) -> Iterator[psycopg.Connection[Any]]:
    """A read-only transaction that sees one state of the database."""
    try:
        with psycopg.connect(**address.parameters(trusted)) as server:
            server.read_only = True
            server.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            server.execute(f"SET LOCAL statement_timeout = '{STATEMENT_SECONDS}s'")
            server.execute(f"SET LOCAL lock_timeout = '{STATEMENT_SECONDS}s'")
            server.execute(
                "SET LOCAL datestyle = 'ISO'; SET LOCAL search_path = pg_catalog; SET LOCAL timezone = 'UTC'"
            )
            if not trusted and _is_our_own(server):
                raise Unreadable(f"{address} is the database of this site: no data are imported from there.")
            yield server
    except psycopg.errors.QueryCanceled:
        raise Unreadable(
            f"The database took more than {STATEMENT_SECONDS} seconds for one step, and was left. Try again when it is "
            "less busy, or leave out views that compute much."
        ) from None
    except psycopg.Error as error:
        raise Unreadable(_in_words(error, address)) from None
    except sqlite3.Error as error:
        raise Unreadable(f"The copy of {address} cannot be kept here: {error}.") from error


def _is_our_own(server: psycopg.Connection[Any]) -> bool:
    """Whether a server's database is the site's, whatever it is called: a lock taken there is missing here."""
    key = secrets.randbits(62)
    with transaction.atomic(), own_connection.cursor() as own:
        own.execute("SELECT pg_advisory_xact_lock(%s)", [key])
        found = server.execute("SELECT pg_catalog.pg_try_advisory_xact_lock(%s::bigint)", [key]).fetchone()
    return found is None or not found[0]


def _in_words(error: psycopg.Error, address: Address) -> str:
    """What went wrong and what to do; nothing that the driver says of the login is repeated."""
    where, said = f"{address.host}, port {address.port}", str(error).casefold()
    if isinstance(error, psycopg.errors.InsufficientPrivilege):
        return (
            f"{address.user} may not read that: whoever runs the database can grant it ({error.diag.message_primary})."
        )
    if error.diag.message_primary:
        return f"The database says: {error.diag.message_primary}."
    known = {
        "password authentication failed": f"{where} refuses {address.user} with this password: correct one of them.",
        "no password supplied": f"{where} wants a password for {address.user}: give it.",
        "does not exist": f"{where} has no database {address.database!r}, or no user {address.user!r}: correct it.",
        "pg_hba.conf": f"{where} does not let {address.user} in from here: whoever runs it has to (pg_hba.conf).",
        "resolve": f"There is no host {address.host!r}: correct its name.",
        "name or service": f"There is no host {address.host!r}: correct its name.",
        "refused": f"No PostgreSQL listens at {where}: correct host and port, or have it started.",
        "no such file": f"No PostgreSQL listens at {where}: correct host and port, or have it started.",
        "timeout": f"{where} does not answer: is there a firewall in between?",
        "unreachable": f"{where} cannot be reached from here: is there a firewall in between?",
        "ssl": f"No secure connection to {where} comes about: try another sslmode, or have its certificate looked at.",
        "certificate": f"The certificate of {where} is none that is trusted here.",
    }
    for sign, words in known.items():
        if sign in said:
            return words
    return f"The connection to {where} failed. Try again, or ask whoever runs that database what its log says."


def _tables(server: psycopg.Connection[Any], only: Collection[str]) -> list[_Table]:
    kinds = [*TABLES, *(VIEWS if only else ())]
    found = [_described(server, *row) for row in server.execute(_RELATIONS, [kinds]).fetchall()]
    if only:
        known = {name: one for one in found for name in (one.called, f"{one.schema}.{one.name}")}
        if missing := [name for name in only if name not in known]:
            listed = ", ".join(one.called for one in found)[:300] or "none"
            raise Unreadable(f"There is no table {missing[0]!r} that this user may read. There are: {listed}.")
        found = list({known[name].oid: known[name] for name in only}.values())
    if not found:
        raise Unreadable("The database has no table that this user may read. Whoever runs it can grant SELECT.")
    if len(found) > MOST_MEMBERS:
        raise Unreadable(f"The database has {len(found):,} tables: name those that are needed.")
    return found


def _described(server: psycopg.Connection[Any], oid: int, schema: str, name: str, kind: str, rows: int) -> _Table:
    columns, left_out = [], []
    for column, type_name, category in server.execute(_COLUMNS, [oid]).fetchall():
        if type_name.removeprefix("_") in _NO_DATA:
            left_out.append(f"the column {column} is left out: {type_name} is nothing that can be read")
        else:
            columns.append((column, _BY_NAME.get(type_name) or _KINDS.get(category) or "TEXT"))
    return _Table(oid, schema, name, rows, tuple(columns[:MOST_HEADERS]), tuple(left_out))


def _create(server: psycopg.Connection[Any], file: sqlite3.Connection, table: _Table, called: dict[int, str]) -> None:
    names = {name for name, _ in table.columns}
    parts = [f"{quoted(name)} {declared}" for name, declared in table.columns]
    keys = [name for (name,) in server.execute(_KEY, [table.oid]).fetchall()]
    if keys and names.issuperset(keys):
        parts.append(f"PRIMARY KEY ({', '.join(map(quoted, keys))})")
    for column, other, target in server.execute(_LINKS, [table.oid]).fetchall():
        if other in called and column in names:
            parts.append(f"FOREIGN KEY ({quoted(column)}) REFERENCES {quoted(called[other])} ({quoted(target)})")
    file.execute(f"CREATE TABLE {quoted(table.called)} ({', '.join(parts)})")
    file.executemany(f"INSERT INTO {quoted(NOTES)} VALUES (?, ?)", [(table.called, note) for note in table.left_out])


def _rows(server: psycopg.Connection[Any], table: _Table) -> Iterator[Sequence[tuple[Any, ...]]]:
    """The rows of a table, a batch at a time, as SQLite keeps them."""
    wanted = sql.SQL(", ").join(_as_kept(name, declared) for name, declared in table.columns)
    query = sql.SQL("SELECT {} FROM {}").format(wanted, sql.Identifier(table.schema, table.name))
    with server.cursor(name="rows") as cursor:
        cursor.execute(query)
        while rows := cursor.fetchmany(BATCH):
            yield [tuple(_plain(value) for value in row) for row in rows]


def _as_kept(name: str, declared: str) -> sql.Composable:
    form = {"JSON TEXT": "to_jsonb({})::text", "NUMBER": "{}", "BOOLEAN": "{}"}.get(declared, "{}::text")
    return sql.SQL(form).format(sql.Identifier(name))


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and abs(value) < 2**53 else float(value)
    return value if value is None or isinstance(value, str | int | float) else str(value)
