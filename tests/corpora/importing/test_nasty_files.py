"""Files as people have them: each is read right, or refused by line, column and reason; nothing is half applied."""

from __future__ import annotations

import io
import json
import sqlite3
import tracemalloc
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import openpyxl
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from corpora.importing.describing import describe, specification
from corpora.importing.reading import tables_of
from corpora.importing.sources import open_sources
from corpora.importing.specification import BadSpecification, CorpusSpec
from corpora.importing.storing import store
from corpora.loading.sources import Unreadable
from corpora.models import CorpusVersion, Import
from tests.corpora.importing.conftest import Guided
from tests.corpora.importing.test_importing import rows

HEADER = "code,name,town\n"


@dataclass
class Read:
    """What became of a file: its rows by the name of the table, what was refused (line, column), what was said."""

    tables: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    refused: list[tuple[int, str]] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    kinds: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Of the only table."""
        (found,) = self.tables.values()
        return found


Take = Callable[..., Read]


@pytest.fixture
def take(tmp_path: Path) -> Take:
    """Read files as an import reads them, with what is recognised by itself; `kinds` says otherwise of columns."""

    def read(kinds: dict[str, str] | None = None, key: str = "", encoding: str = "", **files: bytes | str) -> Read:
        paths = []
        for name, data in files.items():
            paths.append(tmp_path / name.replace("__", "."))
            paths[-1].write_bytes(data if isinstance(data, bytes) else data.encode())
        (tmp_path / "unpacked").mkdir(exist_ok=True)
        sources = open_sources(paths, tmp_path / "unpacked", encoding)
        described = describe("nasty", sources, None, frozenset())
        for table in described["tables"]:
            table["key"] = key or table["key"]
            for column in table["columns"]:
                column["kind"] = (kinds or {}).get(column["name"], column["kind"])
        json.dumps(described, ensure_ascii=False).encode()  # the database has to hold it
        found = Read(said=list(described["notes"]))
        for table in tables_of(specification("nasty", described), sources):
            found.tables[table.spec.name] = list(table.rows())
            found.refused += [(one.line, one.column) for one in table.refused]
            found.said += map(str, table.refused)
            found.kinds |= {column.name: column.kind.value for column in table.spec.columns}
        "\n".join(found.said).encode()
        return found

    return read


# -- Encodings -------------------------------------------------------------------------------------------------------

TOWNS = HEADER + "A,Café,Besançon\nB,Étoile,Orléans\nC,Fête,Nîmes\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "latin-1"])
def test_western_letters_are_read_in_any_encoding(take: Take, encoding: str) -> None:
    assert [row["town"] for row in take(a__csv=TOWNS.encode(encoding)).rows] == ["Besançon", "Orléans", "Nîmes"]


def test_an_encoding_that_is_said_counts(take: Take) -> None:
    text = HEADER + "A,Łódź,Kraków\nB,Żar,Wrocław\n"
    assert [row["name"] for row in take(encoding="cp1250", a__csv=text.encode("cp1250")).rows] == ["Łódź", "Żar"]


def test_a_damaged_character_costs_its_cell_and_not_the_letters_of_the_others(take: Take) -> None:
    found = take(a__csv=TOWNS.encode() + b"D,Caf\xe9,Paris\n" + TOWNS[len(HEADER) :].replace("A,", "E,").encode())
    assert [row["town"] for row in found.rows][:4] == ["Besançon", "Orléans", "Nîmes", "Paris"]
    assert found.refused == [(5, "name")]
    assert "a text of whole characters is expected, got 'Caf\\\\udce9'" in found.said[-1]


def test_text_of_a_database_that_is_no_utf8_is_refused_by_its_cell(take: Take, tmp_path: Path) -> None:
    path = tmp_path / "made.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (code, name)")
        database.execute("INSERT INTO t VALUES ('A', CAST(x'436166e9' AS TEXT)), ('B', 'Café')")
    found = take(t__db=path.read_bytes())
    assert [row["name"] for row in found.rows] == [None, "Café"]
    assert found.refused == [(1, "name")]


def test_nul_characters_are_refused_by_their_cell(take: Take) -> None:
    found = take(a__csv=HEADER + "A,x\0y,Rome\nB,z,Oslo\n")
    assert found.refused == [(2, "name")]
    assert [row["town"] for row in found.rows] == ["Rome", "Oslo"]


# -- Delimiters, quotes, records -------------------------------------------------------------------------------------


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
def test_any_delimiter_is_told_though_cells_hold_the_others(take: Take, sign: str) -> None:
    text = f'code{sign}note\nA{sign}"one, two; three | four"\nB{sign}plain\n'
    assert [row["note"] for row in take(kinds={"note": "TEXT"}, a__csv=text).rows] == [
        "one, two; three | four", "plain"
    ]  # fmt: skip


def test_quoted_line_breaks_and_doubled_quotes_are_part_of_their_cell(take: Take) -> None:
    found = take(kinds={"name": "FREE_TEXT"}, a__csv=HEADER + 'A,"one\r\ntwo ""three""",Rome\r\nB,b,12\r\n')
    assert found.rows[0]["name"] == 'one\r\ntwo "three"'
    assert found.rows[1]["town"] == "12"


