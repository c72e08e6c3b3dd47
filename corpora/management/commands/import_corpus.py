"""Bring a corpus in files: what would change is shown first, then it is stored whole or not at all."""

from __future__ import annotations

import json
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agent.protocols.errors import LanguageError
from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder, require_embedder
from corpora.importing.addresses import is_address, read_address
from corpora.importing.drafting import draft
from corpora.importing.postgresql import copy_database
from corpora.importing.reading import NoSource, tables_of
from corpora.importing.sources import Source, open_sources
from corpora.importing.specification import BadSpecification, CorpusSpec, identifier, read_specification
from corpora.importing.storing import Imported, NameTaken, store, views_ever
from corpora.importing.telling import counts_in_words, notes_of, refusal, write_refused
from corpora.loading.installing import make_missing_tables
from corpora.loading.progress import Progress
from corpora.loading.sources import Unreadable
from corpora.passages.indexing import index
from corpora.passages.vector_indexes import bring_vector_indexes_in_step

SHOWN = 20  # refused cells that are listed


class Command(BaseCommand):
    requires_system_checks = ()
    help = (
        "Import a corpus: CSV, TSV, XLSX, JSON, JSONL, Parquet, SQLite, a folder or a zip of these, or a PostgreSQL "
        "database (postgresql://user@host/database)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="of the corpus, and of the assistant that is made")
        parser.add_argument("files", nargs="+", metavar="FILE", help="a file, a folder, or the URL of a database")
        parser.add_argument(
            "--table", action="append", default=[], metavar="NAME", help="of a database: copy this table (repeatable)"
        )
        parser.add_argument("--spec", type=Path, metavar="FILE", help="what the corpus is: see docs/curators.md")
        parser.add_argument("--draft", action="store_true", help="propose a specification from the files, as JSON")
        parser.add_argument("--yes", action="store_true", help="store it without asking")
        parser.add_argument(
            "--encoding", default="", help="of CSV and TSV, such as cp1250; told from the bytes if left out"
        )
        parser.add_argument(
            "--overwrite-edits", action="store_true", help="write over rows that were edited by hand, too"
        )
        parser.add_argument("--refused", type=Path, metavar="FILE", help="write every refused cell to a CSV file")

    def handle(self, *args: Any, **options: Any) -> None:
        with tempfile.TemporaryDirectory(prefix="import-") as unpacked:
            try:
                files = list(_files(options["files"], Path(unpacked), options["table"]))
                sources = open_sources(files, Path(unpacked), options["encoding"])
                if options["draft"]:
                    self._draft(options["name"], sources)
                elif options["spec"] is None:
                    raise CommandError("Say what the corpus is with --spec, or let --draft propose it.")
                else:
                    self._import(_named(read_specification(options["spec"]), options["name"]), sources, options)
            except (BadSpecification, NoSource, NameTaken, Unreadable) as error:
                raise CommandError(f"Nothing was imported. {error}") from error

    def _draft(self, name: str, sources: list[Source]) -> None:
        spec, reasons = draft(name, sources)
        for reason in reasons:
            self.stderr.write(str(reason))
        self.stdout.write(json.dumps(spec.model_dump(mode="json", exclude_defaults=True), indent=2, ensure_ascii=False))

    def _import(self, spec: CorpusSpec, sources: list[Source], options: dict[str, Any]) -> None:
        try:
            require_embedder()
        except LanguageError as error:
            raise CommandError(f"Nothing was imported. {error} Then run the command again.") from error
        make_missing_tables()
        tables = tables_of(spec, sources)
        for table in tables:
            for note in table.source.notes:
                self.stdout.write(f"{table.source}: {note}")
        if not options["yes"]:
            done = store(spec, tables_of(spec, sources), rehearse=True, overwrite_edits=options["overwrite_edits"])
            self._tell(done, options["refused"])
            if not _agreed():
                raise CommandError("Nothing was imported.")
        done = store(spec, tables, overwrite_edits=options["overwrite_edits"])
        if options["yes"]:
            self._tell(done, options["refused"])
        try:
            index(
                whole_catalogue(),
                embedder(),
                tables=views_ever(spec.name),
                report=Progress(self.stdout, "Embedding"),
            )
        except LanguageError as error:
            raise CommandError(f"The rows are stored, but not all texts are embedded: {error} Run it again.") from error
        bring_vector_indexes_in_step(Progress(self.stdout, "Indexing"))
        self.stdout.write(f"Imported {spec.name}, version {done.version}.")

    def _tell(self, done: Imported, path: Path | None) -> None:
        for table, counts in done.counts.items():
            self.stdout.write(f"{table}: {counts_in_words(counts)} rows")
        for refused in islice(done.refused, SHOWN):
            self.stdout.write(f"  {refusal(refused)}")
        if done.times_refused > SHOWN:
            self.stdout.write(f"  …and {done.times_refused - SHOWN:,} more (--refused FILE lists them)")
        for said in notes_of(done):
            self.stdout.write(f"  {said}")
        if path is not None:
            with path.open("w", encoding="utf-8", newline="") as file:
                write_refused(file, done.refused)


def _agreed() -> bool:
    """Whether the person at the terminal says yes to what the dry run said."""
    try:
        return input("Import it? [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:
        raise CommandError(
            "Nothing was imported: this was a dry run, and nobody is there to say yes. --yes imports without asking."
        ) from None


def _files(named: list[str], folder: Path, only: list[str]) -> Iterator[Path]:
    """The files that are named; of a database, a copy in the folder. Raises Unreadable."""
    for name in named:
        if is_address(name):
            address = read_address(name)
            copy = folder / f"{identifier(address.database)}.sqlite"
            copy_database(address, copy, only=only, trusted=True)
            yield copy
        else:
            yield Path(name)


def _named(spec: CorpusSpec, name: str) -> CorpusSpec:
    if spec.name != name:
        raise BadSpecification(
            f"The specification is of {spec.name!r}, not of {name!r}. The corpus is named first, its files follow."
        )
    return spec
