"""The guided import, page by page: nothing counts before it is confirmed, nothing is half done, nothing is lost."""

from __future__ import annotations

import csv
import io
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError
from django.urls import reverse

from corpora.catalogue.imported import whole_catalogue
from corpora.importing import working
from corpora.importing.working import Cancelled, Watch, work_on
from corpora.models import Assistant, CorpusVersion, Import, Passage
from corpora.tasks import sweep_imports
from tests.corpora.conftest import CountingEmbedder
from tests.corpora.importing.conftest import Guided
from tests.corpora.importing.test_importing import rows

BOOKS = """isbn,title,pages,genre,about
B1,The Reef,320,novel,A story of two keepers on a reef who do not speak for a winter.
B2,Tides,many,Poetry,Poems about mud and herring gulls that were written on a ferry.
B3,Salt,210,novel,=How salt was cut and carried over the hills by people with no shoes.
B3,Salt again,90,novel,
"""
LOANS = "book,day\nB1,2024-05-03\nB2,2024-05-04\nB9,2024-05-05\n"


def test_an_import_leads_from_files_to_an_assistant(guided: Guided, embedded: CountingEmbedder) -> None:
    one = guided.upload("Books", books__csv=BOOKS, loans__csv=LOANS)
    assert (one.corpus, one.state) == ("books", Import.State.DESCRIBING)
    page = guided.client.get(guided.address).content.decode()
    assert "The Reef · Tides · Salt" in page
    assert "utf-8 (since all of it is valid)" in page
    assert not CorpusVersion.objects.exists()

    one = guided.dry_run(**{"t0c2-kind": "NUMBER", "t1c0-refers": "books.isbn", "t0c0-key": "on"})
    assert one.state == Import.State.CHECKED, one.problem
    assert one.counts["books"] == {"read": 4, "stored": 3, "added": 3}
    assert one.notes == ["1 rows of loans: book names no isbn of books"]
    page = guided.client.get(guided.address).content.decode()
    assert "a key of its own (line 4 has it)" in page
    assert not CorpusVersion.objects.exists(), "a dry run changes nothing"
    assert "books" not in whole_catalogue()

    one = guided.step("go-on")
    assert one.state == Import.State.DONE, one.problem
    assert rows("SELECT title, pages FROM kb.books ORDER BY isbn") == [
        ("The Reef", 320),
        ("Tides", None),
        ("Salt", 210),
    ]
    assert one.version == CorpusVersion.objects.get(active=True)
    assert Passage.objects.filter(owner_table="books").count() == 3
    assert 'href="/?assistant=books"' in guided.client.get(guided.address).content.decode()
    assert guided.client.get("/?assistant=books").context["assistants"][0].slug == "books"


def test_refused_cells_are_downloaded_as_csv_that_holds_no_formula(guided: Guided) -> None:
    guided.upload("books", books__csv=BOOKS.replace("many", "=cmd|calc"))
    guided.dry_run(**{"t0c2-kind": "NUMBER", "t0c0-key": "on"})
    response = guided.client.get(reverse("admin:corpora_import_refused", args=[guided.pk]))
    lines = list(csv.reader(io.StringIO(b"".join(response.streaming_content).decode("utf-8-sig"))))
    assert lines[0] == ["file", "line", "column", "found", "expected", "left out"]
    assert ["books.csv", "3", "pages", "'=cmd|calc", "a number", "cell"] in lines


def test_names_can_be_changed_and_columns_left_out(guided: Guided) -> None:
    guided.upload("books", books__csv=BOOKS, loans__csv=LOANS)
    changes = {"t0-name": "Volumes", "t0c1-name": "called", "t0-title": "title", "t0c3-use": None, "t0c0-key": "on"}
    one = guided.dry_run(**changes, **{"t1c0-refers": ""})
    assert one.state == Import.State.CHECKED, one.problem
    one = guided.dry_run(**{"t1c0-refers": "volumes.isbn"})
    guided.step("go-on")
    volumes = whole_catalogue().table("volumes")
    assert volumes is not None
    assert volumes.title == "called"
    assert volumes.column("genre") is None
    assert [(key.table, key.target) for key in whole_catalogue().foreign_keys if key.table == "loans"] == [
        ("loans", "volumes")
    ]