def test_one_bad_record_in_the_middle_is_named_and_every_other_one_read(take: Take) -> None:
    lines = [f"K{number},name {number},Rome" for number in range(1000)]
    lines[500] = "K500,too few"
    lines[700] = 'K700,"quote" again,Rome'
    found = take(a__csv=HEADER + "\n".join(lines))
    assert len(found.rows) == 998
    assert found.refused == [(502, ""), (702, "")]
    assert "2 cells" in found.said[-2]


def test_a_quote_that_never_closes_is_refused_with_its_line(take: Take) -> None:
    with pytest.raises(Unreadable, match=r"line 3: a quote is opened here or below and never closed; close it"):
        take(a__csv=HEADER + 'A,a,Rome\nB,"b,Oslo\nC,c,Kyiv\n')


def test_empty_trailing_columns_and_blank_lines_are_nothing(take: Take) -> None:
    found = take(a__csv="code,name,,\n\nA,a,,\n,,,\nB,b,  ,\n")
    assert found.rows == [{"code": "A", "name": "a"}, {"code": "B", "name": "b"}]


def test_headers_that_would_be_called_the_same_are_numbered(take: Take) -> None:
    long = "a long header that goes on and on and on"
    found = take(a__csv=f"Tel.,tel,TEL,{long} 1,{long} 2\n1,2,3,4,5\n")
    assert list(found.rows[0]) == [
        "tel", "tel_2", "tel_3", "a_long_header_that_goes_on_and_on_and_on", "a_long_header_that_goes_on_and_2"
    ]  # fmt: skip
    assert list(found.rows[0].values()) == [1, 2, 3, 4, 5]


def test_a_file_of_one_column_is_a_table(take: Take) -> None:
    assert [row["name"] for row in take(a__csv="name\nAnn\nBob\n").rows] == ["Ann", "Bob"]


# -- Numbers and dates -----------------------------------------------------------------------------------------------


def test_prices_are_read_as_people_write_them(take: Take) -> None:
    cells = ["€ 1.200,50", "1.2k", "12,5", "980 €", "1.000", "n/a"]
    found = take(kinds={"price": "NUMBER"}, a__json=json.dumps([{"price": cell} for cell in cells]))
    assert [row["price"] for row in found.rows] == [1200.5, 1200, 12.5, 980, None, None]
    assert "a number that can be read one way only" in found.said[-1], "1.000 beside both 1.2k and 12,5"


def test_thousands_and_scales(take: Take) -> None:
    found = take(kinds={"n": "NUMBER"}, a__json=json.dumps([{"n": cell} for cell in ["1.2k", "3M", "1,200.50", "7"]]))
    assert [row["n"] for row in found.rows] == [1200, 3_000_000, 1200.5, 7]


