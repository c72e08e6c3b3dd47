"""docs/curators.md says of the admin what is there: each control it names stands on the page it is named for."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from corpora.loading.assistants import add_missing_assistants
from corpora.loading.worksheets import add_shipped_editions
from corpora.models import WorksheetEdition
from hybridchat.staff.roles import ROLES

pytestmark = pytest.mark.django_db
GUIDE = (Path(__file__).parents[2] / "docs" / "curators.md").read_text()


@pytest.fixture
def boss(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("boss"))
    add_missing_assistants()
    add_shipped_editions()
    return client


def section(title: str) -> str:
    return GUIDE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def controls(title: str) -> set[str]:
    """What a section sets in italics: the words of the page."""
    return set(re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", section(title)))


def test_the_roles_are_those_there_are() -> None:
    assert re.findall(r"^\| (\w+) \|", section("Roles"), re.MULTILINE)[1:] == list(ROLES)


@pytest.mark.parametrize(
    ("title", "pages"),
    [
        ("Make an assistant", ["admin:index", "admin:corpora_assistant_changelist", "admin:corpora_assistant_add"]),
        ("Describe a corpus", ["admin:corpora_corpora", "corpus"]),
        ("Change worksheets", ["admin:index", "edition", "edit"]),
        ("Roles", ["account"]),
    ],
)
def test_the_controls_that_a_section_names_are_on_its_pages(boss: Client, title: str, pages: list[str]) -> None:
    boss.post(reverse("admin:corpora_corpus_revert", args=["courses"]), {"number": "0"})
    edition = WorksheetEdition.objects.first()
    assert edition is not None
    addresses = {
        "corpus": reverse("admin:corpora_corpus", args=["courses"]),
        "edition": reverse("admin:corpora_worksheetedition_change", args=[edition.pk]),
        "edit": reverse("admin:corpora_worksheetedition_edit", args=[edition.pk]),
        "account": reverse("admin:auth_user_change", args=[User.objects.get().pk]),
    }
    shown = " ".join(boss.get(addresses.get(page) or reverse(page)).content.decode().lower() for page in pages)
    shown += boss.get(reverse("admin:index")).content.decode().lower()
    elsewhere = {"one of a few values", "the address of a picture"}  # of imported corpora
    assert [one for one in controls(title) - elsewhere if one.lower() not in shown] == []
