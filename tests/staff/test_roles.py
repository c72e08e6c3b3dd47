"""The roles that are there after `migrate`: which pages each may open, and how a curator is limited to some corpora."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.admin import site
from django.contrib.auth.models import Group, Permission, User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from corpora.loading.assistants import add_missing_assistants
from corpora.models import (
    Article,
    Assistant,
    CorpusLimit,
    CorpusVersion,
    Course,
    FewShotPair,
    HandEdit,
    Restaurant,
    WorksheetEdition,
)
from hybridchat.chat import services
from hybridchat.chat.owners import Owner, key_of
from hybridchat.research.models import RegressionCase
from hybridchat.staff.roles import ROLES
from tests.corpora.test_constraints import create

pytestmark = pytest.mark.django_db

CORPORA = {
    "corpora.Article", "corpora.ArticleQuestion", "corpora.Assistant", "corpora.CorpusDescription",
    "corpora.CorpusVersion", "corpora.Course", "corpora.FewShotPair", "corpora.Import", "corpora.ImportFile",
    "corpora.RowChange",
    "corpora.HandEdit", "corpora.ModelCall", "corpora.Offering", "corpora.Passage", "corpora.Place",
    "corpora.Program", "corpora.Rating", "corpora.Restaurant", "corpora.Review", "corpora.WorksheetEdition",
}  # fmt: skip
TALK = {"chat.Conversation", "chat.Feedback"}
OPENS: dict[str, set[str]] = {
    "anonymous": set(),
    "visitor": set(),
    "staff": set(),
    "curator": CORPORA
    | TALK
    | {"chat.Turn", "effects.Seating", "effects.Closure", "effects.Reservation", "effects.Enrollment"},
    "support": TALK
    | {"effects.Ticket", "effects.Letter", "effects.Reservation", "effects.Enrollment"}
    | {"corpora.Article", "corpora.ArticleQuestion"},
    "researcher": CORPORA | TALK | {"chat.Turn", "chat.TurnEvent", "chat.ModelChoice", "chat.Configuration"},
    "operator": {
        "auth.User", "auth.Group", "axes.AccessAttempt", "axes.AccessFailureLog", "axes.AccessLog", "chat.ModelChoice",
        "chat.Configuration", "corpora.ModelCall", "effects.Letter",
    },
}  # fmt: skip
ADDS: dict[str, set[str]] = {
    "curator": CORPORA
    - {
        "corpora.CorpusDescription",
        "corpora.CorpusVersion",
        "corpora.HandEdit",
        "corpora.ImportFile",
        "corpora.ModelCall",
    }
    - {"corpora.Passage", "corpora.RowChange"}
    | {"effects.Seating", "effects.Closure"},
    "support": set(),
    "researcher": set(),
    "operator": set(),
}
ELSEWHERE = {"research"}  # apps whose pages have a test of their own


def account(role: str, name: str = "") -> User:
    user = User.objects.create_user(name or role, password="x", is_staff=role != "visitor")
    if role in ROLES:
        user.groups.add(Group.objects.get(name=role))
    return user


def client_of(role: str) -> Client:
    client = Client()
    if role != "anonymous":
        client.force_login(account(role))
    return client


def models() -> list[Any]:
    return [model for model in site._registry if model._meta.app_label not in ELSEWHERE]


def answer_of(client: Client, model: Any, page: str) -> int:
    return client.get(reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_{page}")).status_code


@pytest.mark.parametrize("role", OPENS)
def test_a_role_opens_its_pages_and_no_other(role: str) -> None:
    client = client_of(role)
    assert {model._meta.label for model in models() if answer_of(client, model, "changelist") == 200} == OPENS[role]


@pytest.mark.parametrize("role", ADDS)
def test_a_role_adds_what_is_its_own_to_add(role: str) -> None:
    client = client_of(role)
    added = {model._meta.label for model in models() if answer_of(client, model, "add") == 200}
    assert added - {"auth.User"} == ADDS[role]


@pytest.mark.parametrize("role", ROLES)
def test_the_rail_offers_what_a_role_opens(role: str) -> None:
    sections = client_of(role).get(reverse("admin:index")).context["app_list"]
    offered = {one["model"]._meta.label for section in sections for one in section["models"] if "model" in one}
    assert {label for label in offered if label.split(".")[0] not in ELSEWHERE} == OPENS[role]


def test_migrating_again_changes_nothing_and_mends_a_role() -> None:
    before = {group.name: set(group.permissions.values_list("pk", flat=True)) for group in Group.objects.all()}
    assert before.keys() == ROLES.keys()
    assert all(before.values())
    Group.objects.get(name="support").permissions.set(Permission.objects.filter(codename="delete_user"))
    Group.objects.get(name="curator").delete()
    call_command("migrate", verbosity=0)
    after = {group.name: set(group.permissions.values_list("pk", flat=True)) for group in Group.objects.all()}
    assert after == before


def test_no_role_but_the_operator_touches_limits() -> None:
    holders = Group.objects.filter(permissions__content_type__model="corpuslimit").distinct()
    assert [group.name for group in holders] == ["operator"]


@pytest.fixture
def limited() -> Client:
    """A curator who looks after the courses only."""
    add_missing_assistants()
    client = client_of("curator")
    CorpusLimit.objects.create(user=User.objects.get(username="curator"), corpus="courses")
    return client


def test_a_limited_curator_sees_nothing_of_other_corpora(limited: Client) -> None:
    pages = {Restaurant: 403, Article: 403, Course: 200}
    for model, status in pages.items():
        row = create(model)
        assert answer_of(limited, model, "changelist") == status, model
        assert answer_of(limited, model, "add") == status, model
        address = reverse(f"admin:corpora_{model._meta.model_name}_change", args=[row.pk])
        assert (limited.get(address).status_code == 200) == (status == 200), model
        gone = reverse(f"admin:corpora_{model._meta.model_name}_delete", args=[row.pk])
        limited.post(gone, {"post": "yes"})
        assert model.objects.filter(pk=row.pk).exists() == (status != 200), model


@pytest.mark.parametrize("page", ["change", "delete", "history"])
def test_a_limited_curator_opens_no_row_that_is_not_theirs_by_its_address(limited: Client, page: str) -> None:
    theirs = Assistant.objects.get(slug="courses")
    other = Assistant.objects.get(slug="restaurants")
    assert limited.get(reverse(f"admin:corpora_assistant_{page}", args=[theirs.pk])).status_code == 200
    assert limited.get(reverse(f"admin:corpora_assistant_{page}", args=[other.pk])).status_code in (302, 403)


def test_a_limited_curator_lists_only_their_own(limited: Client) -> None:
    create(CorpusVersion, corpus="inns", stored={"inns": {"view": "inns"}})
    create(HandEdit, corpus="programs")
    create(HandEdit, corpus="articles")
    for slug in ("courses", "restaurants"):
        one = services.new_conversation(Owner(key_of("x")), slug)
        services.receive(one, uuid4(), f"about {slug}")
    listed = {
        name: [str(row) for row in limited.get(reverse(f"admin:{name}_changelist")).context["cl"].result_list]
        for name in ("corpora_assistant", "corpora_corpusversion", "corpora_handedit", "chat_turn")
    }
    assert listed == {
        "corpora_assistant": ["Courses"],
        "corpora_corpusversion": [],
        "corpora_handedit": ["programs: a"],
        "chat_turn": ["1. about courses"],
    }


def test_a_limited_curator_gets_no_worksheets_of_another_assistant(limited: Client) -> None:
    edition = WorksheetEdition.objects.filter(assistant__slug="restaurants").first() or WorksheetEdition.objects.create(
        assistant=Assistant.objects.get(slug="restaurants"), version=1, document={"worksheets": []}
    )
    address = reverse("admin:corpora_worksheetedition_export", args=[edition.pk, "json", "published"])
    assert limited.get(address).status_code == 403
    choices = limited.get(reverse("admin:corpora_worksheetedition_add")).context["adminform"].form.fields["assistant"]
    assert [one.slug for one in choices.queryset] == ["courses"]


def test_a_limited_curator_tries_and_teaches_only_their_own(limited: Client) -> None:
    for address in ("research_playgroundrun_start", "research_regressionrun_start"):
        RegressionCase.objects.get_or_create(corpus="restaurants", messages=["ramen"], finds_nothing=True)
        sent = {"corpus": "restaurants", "question": "ramen", "suql": "", "few_shot": ""}
        assert limited.post(reverse(f"admin:{address}"), sent).status_code == 403, address
    pair = {"corpus": "restaurants", "message": "x", "suql": "SELECT name FROM restaurants", "presentation": "list"}
    assert limited.post(reverse("admin:corpora_fewshotpair_add"), pair).status_code == 403
    assert not FewShotPair.objects.exists()


def test_an_operator_hands_out_roles_but_makes_no_superuser() -> None:
    boss = User.objects.create_superuser("boss", password="x")
    client = client_of("operator")
    other = account("visitor", "newcomer")
    page = client.get(reverse("admin:auth_user_change", args=[other.pk]))
    fields = page.context["adminform"].form.fields
    assert "groups" in fields
    assert not {"is_superuser", "user_permissions"} & fields.keys()
    own = reverse("admin:auth_user_change", args=[User.objects.get(username="operator").pk])
    client.post(own, {"username": "operator", "is_active": "on", "is_staff": "on", "is_superuser": "on"})
    assert not User.objects.get(username="operator").is_superuser
    assert client.post(reverse("admin:auth_user_change", args=[boss.pk]), {"username": "mine"}).status_code == 403
    assert client.get(reverse("admin:auth_user_password_change", args=[boss.pk])).status_code == 403
    assert client.post(reverse("admin:auth_user_delete", args=[boss.pk]), {"post": "yes"}).status_code == 403