def test_what_a_column_of_numbers_leaves_open_the_other_columns_settle(take: Take) -> None:
    found = take(a__csv="rooms;price\n1.200;12,50\n24;85,00\n60;1.210,00\n")
    assert [row["rooms"] for row in found.rows] == [1200, 24, 60]
    found = take(a__csv="rooms;price;tax\n1.200;12,50;1.5\n24;85,00;2.5\n")
    assert [row["rooms"] for row in found.rows] == [None, 24], "the others do not agree"
    assert found.refused == [(2, "rooms")]


def test_a_number_that_two_conventions_read_differently_is_refused(take: Take) -> None:
    cells = ["1.200,50", "1,200.50", "1.200"]
    found = take(kinds={"n": "NUMBER"}, a__json=json.dumps([{"n": cell} for cell in cells], indent=0))
    assert [row["n"] for row in found.rows] == [1200.5, 1200.5, None]
    assert "can be read one way only" in found.said[-1]


def test_dates_of_several_forms_in_one_column(take: Take) -> None:
    cells = ["2024-05-12", "13/04/2024", "03/04/2024", "12 May 2024", "May 12th, 2024", "2024-05-12T10:00:00", "soon"]
    found = take(kinds={"day": "DATE"}, a__json=json.dumps([{"day": cell} for cell in cells], indent=0))
    may = date(2024, 5, 12)
    assert [row["day"] for row in found.rows] == [may, date(2024, 4, 13), date(2024, 4, 3), may, may, may, None]
    assert len(found.refused) == 1


def test_days_and_months_that_cannot_be_told_apart_are_refused(take: Take) -> None:
    found = take(kinds={"day": "DATE"}, a__csv="day,x\n03/04/2024,a\n05/06/2024,b\n")
    assert [row["day"] for row in found.rows] == [None, None]
    assert found.refused == [(2, "day"), (3, "day")]


def test_dates_of_a_database_keep_their_day_and_say_that_the_time_is_left_out(take: Take, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "made.db") as database:
        database.executescript(
            "CREATE TABLE t (at); INSERT INTO t VALUES ('2024-05-03 10:11:12'), ('2024-05-04 23:59:59.5')"
        )
    found = take(t__db=(tmp_path / "made.db").read_bytes())
    assert [row["at"] for row in found.rows] == [date(2024, 5, 3), date(2024, 5, 4)]


def test_numbers_beyond_what_is_kept_are_refused(take: Take) -> None:
    found = take(kinds={"n": "NUMBER"}, a__csv="n,x\n99999999999999999999,a\n1e5,b\n7,c\n")
    assert found.refused[0] == (2, "n")
    assert found.rows[2]["n"] == 7


# -- Size ------------------------------------------------------------------------------------------------------------


def test_a_cell_that_is_too_long_is_refused_and_prose_may_be_longer(take: Take) -> None:
    found = take(kinds={"name": "TEXT", "town": "FREE_TEXT"}, a__csv=HEADER + f"A,{'x' * 6000},{'y ' * 6000}\n")
    assert found.refused == [(2, "name")]
    assert "at most 5,000 characters (what is longer is prose)" in found.said[-1]
    assert len(found.rows[0]["town"]) == 11_999


def test_a_cell_beyond_all_bounds_is_refused_with_its_line(take: Take) -> None:
    with pytest.raises(Unreadable, match="line 2: a cell begins here that has more than 10,000,000 characters"):
        take(a__csv=HEADER + f'A,"{"x" * 10_000_001}",Rome\n')


def test_a_thousand_columns_are_said_to_be_too_many_and_the_first_proposed(take: Take) -> None:
    names = [f"c{number}" for number in range(1000)]
    found = take(a__csv=f"{','.join(names)}\n{','.join(names)}\n")
    assert len(found.rows[0]) == 400
    assert "a.csv: 1,000 columns, and 400 at most are imported: the first are proposed" in found.said


def test_ten_thousand_columns_are_refused(take: Take) -> None:
    with pytest.raises(Unreadable, match="10,000 columns, and 5,000 at most are read"):
        take(a__csv=",".join(f"c{number}" for number in range(10_000)) + "\n")


