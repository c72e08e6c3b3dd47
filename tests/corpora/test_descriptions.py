"""A corpus page: what a curator says of tables and columns counts at once, outlives imports, and can be taken back."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from agent.catalogue.schema_text import describe_catalogue
from corpora import descriptions
from corpora.catalogue.cards import Place, places
from corpora.catalogue.imported import said_of, state_of_corpora, whole_catalogue
from corpora.catalogue.said import ColumnSaid, CorpusSaid, TableSaid
from corpora.importing.reading import tables_of
from corpora.importing.sources import open_sources
from corpora.importing.specification import CorpusSpec
from corpora.importing.storing import store
from corpora.models import CorpusDescription, CorpusLimit

pytestmark = pytest.mark.django_db

INNS = {
    "name": "inns",
    "tables": [
        {
            "name": "inns", "file": "inns.csv", "key": "code", "title": "name", "noun": ["inn", "inns"],
            "columns": [
                {"name": "code", "kind": "TEXT"},
                {"name": "name", "kind": "TEXT"},
                {"name": "price", "kind": "NUMBER", "unit": "€"},
                {"name": "style", "kind": "ENUM"},
                {"name": "photo", "kind": "TEXT"},
                {"name": "about", "kind": "FREE_TEXT"},
            ],
        }
    ],
}  # fmt: skip
CSV = """code,name,price,style,photo,about
I1,The Lamb,80,rustic,https://a.example/1.png,Old beams.
I2,Harbour House,140,modern,https://a.example/2.png,Big windows.
I3,The Mill,95,rustic,https://a.example/3.png,By the river.
"""


def bring(folder: Path, text: str = CSV) -> None:
    (folder / "inns.csv").write_text(text)
    spec = CorpusSpec.model_validate(INNS)
    store(spec, tables_of(spec, open_sources([folder / "inns.csv"], folder)))


@pytest.fixture
def inns(tmp_path: Path) -> Path:
    bring(tmp_path)
    return tmp_path


@pytest.fixture
def curator(client: Client) -> Client:
    user = User.objects.create_user("ann", is_staff=True)
    user.groups.add(Group.objects.get(name="curator"))
    client.force_login(user)
    return client


def page(corpus: str = "inns", name: str = "corpora_corpus") -> str:
    return reverse(f"admin:{name}", args=[corpus])


def form_of(response: Any) -> dict[str, Any]:
    """What a browser would send of the page as it is shown."""
    forms = response.context["forms"]
    every = [forms.examples, *(one for table, columns in forms.tables for one in (table, *columns))]
    return {bound.html_name: bound.value() or "" for form in every for bound in form} | {"action": "save"}


def price() -> Any:
    return whole_catalogue().table("inns").column("price")


def test_what_is_saved_counts_at_once_and_says_only_what_differs(curator: Client, inns: Path) -> None:
    before = state_of_corpora()
    sent = form_of(curator.get(page())) | {
        "inns-synonyms": "guest houses,  lodgings , lodgings",
        "inns-order": "-price",
        "inns.price-synonyms": "rate",
        "inns.price-low": "cheap, cheapest",
        "inns.price-high": "dear",
        "inns.style-values": "rustic: rural, old-fashioned\nmodern:",
        "inns.photo-kind": "IMAGE",
        "examples": "Where is it quiet?\n\n",
    }
    answer = curator.post(page(), sent)
    assert answer.status_code == 302, re.findall(r"errorlist.*", answer.content.decode())
    table = whole_catalogue().table("inns")
    assert table.synonyms == ("guest houses", "lodgings")
    assert table.order == "price DESC NULLS LAST"
    assert (price().synonyms, price().low_words, price().high_words) == (("rate",), ("cheap", "cheapest"), ("dear",))
    assert table.column("style").value_words == (("rustic", ("rural", "old-fashioned")),)
    assert table.column("photo").kind == "IMAGE"
    assert places(table)["photo"] is Place.PICTURE
    assert state_of_corpora() != before, "an agent process sees that it has to load the corpora again"
    version = CorpusDescription.objects.get()
    assert version.by.username == "ann"
    assert version.document == {
        "examples": ["Where is it quiet?"],
        "tables": {
            "inns": {
                "synonyms": ["guest houses", "lodgings"],
                "order": "-price",
                "columns": {
                    "price": {"synonyms": ["rate"], "low": ["cheap", "cheapest"], "high": ["dear"]},
                    "style": {"values": {"rustic": ["rural", "old-fashioned"]}},
                    "photo": {"kind": "IMAGE"},
                },
            }
        },
    }


def test_a_model_is_told_of_the_words(inns: Path) -> None:
    told = ColumnSaid(low=["cheap"], high=["dear"])
    descriptions.save("inns", CorpusSaid(tables={"inns": TableSaid(columns={"price": told})}))
    assert "the least means cheap; the most means dear" in describe_catalogue(whole_catalogue().only("inns"))


def test_saving_what_counts_already_makes_no_version(curator: Client, inns: Path) -> None:
    sent = form_of(curator.get(page())) | {"inns.price-synonyms": "rate"}
    curator.post(page(), sent)
    curator.post(page(), form_of(curator.get(page())))
    assert CorpusDescription.objects.count() == 1


def test_it_outlives_an_import_and_a_column_that_goes(curator: Client, inns: Path) -> None:
    told = {"price": ColumnSaid(synonyms=["rate"]), "gone": ColumnSaid(synonyms=["x"])}
    descriptions.save("inns", CorpusSaid(tables={"inns": TableSaid(columns=told)}))
    bring(inns, CSV + "I4,Elm Lodge,60,rustic,,Small.\n")
    assert price().synonyms == ("rate",)
    assert curator.get(page()).status_code == 200


def test_versions_can_be_gone_back_to(curator: Client, inns: Path) -> None:
    for words in ("rate", "tariff"):
        curator.post(page(), form_of(curator.get(page())) | {"inns.price-synonyms": words})
    curator.post(page(name="corpora_corpus_revert"), {"number": "1"})
    assert price().synonyms == ("rate",)
    curator.post(page(name="corpora_corpus_revert"), {"number": "0"})
    assert price().synonyms == ()
    assert said_of("inns") == CorpusSaid()
    assert list(CorpusDescription.objects.values_list("number", "active")) == [
        (4, True),
        (3, False),
        (2, False),
        (1, False),
    ]
    assert curator.post(page(name="corpora_corpus_revert"), {"number": "99"}).status_code == 404


def test_a_draft_is_shown_and_not_saved(curator: Client, inns: Path) -> None:
    shown = form_of(curator.post(page(), {"action": "draft"}))
    assert not CorpusDescription.objects.exists()
    assert shown["inns.price-low"] == "cheap, cheapest, inexpensive"
    assert "Show me inns whose style is rustic" in shown["examples"]
    assert shown["inns-description"] == "Each row is one inn."
    curator.post(page(), form_of(curator.get(page())) | {"inns.price-low": "low-priced"})
    again = form_of(curator.post(page(), {"action": "draft"}))
    assert again["inns.price-low"] == "low-priced", "what was said is not drafted over"


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("inns.style-values", "gothic: dark", "does not begin with a value of this column"),
        ("inns-one", "", "This field is required"),
        ("inns.photo-kind", "NUMBER", "Select a valid choice"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_is_saved(
    curator: Client, inns: Path, field: str, value: str, said: str
) -> None:
    answer = curator.post(page(), form_of(curator.get(page())) | {field: value})
    assert said in answer.content.decode()
    assert not CorpusDescription.objects.exists()


def test_a_sample_takes_words_and_cards_and_keeps_its_kinds(curator: Client) -> None:
    shown = form_of(curator.get(page("courses")))
    assert not [name for name in shown if name.endswith("-kind")]
    assert (shown["courses.min_units-card"], shown["programs.level-card"]) == ("under", "above")
    curator.post(page("courses"), shown | {"courses.average_hours_spent-high": "laborious"})
    assert whole_catalogue().table("courses").column("average_hours_spent").high_words == ("laborious",)
    assert whole_catalogue().table("courses").order == "", "what was not touched stays as it came"


def test_only_whoever_may_changes_what_is_said(client: Client, curator: Client, inns: Path) -> None:
    reader = User.objects.create_user("reader", is_staff=True)
    reader.groups.add(Group.objects.get(name="researcher"))
    sent = form_of(curator.get(page()))
    CorpusLimit.objects.create(user=User.objects.get(username="ann"), corpus="courses")
    assert curator.get(page()).status_code == 403
    assert curator.post(page(), sent).status_code == 403
    assert curator.get(page("courses")).status_code == 200
    assert "Inns" not in curator.get(reverse("admin:corpora_corpora")).content.decode()
    curator.force_login(reader)
    assert curator.get(page()).status_code == 200
    assert curator.post(page(), sent).status_code == 403
    assert curator.post(page(name="corpora_corpus_revert"), {"number": "0"}).status_code == 403
    curator.logout()
    assert curator.get(page()).status_code == 302
    assert not CorpusDescription.objects.exists()


def test_an_assistant_that_an_import_made_has_questions_to_begin_with(client: Client, inns: Path) -> None:
    page = client.get(reverse("chat:assistant", args=["inns"])).content.decode()
    assert "Show me inns whose style is rustic" in page
    descriptions.save("inns", CorpusSaid(examples=["Where is it quiet?"]))
    page = client.get(reverse("chat:assistant", args=["inns"])).content.decode()
    assert "Where is it quiet?" in page
    assert "Show me inns" not in page
