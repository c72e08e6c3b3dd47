"""`manage.py compare`: the arms of a study, or two evaluations that were kept, with intervals and tests."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from corpora.loading.installing import make_missing_tables
from hybridchat.research.models import Run, Study
from hybridchat.research.replay import kept
from hybridchat.research.studies import comparison


class Command(BaseCommand):
    help = "Compare the arms of a study (--study), or two runs kept with --keep (--runs), with intervals and tests."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--study", help="a study, by its slug")
        what.add_argument("--runs", nargs=2, metavar="ID", help="two kept runs, by their ids")
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        make_missing_tables()
        if options["study"]:
            study = Study.objects.filter(slug=options["study"]).first()
            if study is None:
                raise CommandError(f"There is no study {options['study']!r}.")
            told = json.dumps(comparison.as_json(study), indent=1) if options["json"] else comparison.table(study)
        else:
            first, second = map(_run, options["runs"])
            found = kept.paired(first, second)
            if not found:
                raise CommandError("The two runs share no items.")
            told = json.dumps([kept.as_json(one) for one in found], indent=1) if options["json"] else kept.table(found)
        self.stdout.write(told)


def _run(name: str) -> Run:
    try:
        run = Run.objects.exclude(kind=Run.Kind.REPLAY).filter(pk=UUID(name)).first()
    except ValueError as error:
        raise CommandError(f"{name} is not the id of a run.") from error
    if run is None:
        raise CommandError(f"There is no kept evaluation or benchmark {name}.")
    return run
