"""`manage.py worksheets`: what a curator does in the admin, in a terminal."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from agent.worksheets.applications import load, text
from agent.worksheets.formats import Format, read
from corpora.loading.assistants import add_missing_assistants
from corpora.loading.worksheets import add_shipped_editions
from corpora.selectors import specification

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.json"
    path.write_text(text("restaurants"))
    return path


def _run(*arguments: Any) -> str:
    out = StringIO()
    call_command("worksheets", *map(str, arguments), stdout=out)
    return out.getvalue()


def test_a_file_without_mistakes_says_nothing(file: Path) -> None:
    assert _run(file, "--assistant", "restaurants") == ""


def test_mistakes_are_listed_and_fail_the_command(file: Path) -> None:
    file.write_text(file.read_text().replace("@book(", "@buy("))
    out = StringIO()
    with pytest.raises(CommandError, match="Errors: 1"):
        call_command("worksheets", str(file), "--assistant", "restaurants", stdout=out)
    assert "error: column WS Actions (BookRestaurant), line 1, character 2: There is no action 'buy'" in out.getvalue()


def test_what_is_asked_is_shown(file: Path) -> None:
    shown = _run(file, "--preview")
    assert "reservation:\n  ASK BookRestaurant.restaurant: Which restaurant would you like to book?" in shown
    assert "  RUN cancel_booking(booking)\n" in shown


@pytest.mark.parametrize("form", Format)
def test_a_file_is_turned_into_another_format(file: Path, tmp_path: Path, form: Format) -> None:
    made = tmp_path / f"other.{form}"
    assert _run(file, "--to", made, "--form-names") == f"Written: {made}.\n"
    imported = read(made.read_bytes(), form, "restaurants")
    assert imported.specification is not None
    assert [one.name for one in imported.specification.worksheets] == [
        one.name for one in load("restaurants").worksheets
    ]


def test_a_file_is_put_into_use(file: Path) -> None:
    add_missing_assistants()
    add_shipped_editions()
    file.write_text(file.read_text().replace("For how many people?", "How many?"))
    assert _run(file, "--assistant", "restaurants", "--add") == "In use: Restaurants, edition 2.\n"
    now = specification("restaurants")
    assert now is not None
    assert now.by_name["BookRestaurant"].by_name["number_of_people"].question == "How many?"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.csv"], "nowhere.csv cannot be read: No such file"),
        (["notes.txt"], "must end in .csv, .xlsx or .json"),
    ],
)
def test_what_cannot_be_read_is_said(arguments: list[str], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        _run(*arguments)


def test_a_file_is_added_to_an_assistant_that_is_there(file: Path) -> None:
    add_missing_assistants()
    with pytest.raises(CommandError, match="Name the assistant with --assistant: restaurants, courses, services"):
        _run(file, "--add")
