"""The few-shot bank: what is kept, what is checked, and what a language gets of it."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from agent.protocols.errors import QueryError
from corpora.examples import StoredExamples, check_query, keep_pair
from corpora.loading.assistants import add_missing_assistants
from corpora.models import FewShotPair

CHEAP = "SELECT * FROM restaurants WHERE price = 'cheap' LIMIT 3"
HELP = "SELECT title FROM articles LIMIT 1"


@pytest.fixture(autouse=True)
def assistants(db: None) -> None:
    add_missing_assistants()


def curator(*permissions: str) -> Client:
    client, user = Client(), User.objects.create_user("curator", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


def form(**changes: Any) -> dict[str, Any]:
    usual = {"corpus": "restaurants", "message": "cheap eats", "suql": CHEAP, "presentation": "list", "active": "on"}
    return {**usual, **changes}


def test_a_pair_is_checked_as_it_is_saved() -> None:
    client, address = curator("add_fewshotpair", "view_fewshotpair"), reverse("admin:corpora_fewshotpair_add")
    page = client.post(address, form(suql="SELECT stars FROM restaurants"))
    assert "stars" in str(page.context["adminform"].form.errors["suql"])
    page = client.post(address, form(suql=HELP))
    assert page.context["adminform"].form.errors["suql"], "another corpus's table"
    assert client.post(address, form()).status_code == 302
    assert FewShotPair.objects.get().by == User.objects.get()
    assert "already" in str(client.post(address, form()).context["adminform"].form.errors)


def test_who_may_not_add_pairs_adds_none() -> None:
    assert curator("view_fewshotpair").get(reverse("admin:corpora_fewshotpair_add")).status_code == 403


def test_the_database_refuses_what_is_no_pair() -> None:
    keep_pair("restaurants", "cheap eats", CHEAP, "list", None)
    wrong: list[tuple[str, dict[str, str]]] = [
        ("few_shot_message_once", {}),
        ("few_shot_message_filled", {"message": ""}),
        ("few_shot_query_filled", {"message": "x", "suql": ""}),
        ("few_shot_corpus_filled", {"corpus": ""}),
        ("few_shot_presentation_valid", {"message": "x", "presentation": "song"}),
    ]
    for name, change in wrong:
        values = {"corpus": "restaurants", "message": "cheap eats", "suql": CHEAP, **change}
        with pytest.raises(IntegrityError, match=name), transaction.atomic():
            FewShotPair.objects.create(**values)


def test_a_pair_for_the_same_message_gets_the_new_query() -> None:
    keep_pair("restaurants", "cheap  eats", "SELECT * FROM restaurants LIMIT 3", "list", None)
    keep_pair("restaurants", "cheap eats", CHEAP, "list", None)
    assert FewShotPair.objects.get().suql == CHEAP
    with pytest.raises(QueryError):
        keep_pair("restaurants", "cheap eats", "DELETE FROM restaurants", "list", None)
    with pytest.raises(QueryError):
        check_query("services", CHEAP)


def test_a_language_sees_the_active_pairs_of_its_tables_as_they_are_now() -> None:
    bank = StoredExamples()
    pair = keep_pair("restaurants", "cheap eats", CHEAP, "list", None)
    keep_pair("services", "any article", HELP, "article", None)
    assert [one.message for one in bank.of(("restaurants",))] == ["cheap eats"]
    assert {one.message for one in bank.of(("restaurants", "articles"))} == {"cheap eats", "any article"}
    pair.message = "thrifty eats"
    pair.save()
    assert [one.message for one in bank.of(("restaurants",))] == ["thrifty eats"]
    pair.active = False
    pair.save()
    assert bank.of(("restaurants",)) == []
    FewShotPair.objects.create(corpus="restaurants", message="of old", suql="SELECT gone FROM restaurants")
    assert bank.of(("restaurants",)) == []


def test_the_nearest_pairs_come_first_and_far_ones_not_at_all() -> None:
    for message in ("inexpensive places to eat", "restaurants with a view", "how many bars are there"):
        keep_pair("restaurants", message, CHEAP, "list", None)
    near = StoredExamples().nearest("somewhere cheap to eat", ("restaurants",))
    assert near[0].message == "inexpensive places to eat"
    assert StoredExamples().nearest("xylophone repair in Ulan Bator", ("restaurants",)) == []
    assert StoredExamples().nearest("somewhere cheap to eat", ("courses",)) == []
