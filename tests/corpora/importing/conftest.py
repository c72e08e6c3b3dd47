"""A curator in front of the guided import, with its worker in the same process."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from corpora.importing.working import work_on
from corpora.models import Import
from tests.corpora.conftest import CountingEmbedder


@pytest.fixture
def embedded(monkeypatch: pytest.MonkeyPatch) -> CountingEmbedder:
    """Stands in for the encoder wherever an import embeds."""
    counting = CountingEmbedder()
    monkeypatch.setattr("corpora.management.commands.import_corpus.embedder", lambda: counting)
    monkeypatch.setattr("corpora.importing.working.embedder", lambda: counting)
    monkeypatch.setattr("corpora.services.embedder", lambda: counting)
    return counting


class Guided:
    """One import, as the pages lead through it. The worker runs when `work` is called."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.pk = 0

    @property
    def one(self) -> Import:
        return Import.objects.get(pk=self.pk)

    @property
    def address(self) -> str:
        return reverse("admin:corpora_import_change", args=[self.pk])

    def upload(self, corpus: str, **files: str | bytes) -> Import:
        """Upload files: `books__csv="…"` is books.csv."""
        uploads = [
            SimpleUploadedFile(name.replace("__", "."), text.encode() if isinstance(text, str) else text)
            for name, text in files.items()
        ]
        response = self.client.post(reverse("admin:corpora_import_add"), {"corpus": corpus, "files": uploads})
        assert response.status_code == 302, response.context["form"].errors
        self.pk = Import.objects.latest("pk").pk
        return self.work()

    def work(self) -> Import:
        work_on(self.pk)
        return self.one

    def form(self) -> dict[str, Any]:
        """What a browser would send of the form of what the files hold."""
        forms = self.client.get(self.address).context["forms"]
        bound = [*forms.corpus, *(field for _, form, _ in forms.tables for field in form)]
        bound += [field for _, _, columns in forms.tables for _, form in columns for field in form]
        values = {field.html_name: field.value() for field in bound}
        return {name: "on" if value is True else value for name, value in values.items() if value not in (None, False)}

    def dry_run(self, **changes: Any) -> Import:
        """Send the form, changed, and have the dry run done. A change to None leaves a tick box or field out."""
        values = {name: value for name, value in (self.form() | changes).items() if value is not None}
        response = self.client.post(self.address, {**values, "check": "1"})
        assert response.status_code == 302, response.context["problem"]
        return self.work()

    def step(self, name: str) -> Import:
        """Press a button, and have done what it asks for."""
        self.client.post(reverse("admin:corpora_import_do", args=[self.pk, name]))
        return self.work()


@pytest.fixture
def guided(
    transactional_db: None, client: Client, embedded: CountingEmbedder, settings: Any, tmp_path: Path
) -> Iterator[Guided]:
    settings.VAR = tmp_path
    client.force_login(get_user_model().objects.create_superuser("curator"))
    yield Guided(client)
    drop_imported()


def drop_imported() -> None:
    """Flushing the tables of the models leaves those of imported corpora."""
    from corpora.importing.removing import remove
    from corpora.models import CorpusVersion

    for name in set(CorpusVersion.objects.values_list("corpus", flat=True)):
        remove(name)
