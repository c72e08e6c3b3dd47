"""Curators edit the rows of imported corpora; nothing that they did is lost, by an import or otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from corpora.catalogue.imported import state_of_corpora, whole_catalogue
from corpora.importing import editing
from corpora.importing.finding import StoredTable
from corpora.importing.reading import tables_of
from corpora.importing.reverting import version_at
from corpora.importing.sources import open_sources
from corpora.importing.specification import CorpusSpec
from corpora.importing.storing import Imported, store
from corpora.models import Assistant, CorpusVersion, Passage, RowChange
from corpora.passages.indexing import index
from corpora.selectors import value_memory
from corpora.services import go_back_and_index
from tests.corpora.conftest import CountingEmbedder
from tests.corpora.importing.test_importing import CSV, FERRIES, REMARKS, rows

pytestmark = pytest.mark.django_db

SPEC = CorpusSpec.model_validate(FERRIES)


class Ferries:
    """A small corpus and what is done to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def bring(self, csv: str = CSV, remarks: str = REMARKS, **options: Any) -> Imported:
        (self.folder / "ferries.csv").write_text(csv)
        (self.folder / "remarks.csv").write_text(remarks)
        sources = open_sources([self.folder / "ferries.csv", self.folder / "remarks.csv"], self.folder)
        return store(SPEC, tables_of(SPEC, sources), **options)


@pytest.fixture
def ferries(tmp_path: Path, embedded: CountingEmbedder) -> Ferries:
    made = Ferries(tmp_path)
    made.bring()
    index(whole_catalogue(), embedded, tables=["ferries", "remarks"])
    return made


@pytest.fixture
def curator(client: Client, ferries: Ferries) -> Client:
    client.force_login(get_user_model().objects.create_superuser("curator"))
    return client


def names() -> dict[str, str]:
    return dict(rows("SELECT code, name FROM kb.ferries"))  # type: ignore[arg-type]


def address(name: str, table: str, row: str = "") -> str:
    return reverse(f"admin:{name}", args=["ferries", table]) + (f"?of={row}" if row else "")


def filled(page: Any) -> dict[str, Any]:
    """What a browser would send of a form."""
    return {field.html_name: field.value() or "" for field in page.context["form"] if not field.field.disabled}


# -- What an import does to what a hand did --------------------------------------------------------------------------


def test_an_import_leaves_rows_that_were_edited_added_or_deleted_by_hand(ferries: Ferries) -> None:
    editing.edit("ferries", "ferries", "F1", {"name": "Linden"})
    editing.add("ferries", "ferries", {"code": "F7", "name": "Storm"})
    editing.delete("ferries", "ferries", "F2")
    done = ferries.bring(CSV.replace("Lind;", "Lindt;").replace("Vind", "Wind") + "F8;New;;;;;;;;\n")
    assert names() == {"F1": "Linden", "F3": "Wind", "F7": "Storm", "F8": "New"}
    assert done.counts["ferries"] == {
        "read": 4, "stored": 4, "added": 1, "removed": 0, "changed": 1, "kept as edited": 3
    }  # fmt: skip
    ferries.bring(CSV)
    assert names() == {"F1": "Linden", "F3": "Vind", "F7": "Storm"}, "still"


def test_an_import_that_is_told_to_writes_over_them(ferries: Ferries) -> None:
    editing.edit("ferries", "ferries", "F1", {"name": "Linden"})
    editing.add("ferries", "ferries", {"code": "F7", "name": "Storm"})
    editing.delete("ferries", "ferries", "F2")
    ferries.bring(overwrite_edits=True)
    assert names() == {"F1": "Lind", "F2": "Gås", "F3": "Vind"}


def test_rows_without_a_key_keep_their_edits_where_lines_are_added_before_them(ferries: Ferries) -> None:
    (origin,) = [
        row for row, text in rows("SELECT row_origin, text FROM imported.ferries_1_remarks") if text == "Quiet."
    ]
    editing.edit("ferries", "remarks", origin, {"text": "Very quiet."})
    number = rows("SELECT row_number FROM kb.remarks WHERE text = 'Very quiet.'")
    ferries.bring(remarks=REMARKS.replace("text\n", "text\nF2,2024-01-01,First.\n"))
    assert sorted(text for (text,) in rows("SELECT text FROM kb.remarks")) == [
        "First.", "Late.", "Noisy.", "Very quiet."
    ]  # fmt: skip
    assert rows("SELECT row_number FROM kb.remarks WHERE text = 'Very quiet.'") == number


def test_the_tables_of_an_assistant_that_a_curator_chose_stay(ferries: Ferries) -> None:
    Assistant.objects.filter(slug="ferries").update(tables=["remarks", "articles"])
    ferries.bring()
    assert Assistant.objects.get(slug="ferries").tables == ["remarks", "articles"]


# -- Editing ---------------------------------------------------------------------------------------------------------


