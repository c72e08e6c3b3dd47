"""`manage.py prepare_reader`: what the builtin reader needs of every text, computed ahead."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from corpora.loading.installing import make_missing_tables
from corpora.loading.progress import Progress
from corpora.models import Passage
from corpora.vectors import remember_passages


class Command(BaseCommand):
    help = "Encode all sentences of the corpora now, so that no question has to wait. Idle workers do this too."

    def handle(self, *args: Any, **options: Any) -> None:
        make_missing_tables()
        report, done = Progress(self.stdout, "Preparing the builtin reader"), 0
        total = Passage.objects.count()
        for step in remember_passages():
            done += step.passages
            report(done, max(total, done))
        self.stdout.write("The builtin reader is prepared.")
