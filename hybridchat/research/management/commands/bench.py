"""`manage.py bench turn`: how long a turn takes, by step."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from agent.turn import Agent
from hybridchat.agents import agent_for
from hybridchat.research.bench import STEPS, median, percentile, table, time_turns
from hybridchat.research.commands import add_language, prepare
from hybridchat.research.lines import read_lines
from hybridchat.research.management.commands.evaluate import SETS


class Command(BaseCommand):
    help = "Times turns over the development questions, after one unmeasured turn to warm up."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("turn",))
        parser.add_argument("--limit", type=int, default=40, help="conversations (40)")
        parser.add_argument("--now", default="2026-11-20T10:00")
        parser.add_argument("--json", action="store_true")
        add_language(parser)

    def handle(self, **options: Any) -> None:
        prepare()
        items = read_lines(str(SETS / "questions.jsonl"), "id", "messages")[: options["limit"]]
        times = asyncio.run(self._times(agent_for(options["language"], patient=True), items, options["now"]))
        if options["json"]:
            figures = {
                step: {"median_ms": median(times[step]), "p95_ms": percentile(times[step], 95)} for step in STEPS
            }
            self.stdout.write(json.dumps(figures))
        else:
            self.stdout.write(table(times))

    async def _times(self, agent: Agent, items: list[dict[str, Any]], now: str) -> dict[str, list[float]]:
        await time_turns(agent, items[:1], now)
        return await time_turns(agent, items, now)
