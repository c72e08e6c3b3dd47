"""From files to tables that queries see: versions, refusals, links, nested lists, drafts."""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from agent.catalogue.tables import Kind
from corpora.catalogue.imported import whole_catalogue
from corpora.importing import editing
from corpora.importing.drafting import draft
from corpora.importing.reading import tables_of
from corpora.importing.remembering import Remembered
from corpora.importing.showing import gathered
from corpora.importing.sources import open_sources
from corpora.importing.specification import CorpusSpec
from corpora.importing.storing import store
from corpora.models import Assistant, CorpusVersion, Passage
from tests.corpora.conftest import CountingEmbedder

Files = Callable[..., list[Path]]

FERRIES = {
    "name": "ferries",
    "noun": ["ferry", "ferries"],
    "tables": [
        {
            "name": "ferries", "file": "ferries.csv", "key": "code", "title": "name", "noun": ["ferry", "ferries"],
            "columns": [
                {"name": "code", "kind": "TEXT"},
                {"name": "name", "kind": "TEXT"},
                {"name": "length", "kind": "NUMBER", "unit": "m"},
                {"name": "built", "kind": "NUMBER"},
                {"name": "port", "kind": "ENUM"},
                {"name": "takes", "kind": "ENUM[]"},
                {"name": "berth", "kind": "LOCATION", "columns": ["latitude", "longitude"]},
                {"name": "bar", "kind": "OPENING_HOURS"},
                {"name": "about", "kind": "FREE_TEXT"},
            ],
        },
        {
            "name": "remarks", "file": "remarks.csv", "title": "author",
            "columns": [{"name": "date", "kind": "DATE"}, {"name": "text", "kind": "FREE_TEXT"}],
            "links": [{"column": "ferry", "table": "ferries", "target": "code"}],
        },
    ],
}  # fmt: skip

CSV = """code;name;length;built;port;takes;latitude;longitude;bar;about
F1;Lind;45,5 m;1998;Ekholm;cars, dogs;59.3;18.1;Mon-Fri 10:00-18:00;A white ferry.
F2;Gås;1.020,5;2004;ekholm;bicycles;59.4;18.2;;
F3;Vind;30;n/a;Ekholm;cars;;;late;Small.
"""
REMARKS = "ferry,date,text\nF1,2024-05-03,Quiet.\nF1,13/05/2024,Noisy.\nF9,05/06/2024,Late.\n"


@pytest.fixture
def files(tmp_path: Path) -> Files:
    def write(**named: str) -> list[Path]:
        paths = []
        for name, text in named.items():
            paths.append(tmp_path / name.replace("__", "."))
            paths[-1].write_text(text)
        return paths

    return write


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "corpus.json"
    path.write_text(json.dumps(FERRIES))
    return path


@pytest.fixture
def counting(monkeypatch: pytest.MonkeyPatch) -> CountingEmbedder:
    embedder = CountingEmbedder()
    monkeypatch.setattr("corpora.management.commands.import_corpus.embedder", lambda: embedder)
    return embedder


def bring(spec: Path, paths: list[Path], **options: Any) -> str:
    out = io.StringIO()
    call_command("import_corpus", "ferries", *map(str, paths), spec=spec, yes=True, stdout=out, **options)
    return out.getvalue()


