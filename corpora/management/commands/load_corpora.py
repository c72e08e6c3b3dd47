"""Load corpora from files and embed their texts. Running it again changes nothing that has not changed."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection, transaction

from agent.protocols.errors import LanguageError
from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder, require_embedder
from corpora.loading.assistants import add_missing_assistants
from corpora.loading.corpora import CORPORA, Corpus, load
from corpora.loading.installing import is_empty, make_missing_tables
from corpora.loading.progress import Progress
from corpora.loading.reading import Problem, summed_up
from corpora.loading.worksheets import add_shipped_editions
from corpora.models import Assistant
from corpora.passages.indexing import index
from corpora.passages.vector_indexes import bring_vector_indexes_in_step

LOCK = 4_716_023  # an arbitrary number that only this command locks
NAMED = 5  # rows kept that are named


class Command(BaseCommand):
    requires_system_checks = ()  # they import the whole site, which this does not need
    help = "Load corpora from JSON Lines files, or the samples into an empty database, and embed their texts."

    def add_arguments(self, parser: ArgumentParser) -> None:
        for corpus in CORPORA:
            parser.add_argument(
                f"--{corpus.name}", nargs="+", type=Path, metavar="FILE", help=f"files of {corpus.name}"
            )
        parser.add_argument("--samples", action="store_true", help="load the sample corpora even if there are others")
        parser.add_argument("--clear", action="store_true", help="remove rows that are not in the files")
        parser.add_argument(
            "--overwrite-edited", action="store_true", help="also overwrite or remove rows edited by hand"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            require_embedder()
        except LanguageError as error:
            raise CommandError(f"Nothing was loaded or removed. {error} Then run the command again.") from error
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # two starts at once: the second finds all done
            try:
                make_missing_tables()
                self._load(options)
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])

    def _load(self, options: dict[str, Any]) -> None:
        named = any(options[corpus.name] for corpus in CORPORA)
        sample = options["samples"] or (not named and is_empty())
        problems: list[Problem] = []
        with transaction.atomic() if sample else nullcontext():  # the samples are there whole, or the database is empty
            for corpus in CORPORA:
                paths = [*(corpus.sample_files() if sample else ()), *(options[corpus.name] or ())]
                if paths:
                    problems += self._load_files(corpus, paths, options)
            if sample or not (named or Assistant.objects.exists()):
                add_missing_assistants()
        if not named:
            add_shipped_editions()
            if not sample and options["verbosity"]:
                self.stdout.write(
                    "The database already has corpora, so the samples were not loaded; --samples loads them."
                )
        try:
            done = index(whole_catalogue(), embedder(), report=Progress(self.stdout, "Embedding"))
        except LanguageError as error:
            raise CommandError(
                f"The rows are loaded, but not all of their texts are embedded: {error} Run the command again then."
            ) from error
        bring_vector_indexes_in_step(Progress(self.stdout, "Indexing"))
        if done.written > 100:
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")  # the planner should not wait for autovacuum to learn that tables are full
        if done.written or done.removed or options["verbosity"] > 1:
            self.stdout.write(f"passages: {done.written} written, {done.removed} removed, {done.kept} unchanged")
        if problems:
            lines = "\n".join(f"  {line}" for line in summed_up(problems))
            raise CommandError(f"Some files were not loaded:\n{lines}")

    def _load_files(self, corpus: Corpus, paths: Sequence[Path], options: dict[str, Any]) -> list[Problem]:
        loaded = load(corpus, paths, clear=options["clear"], overwrite_edited=options["overwrite_edited"])
        changes = loaded.changes
        if changes.touched or options["verbosity"] > 1:
            self.stdout.write(
                f"{corpus.name}: {changes.created} rows added, {changes.updated} updated, "
                f"{changes.removed} removed, {changes.unchanged} unchanged"
            )
        if changes.kept and options["verbosity"]:
            names = ", ".join(changes.kept[:NAMED]) + (", …" if len(changes.kept) > NAMED else "")
            self.stdout.write(
                f"{corpus.name}: {len(changes.kept)} kept because they were edited by hand ({names}); "
                "--overwrite-edited overwrites them."
            )
        return loaded.problems
