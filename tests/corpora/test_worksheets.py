"""Editions of worksheets: numbered, unchanging, one active, and never taken from under a conversation."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import IntegrityError, transaction

from agent.protocols.errors import SpecificationError
from agent.worksheets import applications
from agent.worksheets.specification import Specification
from corpora.drafts import checked
from corpora.loading.assistants import add_missing_assistants
from corpora.loading.worksheets import activate, add_edition, add_shipped_editions
from corpora.models import Assistant, WorksheetEdition
from corpora.selectors import specification

pytestmark = pytest.mark.django_db


@pytest.fixture
def courses() -> Assistant:
    add_missing_assistants()
    return Assistant.objects.get(slug="courses")


def _retitled(title: str) -> Specification:
    return applications.load("courses").model_copy(update={"title": title})


def _titles(assistant: Assistant) -> dict[int, Any]:
    return {one.version: one.document["title"] for one in assistant.editions.all()}


def test_the_shipped_worksheets_are_loaded_once(courses: Assistant) -> None:
    assert add_shipped_editions() == len(applications.ASSISTANTS)
    assert add_shipped_editions() == 0
    assert specification("courses") == applications.load("courses")


def test_a_changed_file_is_another_edition(courses: Assistant, monkeypatch: pytest.MonkeyPatch) -> None:
    add_shipped_editions()
    changed = _retitled("Classes")
    monkeypatch.setattr(applications, "load", lambda name: changed)
    monkeypatch.setattr(applications, "ASSISTANTS", ("courses",))
    assert add_shipped_editions() == 1
    assert _titles(courses) == {1: "Courses", 2: "Classes"}
    now = specification("courses")
    assert now is not None
    assert (now.version, now.title) == (2, "Classes")


def test_a_changed_file_does_not_take_over_from_a_curators_edition(
    courses: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_shipped_editions()
    add_edition(courses, _retitled("Ours"))
    changed = _retitled("Classes")
    monkeypatch.setattr(applications, "load", lambda name: changed)
    monkeypatch.setattr(applications, "ASSISTANTS", ("courses",))
    assert add_shipped_editions() == 1
    now = specification("courses")
    assert now is not None
    assert (now.version, now.title) == (2, "Ours")
    assert _titles(courses)[3] == "Classes"


def test_a_conversation_keeps_the_edition_it_began_with(courses: Assistant) -> None:
    add_shipped_editions()
    add_edition(courses, _retitled("New"))
    assert [getattr(specification("courses", version), "title", None) for version in (None, 1, 2, 3)] == [
        "New",
        "Courses",
        "New",
        None,
    ]


def test_no_active_edition_means_no_worksheets(courses: Assistant) -> None:
    add_shipped_editions()
    courses.editions.update(active=False)
    assert specification("courses") is None
    assert specification("courses", 1) is not None, "conversations that began with it go on"


def test_where_nothing_was_loaded_the_shipped_worksheets_count() -> None:
    assert specification("restaurants") == applications.load("restaurants")
    assert specification("restaurants", 2) is None
    assert specification("planets") is None


@pytest.mark.parametrize("name", [*applications.ASSISTANTS, *applications.STAR])
def test_the_shipped_worksheets_fit_the_installations_actions_and_tables(name: str) -> None:
    assert checked(applications.load(name)).errors == []


def test_only_one_edition_is_active(courses: Assistant) -> None:
    first, second = add_edition(courses, _retitled("One")), add_edition(courses, _retitled("Two"))
    activate(first)
    assert list(courses.editions.filter(active=True)) == [first]
    activate(second)
    assert list(courses.editions.filter(active=True)) == [second]


@pytest.mark.parametrize("change", [{"document": {"worksheets": []}}, {"version": 9}])
def test_an_edition_cannot_be_changed(courses: Assistant, change: dict[str, Any]) -> None:
    edition = add_edition(courses, _retitled("One"))
    with pytest.raises(IntegrityError, match="cannot be changed; add another one"), transaction.atomic():
        WorksheetEdition.objects.filter(pk=edition.pk).update(**change)
    WorksheetEdition.objects.filter(pk=edition.pk).update(note="The first one.", active=False)


def test_an_edition_that_cannot_be_read_is_an_error_not_an_assistant_without_worksheets(courses: Assistant) -> None:
    WorksheetEdition.objects.create(assistant=courses, version=1, document={"worksheets": [{}]}, active=True)
    with pytest.raises(SpecificationError, match="edition 1: worksheets"):
        specification("courses")