def rows(query: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return list(cursor.fetchall())


@pytest.mark.django_db
def test_cells_become_values_of_their_kinds(files: Files, spec: Path, counting: CountingEmbedder) -> None:
    out = bring(spec, files(ferries__csv=CSV, remarks__csv=REMARKS))
    assert rows("SELECT code, length, built, port, takes, berth_latitude FROM kb.ferries ORDER BY code") == [
        ("F1", 45.5, 1998, "Ekholm", ["cars", "dogs"], 59.3),
        ("F2", 1020.5, 2004, "Ekholm", ["bicycles"], 59.4),
        ("F3", 30.0, None, "Ekholm", ["cars"], None),
    ]
    assert rows("SELECT bar_minutes @> 700 FROM kb.ferries WHERE code = 'F1'") == [(True,)]
    assert "ferries.csv, line 4, bar: opening hours such as" in out
    assert "got 'late'; the cell is left empty" in out
    assert "1 rows of remarks: ferry names no code of ferries" in out
    assert sorted(counting.embedded) == ["Late.", "Lind. A white ferry.", "Noisy.", "Quiet.", "Vind. Small."]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("name", "problem"), [("ferries", "nobody is there to say yes"), ("ferries.csv", "The corpus is named first")]
)
def test_what_was_not_imported_says_why(
    files: Files, spec: Path, counting: CountingEmbedder, monkeypatch: pytest.MonkeyPatch, name: str, problem: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    with pytest.raises(CommandError, match=f"Nothing was imported.*{problem}"):
        call_command("import_corpus", name, *map(str, files(ferries__csv=CSV, remarks__csv=REMARKS)), spec=spec)
    assert not Assistant.objects.filter(slug="ferries").exists()


@pytest.mark.django_db
def test_the_catalogue_and_an_assistant_are_made(files: Files, spec: Path, counting: CountingEmbedder) -> None:
    bring(spec, files(ferries__csv=CSV, remarks__csv=REMARKS))
    tables = whole_catalogue()
    ferries, remarks = tables.table("ferries"), tables.table("remarks")
    assert ferries is not None
    assert remarks is not None
    assert (ferries.key, ferries.entity, ferries.title, ferries.hours) == (("code",), "code", "name", "bar_minutes")
    assert (remarks.key, remarks.entity, remarks.title) == (("row_number",), "", "")
    assert [(one.column, one.target, one.target_column) for one in tables.foreign_keys if one.table == "remarks"] == [
        ("ferry", "ferries", "code")
    ]
    built = ferries.column("built")
    assert built is not None
    assert built.integer
    assert Assistant.objects.get(slug="ferries").tables == ["ferries", "remarks"]


@pytest.mark.django_db
def test_a_second_import_is_a_version_that_says_what_differs(
    files: Files, spec: Path, counting: CountingEmbedder
) -> None:
    bring(spec, files(ferries__csv=CSV, remarks__csv=REMARKS))
    Assistant.objects.filter(slug="ferries").update(title="Boats")
    counting.embedded.clear()
    changed = CSV.replace("F2;Gås", "F4;Gås").replace("1998", "1999")
    bring(spec, files(ferries__csv=changed, remarks__csv=REMARKS))
    version = CorpusVersion.objects.get(active=True)
    assert version.number == 2
    assert version.changes["ferries"] == {"read": 3, "stored": 3, "added": 1, "removed": 1, "changed": 1}
    assert counting.embedded == [], "no text has changed"
    assert Assistant.objects.get(slug="ferries").title == "Boats"
    bring(spec, files(ferries__csv=CSV, remarks__csv=REMARKS))
    assert rows("SELECT count(*) FROM pg_tables WHERE schemaname = 'imported'") == [(2,)], "one table each"


@pytest.mark.django_db
def test_a_rehearsal_stores_nothing(files: Files, tmp_path: Path) -> None:
    corpus = CorpusSpec.model_validate(FERRIES)
    sources = open_sources(files(ferries__csv=CSV, remarks__csv=REMARKS), tmp_path)
    done = store(corpus, tables_of(corpus, sources), rehearse=True)
    assert done.counts["ferries"] == {"read": 3, "stored": 3, "added": 3}
    assert not CorpusVersion.objects.exists()
    assert not Assistant.objects.exists()
    assert rows("SELECT count(*) FROM pg_tables WHERE schemaname = 'imported'") == [(0,)]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("csv", "said"),
    [
        (CSV.replace(";port;", ";harbour;"), "ferries.csv has no column 'port'"),
        (CSV + 'F4;"Half\n', "line 5: a quote is opened here or below and never closed"),
    ],
)
def test_a_file_that_does_not_fit_leaves_the_version_before(
    files: Files, spec: Path, counting: CountingEmbedder, csv: str, said: str
) -> None:
    bring(spec, files(ferries__csv=CSV, remarks__csv=REMARKS))
    with pytest.raises(CommandError, match=said):
        bring(spec, files(ferries__csv=csv, remarks__csv=REMARKS))
    assert CorpusVersion.objects.get().number == 1
    assert len(rows("SELECT code FROM kb.ferries")) == 3


