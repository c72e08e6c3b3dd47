"""`manage.py import_conversations`: an export in JSON lines, read back."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpora.loading.installing import make_missing_tables
from hybridchat.research.exports.importing import NotAnExport, import_file


class Command(BaseCommand):
    """Conversations that are there already stay as they are."""

    help = "Import conversations from an export in JSON lines (a .zip, its folder, or conversations.jsonl)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("path", type=Path)

    def handle(self, *, path: Path, **options: Any) -> None:
        make_missing_tables()
        new = known = 0
        try:
            for is_new in import_file(path):
                new, known = new + is_new, known + (not is_new)
        except NotAnExport as error:
            raise CommandError(f"{error} ({new:,} conversations were imported before that.)") from error
        self.stdout.write(f"{new:,} conversations imported, {known:,} were there already.")
