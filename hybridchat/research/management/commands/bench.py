"""`manage.py bench turn`: the time of a turn, by step; `suql`: what queries cost; `start`: the time of a start;
`crowd`: what each of many people waits who ask a running site at once; `import`: what an import takes and slows;
`export`: how fast exports of many turns are, and how much memory they need;
`parse --both`: the builtin language's two parsers beside each other."""

from __future__ import annotations

import asyncio
import dataclasses
import json
from argparse import ArgumentParser
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from psycopg.conninfo import make_conninfo

from corpora.connection import TLS_OPTIONS
from corpora.loading.installing import make_missing_tables, prepare
from hybridchat.agents import agent_for
from hybridchat.chat.threads import in_thread
from hybridchat.research import bench_parse, bench_world
from hybridchat.research.bench import STEPS, held, median, percentile, table, time_turns
from hybridchat.research.bench_bounds import suite
from hybridchat.research.bench_cascade import measure_cascade
from hybridchat.research.bench_crowd import crowd_table, measure_crowd
from hybridchat.research.bench_export import MESSAGES, Exported, export_table, measure_export
from hybridchat.research.bench_goals import Report, goals, tables
from hybridchat.research.bench_import import NAME, import_figures, import_table, measure_import
from hybridchat.research.bench_ranking import measure_ranking
from hybridchat.research.bench_start import measure_starts, start_table
from hybridchat.research.bench_suql import measure, measure_first, measure_limits, measure_whole
from hybridchat.research.commands import add_language, clock
from hybridchat.research.exports.formats import FORMATS
from hybridchat.research.keeping import keep_report
from hybridchat.research.lines import read_lines
from hybridchat.research.management.commands.evaluate import SETS
from hybridchat.research.stand_in import stand_in
from hybridchat.variants import Variant

CLOCK = "2026-11-20T10:00"  # of the messages that are parsed
CASCADES = 200  # samples


