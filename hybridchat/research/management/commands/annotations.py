"""`manage.py annotations PROJECT`: what a project's annotations come to, beside what the papers report."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpora.loading.installing import make_missing_tables
from hybridchat.research.annotation.figures import Report, report
from hybridchat.research.annotation.models import Project
from hybridchat.research.statistics import Estimate

PAPERS = {
    ("suql", "entities"): "SUQL 0.938 single questions, 0.903 conversations; linearization 0.570, 0.634 (table 5)",
    ("suql", "empty: false negative"): "SUQL 0.14 single questions, 0.09 conversations (section 6.2.2)",
    ("genie", "parsing"): "Genie 0.914 (table 2)",
    ("genie", "execution"): "Genie 0.865, function calling 0.654 (table 2)",
    ("genie", "acts"): "Genie 0.892, function calling 0.691 (table 2)",
    ("genie", "goal: reached"): "Genie 0.828, function calling 0.218 (table 2)",
}
"""What the authors report of their own participants, by scheme and figure."""


class Command(BaseCommand):
    help = "Print an annotation project's figures, acts by the part of the conversation, and agreement."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="its title; the newest, where several are called so")
        parser.add_argument("--json", action="store_true")

    def handle(self, **options: Any) -> None:
        make_missing_tables()
        project = Project.objects.select_related("scheme").filter(title=options["project"]).first()
        if project is None:
            titles = ", ".join(Project.objects.values_list("title", flat=True)) or "none yet"
            raise CommandError(f"There is no annotation project {options['project']!r}. There are: {titles}.")
        found = report(project)
        if options["json"]:
            self.stdout.write(json.dumps(_told(found), indent=1, ensure_ascii=False))
        else:
            self.stdout.write("\n".join(_lines(found, project.scheme.slug)))


def _lines(found: Report, scheme: str) -> Iterator[str]:
    yield f"{found.items} items, {found.finished} with all their annotators, {found.settled} with one label"
    for figure in found.figures:
        paper = PAPERS.get((scheme, figure.name), "")
        yield f"{figure.name:34} {_shown(figure.estimate)}" + (f"  paper: {paper}" if paper else "")
    if found.through:
        yield "acts by the part of the conversation (paper, figure 5: Genie falls by 0.08, function calling by 0.43)"
        yield from (f"  {figure.name:32} {_shown(figure.estimate)}" for figure in found.through)
    for one in found.agreement:
        kappa = "–" if one.kappa is None else f"{one.kappa:.3f}"
        yield f"agreement on {one.question.name:21} alpha {_shown(one.alpha)}, kappa {kappa}"


def _shown(found: Estimate) -> str:
    if found.value is None:
        return "–"
    span = "" if found.low is None or found.high is None else f" [{found.low:.3f}, {found.high:.3f}]"
    return f"{found.value:.3f}{span} of {found.n}"


def _told(found: Report) -> dict[str, Any]:
    figures = {name: [asdict(one) for one in getattr(found, name)] for name in ("figures", "through")}
    agreed = {one.question.name: {"alpha": asdict(one.alpha), "kappa": one.kappa} for one in found.agreement}
    counts = {name: getattr(found, name) for name in ("items", "finished", "settled")}
    return {**counts, **figures, "agreement": agreed}
