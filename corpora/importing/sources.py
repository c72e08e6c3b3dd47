"""Files as tables of cells: delimited text, spreadsheets, JSON, Parquet and SQLite, alone, in a folder or a zip."""

from __future__ import annotations

import codecs
import csv
import re
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
from charset_normalizer import from_bytes

from corpora.loading.sources import MARKS, Unreadable, read_text, values

SAMPLE = 1_000_000  # bytes by which an encoding and a delimiter are told
LONGEST_CELL = 10_000_000  # characters
MOST_UNPACKED = 4 * 2**30  # bytes; what a zip may unpack to
MOST_RATIO = 200  # times its packed size; beyond it a zip is a bomb
BATCH = 1000  # rows
USUAL = "cp1252"  # of the encodings that fit about as well: short texts hardly tell them apart
MARGIN = 0.05  # of the detector's measure of mess, from 0 to 1
DAY = re.compile(r"(?i)(mon|tue|wed|thu|fri|sat|sun)")

Row = tuple[int, dict[str, Any]]  # the line (or row of the sheet, or number of the object), and cells by header


@dataclass(frozen=True, slots=True)
class Source:
    """A table as it stands in a file. `part` is the sheet, or the table, where a file has several of them.

    `rows()` reads it from its beginning, a few rows at a time. Raises Unreadable, as everything here does.
    """

    file: str
    part: str
    columns: tuple[str, ...]
    rows: Callable[[], Iterator[Row]]
    notes: tuple[str, ...] = ()  # what was recognised: the encoding, the delimiter
    keys: tuple[str, ...] = ()  # the columns that a database declares as the key
    links: tuple[tuple[str, str, str], ...] = ()  # a column, and the table and column it is declared to refer to

    def __str__(self) -> str:
        return f"{self.file} ({self.part})" if self.part else self.file


def open_sources(paths: Sequence[Path], unpacked: Path, encoding: str = "") -> list[Source]:
    """The tables in some files, folders and zips. Zips are unpacked under `unpacked`, which the caller removes.

    `encoding` is that of delimited text; it is told from the bytes where it is empty.
    """
    return [source for path in paths for file in _files(path, unpacked) for source in _open(file, encoding)]


def _files(path: Path, unpacked: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.is_file() and not file.name.startswith("."))
    elif path.suffix.lower() == ".zip":
        yield from _unzip(path, unpacked)
    else:
        yield path


def _unzip(path: Path, unpacked: Path) -> list[Path]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if not one.is_dir() and "__MACOSX" not in one.filename]
            size, packed = sum(one.file_size for one in members), sum(one.compress_size for one in members)
            if size > MOST_UNPACKED or (size > SAMPLE and size > MOST_RATIO * max(packed, 1)):
                raise Unreadable(f"{path.name} would unpack to {size:,} bytes: too much, so it is not opened")
            folder = Path(tempfile.mkdtemp(dir=unpacked))
            files = []
            for number, member in enumerate(members):
                target = folder / str(number) / Path(member.filename).name  # never where the archive says
                target.parent.mkdir()
                with archive.open(member) as packed_file, target.open("wb") as file:
                    left = member.file_size  # an archive may lie about it
                    while data := packed_file.read(min(2**20, left + 1)):
                        left -= len(data)
                        if left < 0:
                            raise Unreadable(f"{path.name}: {member.filename} is larger than the archive says")
                        file.write(data)
                files.append(target)
            return files
    except (zipfile.BadZipFile, RuntimeError, NotImplementedError) as error:
        raise Unreadable(f"{path.name} is no zip archive that can be read: {error}") from error


def _open(path: Path, encoding: str) -> list[Source]:
    try:
        with path.open("rb") as file:
            head = file.read(100)
        if head.startswith(b"SQLite format 3"):
            return _sqlite(path)
        if head.startswith(b"PAR1"):
            return [_parquet(path)]
        if head.startswith(b"PK\x03\x04"):
            return _workbook(path)
        if path.suffix.lower() in (".json", ".jsonl", ".ndjson") or head.lstrip()[:1] in (b"{", b"["):
            return [_json(path)]
        return [_delimited(path, encoding)]
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}") from error


# -- Delimited text ------------------------------------------------------------------------------------------------