def test_an_edit_is_a_version_and_counts_at_once(
    curator: Client, embedded: CountingEmbedder, django_capture_on_commit_callbacks: Any
) -> None:
    before = state_of_corpora()
    assert "Nyhamn" not in value_memory().of("ferries", "port")
    page = curator.get(address("corpora_row", "ferries", "F1"))
    embedded.embedded.clear()
    with django_capture_on_commit_callbacks(execute=True):
        curator.post(
            address("corpora_row", "ferries", "F1"), filled(page) | {"port": "Nyhamn", "about": "A blue ferry."}
        )
    assert rows("SELECT port, about FROM kb.ferries WHERE code = 'F1'") == [("Nyhamn", "A blue ferry.")]
    assert state_of_corpora() != before
    assert "Nyhamn" in value_memory().of("ferries", "port")
    assert embedded.embedded == ["Lind. A blue ferry."]
    version = CorpusVersion.objects.get(corpus="ferries", active=True)
    assert (version.number, version.kind, str(version.by)) == (2, "edit", "curator")
    assert RowChange.objects.get(version=version).values_before["port"] == "Ekholm"
    shown = curator.get(address("corpora_row", "ferries", "F1")).content.decode()
    assert "<del>Ekholm</del> → <ins>Nyhamn</ins>" in shown


def test_values_are_written_as_they_are_shown(curator: Client, ferries: Ferries) -> None:
    columns = "code, name, length, built, port, takes, berth_latitude, bar, about"
    before = rows(f"SELECT {columns} FROM kb.ferries ORDER BY code")
    for code in ("F1", "F2", "F3"):
        page = curator.get(address("corpora_row", "ferries", code))
        response = curator.post(address("corpora_row", "ferries", code), filled(page) | {"about": f"About {code}."})
        assert response.status_code == 302, response.context["form"].errors
    after = rows(f"SELECT {columns} FROM kb.ferries ORDER BY code")
    assert [row[:-1] for row in after] == [row[:-1] for row in before]
    assert [row[-1] for row in after] == ["About F1.", "About F2.", "About F3."]


def test_a_value_that_is_none_of_its_kind_is_refused_beside_its_field(curator: Client) -> None:
    page = curator.get(address("corpora_row", "ferries", "F1"))
    response = curator.post(address("corpora_row", "ferries", "F1"), filled(page) | {"length": "long", "bar": "late"})
    errors = response.context["form"].errors
    assert errors["length"] == ["Expected is a number."]
    assert "opening hours such as" in errors["bar"][0]
    assert CorpusVersion.objects.count() == 1


def test_a_fraction_fits_a_column_that_had_none(ferries: Ferries) -> None:
    built = whole_catalogue().table("ferries").column("built")  # type: ignore[union-attr]
    assert built is not None
    assert built.integer
    editing.edit("ferries", "ferries", "F1", {"built": 1998.5})
    assert rows("SELECT built FROM kb.ferries WHERE code = 'F1'") == [(1998.5,)]
    assert not whole_catalogue().table("ferries").column("built").integer  # type: ignore[union-attr]


def test_rows_are_searched_and_a_new_one_needs_a_key_of_its_own(curator: Client) -> None:
    page = curator.get(address("corpora_rows", "ferries"), {"q": "ekholm 100%"})
    assert page.context["number"] == 0
    page = curator.get(address("corpora_rows", "ferries"), {"q": "ekholm vind"})
    assert [origin for origin, *_ in page.context["rows"]] == ["F3"]
    response = curator.post(address("corpora_row", "ferries"), {"code": "F1", "name": "Again"})
    assert "There is a row with the code F1 already." in response.content.decode()
    response = curator.post(address("corpora_row", "ferries"), {"code": "F9", "name": "Nine", "takes": "cars\ndogs"})
    assert response.status_code == 302
    assert rows("SELECT name, takes FROM kb.ferries WHERE code = 'F9'") == [("Nine", ["cars", "dogs"])]


def test_deleting_asks_says_what_hangs_on_a_row_and_can_be_undone(
    curator: Client, ferries: Ferries, django_capture_on_commit_callbacks: Any
) -> None:
    page = curator.get(address("corpora_row_delete", "ferries", "F1"))
    assert page.context["hangs"] == ["2 rows of remarks refer to it", "3 passages of its texts can be found"]
    assert "F1" in names()
    with django_capture_on_commit_callbacks(execute=True):
        curator.post(address("corpora_row_delete", "ferries", "F1"))
    assert "F1" not in names()
    assert not Passage.objects.filter(owner_table="ferries", owner_key="F1").exists()
    change = RowChange.objects.latest("pk")
    with django_capture_on_commit_callbacks(execute=True):
        curator.post(reverse("admin:corpora_row_undo", args=[change.pk]))
    assert names()["F1"] == "Lind"
    assert Passage.objects.filter(owner_table="ferries", owner_key="F1").count() == 3
    ferries.bring(CSV.replace("Lind;", "Lindt;"))
    assert names()["F1"] == "Lindt", "what was undone is no edit any more"