@pytest.mark.django_db
def test_a_row_of_as_many_long_texts_as_may_be_is_stored(tmp_path: Path) -> None:
    names = [f"c{number}" for number in range(400)]
    (tmp_path / "wide.csv").write_text(f"{','.join(names)}\n{','.join(name * 90 for name in names)}\n")
    sources = open_sources([tmp_path / "wide.csv"], tmp_path)
    spec = specification("wide", describe("wide", sources, None, frozenset()))
    assert store(spec, tables_of(spec, sources), rehearse=True).counts["wide"]["stored"] == 1


def test_no_rows_are_a_table_without_rows(take: Take) -> None:
    found = take(a__csv=HEADER)
    assert found.rows == []
    assert list(found.kinds) == ["code", "name", "town"]


@pytest.mark.parametrize("data", [b"", b"\n\n\n"], ids=["no byte", "blank lines"])
def test_an_empty_file_is_refused(take: Take, data: bytes) -> None:
    with pytest.raises(Unreadable, match=r"a\.csv (is empty|has no header)"):
        take(a__csv=data)


@pytest.mark.parametrize("name", ["long.csv", "long.jsonl"])
def test_memory_is_bounded_by_a_row_and_not_by_the_file(tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("w") as file:
        lines = [(f"K{number}", "word " * 1000) for number in range(6_000)]
        if name.endswith(".csv"):
            file.write("code,text\n")
            file.writelines(f"{code},{text}\n" for code, text in lines)
        else:
            file.writelines(json.dumps({"code": code, "text": text}) + "\n" for code, text in lines)
    sources = open_sources([tmp_path / name], tmp_path)
    spec = CorpusSpec.model_validate(
        {"name": "long", "tables": [{"name": "long", "file": name, "key": "code",
                                     "columns": [{"name": "text", "kind": "FREE_TEXT"}]}]}
    )  # fmt: skip
    (table,) = tables_of(spec, sources)
    tracemalloc.start()
    count = sum(1 for _ in table.rows())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 6_000
    assert peak < 6_000_000, "the file has 30 MB"


# -- Archives --------------------------------------------------------------------------------------------------------


def packed(files: dict[str, str | bytes]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return data.getvalue()


def test_a_zip_of_tables_is_read_by_base_names_and_the_rest_of_it_left(take: Take, tmp_path: Path) -> None:
    found = take(a__zip=packed({
        "../../evil.csv": "a,b\n1,2\n", "deep/other.csv": "c\n3\n", "photo.png": b"\x89PNG",
        "__MACOSX/._other.csv": b"\0", "/etc/.hidden.csv": "x\n1\n",
    }))  # fmt: skip
    assert found.tables == {"evil": [{"a": 1, "b": 2}], "other": [{"c": 3}]}
    assert not list(tmp_path.parent.glob("evil*"))


def test_a_zip_that_would_fill_the_disk_is_not_opened(take: Take) -> None:
    with pytest.raises(Unreadable, match="would unpack to 60,000,000 bytes: too much"):
        take(a__zip=packed({"a.csv": "0" * 60_000_000}))


def test_a_spreadsheet_that_would_fill_memory_is_not_opened(take: Take) -> None:
    data = io.BytesIO(packed({"xl/sharedStrings.xml": "0" * 60_000_000}))
    with pytest.raises(Unreadable, match="would unpack to 60,000,000 bytes: too much"):
        take(a__xlsx=data.getvalue())


def test_a_zip_that_lies_about_its_sizes_is_stopped(take: Take) -> None:
    data = bytearray(packed({"a.csv": "a,b\n" + "1,2\n" * 50_000}))
    size = (4 + 4 * 50_000).to_bytes(4, "little")
    while (place := data.find(size)) >= 0:
        data[place : place + 4] = (1000).to_bytes(4, "little")
    with pytest.raises(Unreadable, match=r"a\.zip"):
        take(a__zip=bytes(data))


def test_an_archive_in_an_archive_is_refused(take: Take) -> None:
    with pytest.raises(Unreadable, match=r"holds another archive, inner\.zip: unpack that one first"):
        take(a__zip=packed({"inner.zip": packed({"a.csv": "a\n1\n"})}))


def test_an_archive_of_too_many_files_is_refused(take: Take) -> None:
    with pytest.raises(Unreadable, match="holds 1,001 files, and 1,000 at most are read"):
        take(a__zip=packed({f"f{number}.csv": "a\n1\n" for number in range(1001)}))


def test_an_archive_without_a_table_is_refused(take: Take) -> None:
    with pytest.raises(Unreadable, match="holds no table"):
        take(a__zip=packed({"read.md": "# Notes"}))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 100, "an old Office file: save it as .xlsx"),
        (b"%PDF-1.7", "a PDF, which holds no tables"),
        (b"\x1f\x8b\x08", "a gzip archive: unpack it first"),
        (b"PK\x03\x04nonsense", "no spreadsheet that can be read"),
        (b"PAR1nonsense", "no Parquet file that can be read"),
        (b"SQLite format 3\0" + b"\1" * 200, "a damaged SQLite database"),
        (bytes(range(256)) * 40, "is no text in an encoding that can be told"),
    ],
)
def test_what_is_no_table_is_refused_with_what_to_do(take: Take, data: bytes, said: str) -> None:
    with pytest.raises(Unreadable, match=said):
        take(a__bin=data)


