"""`manage.py replay`: conversations held again, and compared with how they went."""

from __future__ import annotations

import asyncio
import getpass
import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from corpora.loading.installing import prepare
from hybridchat.agents import agent_for
from hybridchat.research.commands import add_language, add_system
from hybridchat.research.exports.choosing import Filters
from hybridchat.research.exports.importing import NotAnExport
from hybridchat.research.replay import services, sources
from hybridchat.research.replay.models import Run
from hybridchat.research.replay.report import report, table
from hybridchat.systems import arranged


class Command(BaseCommand):
    """The run is stored, can be taken up again, and is shown in the admin."""

    help = "Hold conversations again on the present configuration, and compare each turn with how it went."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--in", dest="source", type=Path, help="an export, or lines {id, assistant, messages}")
        parser.add_argument("--conversation", default="", help="a stored conversation, by its id")
        parser.add_argument("--assistant", default="", help="the stored conversations with this assistant")
        parser.add_argument("--study", default="", help="the stored conversations of this study (its slug)")
        parser.add_argument("--run", default="", help="a run to be taken up again, by its id")
        parser.add_argument("--json", action="store_true")
        parser.add_argument("--all", action="store_true", help="show turns that went as before, too")
        add_language(parser)
        add_system(parser)

    def handle(self, **options: Any) -> None:
        prepare()
        run = self._resumed(options["run"]) if options["run"] else self._prepared(options)
        self.stderr.write(f"run {run.pk}, {run.total} conversations")
        agent = arranged(agent_for(run.language, patient=True), run.system)
        try:
            while not asyncio.run(services.work(run.pk, agent, 60, self._told)):
                pass
        except KeyboardInterrupt:
            services.cancel(run)
            raise CommandError(f"Stopped. Go on with: manage.py replay --run {run.pk}") from None
        run.refresh_from_db()
        if run.status != Run.Status.DONE:
            raise CommandError(f"The run is {run.status}: another process works on it, or ended it.")
        self.stdout.write(
            json.dumps(report(run), ensure_ascii=False, indent=1) if options["json"] else table(run, options["all"])
        )

    def _prepared(self, options: dict[str, Any]) -> Run:
        language = options["language"] or settings.LANGUAGE_BACKEND
        try:
            found, what = _found(options)
            return services.prepare(what, f"{getpass.getuser()} (terminal)", language, found, system=options["system"])
        except (ValueError, NotAnExport, OSError, KeyError, TypeError, ValidationError) as error:
            raise CommandError(f"That cannot be held again: {error}") from error

    def _resumed(self, name: str) -> Run:
        try:
            run = Run.objects.filter(pk=UUID(name), kind=Run.Kind.REPLAY).first()
        except ValueError as error:
            raise CommandError(f"{name} is not the id of a run.") from error
        if run is None:
            raise CommandError(f"There is no replay {name}.")
        services.resume(run)
        return run

    def _told(self, run: Run) -> None:
        self.stderr.write(f"{run.done} of {run.total} conversations")


def _found(options: dict[str, Any]) -> tuple[Iterator[sources.Source], str]:
    """The conversations, and what they are called."""
    if options["source"]:
        return sources.exported(options["source"]), options["source"].name
    if options["conversation"]:
        return sources.stored(Filters(conversations=(options["conversation"],))), "one conversation"
    if options["study"]:
        return sources.stored(Filters(study=options["study"])), f"study {options['study']}"
    if options["assistant"]:
        return sources.stored(Filters(assistant=options["assistant"])), f"conversations with {options['assistant']}"
    raise ValueError("Name an export or a file with --in, a --conversation, a --study, or an --assistant.")