def test_a_later_import_begins_with_what_was_described_before(guided: Guided) -> None:
    guided.upload("books", books__csv=BOOKS)
    guided.dry_run(**{"t0c1-description": "As on the cover", "t0c3-use": None, "t0c0-key": "on", "t0-title": "title"})
    guided.step("go-on")
    guided.upload("books", books__csv=BOOKS.replace("320", "321").replace("about", "shelf", 1))
    columns = {column["name"]: column for column in guided.one.described["tables"][0]["columns"]}
    assert columns["title"]["description"] == "As on the cover"
    assert not columns["genre"]["use"]
    assert columns["shelf"]["use"]
    assert "books: the column about is in no file any more, and would be dropped" in guided.one.described["notes"]


def test_what_does_not_fit_together_is_said_beside_the_form(guided: Guided) -> None:
    guided.upload("books", books__csv=BOOKS)
    changes = {"t0c1-name": "isbn"}
    response = guided.client.post(guided.address, {**guided.form(), **changes, "check": "1"})
    assert "column &#x27;isbn&#x27; is listed twice" in response.content.decode()
    assert guided.one.state == Import.State.DESCRIBING


def test_a_file_that_is_none_is_refused_with_what_to_do(guided: Guided) -> None:
    one = guided.upload("books", books__xlsx=b"PK\x03\x04 broken")
    assert one.state == Import.State.FAILED
    assert "books.xlsx is no spreadsheet that can be read" in guided.client.get(guided.address).content.decode()


def test_a_dry_run_that_fails_leads_back_to_the_form(guided: Guided) -> None:
    guided.upload("restaurants", restaurants__csv=BOOKS)
    one = guided.dry_run()
    assert one.state == Import.State.DESCRIBING
    assert "'restaurants' is a sample corpus's" in one.problem


# -- Workers that die, and people who change their mind --------------------------------------------------------------


def ready(guided: Guided) -> None:
    guided.upload("books", books__csv=BOOKS)
    guided.dry_run(**{"t0c0-key": "on"})
    guided.client.post(reverse("admin:corpora_import_do", args=[guided.pk, "go-on"]))