# -- Sheets, JSON, keys, links ---------------------------------------------------------------------------------------


def test_formulas_count_by_their_value_and_one_without_costs_its_row(take: Take, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["code", "price"], ["A", 10], ["B", "=1+1"], ["C", 30]):
        book.active.append(row)
    book.save(tmp_path / "made.xlsx")
    found = take(a__xlsx=(tmp_path / "made.xlsx").read_bytes())
    assert [row["price"] for row in found.rows] == [10, 30]
    assert found.refused == [(3, "")]
    assert "the value of a formula" in found.said[-1]
    assert "price: =1+1" in found.said[-1]


def test_a_formula_in_a_text_stays_the_text_it_is(take: Take) -> None:
    assert take(a__csv=HEADER + "A,=1+1,Rome\nB,@x,Oslo\n").rows[0]["name"] == "=1+1"


def test_a_broken_line_of_json_is_named_and_the_others_read(take: Take) -> None:
    found = take(a__jsonl='{"code": "A", "n": 1}\n{"code": "B", "n": \n[1]\n{"code": "C", "n": 3}\n')
    assert [row["code"] for row in found.rows] == ["A", "C"]
    assert found.refused == [(2, ""), (3, "")]


def test_lines_of_json_in_any_encoding_and_layout(take: Take) -> None:
    lines = '{"name": "Café"}\n\n{"name": "Étoile"}\n'
    for data in (
        lines.encode(),
        lines.encode("utf-8-sig"),
        lines.encode("utf-16"),
        lines.replace("\n", "\r\n").encode(),
    ):
        assert [row["name"] for row in take(a__jsonl=data).rows] == ["Café", "Étoile"]
    found = take(a__jsonl=lines + "name\n")
    assert found.refused == [(4, "")]
    with pytest.raises(Unreadable, match=r"a\.jsonl, line 2, is not UTF-8"):
        take(a__jsonl=b'{"name": "A"}\n{"name": "Caf\xe9"}\n')


def test_an_array_of_json_that_breaks_off_is_refused_with_its_line(take: Take) -> None:
    with pytest.raises(Unreadable, match=r"a\.json, line 4, is not JSON: expecting ',' delimiter"):
        take(a__json='[\n{"code": "A"},\n{"code": "B"\n')


def test_duplicate_and_missing_keys_are_refused_by_their_line(take: Take) -> None:
    found = take(key="code", a__csv=HEADER + "A,a,Rome\nA,b,Oslo\n,c,Kyiv\nB,d,Bonn\n")
    assert [row["code"] for row in found.rows] == ["A", "B"]
    assert found.refused == [(3, "code"), (4, "code")]
    assert "a key of its own (line 2 has it) is expected, got 'A'" in found.said[-2]


