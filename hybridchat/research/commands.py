"""What the commands share: the options every one has, and running many things at once."""

from __future__ import annotations

import asyncio
import sys
from argparse import ArgumentParser
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime
from typing import TypeVar

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from corpora.loading.worksheets import add_shipped_editions
from corpora.models import Assistant
from hybridchat.agents import LANGUAGES

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


def prepare() -> None:
    """The tables and the sample corpora, where this installation lacks any; what is done is told on standard error.

    Raises CommandError where the database is not the embedded one, since that is for its operator to do.
    """
    if _is_migrated() and Assistant.objects.exists():
        add_shipped_editions()
        return
    if not settings.EMBEDDED_DATABASE:
        raise CommandError(
            "The database lacks tables or corpora. Run `manage.py migrate` and `manage.py load_corpora`."
        )
    sys.stderr.write("Making the tables and loading the sample corpora.\n")
    call_command("migrate", interactive=False, verbosity=0)
    call_command("load_corpora", stdout=sys.stderr)


def _is_migrated() -> bool:
    """Whether the database has every table this version wants."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def add_language(parser: ArgumentParser) -> None:
    parser.add_argument("--language", choices=LANGUAGES, default="", help="the backend; the settings' one if left out")


def add_assistant(parser: ArgumentParser) -> None:
    parser.add_argument("--assistant", default="", help="a slug; left out, each question finds its corpus")


def check_assistant(slug: str) -> str:
    """The slug, if there is such an assistant (or none was asked for). Raises CommandError."""
    slugs = list(Assistant.objects.values_list("slug", flat=True))
    if slug and slug not in slugs:
        raise CommandError(f"There is no assistant {slug!r}. There are: {', '.join(sorted(slugs))}.")
    return slug


def clock(text: str | None) -> Callable[[], datetime]:
    """A clock that stands at the given local time, or the real one."""
    if not text:
        return timezone.localtime
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"--now {text!r} is not a time such as 2026-11-20T10:00.") from error
    fixed = moment if timezone.is_aware(moment) else timezone.make_aware(moment)
    return lambda: fixed


async def at_once(work: Callable[[Item], Awaitable[Outcome]], items: Iterable[Item], width: int) -> list[Outcome]:
    """The outcomes in the order of the items, `width` of them under way at a time."""
    gate = asyncio.Semaphore(width)

    async def one(item: Item) -> Outcome:
        async with gate:
            return await work(item)

    return await asyncio.gather(*(one(item) for item in items))
