"""`manage.py export_conversations`: everything stored about each turn, for researchers."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError
from datetime import datetime
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from corpora.loading.installing import make_missing_tables
from hybridchat.chat.exporting import LINES
from hybridchat.chat.models import Conversation, Turn


def moment(text: str) -> datetime:
    """Read a date, or a date and time, in the site's time zone unless it names one."""
    try:
        day = parse_date(text)
        found = datetime(day.year, day.month, day.day) if day else parse_datetime(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text} is not a date: {error}") from error
    if found is None:
        raise ArgumentTypeError(f"{text} is not a date; write it as 2026-11-20 or 2026-11-20T10:00")
    return found if timezone.is_aware(found) else timezone.make_aware(found)


class Command(BaseCommand):
    """One record a turn. Session keys are pseudonymised; CSV cells that look like formulas are neutralised."""

    help = (
        "Write one record a turn, with everything stored about it, personal data too. `manage.py export` has whole "
        "conversations, more formats, and leaves personal data out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--since", type=moment, help="export only turns from this date (or date and time) on")
        parser.add_argument("--assistant", help="export only conversations with this assistant (its slug)")
        parser.add_argument("--format", choices=tuple(LINES), default="jsonl", help="default: jsonl")
        parser.add_argument("--out", required=True, help="the file to write, or - for standard output")

    def handle(self, *, since: datetime | None, assistant: str | None, out: str, **options: Any) -> None:
        make_missing_tables()
        turns = _chosen(since, assistant)
        lines = LINES[options["format"]](turns)
        if out == "-":
            sys.stdout.writelines(lines)
            return
        try:
            with Path(out).open("w", encoding="utf-8", newline="") as file:
                file.writelines(lines)
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}") from error
        self.stderr.write(f"{turns.count():,} turns written to {out}")


def _chosen(since: datetime | None, assistant: str | None) -> QuerySet[Turn]:
    turns = Turn.objects.all()
    if since is not None:
        turns = turns.filter(created__gte=since)
    if assistant:
        if not Conversation.objects.filter(assistant=assistant).exists():
            raise CommandError(f"There are no conversations with an assistant called {assistant!r}.")
        turns = turns.filter(conversation__assistant=assistant)
    return turns