def encoding_of(path: Path) -> tuple[str, str]:
    """The encoding of a text file, and how that is known."""
    with path.open("rb") as file:
        sample = file.read(SAMPLE)
        for mark, name in MARKS:
            if sample.startswith(mark):
                return ("utf-8-sig" if name == "utf-8" else name), "by its byte-order mark"
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            decoder.decode(sample)
            while data := file.read(2**20):
                decoder.decode(data)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            pass
        else:
            if b"\0" not in sample:
                return "utf-8", "since all of it is valid"
    matches = from_bytes(sample[: SAMPLE // 10])
    best = matches.best()
    if best is None:
        raise Unreadable(f"{path.name} is no text in an encoding that can be told; save it as UTF-8")
    likely = [match for match in matches if match.chaos <= best.chaos + MARGIN]
    usual = next((match for match in likely if USUAL in match.could_be_from_charset), best)
    name = USUAL if usual is not best or USUAL in best.could_be_from_charset else best.encoding
    return name, "guessed from its bytes: look at letters with accents, --encoding says another"


def _delimited(path: Path, said: str) -> Source:
    encoding, why = (said, "as said") if said else encoding_of(path)
    dialect = _dialect(path, encoding)
    header = next(_records(path, encoding, dialect), (1, []))[1]
    if not any(header):
        raise Unreadable(f"{path.name} has no header in its first line")
    columns = _headers(header)
    return Source(
        path.name, "", tuple(filter(None, columns)), partial(_delimited_rows, path, encoding, dialect, columns),
        (f"{encoding} ({why})", f"delimiter {dialect!r}"),
    )  # fmt: skip


def _dialect(path: Path, encoding: str) -> str:
    """The delimiter, as DuckDB's sniffer tells it from the beginning of the file."""
    with path.open(encoding=encoding, newline="", errors="replace") as file:
        sample = file.read(SAMPLE).removeprefix("\ufeff").replace("\0", "")
    first = sample.split("\n", 1)[0]
    present = [sign for sign in ",;\t|" if sign in first]
    if len(present) < 2:
        return present[0] if present else ","
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8", newline="") as file:
        file.write(sample[: sample.rfind("\n") + 1] or sample)
        file.flush()
        try:
            (found,) = duckdb.execute("SELECT Delimiter FROM sniff_csv(?)", [file.name]).fetchall()
        except duckdb.Error:
            return max(present, key=first.count)
    return str(found[0]) if found[0] in present else max(present, key=first.count)


def _records(path: Path, encoding: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Each record with the line it begins on (quoted cells may hold line breaks)."""
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding=encoding, newline="") as file:
        reader, line = csv.reader(file, delimiter=delimiter, strict=True), 1
        try:
            for record in reader:
                if any(cell.strip() for cell in record):
                    yield line, [record[0].removeprefix("\ufeff"), *record[1:]] if line == 1 else record
                line = reader.line_num + 1
        except csv.Error as error:
            raise Unreadable(f"{path.name}, line {line}: {error} (is a quote left open?)", line) from error
        except UnicodeDecodeError as error:
            raise Unreadable(f"{path.name}, after line {line}: not all of it is {encoding}", line) from error


def _headers(cells: Sequence[Any]) -> list[str]:
    """Names of the columns: empty ones of no use are "", a name that comes again gets a number."""
    seen: dict[str, int] = {}
    names = []
    for cell in cells:
        name = " ".join(str(cell if cell is not None else "").split())
        if name:
            seen[name.casefold()] = seen.get(name.casefold(), 0) + 1
            name = f"{name} {seen[name.casefold()]}" if seen[name.casefold()] > 1 else name
        names.append(name)
    return names


def _cells(line: int, columns: Sequence[str], record: Sequence[Any], where: str) -> Row:
    extra = [cell for cell in record[len(columns) :] if cell not in ("", None)]
    unnamed = [cell for name, cell in zip(columns, record, strict=False) if not name and cell not in ("", None)]
    if extra or unnamed:
        found = (extra or unnamed)[0]
        raise Unreadable(f"{where}, line {line}: {str(found)[:40]!r} stands in a column without a header", line)
    return line, {name: cell for name, cell in zip(columns, record, strict=False) if name}


def _delimited_rows(path: Path, encoding: str, delimiter: str, columns: list[str]) -> Iterator[Row]:
    records = _records(path, encoding, delimiter)
    next(records, None)
    for line, record in records:
        if len(record) < len(columns) - columns[::-1].count(""):
            raise Unreadable(
                f"{path.name}, line {line}: {len(record)} cells, where the header has {len(columns)}", line
            )
        yield _cells(line, columns, record, path.name)


# -- Spreadsheets --------------------------------------------------------------------------------------------------


def _workbook(path: Path) -> list[Source]:
    try:
        with closing(openpyxl.load_workbook(path, read_only=True, data_only=True)) as book:
            sheets = [(sheet.title, _sheet_head(sheet)) for sheet in book.worksheets]
    except (KeyError, ValueError, zipfile.BadZipFile, openpyxl.utils.exceptions.InvalidFileException) as error:
        raise Unreadable(f"{path.name} is no spreadsheet that can be read: {error}") from error
    return [
        Source(path.name, title, tuple(filter(None, columns)), partial(_sheet_rows, path, title, first, columns))
        for title, (first, columns) in sheets
        if any(columns)
    ]


def _sheet_head(sheet: Any) -> tuple[int, list[str]]:
    """The first row that is not empty, and its number."""
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        if any(cell not in (None, "") for cell in row):
            return number, _headers(row)
    return 1, []


def _sheet_rows(path: Path, title: str, first: int, columns: list[str]) -> Iterator[Row]:
    with (
        closing(openpyxl.load_workbook(path, read_only=True, data_only=True)) as book,
        closing(openpyxl.load_workbook(path, read_only=True)) as written,
    ):
        both = zip(
            book[title].iter_rows(min_row=first + 1, values_only=True),
            written[title].iter_rows(min_row=first + 1, values_only=True),
            strict=True,
        )
        for line, (row, formulas) in enumerate(both, start=first + 1):
            for name, cell, formula in zip(columns, row, formulas, strict=False):
                if cell is None and isinstance(formula, str) and formula.startswith("="):
                    raise Unreadable(
                        f"{path.name} ({title}), row {line}, {name}: the formula {formula[:40]} has no value; "
                        "open the file in a spreadsheet program and save it",
                        line,
                    )
            if any(cell not in (None, "") for cell in row):
                yield _cells(line, columns, row, f"{path.name} ({title})")


# -- JSON, Parquet, SQLite -----------------------------------------------------------------------------------------


def _objects(path: Path) -> Iterator[Row]:
    try:
        text = read_text(path)
    except Unreadable as error:
        raise Unreadable(f"{path.name} {error}", error.line) from error
    for value in values(text):
        if value.problem or not isinstance(value.data, dict):
            raise Unreadable(f"{path.name}, line {value.line}: {value.problem or 'an object is expected'}", value.line)
        yield value.line, flat(value.data)


def flat(data: dict[str, Any], before: str = "") -> dict[str, Any]:
    """Objects inside an object as columns of their own: {"a": {"b": 1}} has "a.b". A place stays whole."""
    found: dict[str, Any] = {}
    for name, value in data.items():
        if isinstance(value, dict) and not is_place(value) and not is_week(value):
            found |= flat(value, f"{before}{name}.")
        else:
            found[before + name] = value
    return found


def is_place(value: Any) -> bool:
    """Whether an object is a latitude and a longitude."""
    return isinstance(value, dict) and set(value) in ({"lat", "lon"}, {"lat", "lng"}, {"latitude", "longitude"})


def is_week(value: Any) -> bool:
    """Whether an object maps days of the week."""
    return isinstance(value, dict) and bool(value) and all(DAY.match(name) for name in value)


def _json(path: Path) -> Source:
    columns: dict[str, None] = {}
    for _, row in _objects(path):
        columns |= dict.fromkeys(row)
    return Source(path.name, "", tuple(columns), partial(_objects, path))


def _parquet(path: Path) -> Source:
    try:
        relation = duckdb.connect().execute("SELECT * FROM read_parquet(?) LIMIT 0", [str(path)])
    except duckdb.Error as error:
        raise Unreadable(f"{path.name} is no Parquet file that can be read: {error}") from error
    columns = tuple(column[0] for column in relation.description or ())
    return Source(path.name, "", columns, partial(_parquet_rows, path, columns))


def _parquet_rows(path: Path, columns: tuple[str, ...]) -> Iterator[Row]:
    with duckdb.connect() as connection:
        found = connection.execute("SELECT * FROM read_parquet(?)", [str(path)])
        number = 0
        while batch := found.fetchmany(BATCH):
            for row in batch:
                number += 1
                yield number, flat(dict(zip(columns, row, strict=True)))


def _sqlite(path: Path) -> list[Source]:
    sources = []
    with closing(_connect(path)) as connection:
        try:
            names = [name for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid"
            )]  # fmt: skip
            for name in names:
                told = connection.execute(f"PRAGMA table_info({_quoted(name)})").fetchall()
                columns = tuple(row[1] for row in told)
                keys = tuple(row[1] for row in sorted(told, key=lambda row: row[5]) if row[5])
                links = tuple(_sqlite_links(connection, name))
                rows = partial(_sqlite_rows, path, name, columns)
                sources.append(Source(path.name, name, columns, rows, keys=keys, links=links))
        except sqlite3.DatabaseError as error:
            raise Unreadable(f"{path.name} is a damaged SQLite database: {error}") from error
    return sources


def _sqlite_links(connection: sqlite3.Connection, name: str) -> Iterator[tuple[str, str, str]]:
    """What the table declares to refer to; a reference that names no column means the other table's key."""
    for row in connection.execute(f"PRAGMA foreign_key_list({_quoted(name)})"):
        target = row[4]
        if target is None:
            told = connection.execute(f"PRAGMA table_info({_quoted(row[2])})").fetchall()
            target = next((column[1] for column in told if column[5]), None)
        if target is not None:
            yield row[3], row[2], target


def _sqlite_rows(path: Path, name: str, columns: tuple[str, ...]) -> Iterator[Row]:
    with closing(_connect(path)) as connection:
        for number, row in enumerate(connection.execute(f"SELECT * FROM {_quoted(name)}"), start=1):
            yield number, dict(zip(columns, row, strict=True))


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
    connection.text_factory = lambda data: data.decode("utf-8", errors="replace")
    return connection


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
