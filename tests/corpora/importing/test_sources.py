"""Nasty files: each is read right, or refused with a message that names the line and the reason."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest

from corpora.importing.sources import Misread, Source, open_sources
from corpora.loading.sources import Unreadable

Put = Callable[..., Source]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    def write(data: bytes | str, name: str = "file.csv") -> Source:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        (source,) = open_sources([path], tmp_path)
        return source

    return write


def rows(source: Source) -> list[dict[str, Any]]:
    return [row for _, row in source.rows() if not isinstance(row, Misread)]


TEXT = "name,town\nCafé Lumière,Besançon\nÉtoile,Orléans\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_the_encoding_is_told(put: Put, encoding: str) -> None:
    source = put((TEXT * 1).encode(encoding))
    assert source.columns == ("name", "town")
    assert rows(source)[0] == {"name": "Café Lumière", "town": "Besançon"}


def test_bytes_that_are_no_utf8_far_down_are_noticed(put: Put) -> None:
    source = put(b"a,b\n" + b"1,2\n" * 400_000 + "é,x\n".encode("cp1252"))
    assert "guessed" in source.notes[0]


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_the_delimiter_is_told(put: Put, sign: str) -> None:
    lines = [["a", "b"], ["1", "x: y"], ["2", '"one\nand ""two"" \'more"'], ["3", ""]]
    source = put("\r\n".join(sign.join(line) for line in lines))
    assert rows(source) == [{"a": "1", "b": "x: y"}, {"a": "2", "b": 'one\nand "two" \'more'}, {"a": "3", "b": ""}]
    assert [line for line, _ in source.rows()] == [2, 3, 5], "a quoted line break counts"


def test_decimal_commas_do_not_make_columns(put: Put) -> None:
    assert rows(put("a;b\n1,5;2,5\n3,5;4,5\n"))[0] == {"a": "1,5", "b": "2,5"}


def test_headers_that_come_twice_are_numbered_and_empty_columns_dropped(put: Put) -> None:
    source = put("name,Name,note,,\na,b,c,,\n")
    assert source.columns == ("name", "Name 2", "note")
    assert rows(source) == [{"name": "a", "Name 2": "b", "note": "c"}]


@pytest.mark.parametrize(
    ("record", "found", "expected"),
    [
        ("3", "1 cells", "2 cells, as the header has"),
        ("1,2,3", "3", "no cell where the header has none"),
        ('1,"2"x', "',' expected after", "a quote that ends its cell"),
    ],
)
def test_a_record_that_does_not_fit_is_named_and_the_next_ones_are_read(
    put: Put, record: str, found: str, expected: str
) -> None:
    first, wrong, last = put(f"a,b\n1,2\n{record}\n8,9\n").rows()
    assert (first, last) == ((2, {"a": "1", "b": "2"}), (4, {"a": "8", "b": "9"}))
    assert wrong[0] == 3
    assert isinstance(wrong[1], Misread)
    assert found in wrong[1].found
    assert expected in wrong[1].expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('a,b\n1,"2\n3,4\n', "line 2: a quote is opened here or below and never closed"),
        ("", "is empty"),
        ("\n\n", "no header"),
    ],
)
def test_a_file_that_cannot_be_read_on_is_refused(put: Put, text: str, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        rows(put(text))


def test_no_rows_and_a_thousand_columns(put: Put) -> None:
    assert rows(put("a,b\n")) == []
    names = [f"c{i}" for i in range(1000)]
    source = put(f"{','.join(names)}\n{','.join(names)}\n")
    assert rows(source) == [{name: name for name in names}]


def test_json_of_any_layout_and_objects_inside(put: Put) -> None:
    data = [{"id": 1, "at": {"lat": 1.5, "lon": 2.5}, "who": {"name": "A"}}, {"id": 2, "tags": ["x"]}]
    expected = [{"id": 1, "at": {"lat": 1.5, "lon": 2.5}, "who.name": "A"}, {"id": 2, "tags": ["x"]}]
    for text in (json.dumps(data, indent=1), "\n".join(map(json.dumps, data))):
        assert rows(put(text, "a.json")) == expected
    _, (line, twice) = put('{"a": 1}\n{"a": 1, "a": 2}', "b.jsonl").rows()
    assert (line, twice) == (2, Misread("'a' is given twice", "an object, with each of its names once"))


def test_a_sheet_is_read_where_it_begins_and_formulas_by_their_value(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Hotels"
    for row in ([], ["name", "price", None], ["A", 10.5, None], [None, None, None], ["B", 7, None]):
        sheet.append(row)
    book.create_sheet("Empty")
    book.save(tmp_path / "a.xlsx")
    (source,) = open_sources([tmp_path / "a.xlsx"], tmp_path)
    assert (source.part, rows(source)) == ("Hotels", [{"name": "A", "price": 10.5}, {"name": "B", "price": 7}])
    sheet["B5"] = "=1+1"
    book.save(tmp_path / "b.xlsx")
    (source,) = open_sources([tmp_path / "b.xlsx"], tmp_path)
    assert [line for line, row in source.rows() if isinstance(row, Misread)] == [5]
    assert {"price: =1+1"} == {row.found for _, row in source.rows() if isinstance(row, Misread)}


def test_sqlite_and_parquet_tables(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.executescript("CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'x'); CREATE TABLE \"u v\" (c);")
    duckdb.execute("COPY (SELECT 1 AS a, ['x', 'y'] AS b) TO ? (FORMAT parquet)", [str(tmp_path / "p.parquet")])
    first, second, third = open_sources([tmp_path / "a.db", tmp_path / "p.parquet"], tmp_path)
    assert (first.part, rows(first), second.part, rows(second)) == ("t", [{"a": 1, "b": "x"}], "u v", [])
    assert rows(third) == [{"a": 1, "b": ["x", "y"]}]


def test_a_zip_is_unpacked_by_base_names_and_a_bomb_is_not(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("../../evil.csv", "a\n1\n")
        archive.writestr("deep/b.csv", "b\n2\n")
    assert [rows(source) for source in open_sources([tmp_path / "a.zip"], tmp_path)] == [[{"a": "1"}], [{"b": "2"}]]
    assert not (tmp_path.parent / "evil.csv").exists()
    with zipfile.ZipFile(tmp_path / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.csv", "0" * 50_000_000)
    with pytest.raises(Unreadable, match="would unpack to 50,000,000 bytes"):
        open_sources([tmp_path / "bomb.zip"], tmp_path)