class Command(BaseCommand):
    help = "Measure turns over the development questions, start-up, waiting times or SUQL queries."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=("turn", "suql", "start", "crowd", "import", "export", "parse"))
        parser.add_argument("--limit", type=int, default=40, help="turn: number of conversations (40)")
        parser.add_argument("--people", type=int, default=100, help="crowd: number of people who ask at once (100)")
        parser.add_argument("--port", type=int, default=8765, help="crowd: port of the running site (8765)")
        parser.add_argument(
            "--rows", type=int, default=1_000, help="suql: rows of the suite's tables; import: rows (1,000)"
        )
        parser.add_argument(
            "--stand-in",
            action="store_true",
            help="import: have the vectors from a local endpoint that computes nothing, to measure all else",
        )
        parser.add_argument(
            "--once", action="store_true", help="import: all rows once, not a quarter of them first, nor all again"
        )
        parser.add_argument("--turns", type=int, default=10_000, help="export: stored turns (10,000)")
        parser.add_argument("--format", choices=tuple(FORMATS), help="export: one format only (default: each)")
        parser.add_argument("--large", type=int, default=100_000, help="suql: rows of the large tables (100,000)")
        parser.add_argument(
            "--ranked",
            type=int,
            default=100_000,
            help="suql: rows to rank (100,000); 1,000,000 includes building an HNSW index, about 20 minutes",
        )
        parser.add_argument("--seeds", type=int, default=100, help="suql: random starts per query with LIMIT (100)")
        parser.add_argument("--both", action="store_true", help="parse: the rules, and the catalogue alone")
        parser.add_argument("--in", dest="source", help="parse: a file in the format of the development sets instead")
        parser.add_argument("--json", action="store_true")
        parser.add_argument(
            "--keep", action="store_true", help="keep the report, to be compared over time in the admin"
        )
        add_language(parser)

    def handle(self, **options: Any) -> None:
        if options["what"] == "suql":
            self._suql(options)
        elif options["what"] == "start":
            self._start(options)
        elif options["what"] == "crowd":
            self._crowd(options)
        elif options["what"] == "import":
            self._import(options)
        elif options["what"] == "export":
            self._export(options)
        elif options["what"] == "parse":
            self._parse(options)
        else:
            self._turn(options)

    # -- suql ----------------------------------------------------------------------------------------------------------

    def _suql(self, options: dict[str, Any]) -> None:
        """In a schema of its own beside the application's, which is dropped at the end."""
        make_missing_tables()
        with psycopg.connect(_address()) as owner:
            try:
                report = asyncio.run(_measured(owner, options))
            finally:
                owner.rollback()
                bench_world.drop(owner)
        found = {**dataclasses.asdict(report), "goals": [dataclasses.asdict(goal) for goal in goals(report)]}
        self._told(options, found, tables(report))

    # -- start ---------------------------------------------------------------------------------------------------------

    def _start(self, options: dict[str, Any]) -> None:
        seconds = measure_starts()
        self._told(options, {"seconds": seconds}, start_table(seconds))

    # -- crowd ---------------------------------------------------------------------------------------------------------

    def _crowd(self, options: dict[str, Any]) -> None:
        items = read_lines(str(SETS / "questions.jsonl"), "id", "messages")
        messages = [(item.get("assistant") or "restaurants", item["messages"][0]) for item in items]
        waits = asyncio.run(measure_crowd(options["port"], options["people"], messages))
        self._told(options, [dataclasses.asdict(wait) for wait in waits], crowd_table(waits))

    # -- import --------------------------------------------------------------------------------------------------------

    def _import(self, options: dict[str, Any]) -> None:
        """Into the database of this checkout, and out of it again."""
        prepare()
        ask = partial(_seconds, options["language"], "restaurants", "What is open now?")
        first = partial(_seconds, options["language"], NAME, "Which thing has the highest price?")
        ask()  # loads what is loaded once
        with stand_in() if options["stand_in"] else nullcontext("") as endpoint:
            report = measure_import(options["rows"], ask, first, endpoint, once=options["once"], told=self.stderr.write)
        self._told(options, import_figures(report), import_table(report))

    # -- export --------------------------------------------------------------------------------------------------------

    def _export(self, options: dict[str, Any]) -> None:
        """In a schema of its own beside the application's, which is dropped at the end."""
        prepare()
        formats = [options["format"]] if options["format"] else list(FORMATS)
        found = asyncio.run(_exported(options["language"], options["turns"], formats))
        self._told(options, [dataclasses.asdict(one) for one in found], export_table(found))

    # -- parse ---------------------------------------------------------------------------------------------------------

    def _parse(self, options: dict[str, Any]) -> None:
        if not options["both"]:
            raise CommandError("parse compares the two parsers: add --both.")
        prepare()
        sets = {Path(options["source"]).stem: options["source"]} if options["source"] else {}
        sets = sets or {name: str(SETS / f"{name}.jsonl") for name in bench_parse.SETS}
        items = [{**item, "set": name} for name, path in sets.items() for item in read_lines(path, "id", "gold")]
        names = [Variant(language="builtin", understanding=column).name for column in bench_parse.COLUMNS]
        agents = [agent_for(name, patient=True) for name in names]
        found = asyncio.run(bench_parse.compare(agents, items, clock(CLOCK)))
        report = bench_parse.report(found)
        self._told(options, report, bench_parse.table(report))

    # -- turn ----------------------------------------------------------------------------------------------------------

    def _turn(self, options: dict[str, Any]) -> None:
        prepare()
        items = read_lines(str(SETS / "questions.jsonl"), "id", "messages")[: options["limit"]]
        times = asyncio.run(self._times(options["language"], items))
        figures = {step: {"median_ms": median(times[step]), "p95_ms": percentile(times[step], 95)} for step in STEPS}
        self._told(options, figures, table(times))

    def _told(self, options: dict[str, Any], report: Any, text: str) -> None:
        """Print what was found, as JSON or for people; keep it where that is asked for."""
        keep_report("bench", options, report)
        self.stdout.write(json.dumps(report, ensure_ascii=False) if options["json"] else text)

    async def _times(self, language: str, items: list[dict[str, Any]]) -> dict[str, list[float]]:
        await time_turns(language, items[:1])  # loads what is loaded once
        return await time_turns(language, items)


def _seconds(language: str, assistant: str, message: str) -> float:
    """How long one turn takes, as the site takes it."""
    times = asyncio.run(time_turns(language, [{"assistant": assistant, "messages": [message]}]))
    return times[STEPS[-1]][0] / 1000


async def _exported(language: str, turns: int, formats: list[str]) -> list[Exported]:
    async with held(language, "restaurants", MESSAGES) as (conversation, _):
        return await in_thread(measure_export, _address(), conversation.pk, turns, formats)


async def _measured(owner: psycopg.Connection[Any], options: dict[str, Any]) -> Report:
    async def connect() -> psycopg.AsyncConnection[Any]:
        return await psycopg.AsyncConnection.connect(_address(), autocommit=True, prepare_threshold=0)

    bench_world.generate(owner, options["rows"])
    measured = [await measure(owner, connect, item) for item in suite()]
    bench_world.generate(owner, options["large"])
    limits = await measure_limits(owner, connect, options["seeds"], options["large"])
    first = await measure_first(owner, connect, options["large"])
    whole = await measure_whole(connect)
    ranked = await measure_ranking(owner, connect, options["ranked"])
    cascade = await measure_cascade(CASCADES)
    return Report(measured, options["rows"], limits, whole, first, options["large"], options["seeds"], ranked, cascade)


def _address() -> str:
    """The database that Django uses, as its owner."""
    settings = connection.settings_dict
    names = {"dbname": "NAME", "host": "HOST", "port": "PORT", "user": "USER", "password": "PASSWORD"}
    parts = {name: str(settings[key]) for name, key in names.items() if settings[key]}
    options = {name: value for name, value in settings["OPTIONS"].items() if name in ("host", "port", *TLS_OPTIONS)}
    return make_conninfo("", **{**parts, **options})
