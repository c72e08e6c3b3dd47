"""Curators edit every model; what they change in a text is found by its new words."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin import site
from django.contrib.auth import get_user_model
from django.db import models
from django.test import Client
from django.urls import reverse

from corpora.catalogue import catalogue
from corpora.loading.assistants import add_missing_assistants
from corpora.loading.records import CourseLine, RestaurantLine
from corpora.loading.rows import store_courses, store_restaurants
from corpora.models import Article, ArticleQuestion, Assistant, Course, Passage, Restaurant
from corpora.passages.indexing import index
from tests.corpora.conftest import CountingEmbedder, course, restaurant
from tests.corpora.test_constraints import VALID, create

MODELS = [model for model in apps.get_app_config("corpora").get_models() if site.is_registered(model)]


@pytest.fixture
def curator(client: Client, db: None) -> Client:
    client.force_login(get_user_model().objects.create_superuser("curator"))
    return client


def page(model: type[models.Model], name: str, *args: Any) -> str:
    return reverse(f"admin:corpora_{model._meta.model_name}_{name}", args=args)


def form_of(response: Any) -> dict[str, Any]:
    """What a browser would send back of the form it was shown."""
    forms = [response.context["adminform"].form]
    for formset in response.context["inline_admin_formsets"]:
        forms += [formset.formset.management_form, *formset.formset.forms]
    values = {}
    for form in forms:
        for bound in form:
            shown = bound.field.widget.format_value(bound.value())
            if shown is not None and shown is not False:
                values[bound.html_name] = shown
    return {name: value[0] if isinstance(value, list) and len(value) == 1 else value for name, value in values.items()}


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_model_has_a_list_that_can_be_searched(curator: Client, model: type[models.Model]) -> None:
    assert model in VALID
    create(model)
    assert site._registry[model].search_fields
    response = curator.get(page(model, "changelist"), {"q": "a"})
    assert response.status_code == 200


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_every_row_has_a_page(curator: Client, model: type[models.Model]) -> None:
    assert curator.get(page(model, "change", create(model).pk)).status_code == 200


def test_an_edited_text_is_embedded_again_at_once(
    curator: Client, embedder: CountingEmbedder, django_capture_on_commit_callbacks: Any
) -> None:
    store_restaurants([RestaurantLine.model_validate_json(json.dumps(restaurant()))])
    index(catalogue(), embedder)
    embedder.embedded.clear()
    url = page(Restaurant, "change", Restaurant.objects.get().pk)
    values = form_of(curator.get(url)) | {"about": "Now under new owners.", "reviews-1-DELETE": "on"}
    with django_capture_on_commit_callbacks(execute=True):
        response = curator.post(url, values)
    assert response.status_code == 302, response.context["errors"]
    assert embedder.embedded == ["The Blue Door. Now under new owners."]
    assert not Passage.objects.filter(body="The lamb was dry.").exists()
    assert Restaurant.objects.get().popular_dishes == ["lamb with lemon, slowly"], "a comma does not split an item"


@pytest.mark.parametrize(
    ("hours", "said"),
    [
        ("[]", "Opening hours are an object of days"),
        ('{"monday": []}', "&#x27;monday&#x27; is not a day"),
        ('{"mon": "11-14"}', "mon: a list of stretches is expected"),
        ('{"mon": [["11:00"]]}', "is not a stretch such as"),
        ('{"mon": [["24:00", "25:00"]]}', "is not a stretch such as"),
    ],
)
def test_malformed_opening_hours_are_explained_in_the_form(curator: Client, hours: str, said: str) -> None:
    url = page(Restaurant, "change", create(Restaurant).pk)
    response = curator.post(url, form_of(curator.get(url)) | {"opening_hours": hours})
    assert said in response.content.decode()


def test_a_rating_removed_inline_takes_its_passages_along(
    curator: Client, embedder: CountingEmbedder, django_capture_on_commit_callbacks: Any
) -> None:
    store_courses([CourseLine.model_validate_json(json.dumps(course()))])
    index(catalogue(), embedder)
    url = page(Course, "change", 7)
    values = form_of(curator.get(url)) | {"ratings-0-DELETE": "on"}
    with django_capture_on_commit_callbacks(execute=True):
        response = curator.post(url, values)
    assert response.status_code == 302, response.context["errors"]
    assert set(Passage.objects.values_list("owner_table", flat=True)) == {"courses"}


def test_rows_deleted_from_the_list_take_their_passages_along(
    curator: Client, embedder: CountingEmbedder, django_capture_on_commit_callbacks: Any
) -> None:
    store_restaurants([RestaurantLine.model_validate_json(json.dumps(restaurant()))])
    index(catalogue(), embedder)
    action = {"action": "delete_selected", "_selected_action": [Restaurant.objects.get().pk], "post": "yes"}
    with django_capture_on_commit_callbacks(execute=True):
        curator.post(page(Restaurant, "changelist"), action)
    assert not Restaurant.objects.exists()
    assert not Passage.objects.exists()


def test_lists_are_edited_one_item_a_line_and_unknown_tables_are_refused(curator: Client) -> None:
    add_missing_assistants()
    assistant = Assistant.objects.get(slug="courses")
    url = page(Assistant, "change", assistant.pk)
    values = form_of(curator.get(url)) | {"example_questions": "First, then?\r\n\r\n Second? \r\n", "tables": "planets"}
    response = curator.post(url, values)
    assert "planets is not one of the available choices" in response.content.decode()
    assert curator.post(url, values | {"tables": ["courses", "ratings"]}).status_code == 302
    assistant.refresh_from_db()
    assert assistant.example_questions == ["First, then?", "Second?"]
    assert assistant.tables == ["courses", "ratings"]


def test_a_question_is_answered_by_what_the_body_says(curator: Client) -> None:
    article = create(Article)
    url = page(Article, "change", article.pk)
    inline = {"questions-TOTAL_FORMS": 1, "questions-INITIAL_FORMS": 0, "questions-0-text": "is it b"}
    values = form_of(curator.get(url)) | inline
    response = curator.post(url, values | {"questions-0-quote": "A C."})
    assert "The body does not say this" in response.content.decode()
    assert not ArticleQuestion.objects.exists()
    assert curator.post(url, values | {"questions-0-quote": "B"}).status_code == 302
    assert ArticleQuestion.objects.get().text == "is it b"
