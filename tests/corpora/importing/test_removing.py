"""Removing a corpus asks, says what hangs on it, and can be undone; nothing stale is found after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from corpora import descriptions
from corpora.catalogue.imported import whole_catalogue
from corpora.catalogue.said import CorpusSaid, TableSaid
from corpora.importing import editing
from corpora.importing.erasing import belonging
from corpora.importing.reading import tables_of
from corpora.importing.removing import NotThere, bring_back, removed_corpora, set_aside
from corpora.importing.sources import open_sources
from corpora.importing.specification import CorpusSpec
from corpora.importing.storing import NameTaken, store
from corpora.models import Assistant, CorpusLimit, CorpusVersion, FewShotPair, Import, ImportFile, Passage
from corpora.models.imports import import_storage
from corpora.services import go_back_and_index
from corpora.tasks import index_tables
from hybridchat.research.models import RegressionCase
from tests.corpora.conftest import CountingEmbedder
from tests.corpora.importing.test_importing import rows
from tests.corpora.importing.test_rows import Ferries, curator, ferries, names

__all__ = ["curator", "ferries"]

pytestmark = pytest.mark.django_db


def test_removing_asks_and_says_what_hangs_on_it(curator: Client, ferries: Ferries) -> None:
    Assistant.objects.create(slug="both", title="Both", tables=["restaurants", "ferries"])
    page = curator.get(reverse("admin:corpora_remove", args=["ferries"])).content.decode()
    for said in (
        "3 rows of ferries", "3 rows of remarks", "passages of text", "1 version",
        "the assistant Ferries asks it, and is not offered any more",
        "the assistant Both asks it, and goes on with its other tables",
    ):  # fmt: skip
        assert said in page, said
    assert "ferries" in whole_catalogue(), "asking changes nothing"


def test_a_removed_corpus_is_found_by_nobody_and_comes_back_as_it_was(
    curator: Client, ferries: Ferries, embedded: CountingEmbedder
) -> None:
    Assistant.objects.create(slug="both", title="Both", tables=["restaurants", "ferries"])
    editing.edit("ferries", "ferries", "F1", {"name": "Linden"})
    before, passages = names(), Passage.objects.count()
    curator.post(reverse("admin:corpora_remove", args=["ferries"]))
    assert "ferries" not in whole_catalogue()
    assert rows("SELECT to_regclass('kb.ferries')") == [(None,)]
    assert not Assistant.objects.get(slug="ferries").active
    assert Assistant.objects.get(slug="both").tables == ["restaurants"]
    listed = curator.get(reverse("admin:corpora_corpora")).content.decode()
    assert "Bring ferries back" in listed
    embedded.embedded.clear()
    curator.post(reverse("admin:corpora_bring_back", args=["ferries"]))
    assert names() == before
    assert Assistant.objects.get(slug="ferries").active
    assert Assistant.objects.get(slug="both").tables == ["restaurants", "ferries"]
    assert (Passage.objects.count(), embedded.embedded) == (passages, []), "no text is embedded again"
    kinds = CorpusVersion.objects.filter(corpus="ferries").order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["import", "edit", "removal", "revert"]
    go_back_and_index(CorpusVersion.objects.get(number=1), None)
    assert names()["F1"] == "Lind", "its history is there, too"


def other(folder: Path, corpus: str, table: str) -> None:
    (folder / "other.csv").write_text("code,about\nF1,It is a boat that nobody knows.\n")
    spec = CorpusSpec.model_validate(
        {"name": corpus, "tables": [{"name": table, "file": "other.csv", "key": "code", "columns": [
            {"name": "about", "kind": "FREE_TEXT"}]}]}
    )  # fmt: skip
    store(spec, tables_of(spec, open_sources([folder / "other.csv"], folder)))


def test_another_corpus_with_a_table_of_that_name_finds_none_of_its_passages(ferries: Ferries, tmp_path: Path) -> None:
    set_aside("ferries")
    other(tmp_path, "boats", "ferries")
    assert not Passage.objects.filter(owner_table="ferries").exists()
    with pytest.raises(NameTaken, match="'boats'"):
        bring_back("ferries")
    assert [one.corpus for one in removed_corpora()] == ["ferries"]


def test_nothing_is_imported_into_a_removed_corpus(ferries: Ferries, tmp_path: Path) -> None:
    set_aside("ferries")
    with pytest.raises(NameTaken, match="bring it back first"):
        other(tmp_path, "ferries", "boats")


def test_what_is_not_there_is_neither_removed_nor_brought_back(ferries: Ferries) -> None:
    for step in (lambda: set_aside("nowhere"), lambda: bring_back("ferries")):
        with pytest.raises(NotThere):
            step()


def test_only_those_who_may_delete_a_corpus_remove_it(ferries: Ferries, client: Client) -> None:
    client.force_login(get_user_model().objects.create_user("clerk", is_staff=True))
    for name in ("corpora_remove", "corpora_bring_back", "corpora_erase"):
        assert client.post(reverse(f"admin:{name}", args=["ferries"])).status_code == 403
    assert "ferries" in whole_catalogue()


def test_another_title_is_embedded_with_every_text_of_its_rows(
    ferries: Ferries, embedded: CountingEmbedder, monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Any,
) -> None:  # fmt: skip
    sent: list[Any] = []
    monkeypatch.setattr("corpora.services.current_app.send_task", lambda name, args: sent.append((name, args)))
    with django_capture_on_commit_callbacks(execute=True):
        descriptions.save("ferries", CorpusSaid(tables={"ferries": TableSaid(title="port")}))
        descriptions.save("ferries", CorpusSaid(tables={"ferries": TableSaid(title="port", description="Boats")}))
    assert sent == [(index_tables.name, [["ferries"]])], "what else is said changes no passage"
    monkeypatch.setattr("corpora.tasks.politely", lambda work: work())
    monkeypatch.setattr("corpora.tasks.embedder", lambda: embedded)
    index_tables(["ferries"])
    headings = Passage.objects.filter(owner_table="ferries", column_name="about").values_list("heading", flat=True)
    assert set(headings) == {"Ekholm"}


def everything_of(corpus: str) -> dict[str, int]:
    """What the database has of a corpus, wherever it is named."""
    found = {model._meta.label: model._default_manager.filter(corpus=corpus).count() for model in belonging()}
    found["passages"] = Passage.objects.filter(owner_table__in=["ferries", "remarks"]).count()
    found["assistants"] = Assistant.objects.filter(tables__overlap=["ferries", "remarks"]).count()
    found["files"] = sum(path.is_file() for path in Path(import_storage().path("")).rglob("*"))
    tables = "SELECT count(*) FROM pg_tables WHERE schemaname = 'imported'"
    views = "SELECT count(*) FROM pg_views WHERE schemaname = 'kb' AND viewname IN ('ferries', 'remarks')"
    return found | {"tables": rows(tables)[0][0], "views": rows(views)[0][0]}


def test_a_removed_corpus_is_deleted_for_good_and_nothing_of_it_is_left(
    curator: Client, ferries: Ferries, django_capture_on_commit_callbacks: Any, settings: Any, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    sent: list[Any] = []
    monkeypatch.setattr("corpora.services.current_app.send_task", lambda name, args: sent.append((name, args)))
    settings.VAR = tmp_path / "var"
    editing.edit("ferries", "ferries", "F1", {"name": "Linden"})
    descriptions.save("ferries", CorpusSaid(examples=["Which is quiet?"]))
    one = Import.objects.create(corpus="ferries")
    ImportFile.objects.create(of=one, name="a.csv", file=ContentFile(b"a\n1\n", "a.csv"))
    pair = FewShotPair.objects.create(corpus="ferries", message="All?", suql="SELECT * FROM ferries")
    other = FewShotPair.objects.create(corpus="courses", message="All?", suql="SELECT * FROM courses")
    RegressionCase.objects.create(corpus="ferries", messages=["All?"], expected_keys=["F1"])
    CorpusLimit.objects.create(user=get_user_model().objects.create_user("ben"), corpus="ferries")
    Assistant.objects.create(slug="both", title="Both", tables=["restaurants", "ferries"])
    address = reverse("admin:corpora_erase", args=["ferries"])
    assert curator.get(address).status_code == 404, "it is removed first"
    curator.post(reverse("admin:corpora_remove", args=["ferries"]))
    page = curator.get(address).content.decode()
    for said in ("3 corpus versions", "1 import file", "1 few-shot pair", "1 regression case", "the assistant Ferries"):
        assert said in page, said
    assert "That is not its name" in curator.post(address, {"name": "ferry"}).content.decode()
    assert all(everything_of("ferries")[name] for name in ("passages", "tables", "files"))
    with django_capture_on_commit_callbacks(execute=True):
        curator.post(address, {"name": "ferries"})
    assert sent == [(index_tables.name, [["ferries", "remarks"]])], "the indexes of its vectors go, too"
    assert {name for name, number in everything_of("ferries").items() if number} == set()
    assert "Bring ferries back" not in curator.get(reverse("admin:corpora_corpora")).content.decode()
    assert not FewShotPair.objects.filter(pk=pair.pk).exists()
    assert FewShotPair.objects.filter(pk=other.pk).exists()
    assert Assistant.objects.get(slug="both").tables == ["restaurants"]
    assert CorpusLimit.objects.filter(corpus="ferries").exists(), "who was limited is not let loose"
