"""`manage.py suql`: one query, in SUQL or in BlendSQL, run or explained."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agent.protocols.errors import AgentError
from agent.suql import Budget, Cascade, Result, describe
from agent.suql.blend import translate
from agent.suql.result import Step
from agent.turn import Agent
from corpora.loading.installing import prepare
from hybridchat.agents import agent_for
from hybridchat.research.commands import add_language, clock


class Command(BaseCommand):
    help = "Run a SUQL query, or explain it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query")
        parser.add_argument("--dialect", choices=("suql", "blendsql"), default="suql", help="syntax of the query")
        parser.add_argument("--json", action="store_true")
        parser.add_argument("--explain", action="store_true", help="show the plan without running the query")
        parser.add_argument(
            "--analyze", action="store_true", help="run the query and show its plan with what each step cost"
        )
        parser.add_argument("--max-calls", type=int, default=None, metavar="N")
        parser.add_argument("--max-seconds", type=float, default=None, metavar="S")
        parser.add_argument(
            "--cascade-recall",
            type=float,
            metavar="R",
            help="decide by similarity where possible, but find this share of the matches (such as 0.9)",
        )
        parser.add_argument(
            "--cascade-precision",
            type=float,
            metavar="P",
            help="decide by similarity where possible, but keep this share of the results correct",
        )
        parser.add_argument("--cascade-confidence", type=float, metavar="C", help="confidence of both targets (0.95)")
        parser.add_argument("--now", help="the query's clock, such as 2026-11-20T10:00")
        add_language(parser)

    def handle(self, **options: Any) -> None:
        prepare()
        try:
            asyncio.run(self._run(agent_for(options["language"], patient=True), options))
        except AgentError as error:
            if options["json"]:
                self.stdout.write(json.dumps({"error": error.sentence, "detail": error.detail}, ensure_ascii=False))
            raise CommandError(str(error)) from error

    async def _run(self, agent: Agent, options: dict[str, Any]) -> None:
        query = options["query"]
        if options["dialect"] == "blendsql":
            query = translate(query, agent.catalogue)
        cascade = _cascade(options)
        if options["explain"] or options["analyze"]:
            budget = Budget(calls=options["max_calls"], seconds=options["max_seconds"])
            now = clock(options["now"])()
            plan = await agent.engine.explain(
                query, analyze=options["analyze"], budget=budget, now=now, cascade=cascade
            )
            self.stdout.write(json.dumps(dataclasses.asdict(plan), default=str) if options["json"] else _tree(plan))
            return
        budget = Budget(calls=options["max_calls"], seconds=options["max_seconds"])
        result = await agent.engine.run(query, budget=budget, now=clock(options["now"])(), cascade=cascade)
        described = describe(query, agent.catalogue).text
        self.stdout.write(_json(result, described, query) if options["json"] else _text(result, described))


def _cascade(options: dict[str, Any]) -> Cascade | None:
    """What similarity may decide; nothing, unless a target is given."""
    names = ("recall", "precision", "confidence")
    given = {name: options[f"cascade_{name}"] for name in names if options[f"cascade_{name}"] is not None}
    if not given:
        return None
    if "recall" not in given and "precision" not in given:
        raise CommandError("--cascade-confidence goes with --cascade-recall or --cascade-precision.")
    try:
        return Cascade(**given)
    except ValueError as error:
        raise CommandError(str(error)) from error


def _tree(step: Step, depth: int = 0) -> str:
    numbers = ", ".join(f"{name} {value:g}" for name, value in step.estimated.items())
    taken = ", ".join(f"{name} {value:.4g}" for name, value in step.actual.items())
    numbers = "; ".join(part for part in (numbers, f"took {taken}" if taken else "") if part)
    line = (
        "  " * depth + step.title + (f": {step.detail}" if step.detail else "") + (f" ({numbers})" if numbers else "")
    )
    return "\n".join([line, *(_tree(child, depth + 1) for child in step.children)])


def _json(result: Result, described: str, query: str) -> str:
    return json.dumps(
        {
            "suql": query,
            "description": described,
            "columns": result.columns,
            "rows": [dict(row.values) for row in result.rows],
            "keys": [row.key for row in result.rows],
            **({"by_score": [list(row.by_score) for row in result.rows]} if result.usage.by_score else {}),
            "evidence": [[dataclasses.asdict(item) for item in row.evidence] for row in result.rows],
            "complete": result.complete,
            "notes": result.notes,
            "usage": dataclasses.asdict(result.usage),
        },
        ensure_ascii=False,
        default=str,
    )


def _text(result: Result, described: str) -> str:
    lines = [f"I searched for {described}", ""]
    for row in result.rows:
        lines += [f"{name}: {value}" for name, value in row.values.items()] + [""]
    usage = result.usage
    lines += [f"{len(result.rows)} rows, {usage.calls} calls, {usage.cached} from the memo, {usage.seconds:.2f} s"]
    return "\n".join([*lines, *result.notes])
