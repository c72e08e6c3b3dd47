"""What a curator changed in the admin is never written over unasked, by no way of loading files."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client

from corpora.models import Article, ArticleQuestion, Assistant, Course, HandEdit, Place, Restaurant, Review
from hybridchat.services.management.commands.run import Command as Run
from tests.corpora.conftest import CountingEmbedder, course, restaurant
from tests.corpora.test_admin import form_of, page

Write = Callable[..., Path]
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def curator(client: Client, db: None) -> Client:
    client.force_login(get_user_model().objects.create_superuser("curator"))
    return client


def load(**files: Any) -> str:
    out = io.StringIO()
    call_command("load_corpora", stdout=out, **files)
    return out.getvalue()


def edit(curator: Client, row: Any, **changes: str) -> None:
    url = page(type(row), "change", row.pk)
    response = curator.post(url, form_of(curator.get(url)) | changes)
    assert response.status_code == 302, response.context["errors"]


def test_an_edited_row_is_kept_and_said_until_it_is_given_up(
    curator: Client, embedder: CountingEmbedder, write: Write
) -> None:
    file = write("a.jsonl", restaurant(), restaurant(slug="red-door", name="The Red Door"))
    load(restaurants=[file])
    edit(curator, Restaurant.objects.get(slug="blue-door"), name="The Blue Gate")
    new = write("b.jsonl", restaurant(rating=1.0), restaurant(slug="red-door", name="The Red Gate"))
    out = load(restaurants=[new])
    assert "1 kept because they were edited by hand (blue-door); --overwrite-edited overwrites them." in out
    assert list(Restaurant.objects.values_list("name", "rating")) == [("The Blue Gate", 4.2), ("The Red Gate", 4.2)]
    load(restaurants=[new], overwrite_edited=True)
    assert Restaurant.objects.get(slug="blue-door").rating == 1.0
    assert not HandEdit.objects.exists(), "what the file holds is what the file says again"


def test_a_review_that_a_curator_added_survives_every_load(
    curator: Client, embedder: CountingEmbedder, write: Write
) -> None:
    file = write("a.jsonl", restaurant())
    load(restaurants=[file])
    place = Restaurant.objects.get()
    added = {"restaurant": place.pk, "author": "", "date": "", "stars": "", "text": "Mine."}
    assert curator.post(page(Review, "add"), added).status_code == 302
    load(restaurants=[file])
    load(restaurants=[file], clear=True)
    assert place.reviews.count() == 3


def test_a_review_changed_inside_its_restaurant_counts(
    curator: Client, embedder: CountingEmbedder, write: Write
) -> None:
    file = write("a.jsonl", restaurant())
    load(restaurants=[file])
    edit(curator, Restaurant.objects.get(), **{"reviews-1-DELETE": "on"})
    load(restaurants=[file])
    assert Restaurant.objects.get().reviews.count() == 1


def test_a_row_that_a_curator_deleted_or_renamed_does_not_come_back(
    curator: Client, embedder: CountingEmbedder, write: Write
) -> None:
    file = write("a.jsonl", restaurant(), restaurant(slug="red-door", name="Red"))
    load(restaurants=[file])
    edit(curator, Restaurant.objects.get(slug="blue-door"), slug="green-door")
    curator.post(page(Restaurant, "delete", Restaurant.objects.get(slug="red-door").pk), {"post": "yes"})
    load(restaurants=[file])
    assert list(Restaurant.objects.values_list("slug", flat=True)) == ["green-door"]


def test_clear_keeps_what_was_added_by_hand(curator: Client, embedder: CountingEmbedder, write: Write) -> None:
    place = {"name": "Old Mill", "city": "", "kind": "park", "latitude": "1", "longitude": "2", "aliases": ""}
    assert curator.post(page(Place, "add"), place).status_code == 302
    file = write("l.jsonl", {"name": "New Mill", "kind": "park", "lat": 1.0, "lon": 2.0})
    load(landmarks=[file], clear=True)
    assert set(Place.objects.values_list("name", flat=True)) == {"Old Mill", "New Mill"}
    load(landmarks=[file], clear=True, overwrite_edited=True)
    assert Place.objects.get().name == "New Mill"


def test_every_kind_of_row_is_known_by_its_line(curator: Client, embedder: CountingEmbedder, write: Write) -> None:
    article = {"slug": "seats", "title": "Seats", "body": "A seat is yours at noon."}
    question = {"article": "seats", "quote": "A seat is yours at noon.", "questions": ["when"]}
    files = {"courses": [write("c", course())], "articles": [write("a", article)], "questions": [write("q", question)]}
    load(**files)
    edit(curator, Course.objects.get(), title="Compiling")
    edit(curator, Article.objects.get(), title="Chairs")
    edit(curator, ArticleQuestion.objects.get(), text="at what time")
    load(**files)
    assert Course.objects.get().title == "Compiling"
    assert Article.objects.get().title == "Chairs"
    assert ArticleQuestion.objects.get().text == "at what time"
    assert {(edit.corpus, edit.key, str(edit.by)) for edit in HandEdit.objects.all()} == {
        ("courses", "7", "curator"), ("articles", "seats", "curator"), ("questions", "seats", "curator")
    }  # fmt: skip


@pytest.mark.django_db
def test_the_samples_come_into_an_empty_database_only(embedder: CountingEmbedder, write: Write) -> None:
    load(restaurants=[write("a.jsonl", restaurant())])
    assert "the samples were not loaded" in load()
    assert Restaurant.objects.count() == 1
    assert Assistant.objects.count() == 3, "without one, nobody could ask about the rows"
    Assistant.objects.filter(slug="courses").delete()
    load()
    assert Assistant.objects.count() == 2, "one that was deleted does not come back"


@pytest.mark.django_db
def test_a_start_leaves_every_row_as_it_is(embedder: CountingEmbedder, write: Write) -> None:
    load(restaurants=[write("a.jsonl", restaurant())])
    Restaurant.objects.update(name="Changed anyhow")
    Run(stdout=io.StringIO()).prepare_corpora()
    assert list(Restaurant.objects.values_list("name", flat=True)) == ["Changed anyhow"]


def test_the_composed_site_starts_with_the_same_command() -> None:
    compose = yaml.safe_load((ROOT / "compose.yaml").read_text())
    (command,) = (words for words in compose["services"]["setup"]["command"] if "load_corpora" in words)
    assert command.endswith("manage.py load_corpora"), "named files or --samples would be loaded at every start"