@pytest.mark.django_db
def test_rows_without_a_key_of_their_own_are_left_out_and_listed(
    files: Files, spec: Path, counting: CountingEmbedder, tmp_path: Path
) -> None:
    twice = CSV + "F1;Again;;;;;;;;\n;Nameless;;;;;;;;\n"
    bring(spec, files(ferries__csv=twice, remarks__csv=REMARKS), refused=tmp_path / "refused.csv")
    assert len(rows("SELECT code FROM kb.ferries")) == 3
    listed = (tmp_path / "refused.csv").read_text().splitlines()
    assert listed[2:] == [
        "ferries.csv,5,code,F1,a key of its own (line 2 has it),row", "ferries.csv,6,code,None,a key,row"
    ]  # fmt: skip


@pytest.mark.django_db
def test_names_of_other_corpora_are_not_taken(files: Files, tmp_path: Path) -> None:
    table = {"name": "restaurants", "file": "a.csv", "columns": [{"name": "a", "kind": "TEXT"}]}
    corpus = CorpusSpec.model_validate({"name": "mine", "tables": [table]})
    path = tmp_path / "corpus.json"
    path.write_text(corpus.model_dump_json())
    with pytest.raises(CommandError, match="'restaurants' is a sample corpus's"):
        call_command("import_corpus", "mine", *map(str, files(a__csv="a\n1\n")), spec=path, yes=True)


@pytest.mark.django_db
def test_a_nested_list_is_a_table_linked_to_its_parent(tmp_path: Path, counting: CountingEmbedder) -> None:
    (tmp_path / "islands.jsonl").write_text(
        '{"code": "A", "tags": ["wild", "flat"], "sightings": [{"bird": "Auk"}, {"bird": "Tern"}]}\n'
        '{"code": "B", "tags": null, "sightings": []}\n'
    )
    corpus, _ = draft("isles", open_sources([tmp_path / "islands.jsonl"], tmp_path))
    assert [(table.name, table.path, table.parent, table.key) for table in corpus.tables] == [
        ("islands", "", "", "code"),
        ("sightings", "sightings", "islands", None),
    ]
    store(corpus, tables_of(corpus, open_sources([tmp_path / "islands.jsonl"], tmp_path)))
    assert rows("SELECT code, bird FROM kb.sightings ORDER BY bird") == [("A", "Auk"), ("A", "Tern")]
    assert rows("SELECT tags FROM kb.islands ORDER BY code") == [(["wild", "flat"],), (None,)]
    assert ("sightings", "code", "islands") in {
        (one.table, one.column, one.target) for one in whole_catalogue().foreign_keys
    }


@pytest.mark.django_db
def test_a_database_is_drafted_with_its_links_and_imports_as_it_stands(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "shop.db") as database:
        database.executescript(
            "CREATE TABLE customer (id, name); INSERT INTO customer VALUES (1, 'Ada'), (2, 'Ben');"
            "CREATE TABLE purchase (id, customer_id, paid, day); INSERT INTO purchase VALUES "
            "(7, 1, 9.5, '2024-01-02'), (8, 2, 12, '2024-02-03');"
        )
    corpus, reasons = draft("shop", open_sources([tmp_path / "shop.db"], tmp_path))
    customer, purchase = corpus.tables
    assert (customer.key, customer.title, purchase.key) == ("id", "name", "id")
    assert [(link.column, link.table, link.target) for link in purchase.links] == [("customer_id", "customer", "id")]
    assert {column.name: column.kind.value for column in purchase.columns} == {
        "id": "NUMBER", "customer_id": "NUMBER", "paid": "NUMBER", "day": "DATE"
    }  # fmt: skip
    assert any("paid: NUMBER, since 100% of its cells are numbers (9.5; 12)" in str(reason) for reason in reasons)
    store(corpus, tables_of(corpus, open_sources([tmp_path / "shop.db"], tmp_path)))
    assert rows("SELECT c.name FROM kb.purchase p JOIN kb.customer c ON c.id = p.customer_id WHERE p.paid > 10") == [
        ("Ben",)
    ]