def test_texts_that_are_read_with_another_row_follow(
    ferries: Ferries, embedded: CountingEmbedder, django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        editing.add("ferries", "remarks", {"ferry": "F2", "text": "Windy."})
    assert rows("SELECT remarks FROM kb.ferries WHERE code = 'F2'") == [(["Windy."],)]
    assert Passage.objects.filter(owner_table="ferries", owner_key="F2", body="Windy.").exists()


# -- Going back ------------------------------------------------------------------------------------------------------


def test_a_corpus_goes_back_to_a_version_and_forward_again(curator: Client, ferries: Ferries) -> None:
    editing.edit("ferries", "ferries", "F1", {"name": "Linden"})
    ferries.bring(
        "code;name;length;built;port;takes;latitude;longitude;bar;about\nF5;Five;;;;;;;;\n", overwrite_edits=True
    )
    assert names() == {"F5": "Five"}
    curator.post(reverse("admin:corpora_versions", args=["ferries"]), {"number": 2})
    assert names() == {"F1": "Linden", "F2": "Gås", "F3": "Vind"}
    ferries.bring()
    assert names()["F1"] == "Linden", "the edit is one again"
    curator.post(reverse("admin:corpora_versions", args=["ferries"]), {"number": 3})
    assert names() == {"F5": "Five"}
    version = CorpusVersion.objects.get(active=True)
    assert (version.kind, version.note) == ("revert", "to version 3")


def test_a_corpus_goes_back_to_a_moment(curator: Client, ferries: Ferries) -> None:
    early = timezone.now()
    editing.edit("ferries", "ferries", "F1", {"name": "Linden"})
    assert version_at("ferries", early).number == 1
    moment = timezone.localtime(early).replace(tzinfo=None).isoformat()
    curator.post(reverse("admin:corpora_versions", args=["ferries"]), {"moment": moment})
    assert names()["F1"] == "Lind"
    response = curator.post(
        reverse("admin:corpora_versions", args=["ferries"]), {"moment": "1999-01-01T00:00"}, follow=True
    )
    assert "There was no corpus" in response.content.decode()


def test_a_version_with_other_columns_and_tables_can_be_gone_back_to(ferries: Ferries, tmp_path: Path) -> None:
    before = rows("SELECT * FROM kb.ferries ORDER BY code")
    remarks = rows("SELECT * FROM kb.remarks ORDER BY row_number")
    spec = CorpusSpec.model_validate(
        {"name": "ferries", "tables": [{"name": "ferries", "file": "other.csv", "key": "code", "columns": [
            {"name": "name", "kind": "NUMBER"}, {"name": "flag", "kind": "TEXT"}]}]}
    )  # fmt: skip
    (tmp_path / "other.csv").write_text("code,name,flag\nF1,1.5,red\nF6,2,blue\n")
    sources = open_sources([tmp_path / "other.csv"], tmp_path)
    store(spec, tables_of(spec, sources))
    assert rows("SELECT name, flag FROM kb.ferries ORDER BY code") == [(1.5, "red"), (2, "blue")]
    assert "remarks" not in whole_catalogue()
    go_back_and_index(CorpusVersion.objects.get(number=1), None)
    assert rows("SELECT * FROM kb.ferries ORDER BY code") == before
    assert rows("SELECT * FROM kb.remarks ORDER BY row_number") == remarks
    go_back_and_index(CorpusVersion.objects.get(number=2), None)
    assert rows("SELECT name, flag FROM kb.ferries ORDER BY code") == [(1.5, "red"), (2, "blue")]


def test_what_an_import_did_to_a_row_can_be_undone_and_stays_so(ferries: Ferries) -> None:
    ferries.bring(CSV.replace("Lind;", "Lindt;") + "F8;New;;;;;;;;\n")
    for change in RowChange.objects.filter(version__number=2, table="ferries"):
        editing.undo(change)
    assert names() == {"F1": "Lind", "F2": "Gås", "F3": "Vind"}
    ferries.bring(CSV.replace("Lind;", "Lindt;") + "F8;New;;;;;;;;\n")
    assert names() == {"F1": "Lind", "F2": "Gås", "F3": "Vind"}


def test_a_value_that_an_import_brings_is_known_though_no_column_changed(ferries: Ferries) -> None:
    assert "Nyhamn" not in value_memory().of("ferries", "port")
    ferries.bring(CSV.replace("ekholm", "Nyhamn"))
    assert "Nyhamn" in value_memory().of("ferries", "port")


def test_only_those_who_may_change_a_corpus_edit_its_rows(ferries: Ferries, client: Client) -> None:
    client.force_login(get_user_model().objects.create_user("clerk", is_staff=True))
    for name in ("corpora_row", "corpora_row_delete"):
        assert client.get(address(name, "ferries", "F1")).status_code == 403
        assert client.post(address(name, "ferries", "F1"), {"name": "X"}).status_code == 403
    assert client.post(reverse("admin:corpora_versions", args=["ferries"]), {"number": 1}).status_code == 403
    assert StoredTable("ferries", "ferries").row("F1")["name"] == "Lind"  # type: ignore[index]
