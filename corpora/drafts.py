"""Worksheets while a curator writes them: read, checked, and tried out, without being kept."""

from __future__ import annotations

from dataclasses import dataclass

from asgiref.sync import async_to_sync
from django.conf import settings
from django.utils import timezone
from django.utils.module_loading import import_string

from agent.worksheets.actions import Registry
from agent.worksheets.findings import Finding, Level
from agent.worksheets.formats import Format, read
from agent.worksheets.linter import lint
from agent.worksheets.preview import Step, preview, previewed
from agent.worksheets.specification import Specification, Worksheet
from corpora.catalogue import catalogue


@dataclass(frozen=True)
class Draft:
    """A specification and what is wrong with it. `specification` is None if it could not even be read."""

    specification: Specification | None
    findings: tuple[Finding, ...] = ()

    @property
    def errors(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.level is Level.ERROR]

    @property
    def warnings(self) -> list[Finding]:
        return [finding for finding in self.findings if finding.level is Level.WARNING]

    @property
    def asks(self) -> list[tuple[Worksheet, tuple[Step, ...]]]:
        """What each task would ask; nothing where there are errors."""
        if self.specification is None or self.errors:
            return []
        now = timezone.localtime()
        tasks = previewed(self.specification)
        return [(task, async_to_sync(preview)(self.specification, task.name, now)) for task in tasks]


def drafted(data: bytes, form: Format, assistant: str, title: str) -> Draft:
    """Return the draft in a file or a text."""
    imported = read(data, form, assistant, title)
    if imported.specification is None:
        return Draft(None, imported.findings)
    found = checked(imported.specification)
    return Draft(found.specification, (*imported.findings, *found.findings))


def checked(specification: Specification) -> Draft:
    """Return a specification with what the linter finds, given the assistant's actions and the tables there are."""
    tables = {table.name for table in catalogue()}
    return Draft(specification, tuple(lint(specification, registry(specification.name), tables)))


def registry(assistant: str) -> Registry | None:
    """The assistant's actions, from the function that the setting WORKSHEET_REGISTRY names; None without either."""
    path = getattr(settings, "WORKSHEET_REGISTRY", "")
    if not path or not assistant:
        return None
    found: Registry = import_string(path)(assistant)
    return found


def form_of_text(text: str) -> Format:
    """JSON or CSV, by how the text begins."""
    return Format.JSON if text.lstrip().startswith(("{", "[")) else Format.CSV