KINDS = {
    "NUMBER": ["1.200,50 €", "3,5", "n/a", "12"],
    "DATE": ["2024-01-02", "3 May 2024", "13/04/2023"],
    "TIME": ["9:30", "2 pm", "14:00"],
    "BOOLEAN": ["yes", "no", "Yes", ""],
    "ENUM": ["red", "blue", "Red", "blue", "red", "red"],
    "ENUM[]": ["red; blue", "blue", "green;red"],
    "TEXT": ["Ada", "Ben", "Cyd"],
    "FREE_TEXT": ["A long sentence that goes on for a while, about how the room was and what they ate there."] * 3,
    "LINK": ["https://a.example/1", "https://a.example/2"],
    "IMAGE": ["https://a.example/1.png", "https://a.example/2.jpg?x=1"],
    "LOCATION": ["59.31, 18.12", "-1.5,36.8"],
    "OPENING_HOURS": ["Mon-Fri 9:00-17:00", "daily 10am-6pm", "Sat closed"],
}


@pytest.mark.parametrize(("kind", "cells"), KINDS.items(), ids=KINDS)
def test_the_kind_of_a_column_is_proposed(tmp_path: Path, kind: str, cells: list[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps([{"column": cell} for cell in cells]))
    corpus, _ = draft("a", open_sources([tmp_path / "a.json"], tmp_path))
    assert corpus.tables[0].columns[0].kind.value == kind


@pytest.mark.parametrize(("table", "noun"), [("school_bus", "school bus"), ("classes", "class"), ("ferries", "ferry")])
def test_the_noun_of_a_row_is_drawn_from_the_name_of_its_table(tmp_path: Path, table: str, noun: str) -> None:
    (tmp_path / f"{table}.csv").write_text("id,name\n1,Heron\n2,Moyna\n")
    corpus, _ = draft("a", open_sources([tmp_path / f"{table}.csv"], tmp_path))
    assert corpus.tables[0].noun[0] == noun


@pytest.mark.parametrize(
    "cells",
    [["February 2", "February 4"], ["16 Oct", "24 May"], ["Gate 1", "Ramp 1", "Hall 2"], ["3 km", "200 m", "1 ft"]],
)
def test_numbers_that_need_the_words_around_them_stay_with_them(tmp_path: Path, cells: list[str]) -> None:
    (tmp_path / "a.json").write_text(json.dumps([{"column": cell} for cell in cells]))
    corpus, _ = draft("a", open_sources([tmp_path / "a.json"], tmp_path))
    assert corpus.tables[0].columns[0].kind.value == "TEXT"


def test_telephone_numbers_and_codes_are_no_numbers(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("phone,zip,id\n+1 650 555 0100,01234,A1\n+1 650 555 0101,02345,B2\n")
    corpus, _ = draft("a", open_sources([tmp_path / "a.csv"], tmp_path))
    assert {column.kind.value for column in corpus.tables[0].columns} == {"TEXT"}


@pytest.mark.django_db
def test_loading_samples_leaves_the_passages_of_imported_texts(
    files: Files, spec: Path, counting: CountingEmbedder, embedder: CountingEmbedder
) -> None:
    bring(spec, files(ferries__csv=CSV, remarks__csv=REMARKS))
    call_command("load_corpora", stdout=io.StringIO())
    assert Passage.objects.filter(owner_table="remarks").count() == 3


def test_of_very_many_refused_cells_the_first_are_listed_and_all_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corpora.importing.reading.MOST_LISTED", 3)
    (tmp_path / "a.csv").write_text("n\n" + "many\n" * 50)
    table = {"name": "a", "file": "a.csv", "columns": [{"name": "n", "kind": "NUMBER"}]}
    corpus = CorpusSpec.model_validate({"name": "a", "tables": [table]})
    (read,) = tables_of(corpus, open_sources([tmp_path / "a.csv"], tmp_path))
    assert [row["n"] for row in read.rows()] == [None] * 50
    assert (len(read.refused), read.times_refused) == (3, 50)


def test_a_table_whose_columns_are_all_its_key_has_no_title(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "lounges.db") as database:
        database.executescript(
            "CREATE TABLE entry (lounge INTEGER, way INTEGER, PRIMARY KEY (lounge, way));"
            "INSERT INTO entry VALUES (1, 1), (1, 2), (2, 1);"
        )
    corpus, _ = draft("lounges", open_sources([tmp_path / "lounges.db"], tmp_path))
    assert (corpus.tables[0].key, corpus.tables[0].title) == (["lounge", "way"], "")


@pytest.mark.django_db
def test_what_is_gathered_keeps_its_author_and_its_date(files: Files, spec: Path, counting: CountingEmbedder) -> None:
    said = json.loads(spec.read_text())
    said["tables"][1]["columns"] = [
        {"name": "author", "kind": "TEXT"},
        {"name": "written", "kind": "DATE"},
        {"name": "text", "kind": "FREE_TEXT"},
    ]
    spec.write_text(json.dumps(said))
    remarks = "ferry,author,written,text\nF1,Ola,2024-05-03,Quiet.\nF2,Eli,2023-01-02,Late.\nF1,Per,2025-02-01,Noisy.\n"
    bring(spec, files(ferries__csv=CSV, remarks__csv=remarks))
    kept = Passage.objects.filter(owner_table="ferries", column_name="remarks").order_by("owner_key", "text_index")
    assert [(one.body, one.label, str(one.dated)) for one in kept] == [
        ("Quiet.", "Ola", "2024-05-03"),
        ("Noisy.", "Per", "2025-02-01"),
        ("Late.", "Eli", "2023-01-02"),
    ]


def test_things_with_a_note_are_not_read_as_remarks_on_what_they_stand_on() -> None:
    key, text = {"name": "id", "kind": "TEXT"}, {"name": "text", "kind": "FREE_TEXT"}
    facts = [{"name": f"fact{number}", "kind": "NUMBER"} for number in range(5)]
    link = [{"column": "trail", "table": "trails", "target": "id"}]
    trails = {"name": "trails", "file": "t.csv", "key": "id", "columns": [key]}
    reports = {"name": "reports", "file": "r.csv", "key": "id", "columns": [key, text], "links": link}
    huts = {"name": "huts", "file": "h.csv", "key": "id", "columns": [key, text, *facts], "links": link}
    for tables, read in (((trails, reports, huts), ["reports"]), ((trails, huts), ["huts"])):
        spec = CorpusSpec.model_validate({"name": "park", "tables": tables})
        assert [one["table"] for one in gathered(spec, spec.tables[0])] == read


@pytest.mark.django_db
def test_what_is_written_of_a_name_is_read_of_the_row_and_no_further(
    files: Files, spec: Path, counting: CountingEmbedder, django_capture_on_commit_callbacks: Any
) -> None:
    said = json.loads(spec.read_text())
    ports = {
        "name": "ports",
        "file": "ports.csv",
        "key": "port",
        "title": "port",
        "columns": [{"name": "port", "kind": "TEXT"}],
    }
    said["tables"][0]["links"] = [{"column": "port", "table": "ports", "target": "port"}]
    said["tables"][1]["links"] = [{"column": "ferry", "table": "ferries", "target": "name"}]
    said["tables"].append(ports)
    spec.write_text(json.dumps(said))
    remarks = "ferry,date,text\nLind,2024-05-03,Quiet.\nLind,2025-05-03,Noisy.\n"
    bring(spec, files(ferries__csv=CSV, remarks__csv=remarks, ports__csv="port\nEkholm\n"))
    with django_capture_on_commit_callbacks(execute=True):
        editing.add("ferries", "remarks", {"ferry": "Vind", "text": "Windy."})
    told = Passage.objects.filter(owner_table="ferries", column_name="remarks").order_by("owner_key", "text_index")
    assert [(one.owner_key, one.body, one.dated and one.dated.year) for one in told] == [
        ("F1", "Quiet.", 2024),
        ("F1", "Noisy.", 2025),
        ("F3", "Windy.", None),
    ]
    assert not any(one.kind is Kind.FREE_TEXT for one in whole_catalogue().table("ports").columns)


@pytest.mark.django_db
def test_texts_of_rows_that_refer_to_one_are_found_by_an_index(
    files: Files, spec: Path, counting: CountingEmbedder
) -> None:
    bring(spec, files(ferries__csv=CSV, remarks__csv=REMARKS))
    found = rows(
        "SELECT indexdef FROM pg_indexes WHERE tablename = 'ferries_1_remarks' AND indexdef LIKE '%hash (ferry)'"
    )
    assert found
    assert "there.ferry = here.code" in rows("SELECT pg_get_viewdef('kb.ferries')")[0][0], "a cast would not use it"


def test_keys_that_were_seen_are_kept_on_disk() -> None:
    seen = Remembered()
    assert [seen.before(key, line) for line, key in enumerate(("a", "b", "a", "a"))] == [None, None, 0, 0]
    assert [seen.count(thing) for thing in (b"a", b"b", b"a")] == [1, 1, 2]
