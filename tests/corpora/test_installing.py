"""The first command in an installation makes the tables it needs, or says who has to."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from corpora.loading.installing import prepare
from corpora.models import Assistant


@pytest.mark.django_db(transaction=True)
def test_a_command_makes_missing_tables(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("migrate", "research", "0001", verbosity=0)
    call_command("export", "--preview")
    assert "Making the tables" in capsys.readouterr().err
    assert not _due()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "command",
    [
        ["load_corpora"],
        ["export", "--preview"],
        ["prepare_reader"],
        ["worksheets", "any.csv"],
        ["bench", "suql"],
    ],
)
def test_the_tables_of_another_database_are_left_to_its_operator(
    command: list[str], settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.EMBEDDED_DATABASE = False
    monkeypatch.setattr(MigrationExecutor, "migration_plan", lambda *_: [object()])
    with pytest.raises(CommandError, match=r"manage\.py migrate"):
        call_command(*command)


@pytest.mark.django_db
def test_a_start_says_that_the_embeddings_endpoint_cannot_be_used(
    settings: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    Assistant.objects.create(slug="any", title="Any", tables=["articles"])
    settings.EMBEDDINGS_URL = "http://127.0.0.1:9/v1"
    prepare()
    said = capsys.readouterr().err
    assert "EMBEDDINGS_URL is http://127.0.0.1:9/v1" in said
    assert "Correct EMBEDDINGS_URL, or unset it" in said


def _due() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
