"""Load corpora from files and embed their texts. Running it again changes nothing that has not changed."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from agent.errors import LanguageError
from corpora.catalogue import catalogue
from corpora.embedding import embedder
from corpora.loading.assistants import add_missing_assistants
from corpora.loading.corpora import CORPORA, load
from corpora.loading.installing import make_missing_tables
from corpora.loading.progress import Progress
from corpora.loading.worksheets import add_shipped_editions
from corpora.passages.indexing import index

LOCK = 4_716_023  # an arbitrary number that only this command locks


class Command(BaseCommand):
    requires_system_checks = ()  # they import the whole site, which this does not need
    help = "Load corpora from files of JSON lines (the sample corpora if none is named), and embed their texts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        for corpus in CORPORA:
            parser.add_argument(
                f"--{corpus.name}", nargs="+", type=Path, metavar="FILE", help=f"files of {corpus.name}"
            )
        parser.add_argument("--clear", action="store_true", help="remove what the files do not have")

    def handle(self, *args: Any, **options: Any) -> None:
        named = any(options[corpus.name] for corpus in CORPORA)
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # two starts at once: the second finds all done
            try:
                make_missing_tables()
                self._load(options, sample=not named)
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])

    def _load(self, options: dict[str, Any], *, sample: bool) -> None:
        problems = []
        for corpus in CORPORA:
            paths = corpus.sample_files() if sample else options[corpus.name]
            if not paths:
                continue
            loaded = load(corpus, paths, clear=options["clear"])
            problems += loaded.problems
            changes = loaded.changes
            if changes.touched or options["verbosity"] > 1:
                self.stdout.write(
                    f"{corpus.name}: {changes.created} rows added, {changes.updated} updated, "
                    f"{changes.removed} removed, {changes.unchanged} unchanged"
                )
        if sample:
            add_missing_assistants()
            add_shipped_editions()
        try:
            done = index(catalogue(), embedder(), report=Progress(self.stdout, "Embedding"))
        except LanguageError as error:
            raise CommandError(
                f"The rows are loaded, but not all of their texts are embedded: {error} Run the command again then."
            ) from error
        if done.written > 100:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")  # the planner should not wait for autovacuum to learn that tables are full
        if done.written or done.removed or options["verbosity"] > 1:
            self.stdout.write(f"passages: {done.written} written, {done.removed} removed, {done.kept} unchanged")
        if problems:
            raise CommandError("Some files were not loaded:\n" + "\n".join(f"  {problem}" for problem in problems))
