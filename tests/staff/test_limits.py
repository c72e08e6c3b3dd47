"""A curator who is limited to some corpora: what they see of the pages on which answers are looked after."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Group, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpora.loading.assistants import add_missing_assistants
from corpora.models import CorpusLimit, CorpusVersion, FewShotPair, Import, RowChange
from hybridchat.chat import services
from hybridchat.chat.models import Turn
from hybridchat.chat.owners import Owner, key_of
from hybridchat.research.models import PlaygroundRun, RegressionCase, RegressionRun
from tests.corpora.test_constraints import create

pytestmark = pytest.mark.django_db

SECRET = "a quiet corner for two"
HIDDEN = {302, 403, 404}


@pytest.fixture
def curator() -> User:
    """Somebody who looks after the courses only."""
    add_missing_assistants()
    user = User.objects.create_user("curator", is_staff=True)
    user.groups.add(Group.objects.get(name="curator"))
    CorpusLimit.objects.create(user=user, corpus="courses")
    return user


@pytest.fixture
def limited(curator: User, client: Client) -> Client:
    client.force_login(curator)
    return client


@pytest.fixture
def theirs(curator: User) -> Turn:
    """A turn of an assistant that somebody else looks after, with feedback."""
    turn, _ = services.receive(services.new_conversation(Owner(key_of("x")), "restaurants"), uuid4(), SECRET)
    services.request_stop(turn)
    services.give_feedback(turn, -1, SECRET)
    return turn


def listed(client: Client, name: str) -> list[Any]:
    return list(client.get(reverse(f"admin:{name}_changelist")).context["cl"].result_list)


def test_imports_of_other_corpora_are_neither_seen_nor_taken_a_step_further(limited: Client) -> None:
    one, own = (Import.objects.create(corpus=name) for name in ("inns", "courses"))
    assert listed(limited, "corpora_import") == [own]
    for name in ("change", "progress", "refused", "delete"):
        assert limited.get(reverse(f"admin:corpora_import_{name}", args=[one.pk])).status_code in HIDDEN, name
    assert limited.post(reverse("admin:corpora_import_do", args=[one.pk, "cancel"])).status_code in HIDDEN
    files = {"corpus": "hotels", "files": [SimpleUploadedFile("inns.csv", b"name\nOld Mill\n")]}
    response = limited.post(reverse("admin:corpora_import_add"), files)
    assert response.status_code == 403, response.context["form"].errors
    assert Import.objects.count() == 2


@pytest.mark.parametrize("page", ["versions", "rows", "row", "row_delete", "row_undo"])
def test_rows_of_other_corpora_are_refused_before_they_are_looked_for(limited: Client, page: str) -> None:
    version = create(CorpusVersion, corpus="inns", stored={"inns": {"view": "inns"}})
    change = RowChange.objects.create(version=version, table="inns", origin="1", before=None)
    given = {"versions": ["inns"], "row_undo": [change.pk]}.get(page, ["inns", "inns"])
    address = reverse(f"admin:corpora_{page}", args=given)
    assert (limited.get(address).status_code, limited.post(address).status_code) == (403, 403)


def test_what_is_said_of_another_corpus_is_not_shown(limited: Client) -> None:
    assert limited.get(reverse("admin:corpora_corpus", args=["restaurants"])).status_code == 403
    assert limited.get(reverse("admin:corpora_corpus", args=["courses"])).status_code == 200


def test_the_playground_offers_and_shows_only_their_own(limited: Client, curator: User, theirs: Turn) -> None:
    run = PlaygroundRun.objects.create(by=curator, corpus="restaurants", question=SECRET, language="builtin")
    assert limited.get(reverse("admin:research_playgroundrun_change", args=[run.pk])).status_code == 404
    page = limited.get(reverse("admin:research_playgroundrun_changelist"), {"from_turn": theirs.pk})
    assert [slug for slug, _ in page.context["form"].fields["corpus"].widget.choices] == ["courses"]
    assert SECRET not in page.content.decode()


def test_regression_cases_and_runs_are_only_their_own(limited: Client) -> None:
    case, own = (
        RegressionCase.objects.create(corpus=name, messages=["x"], finds_nothing=True)
        for name in ("restaurants", "courses")
    )
    run = RegressionRun.objects.create(corpus="restaurants", language="builtin", release="1", cases=1)
    assert listed(limited, "research_regressioncase") == [own]
    assert listed(limited, "research_regressionrun") == []
    assert limited.get(reverse("admin:research_regressioncase_change", args=[case.pk])).status_code in HIDDEN
    assert limited.get(reverse("admin:research_regressionrun_change", args=[run.pk])).status_code in HIDDEN
    assert limited.post(reverse("admin:research_regressionrun_stop", args=[run.pk])).status_code == 403
    page = limited.get(reverse("admin:research_regressionrun_changelist"))
    assert [slug for slug, _ in page.context["form"].fields["corpus"].widget.choices] == ["courses"]


@pytest.mark.parametrize("model", ["corpora_fewshotpair", "research_regressioncase"])
def test_a_form_is_not_filled_in_from_what_was_said_to_another_assistant(
    limited: Client, theirs: Turn, model: str
) -> None:
    page = limited.get(reverse(f"admin:{model}_add"), {"from_turn": theirs.pk})
    assert page.status_code == 200
    assert SECRET not in page.content.decode()
    choices = page.context["adminform"].form.fields["corpus"].widget.choices
    assert [slug for slug, _ in choices] == ["courses"]


def test_a_form_is_not_filled_in_from_a_trial_of_somebody_else(limited: Client) -> None:
    other = User.objects.create_user("other")
    run = PlaygroundRun.objects.create(by=other, corpus="courses", question=SECRET, language="builtin")
    page = limited.get(reverse("admin:corpora_fewshotpair_add"), {"from_run": run.pk})
    assert SECRET not in page.content.decode()


def test_few_shot_pairs_are_only_their_own(limited: Client) -> None:
    pairs = [
        FewShotPair.objects.create(corpus=name, message="x", suql=f"SELECT * FROM {name}", presentation="list")
        for name in ("restaurants", "courses")
    ]
    assert listed(limited, "corpora_fewshotpair") == pairs[1:]
    assert limited.get(reverse("admin:corpora_fewshotpair_change", args=[pairs[0].pk])).status_code in HIDDEN


def test_the_health_of_other_corpora_is_not_told(limited: Client) -> None:
    shown = listed(limited, "research_corpushealth")
    assert [one.slug for one in shown] == ["courses"]
    superuser = Client()
    superuser.force_login(User.objects.create_superuser("boss"))
    other = next(one for one in listed(superuser, "research_corpushealth") if one.slug == "restaurants")
    assert limited.get(reverse("admin:research_corpushealth_change", args=[other.pk])).status_code == 404


def test_feedback_on_other_assistants_is_not_listed_opened_counted_or_plotted(limited: Client, theirs: Turn) -> None:
    assert listed(limited, "chat_feedback") == []
    assert limited.get(reverse("admin:chat_feedback_change", args=[theirs.feedback.pk])).status_code in HIDDEN
    assert limited.get(reverse("admin:chat_feedback_trends")).context["trends"] == []
    sections = limited.get(reverse("admin:index")).context["app_list"]
    waiting = [one["waiting"] for section in sections for one in section["models"] if one["name"] == "Feedback"]
    assert waiting == [0]


@pytest.mark.parametrize("model", ["export", "run", "study", "participation", "project", "scheme", "annotation"])
def test_what_is_of_all_corpora_together_is_for_nobody_who_is_limited(limited: Client, model: str) -> None:
    address = reverse(f"admin:research_{model}_changelist")
    assert limited.get(address).status_code == 403
    CorpusLimit.objects.all().delete()
    assert limited.get(address).status_code == 200


def test_the_front_page_offers_nothing_that_is_refused(limited: Client) -> None:
    sections = limited.get(reverse("admin:index")).context["app_list"]
    addresses = [one["admin_url"] for section in sections for one in section["models"]]
    assert len(addresses) == len(set(addresses)) > 10
    assert {address: code for address in addresses if (code := limited.get(address).status_code) != 200} == {}
