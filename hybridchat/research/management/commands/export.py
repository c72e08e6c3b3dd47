"""`manage.py export`: conversations with everything stored about them, in several formats."""

from __future__ import annotations

import getpass
import shutil
import zipfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpora.loading.installing import make_missing_tables
from hybridchat.research.exports import services
from hybridchat.research.exports.choosing import Filters, chosen
from hybridchat.research.exports.formats import FORMATS
from hybridchat.research.exports.models import Export
from hybridchat.research.exports.preview import preview


def moment(text: str) -> str:
    """A date or a moment as filters have it."""
    try:
        return services.moment_of(text).isoformat() if text else ""
    except ValueError as error:
        raise CommandError(f"{text} is not a date; write it as 2026-11-20 or 2026-11-20T10:00") from error


class Command(BaseCommand):
    """The export is written down with who asked for it, as one from the admin is."""

    help = "Export conversations with everything stored about them, under pseudonyms."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--out", type=Path, help="a file ending in .zip, or a folder")
        parser.add_argument("--format", choices=tuple(FORMATS), default="jsonl", help="default: jsonl")
        parser.add_argument("--since", default="", help="conversations with a turn from this date on")
        parser.add_argument("--until", default="", help="conversations with a turn before this date")
        parser.add_argument("--assistant", default="", help="only with this assistant (its slug)")
        parser.add_argument("--rating", choices=("up", "down"), default="", help="only with a turn rated so")
        parser.add_argument("--study", default="", help="only conversations of this study (its slug)")
        parser.add_argument("--label", default="", help="only with feedback that the staff gave this label")
        parser.add_argument(
            "--scope", default="", help="exports of one scope share their pseudonyms (default: none do)"
        )
        parser.add_argument("--with-personal-data", action="store_true", help="leave e-mail addresses etc. in")
        parser.add_argument("--preview", action="store_true", help="only show the personal data found")

    def handle(self, **options: Any) -> None:
        make_missing_tables()
        since, until = moment(options["since"]), moment(options["until"])
        filters = Filters(since, until, options["assistant"], options["rating"], options["label"], options["study"])
        if filters.assistant and not chosen(Filters(assistant=filters.assistant)).exists():
            raise CommandError(f"There is no conversation with an assistant called {filters.assistant!r}.")
        if options["preview"]:
            self._preview(filters)
            return
        out: Path | None = options["out"]
        if out is None:
            raise CommandError("Say with --out where the export goes: a file ending in .zip, or a folder.")
        if out.exists() and (out.suffix == ".zip" or not out.is_dir() or any(out.iterdir())):
            raise CommandError(f"{out} exists already.")
        self._export(filters, out, options)

    def _export(self, filters: Filters, out: Path, options: dict[str, Any]) -> None:
        export = services.request(
            f"{getpass.getuser()} (terminal)",
            options["format"],
            filters,
            scrubbed=not options["with_personal_data"],
            scope=options["scope"] or options["study"],
        )
        while not services.work(export.pk, seconds=60, progress=self._told):
            pass
        export.refresh_from_db()
        archive = services.archive_of(export)
        try:
            if out.suffix == ".zip":
                shutil.copyfile(archive, out)
            else:
                out.mkdir(parents=True, exist_ok=True)
                with zipfile.ZipFile(archive) as packed:
                    packed.extractall(out)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}") from error
        finally:
            services.handed_over(export)
        questions = f", the questions of {export.collected:,} people" if export.collected else ""
        self.stderr.write(f"{export.done:,} conversations, {export.turns:,} turns{questions} written to {out}")

    def _told(self, export: Export) -> None:
        if export.under_way and self.stderr.isatty():
            self.stderr.write(f"\r{export.done:,} of {export.total:,} conversations", ending="")

    def _preview(self, filters: Filters) -> None:
        shown = preview(filters)
        for one in shown.examples:
            self.stdout.write(f"{one.kind:14} {one.words}  ({one.source})")
        counts = ", ".join(f"{count} × {kind}" for kind, count in sorted(shown.counts.items())) or "none"
        self.stdout.write(f"Found in {shown.conversations:,} conversations: {counts}.")
