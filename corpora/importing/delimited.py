"""Delimited text: CSV, TSV and their kin, in any encoding."""

from __future__ import annotations

import codecs
import csv
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import duckdb
from charset_normalizer import from_bytes

from corpora.importing.source import Misread, Row, Source, headers, row
from corpora.loading.sources import MARKS, Unreadable

SAMPLE = 1_000_000  # bytes by which an encoding and a delimiter are told
LOOKED_AT = 50_000  # bytes around what is not UTF-8
LONGEST_CELL = 10_000_000  # characters
DAMAGED = 0.1  # of the characters beyond ASCII may be broken in a file that is still UTF-8
USUAL = "cp1252"  # of the encodings that fit about as well: short texts hardly tell them apart
MARGIN = 0.05  # of the detector's measure of mess, from 0 to 1


def delimited(path: Path, said: str) -> Source:
    """Return the table in a file of delimited text, in the encoding that is said or else told. Raises Unreadable."""
    encoding, why = (said, "as said") if said else encoding_of(path)
    dialect = _dialect(path, encoding)
    first = next(_records(path, encoding, dialect), (1, []))[1]
    columns = headers(first) if isinstance(first, list) else []
    if not any(columns):
        raise Unreadable(f"{path.name} has no header in its first line: name the columns there")
    return Source(
        path.name, "", tuple(filter(None, columns)), partial(_rows, path, encoding, dialect, columns),
        (f"{encoding} ({why})", f"delimiter {dialect!r}"),
    )  # fmt: skip


def encoding_of(path: Path) -> tuple[str, str]:
    """Return the encoding of a text file, and how that is known. Raises Unreadable."""
    with path.open("rb") as file:
        sample = file.read(SAMPLE)
        for mark, name in MARKS:
            if sample.startswith(mark):
                return ("utf-8-sig" if name == "utf-8" else name), "by its byte-order mark"
        file.seek(0)
        whole, broken, around = _counted(file)
    if b"\0" not in sample:
        if not broken:
            return "utf-8", "since all of it is valid"
        if broken <= DAMAGED * whole:
            return "utf-8", f"but for {broken:,} damaged characters, whose cells are refused"
    best = (matches := from_bytes(sample[:LOOKED_AT] + around)).best()
    if best is None or best.encoding == "ascii":
        raise Unreadable(
            f"{path.name} is no text in an encoding that can be told: say which it is, or save it as UTF-8"
        )
    likely = [match for match in matches if match.chaos <= best.chaos + MARGIN]
    usual = next((match for match in likely if USUAL in match.could_be_from_charset), best)
    name = USUAL if usual is not best or USUAL in best.could_be_from_charset else best.encoding
    return name, "guessed from its bytes: look at letters with accents, --encoding says another"


def _counted(file: object) -> tuple[int, int, bytes]:
    """How many characters beyond ASCII are whole UTF-8 and how many bytes are not, and what is around the first."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    whole = broken = 0
    around = b""
    while data := file.read(2**20):  # type: ignore[attr-defined]
        if data.isascii() and not decoder.getstate()[0]:
            continue
        beyond = [sign for sign in decoder.decode(data) if sign > "\x7f"]
        found = sum("\udc80" <= sign <= "\udcff" for sign in beyond)
        if found and not broken:
            first = next(place for place, byte in enumerate(data) if byte > 0x7F)
            around = data[max(first - LOOKED_AT // 2, 0) : first + LOOKED_AT // 2]
        whole, broken = whole + len(beyond) - found, broken + found
    return whole, broken + len(decoder.getstate()[0]), around


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


def _records(path: Path, encoding: str, delimiter: str) -> Iterator[tuple[int, list[str] | Misread]]:
    """Each record with the line it begins on (quoted cells may hold line breaks).

    Bytes that are not of the encoding stay recognisable as such; the cell that holds them is refused.
    """
    csv.field_size_limit(LONGEST_CELL)
    with path.open(encoding=encoding, newline="", errors="surrogateescape") as file:
        reader, line = csv.reader(file, delimiter=delimiter, strict=True), 1
        while True:
            try:
                record = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                if "expected after" not in str(error):  # where the record ends is not known
                    raise Unreadable(f"{path.name}, line {line}: {_in_words(error)}", line) from error
                yield line, Misread(str(error), 'a quote that ends its cell (one inside a cell is doubled: "")')
            except UnicodeError as error:
                raise Unreadable(f"{path.name}, after line {line}: not all of it is {encoding}", line) from error
            else:
                if any(cell.strip() for cell in record):
                    yield line, [record[0].removeprefix("\ufeff"), *record[1:]] if line == 1 else record
            line = reader.line_num + 1


def _in_words(error: csv.Error) -> str:
    if "field limit" in str(error):
        return f"a cell begins here that has more than {LONGEST_CELL:,} characters (is a quote left open?)"
    if "end of data" in str(error):
        return "a quote is opened here or below and never closed; close it"
    return f"{error} (is a quote left open?)"


def _rows(path: Path, encoding: str, delimiter: str, columns: list[str]) -> Iterator[Row]:
    records = _records(path, encoding, delimiter)
    next(records, None)
    for line, record in records:
        if isinstance(record, Misread):
            yield line, record
        elif len(record) < len(columns):
            yield line, Misread(f"{len(record)} cells", f"{len(columns)} cells, as the header has")
        else:
            yield row(line, columns, record)
