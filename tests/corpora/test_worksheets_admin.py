"""A curator changes worksheets by adding an edition: what is wrong is said first, what it would ask is shown."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from agent.worksheets.applications import load, text
from agent.worksheets.formats import Format, Vocabulary, read, write
from corpora.admin.worksheet_forms import WorksheetForms
from corpora.loading.assistants import add_missing_assistants
from corpora.loading.worksheets import add_edition, add_shipped_editions
from corpora.models import Assistant, WorksheetEdition
from corpora.selectors import specification

pytestmark = pytest.mark.django_db

ADD = "admin:corpora_worksheetedition_add"
PREVIEW = "admin:corpora_worksheetedition_preview"


@pytest.fixture
def curator(client: Client) -> Client:
    client.force_login(get_user_model().objects.create_superuser("curator"))
    add_missing_assistants()
    add_shipped_editions()
    return client


@pytest.fixture
def restaurants(curator: Client) -> Assistant:
    return Assistant.objects.get(slug="restaurants")


def _form(assistant: Assistant, **values: Any) -> dict[str, Any]:
    return {"assistant": assistant.pk, "text": "", "note": "Ours.", "begin": "on"} | values


def _retitled(title: str) -> str:
    return text("restaurants").replace('"title": "Restaurants"', f'"title": "{title}"')


def test_a_new_edition_begins_as_a_copy_and_takes_over(curator: Client, restaurants: Assistant) -> None:
    source = restaurants.editions.get()
    page = curator.get(reverse(ADD), {"edition": source.pk})
    copied = page.context["adminform"].form.initial["text"]
    assert json.loads(copied) == json.loads(text("restaurants"))
    response = curator.post(reverse(ADD), _form(restaurants, text=copied.replace("For how many people?", "How many?")))
    assert response.status_code == 302, response.context["errors"]
    now = specification("restaurants")
    assert now is not None
    assert now.version == 2
    assert now.by_name["BookRestaurant"].by_name["number_of_people"].question == "How many?"
    before = specification("restaurants", 1)
    assert before is not None
    assert before.by_name["BookRestaurant"].by_name["number_of_people"].question == "For how many people?"


def test_an_edition_can_be_kept_without_being_used(curator: Client, restaurants: Assistant) -> None:
    form = _form(restaurants, text=_retitled("Later"))
    del form["begin"]
    curator.post(reverse(ADD), form)
    assert [(one.version, one.active) for one in restaurants.editions.all()] == [(2, False), (1, True)]


@pytest.mark.parametrize("form", Format)
@pytest.mark.parametrize("vocabulary", Vocabulary)
def test_what_was_exported_can_be_uploaded(
    curator: Client, restaurants: Assistant, form: Format, vocabulary: Vocabulary
) -> None:
    edition = restaurants.editions.get()
    exported = curator.get(
        reverse("admin:corpora_worksheetedition_export", args=[edition.pk, form.value, vocabulary.value])
    )
    assert exported["Content-Disposition"] == f'attachment; filename="restaurants-1.{form}"'
    file = SimpleUploadedFile(f"mine.{form}", exported.content)
    response = curator.post(reverse(ADD), _form(restaurants, upload=file))
    assert response.status_code == 302, response.context["errors"]
    now = specification("restaurants")
    assert now is not None
    assert now.worksheets == load("restaurants").worksheets


def test_errors_keep_an_edition_from_being_added_and_say_row_and_column(
    curator: Client, restaurants: Assistant
) -> None:
    table = "WS Name,Kind,Type,Name,Required,Predicate\nRepair,Task\n,,Enum,what,TRUE\n,,str,plate,,self.wat\n"
    response = curator.post(reverse(ADD), _form(restaurants, text=table))
    said = [str(error) for error in response.context["errors"].data for error in error]
    assert any("row 3, column Enum Values (Repair.what): An Enum needs values" in error for error in said)
    assert any("row 4, column Predicate (Repair.plate), line 1, character 1" in error for error in said)
    assert restaurants.editions.count() == 1


def test_actions_and_tables_are_checked_against_the_installation(curator: Client, restaurants: Assistant) -> None:
    wrong = text("restaurants").replace("@book(", "@buy(").replace('"ws_table": "restaurants"', '"ws_table": "diners"')
    response = curator.post(reverse(PREVIEW), _form(restaurants, text=wrong))
    said = response.content.decode()
    assert "There is no action &#x27;buy&#x27;" in said
    assert "There is no table &#x27;diners&#x27;" in said


def test_warnings_are_shown_and_do_not_stop_it(curator: Client, restaurants: Assistant) -> None:
    loose = text("restaurants").replace('"field_reason"', '"field_reasons"', 1)
    response = curator.post(reverse(ADD), _form(restaurants, text=loose), follow=True)
    assert "A specification has no such key" in response.content.decode()
    assert restaurants.editions.count() == 2


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "Choose a file, or write the worksheets into the text."),
        ({"upload": SimpleUploadedFile("a.doc", b"x")}, "The file must end in .csv, .xlsx or .json."),
        ({"upload": SimpleUploadedFile("a.xlsx", b"x")}, "This is not an XLSX spreadsheet."),
        ({"text": "{"}, "This is not JSON"),
    ],
)
def test_what_cannot_be_read_is_explained(
    curator: Client, restaurants: Assistant, values: dict[str, Any], said: str
) -> None:
    assert said in curator.post(reverse(ADD), _form(restaurants, **values)).content.decode()


def test_the_preview_shows_what_would_be_asked_while_it_is_written(curator: Client, restaurants: Assistant) -> None:
    page = curator.get(reverse(ADD), {"edition": restaurants.editions.get().pk})
    assert "Which restaurant would you like to book?" in page.content.decode()
    changed = text("restaurants").replace("For which day shall I book?", "Which day?")
    said = curator.post(reverse(PREVIEW), _form(restaurants, text=changed)).content.decode()
    assert "<code>BookRestaurant.date</code>" in said
    assert "Which day?" in said
    assert said.index("BookRestaurant.restaurant") < said.index("BookRestaurant.date") < said.index("book(restaurant")
    assert restaurants.editions.count() == 1, "a preview keeps nothing"


def test_the_preview_works_before_an_assistant_is_chosen(curator: Client) -> None:
    response = curator.post(reverse(PREVIEW), {"text": text("trivia")})
    assert "With which question shall we begin?" in response.content.decode()


def test_an_edition_shows_its_findings_its_asks_and_its_exports(curator: Client, restaurants: Assistant) -> None:
    edition = restaurants.editions.get()
    page = curator.get(reverse("admin:corpora_worksheetedition_change", args=[edition.pk])).content.decode()
    assert "Nothing is wrong with it." in page
    assert "For how many people?" in page
    assert page.count(f"/{edition.pk}/export/") == 5


def test_of_an_edition_only_the_note_and_its_use_change(curator: Client, restaurants: Assistant) -> None:
    first = restaurants.editions.get()
    second = add_edition(restaurants, load("restaurants"), "Again.")
    url = reverse("admin:corpora_worksheetedition_change", args=[first.pk])
    curator.post(url, {"note": "Back to this.", "begin": "on", "version": 7})
    assert [(one.version, one.active, one.note) for one in restaurants.editions.all()] == [
        (2, False, "Again."),
        (1, True, "Back to this."),
    ]
    curator.post(url, {"note": "None for now."})
    assert not restaurants.editions.filter(active=True).exists()
    assert specification("restaurants") is None
    second.refresh_from_db()
    assert second.note == "Again."


def test_editions_are_never_deleted_by_hand(curator: Client, restaurants: Assistant) -> None:
    edition = restaurants.editions.get()
    response = curator.post(reverse("admin:corpora_worksheetedition_delete", args=[edition.pk]), {"post": "yes"})
    assert response.status_code == 403
    assert WorksheetEdition.objects.filter(pk=edition.pk).exists()


def test_only_curators_preview_and_export(client: Client, curator: Client, restaurants: Assistant) -> None:
    curator.logout()
    export = reverse("admin:corpora_worksheetedition_export", args=[restaurants.editions.get().pk, "csv", "paper"])
    assert client.get(export).status_code == 302
    assert client.post(reverse(PREVIEW), {"text": "[]"}).status_code == 302
    client.force_login(get_user_model().objects.create_user("clerk", is_staff=True))
    assert client.get(export).status_code == 403
    assert client.post(reverse(PREVIEW), {"text": "[]"}).status_code == 403


def test_an_export_in_an_unknown_format_is_not_found(curator: Client, restaurants: Assistant) -> None:
    args = [restaurants.editions.get().pk, "doc", "paper"]
    assert curator.get(reverse("admin:corpora_worksheetedition_export", args=args)).status_code == 404


def test_an_edition_that_cannot_be_read_shows_why(curator: Client, restaurants: Assistant) -> None:
    edition = WorksheetEdition.objects.create(assistant=restaurants, version=9, document={"worksheets": [{}]})
    page = curator.get(reverse("admin:corpora_worksheetedition_change", args=[edition.pk]))
    assert "A worksheet without a name" in page.content.decode()
    export = reverse("admin:corpora_worksheetedition_export", args=[edition.pk, "csv", "paper"])
    assert curator.get(export).status_code == 404
    copy = curator.get(reverse(ADD), {"edition": edition.pk})
    assert copy.context["adminform"].form.initial["text"] == json.dumps({"worksheets": [{}]}, indent=2)


def test_the_text_can_be_edited_as_csv_too(curator: Client, restaurants: Assistant) -> None:
    page = curator.get(reverse(ADD), {"edition": restaurants.editions.get().pk, "form": "csv"})
    copied = page.context["adminform"].form.initial["text"]
    assert copied == write(load("restaurants"), Format.CSV).decode()
    assert curator.post(reverse(ADD), _form(restaurants, text=copied)).status_code == 302
    assert read(copied.encode(), Format.CSV, "restaurants").specification is not None


EDIT = "admin:corpora_worksheetedition_edit"


def _sent(curator: Client, edition: WorksheetEdition) -> dict[str, Any]:
    """What a browser would send of the page of an edition, as it is shown."""
    parts = curator.get(reverse(EDIT, args=[edition.pk])).context["forms"].parts
    sent: dict[str, Any] = {"count": len(parts), "note": "", "begin": "on", "action": "save"}
    for sheet, fields in parts:
        sent[f"{sheet.prefix}-count"] = len(fields)
        for part in (sheet, *fields):
            sent |= {bound.html_name: value for bound in part if (value := bound.value())}
    return sent


def _name_of(sent: dict[str, Any], field: str) -> str:
    """The prefix of the form of a field."""
    return next(name for name, value in sent.items() if name.endswith("-name") and value == field)[: -len("-name")]


@pytest.mark.parametrize("slug", ["restaurants", "courses", "services"])
def test_an_edition_saved_field_by_field_untouched_is_the_same(curator: Client, slug: str) -> None:
    edition = WorksheetEdition.objects.get(assistant__slug=slug)
    answer = curator.post(reverse(EDIT, args=[edition.pk]), _sent(curator, edition))
    assert answer.status_code == 302, [str(one) for one in answer.context["draft"].errors]
    now, before = specification(slug), specification(slug, 1)
    assert now is not None
    assert before is not None
    assert now.version == 2
    assert now.worksheets == before.worksheets


def test_what_is_ticked_to_be_removed_is_left_out(curator: Client, restaurants: Assistant) -> None:
    sent = _sent(curator, restaurants.editions.get())
    found = WorksheetForms(sent | {f"{_name_of(sent, 'phone')}-remove": "on"}).draft("restaurants", "Restaurants")
    assert found.specification is not None
    assert "phone" not in found.specification.by_name["BookRestaurant"].by_name
    assert "email" in found.specification.by_name["BookRestaurant"].by_name


def test_a_field_is_changed_moved_and_added(curator: Client, restaurants: Assistant) -> None:
    edition = restaurants.editions.get()
    address = reverse(EDIT, args=[edition.pk])
    sent = _sent(curator, edition)
    people = _name_of(sent, "number_of_people")
    sheet = people.split("-")[0]
    added = curator.post(address, sent | {"action": f"add-field-{sheet[1:]}"}).context["forms"].parts
    new = next(fields for one, fields in added if one.prefix == sheet)[-1].prefix
    assert restaurants.editions.count() == 1
    sent |= {
        f"{people}-question": "How many of you?",
        f"{people}-place": "0",
        f"{sheet}-count": sent[f"{sheet}-count"] + 1,
        f"{new}-name": "highchair",
        f"{new}-type": "bool",
        f"{new}-question": "Do you need a highchair?",
        f"{new}-place": "2",
    }
    answer = curator.post(address, sent)
    assert answer.status_code == 302, [str(one) for one in answer.context["draft"].errors]
    now = specification("restaurants")
    assert now is not None
    fields = [field.name for field in now.by_name["BookRestaurant"].fields]
    assert fields[0] == "number_of_people"
    assert "highchair" in fields[:4]
    assert now.by_name["BookRestaurant"].by_name["number_of_people"].question == "How many of you?"


@pytest.mark.parametrize(
    ("cell", "value", "said"),
    [
        ("predicate", "self.wat", "wat"),
        ("type", "Enum", "An Enum needs values"),
        ("actions", "@buy()", "There is no action &#x27;buy&#x27;"),
        ("name", "", "name"),
    ],
)
def test_what_the_linter_finds_stands_beside_the_cell(
    curator: Client, restaurants: Assistant, cell: str, value: str, said: str
) -> None:
    edition = restaurants.editions.get()
    sent = _sent(curator, edition)
    field = _name_of(sent, "number_of_people")
    answer = curator.post(reverse(EDIT, args=[edition.pk]), sent | {f"{field}-{cell}": value})
    assert answer.status_code == 200, "an error keeps it from being saved"
    part = next(one for _, fields in answer.context["forms"].parts for one in fields if one.prefix == field)
    beside = "enum_value" if value == "Enum" else cell
    assert part.found[beside], part.found
    shown = answer.content.decode().split(f'name="{field}-{beside}"')[1].split('class="cell ')[0]
    assert said in shown
    assert restaurants.editions.count() == 1


def test_only_whoever_may_add_editions_edits_them(client: Client, curator: Client, restaurants: Assistant) -> None:
    user = get_user_model().objects.create_user("reader", is_staff=True)
    user.groups.add(Group.objects.get(name="researcher"))
    client.force_login(user)
    assert client.get(reverse(EDIT, args=[restaurants.editions.get().pk])).status_code == 403
