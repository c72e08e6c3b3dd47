"""Check a file of worksheets, show what it would ask, turn it into another format, or put it into use."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agent.protocols.errors import SpecificationError
from agent.worksheets.formats import Format, Vocabulary, format_of, write
from agent.worksheets.preview import Step
from corpora.drafts import Draft, drafted
from corpora.loading.installing import make_missing_tables
from corpora.loading.worksheets import add_edition
from corpora.models import Assistant


class Command(BaseCommand):
    requires_system_checks = ()  # they import the whole site, which this does not need
    help = "Check worksheets in a CSV, XLSX or JSON file; optionally preview, convert or install them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file ending in .csv, .xlsx or .json")
        parser.add_argument("--assistant", default="", help="the assistant, whose actions are checked too")
        parser.add_argument("--preview", action="store_true", help="preview what each task asks")
        parser.add_argument("--to", type=Path, metavar="FILE", help="write them to a file, in the format of its ending")
        parser.add_argument(
            "--form-names", action="store_true", help="with --to: use the headings of the published code"
        )
        parser.add_argument("--add", action="store_true", help="install them as the assistant's active edition")

    def handle(self, **options: Any) -> None:
        make_missing_tables()
        draft = self._read(options["file"], options["assistant"])
        for finding in draft.findings:
            self.stdout.write(f"{finding.level}: {finding}")
        if draft.specification is None:
            raise CommandError("The file cannot be read.")
        if options["preview"]:
            for task, steps in draft.asks:
                self.stdout.write(f"\n{task.title or task.name}:")
                self._show(steps, "  ")
        if options["to"]:
            self._convert(draft, options["to"], Vocabulary.PUBLISHED if options["form_names"] else Vocabulary.PAPER)
        if draft.errors:
            raise CommandError(f"Errors: {len(draft.errors)}.")
        if options["add"]:
            edition = add_edition(self._assistant(options["assistant"]), draft.specification, options["file"].name)
            self.stdout.write(f"In use: {edition}.")

    def _read(self, file: Path, assistant: str) -> Draft:
        form = _format(file)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from error
        title = Assistant.objects.filter(slug=assistant).values_list("title", flat=True).first() if assistant else ""
        return drafted(data, form, assistant, title or "")

    def _assistant(self, slug: str) -> Assistant:
        found = Assistant.objects.filter(slug=slug).first()
        if found is None:
            known = ", ".join(Assistant.objects.values_list("slug", flat=True))
            if not known:
                raise CommandError("There are no assistants yet. Run `manage.py load_corpora` first.")
            raise CommandError(f"Name the assistant with --assistant: {known}.")
        return found

    def _convert(self, draft: Draft, file: Path, vocabulary: Vocabulary) -> None:
        if draft.specification is None:
            return
        try:
            file.write_bytes(write(draft.specification, _format(file), vocabulary))
        except (OSError, SpecificationError) as error:
            raise CommandError(f"{file} cannot be written: {error}.") from error
        self.stdout.write(f"Written: {file}.")

    def _show(self, steps: Iterable[Step], indent: str) -> None:
        for step in steps:
            name = f"{step.worksheet}.{step.field}" if step.field else step.text
            said = f": {step.text.splitlines()[0]}" if step.field and step.text else ""
            answer = f"  → {step.answer}" if step.answer else ""
            self.stdout.write(f"{indent}{step.act} {name}{said}{answer}")
            for option, inner in step.branches:
                self.stdout.write(f"{indent}  {option}:")
                self._show(inner, f"{indent}    ")


def _format(file: Path) -> Format:
    form = format_of(file.name)
    if form is None:
        raise CommandError(f"{file} must end in .csv, .xlsx or .json.")
    return form