def test_a_worker_that_dies_while_it_stores_leaves_nothing_and_another_goes_on(
    guided: Guided, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(guided)

    def died(*_: Any, **__: Any) -> None:
        raise OperationalError("the connection is gone")

    with monkeypatch.context() as patch, pytest.raises(OperationalError):
        patch.setattr(working, "notes_of", died)
        work_on(guided.pk)
    assert guided.one.state == Import.State.STORING
    assert not CorpusVersion.objects.exists()
    assert sweep_imports() == 1
    assert guided.work().state == Import.State.DONE
    assert CorpusVersion.objects.get().number == 1


def test_a_worker_that_dies_while_it_embeds_does_not_store_again(
    guided: Guided, embedded: CountingEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    ready(guided)

    def died(*_: Any, **__: Any) -> None:
        raise OperationalError("the connection is gone")

    with monkeypatch.context() as patch, pytest.raises(OperationalError):
        patch.setattr(working, "index", died)
        work_on(guided.pk)
    assert guided.one.state == Import.State.EMBEDDING
    assert guided.work().state == Import.State.DONE
    assert CorpusVersion.objects.get().number == 1
    assert len(embedded.embedded) == 3


HANGS = """
import sys, time, django
django.setup()
from corpora.importing import working
def hang(*_):
    print("stored", flush=True)
    time.sleep(600)
working.notes_of = hang
working.work_on(int(sys.argv[1]))
"""


def test_a_worker_that_is_killed_leaves_its_import_to_the_next(
    guided: Guided, live_environment: dict[str, str], tmp_path: Path
) -> None:
    ready(guided)
    environment = live_environment | {"HYBRIDCHAT_VAR": str(tmp_path)}
    worker = subprocess.Popen(
        [sys.executable, "-c", HANGS, str(guided.pk)], env=environment, stdout=subprocess.PIPE, text=True
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == "stored\n"
    assert guided.work().state == Import.State.STORING, "while it lives, nobody else is at it"
    worker.kill()
    worker.wait()
    until = time.monotonic() + 30
    while guided.work().state != Import.State.DONE and time.monotonic() < until:
        time.sleep(0.2)
    assert guided.one.state == Import.State.DONE
    assert CorpusVersion.objects.get().number == 1


def test_a_forgotten_import_takes_its_files_along_and_leaves_what_it_imported(guided: Guided, tmp_path: Path) -> None:
    ready(guided)
    guided.work()
    assert len(list(tmp_path.rglob("*.csv"))) == 2
    guided.client.post(reverse("admin:corpora_import_delete", args=[guided.pk]), {"post": "yes"})
    assert list(tmp_path.rglob("*.csv")) == []
    assert len(rows("SELECT isbn FROM kb.books")) == 3


def test_the_task_run_twice_imports_once(guided: Guided) -> None:
    ready(guided)
    guided.work()
    assert guided.work().state == Import.State.DONE
    assert CorpusVersion.objects.count() == 1


def test_no_two_workers_are_at_one_import(guided: Guided) -> None:
    ready(guided)
    with working._alone(guided.pk) as first:
        assert first is not None
        work_on(guided.pk)
        assert guided.one.state == Import.State.STORING
    assert guided.work().state == Import.State.DONE


@pytest.mark.parametrize("rows_before", [False, True], ids=["a new corpus", "a corpus that there is"])
@pytest.mark.parametrize("state", [Import.State.STORING, Import.State.EMBEDDING])
def test_a_cancelled_import_changes_nothing(
    guided: Guided, monkeypatch: pytest.MonkeyPatch, state: Import.State, rows_before: bool
) -> None:
    if rows_before:
        ready(guided)
        guided.work()
    before = rows("SELECT * FROM kb.books ORDER BY isbn") if rows_before else []
    guided.upload("books", books__csv=BOOKS.replace("The Reef", "The Rift").replace("mud", "clay"))
    guided.dry_run(**{"t0c0-key": "on"})
    original = Watch.report

    def cancelled_meanwhile(watch: Watch, done: int = 0, total: int = 0) -> None:
        with watch._session.cursor() as cursor:
            cursor.execute(
                "UPDATE corpora_import SET cancel_asked = true WHERE state = %s AND %s > 0", [state.value, done]
            )
        original(watch, done, total)

    monkeypatch.setattr(Watch, "report", cancelled_meanwhile)
    monkeypatch.setattr(working, "PAUSE", -1.0)
    one = guided.step("go-on")
    assert (one.state, one.version) == (Import.State.CANCELLED, None)
    assert Assistant.objects.filter(slug="books").exists() == rows_before
    assert ("books" in whole_catalogue()) == rows_before
    if rows_before:
        assert rows("SELECT * FROM kb.books ORDER BY isbn") == before
        assert ["mud" in one.body for one in Passage.objects.filter(owner_key="B2")] == [True]
    else:
        assert not Passage.objects.filter(owner_table="books").exists()


def test_progress_is_seen_from_outside_while_the_rows_are_stored(guided: Guided) -> None:
    ready(guided)
    with working._alone(guided.pk) as watch:
        assert watch is not None
        watch.report(2, 4)
        response = guided.client.get(reverse("admin:corpora_import_progress", args=[guided.pk]))
        assert 'value="50"' in response.content.decode()
        assert "HX-Refresh" not in response
        guided.client.post(reverse("admin:corpora_import_do", args=[guided.pk, "cancel"]))
        with pytest.raises(Cancelled):
            watch.report(4, 4)
    assert isinstance(watch, Watch)


def test_only_those_who_may_import_see_the_pages(guided: Guided, django_user_model: Any) -> None:
    guided.upload("books", books__csv=BOOKS)
    guided.client.force_login(django_user_model.objects.create_user("clerk", is_staff=True))
    names = ("corpora_import_change", "corpora_import_progress", "corpora_import_refused")
    for address in [
        reverse("admin:corpora_import_add"),
        *(reverse(f"admin:{name}", args=[guided.pk]) for name in names),
    ]:
        assert guided.client.get(address).status_code == 403
    assert guided.client.post(reverse("admin:corpora_import_do", args=[guided.pk, "cancel"])).status_code == 403
