"""`manage.py understand`: messages to statements on worksheets, nothing applied."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from corpora.loading.installing import prepare
from hybridchat.agents import agent_for
from hybridchat.research.commands import Failures, add_language, at_once, clock
from hybridchat.research.lines import read_numbered, write_lines
from hybridchat.research.understand import known_applications, understood_as_far

AT_ONCE = 8


class Command(BaseCommand):
    help = (
        'Convert lines {"id","app","state","agent_acts","agent","user"} to {"id","statements"}; a line that cannot be '
        'used gets an "error" instead, which is also printed to standard error.'
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--in", dest="source", required=True)
        parser.add_argument("--out", default="-")
        parser.add_argument("--now", help="the clock, such as 2026-11-20T10:00")
        add_language(parser)

    def handle(self, **options: Any) -> None:
        prepare()
        now, known = clock(options["now"]), known_applications()
        failures = Failures(self, options["source"])
        language = agent_for(options["language"], patient=True).language

        async def understand(numbered: tuple[int, dict[str, Any]]) -> dict[str, Any]:
            number, item = numbered
            try:
                statements, unread = await understood_as_far(item, language, known, now())
                return {"id": item["id"], "statements": statements, **({"unread": unread} if unread else {})}
            except Exception as error:  # one line must not end the batch
                return {"id": item["id"], "statements": [], "error": failures.said(f"line {number}", error)}

        items = read_numbered(options["source"], "id", "app", "user")
        write_lines(options["out"], asyncio.run(at_once(understand, items, AT_ONCE)))
        failures.settle()
