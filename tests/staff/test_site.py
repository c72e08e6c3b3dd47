"""The admin is the product's own: its order, its look, nothing from elsewhere, and nothing that only machines read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Permission, User
from django.contrib.staticfiles import finders
from django.db import models
from django.test import Client, RequestFactory
from django.urls import reverse

from corpora.models import CorpusVersion, ModelCall, Passage, Place, Restaurant, Review
from hybridchat.staff.sections import SECTIONS, Entry
from hybridchat.staff.site import _mark_current
from tests.corpora.test_constraints import VALID, create

pytestmark = pytest.mark.django_db
OWN = {"research.PlaygroundRun"}  # its list is a page of its own
LONG = "It was dark and the soup was cold. " * 20
LOADED = re.compile(r"""<(?:link|script|img|source|use|iframe)\b[^>]*?(?:href|src)=["']([^"']+)""")
HASH = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}-[0-9a-f]{4}-")
JSON = re.compile(r"(?:\{|\[)(?:&quot;|&#x27;|\")")


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("boss"))
    return client


def text_of(response: Any) -> str:
    """The words of a page: its main part, without tags."""
    main = response.content.decode().split("<main", 1)[1]
    main = re.sub(r"<(script|style|form id=\"changelist-search\").*?</\1>", " ", main, flags=re.DOTALL)
    return re.sub(r"<[^>]+>", " ", main)


def test_every_model_of_the_admin_has_its_place_in_a_section() -> None:
    named = [entry.model for section in SECTIONS for entry in section.entries if isinstance(entry, Entry)]
    assert sorted(named) == sorted(model._meta.label for model in site._registry)


def test_the_front_page_has_the_products_name_and_its_sections(staff: Client) -> None:
    page = staff.get(reverse("admin:index")).content.decode()
    assert "Django" not in page
    assert [name for section in SECTIONS if (name := section.name) not in page] == []


def test_an_empty_list_says_what_belongs_there_and_how_to_begin(staff: Client) -> None:
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="boss")
    added = {model._meta.label for model, page in site._registry.items() if page.has_add_permission(request)}
    entries = [entry for section in SECTIONS for entry in section.entries if isinstance(entry, Entry)]
    assert [one.model for one in entries if not one.begin and one.model not in added and one.model not in OWN] == []
    address = reverse("admin:corpora_fewshotpair_changelist")
    page = text_of(staff.get(address))
    assert "There is nothing here yet. Messages with their queries" in " ".join(page.split())
    assert "save one from the playground or from feedback" in page
    assert "Nothing fits what was searched for" in text_of(staff.get(address, {"q": "boats"}))


def test_rows_of_a_corpus_belong_to_the_corpora_in_the_rail() -> None:
    sections = [{"models": [{"admin_url": "/a/of/", "over": "/a/rows/of/"}, {"admin_url": "/a/rows/"}]}]
    _mark_current(sections, "/a/rows/of/ferries/remove/")
    assert [one.get("current", False) for one in sections[0]["models"]] == [True, False]


def test_a_section_is_offered_to_whoever_may_see_something_of_it(client: Client) -> None:
    user = User.objects.create_user("reader", is_staff=True)
    user.user_permissions.add(Permission.objects.get(codename="view_article"))
    client.force_login(user)
    sections = client.get(reverse("admin:index")).context["app_list"]
    assert [(section["name"], [one["name"] for one in section["models"]]) for section in sections] == [
        ("Student services", ["Articles"])
    ]


@pytest.mark.parametrize("path", ["admin:index", "admin:corpora_place_changelist", "admin:corpora_place_add"])
def test_pages_load_only_what_this_site_serves(staff: Client, path: str) -> None:
    page = staff.get(reverse(path))
    loaded = LOADED.findall(page.content.decode())
    assert any("css/admin.css" in address for address in loaded)
    assert [address for address in loaded if not address.startswith("/")] == []
    for address in loaded:
        name = address.split("#")[0].removeprefix("/static/")
        if address.startswith("/static/") and name.endswith(".css"):
            assert not re.search(r"url\(['\"]?(?:https?:)?//", Path(finders.find(name)).read_text()), name
    policy = page.headers["Content-Security-Policy"]
    assert "unsafe" not in policy


@pytest.mark.parametrize(
    ("model", "values"),
    [
        (Review, {"text": LONG}),
        (Passage, {"body": LONG, "stop": len(LONG)}),
        (ModelCall, {"error": LONG}),
        (Place, {"aliases": [LONG, LONG]}),
        (CorpusVersion, {"changes": {"inns": {"read": 3, "stored": 3}}}),
    ],
)
def test_cells_hold_no_whole_texts_and_no_data_as_it_is_stored(
    staff: Client, model: type[models.Model], values: dict[str, Any]
) -> None:
    model._default_manager.filter(pk=create(model).pk).update(**values)
    shown = text_of(staff.get(reverse(f"admin:corpora_{model._meta.model_name}_changelist")))
    assert LONG not in shown
    assert not JSON.search(shown)


@pytest.mark.parametrize("model", [model for model in VALID if site.is_registered(model)], ids=lambda one: one.__name__)
@pytest.mark.parametrize("page", ["changelist", "change"])
def test_no_page_shows_hashes_or_raw_data(staff: Client, model: type[models.Model], page: str) -> None:
    row = create(model)
    if model is CorpusVersion:
        CorpusVersion.objects.update(specification={"name": "a"}, stored={"inns": {"view": "inns"}})
    args = [row.pk] if page == "change" else []
    shown = text_of(staff.get(reverse(f"admin:corpora_{model._meta.model_name}_{page}", args=args)))
    assert not HASH.search(shown)
    assert not JSON.search(shown), JSON.search(shown)


def test_a_restaurant_is_titled_by_its_name(staff: Client) -> None:
    place = create(Restaurant)
    page = staff.get(reverse("admin:corpora_restaurant_change", args=[place.pk])).content.decode()
    assert "<h1>A</h1>" in page
    assert "Change restaurant</h1>" not in page