def test_a_list_cannot_be_a_key(take: Take) -> None:
    with pytest.raises(BadSpecification, match=r"town is the key, and ENUM\[\] cannot be one"):
        take(key="town", kinds={"town": "ENUM[]"}, a__csv=HEADER + "A,a,Rome; Oslo\n")


@pytest.mark.django_db
def test_links_that_lead_in_a_circle_and_to_themselves(tmp_path: Path) -> None:
    (tmp_path / "crew.csv").write_text("id,name,ship_id,boss_id\n1,Ann,S1,\n2,Bob,S2,1\n")
    (tmp_path / "ship.csv").write_text("id,name,captain_id,log\nS1,Lind,1,Left the harbour at dawn.\nS2,Vind,9,\n")
    sources = open_sources([tmp_path / "crew.csv", tmp_path / "ship.csv"], tmp_path)
    described = describe("fleet", sources, None, frozenset())
    crew, ship = described["tables"]
    crew["links"] = [
        {"column": "ship_id", "table": "ship", "target": "id"}, {"column": "boss_id", "table": "crew", "target": "id"}
    ]  # fmt: skip
    ship["links"] = [{"column": "captain_id", "table": "crew", "target": "id"}]
    ship["columns"][3]["kind"] = "FREE_TEXT"
    spec = specification("fleet", described)
    done = store(spec, tables_of(spec, sources))
    assert done.dangling == ["1 rows of ship: captain_id names no id of crew"]
    assert rows("SELECT name, ship FROM kb.crew ORDER BY name") == [("Ann", ["Left the harbour at dawn."]), ("Bob", [])]


def test_parquet_with_every_kind_of_column(take: Take, tmp_path: Path) -> None:
    duckdb.execute(
        "COPY (SELECT 'A' AS code, 1.5::DECIMAL(9, 2) AS price, TIMESTAMP '2024-05-03 10:00' AS at, ['x', 'y'] AS tags,"
        " 'nan'::DOUBLE AS unknown, {'lat': 59.3, 'lon': 18.1} AS place, 'ab'::BLOB AS raw) TO ? (FORMAT parquet)",
        [str(tmp_path / "made.parquet")],
    )
    found = take(a__parquet=(tmp_path / "made.parquet").read_bytes())
    (row,) = found.rows
    assert (row["price"], row["at"], row["tags"], row["unknown"]) == (1.5, date(2024, 5, 3), ["x", "y"], None)
    assert row["place"] == ("59.3, 18.1", 59.3, 18.1)
    assert found.refused == [(1, "raw")]


# -- Through the pages -----------------------------------------------------------------------------------------------


def test_an_upload_that_is_too_large_is_refused_before_it_is_kept(guided: Guided, settings: Any) -> None:
    settings.UPLOAD_MEGABYTES = 1
    file = SimpleUploadedFile("a.csv", b"a\n" + b"1\n" * 1_000_000)
    response = guided.client.post(reverse("admin:corpora_import_add"), {"corpus": "a", "files": [file]})
    (said,) = response.context["form"].errors["files"]
    assert "The upload has 2 MB, and 1 MB at most are taken. Pack it as a zip" in said
    assert not Import.objects.exists()


@pytest.mark.parametrize(
    "files",
    [{"a__csv": HEADER + 'A,"a,Rome\n'}, {"a__csv": HEADER + "A,a,Rome\n", "b__csv": 'x\n"1\n'}],
    ids=["the only file", "the second file"],
)
def test_a_file_that_is_refused_leaves_nothing_behind(guided: Guided, files: dict[str, str]) -> None:
    one = guided.upload("nasty", **files)
    if one.state == Import.State.DESCRIBING:
        one = guided.dry_run()
    assert "never closed" in one.problem
    assert not CorpusVersion.objects.exists()
    assert rows("SELECT count(*) FROM pg_tables WHERE schemaname = 'imported'") == [(0,)]
