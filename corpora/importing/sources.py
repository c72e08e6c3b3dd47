"""Files as tables of cells: delimited text, spreadsheets, JSON, Parquet and SQLite, alone, in a folder or a zip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from corpora.importing.archives import TABLES, unzip
from corpora.importing.databases import parquet, sqlite
from corpora.importing.delimited import delimited
from corpora.importing.linked import linked_tables
from corpora.importing.objects import objects
from corpora.importing.source import MOST_HEADERS, Misread, Row, Source, headers
from corpora.importing.workbooks import OLD, workbook
from corpora.importing.yelp import as_yelp
from corpora.loading.sources import Unreadable

__all__ = ["Misread", "Row", "Source", "open_sources"]

FOREIGN = {
    b"\xd0\xcf\x11\xe0": f"an old Office file: {OLD}",
    b"%PDF": "a PDF, which holds no tables: bring the data that it was made from",
    b"\x1f\x8b": "a gzip archive: unpack it first",
    b"BZh": "a bzip2 archive: unpack it first",
    b"7z\xbc\xaf": "a 7-Zip archive: unpack it first",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
}


def open_sources(paths: Sequence[Path], unpacked: Path, encoding: str = "") -> list[Source]:
    """The tables in some files, folders and zips. Zips are unpacked under `unpacked`, which the caller removes.

    `encoding` is that of delimited text; it is told from the bytes where it is empty. Raises Unreadable.
    """
    files = [file for path in paths for file in _files(path, unpacked)]
    linked, parts = linked_tables(files)
    opened = [source for file in files if file not in parts for source in _open(file, encoding)]
    return [_distinct(source) for source in (*linked, *opened)]


def _files(path: Path, unpacked: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(one for one in path.rglob("*") if one.is_file() and one.suffix.lower() in TABLES)
    elif path.suffix.lower() == ".zip":
        yield from unzip(path, unpacked)
    else:
        yield path


def _open(path: Path, encoding: str) -> list[Source]:
    try:
        with path.open("rb") as file:
            head = file.read(100)
        if not head:
            raise Unreadable(f"{path.name} is empty")
        for signature, what in FOREIGN.items():
            if head.startswith(signature):
                raise Unreadable(f"{path.name} is {what}")
        if head.startswith(b"SQLite format 3"):
            return sqlite(path)
        if head.startswith(b"PAR1"):
            return [parquet(path)]
        if head.startswith(b"PK\x03\x04"):
            return workbook(path)
        if path.suffix.lower() in (".json", ".jsonl", ".ndjson") or head.lstrip()[:1] in (b"{", b"["):
            return [as_yelp(objects(path))]
        return [delimited(path, encoding)]
    except OSError as error:
        raise Unreadable(f"{path.name} cannot be read: {error.strerror}") from error


def _distinct(source: Source) -> Source:
    """The source with columns that queries can tell apart: "Tel" and "tel." would both be called tel."""
    if len(source.columns) > MOST_HEADERS:
        raise Unreadable(f"{source} has {len(source.columns):,} columns, and {MOST_HEADERS:,} at most are read")
    names = headers(source.columns)
    if tuple(names) == source.columns or len(names) < len(source.columns):
        return source
    called = dict(zip(source.columns, names, strict=True))
    keys = tuple(called.get(key, key) for key in source.keys)
    links = tuple((called.get(column, column), table, target) for column, table, target in source.links)
    kinds = {called.get(name, name): kind for name, kind in source.kinds.items()}
    rows = partial(_renamed, source, called)
    return replace(source, columns=tuple(names), rows=rows, keys=keys, links=links, kinds=kinds)


def _renamed(source: Source, called: dict[str, str]) -> Iterator[Row]:
    for line, cells in source.rows():
        if isinstance(cells, Misread):
            yield line, cells
        else:
            yield line, {called.get(name, name): cell for name, cell in cells.items()}
