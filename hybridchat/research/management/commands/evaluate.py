"""`manage.py evaluate turns|articles|parsing|reading|lists`: the development sets, as a table or as JSON."""

from __future__ import annotations

import asyncio
import json
from argparse import ArgumentParser
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from agent.networks.tagger import Tagger
from agent.protocols.errors import QueryError
from agent.protocols.metering import metered
from agent.turn import Agent
from agent.worksheets.applications import STAR
from corpora.importing.specification import identifier
from corpora.loading.installing import prepare
from hybridchat.agents import agent_for
from hybridchat.research import (
    articles,
    corpus,
    dialogue,
    injection,
    lists,
    marking,
    parsing,
    reading,
    regression,
    regression_report,
    simulation_run,
    star,
    text2sql,
    turns,
)
from hybridchat.research.commands import (
    Item,
    add_language,
    add_system,
    add_understanding,
    at_once,
    check_assistant,
    clock,
    drawn,
    spoken,
)
from hybridchat.research.keeping import keep_report
from hybridchat.research.lines import read_lines
from hybridchat.research.simulation_goals import Goal, variations
from hybridchat.research.spending import spending, spending_lines
from hybridchat.systems import arranged
from hybridchat.talk import Talk

SETS = Path(__file__).resolve().parents[2] / "development"
HELD_OUT = "e.jsonl"  # the builtin reader's weights were learned on the others
AT_ONCE = 2
FEW_SHOT = {"with": (True,), "without": (False,), "both": (False, True)}
PARTS = ("reading", "lists", "injection", "marking", "star")  # ask a reader, a tagger or the policy, and hold no turn
EVALUATED = "evaluated"  # begins the names of corpora that are imported to be asked, and removed again
WHAT = (
    *("corpus", "text2sql", "turns", "articles", "parsing", "reading", "lists", "injection", "dialogue", "star"),
    "marking",
)


class Command(BaseCommand):
    turns = 0  # that were held, where a set has conversations
    help = (
        "Score a development set: turns (rows), articles (right article, key fact, honest no), "
        "parsing (slots), reading (yes, no, no info), "
        "lists (one question about every restaurant's reviews), injection (documents that instruct the model), "
        "dialogue (simulated users with goals, or replayed conversations), "
        "star (the policy's next act, compared with STAR's wizards), "
        "marking (the tagger's marks, compared with people's), text2sql (questions over other databases), "
        "corpus (an imported corpus with prose, its questions and conversations)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=WHAT)
        parser.add_argument("folder", nargs="?", type=Path, help="corpus: its specification, files and questions")
        parser.add_argument("--in", dest="source", help="a file in the same format, to score instead")
        parser.add_argument("--json", action="store_true")
        parser.add_argument("--limit", type=int, default=None, help="score only the first N items")
        parser.add_argument("--sample", type=int, default=None, help="score only N items, drawn at random")
        parser.add_argument("--seed", type=int, default=0, help="another number draws another sample")
        parser.add_argument("--at-once", type=int, default=AT_ONCE, help="how many items are under way at a time")
        parser.add_argument("--dialogues", help="star: the folder of STAR's dialogue files")
        parser.add_argument("--task", choices=STAR, help="star: the task")
        parser.add_argument("--variations", type=int, default=1, help="dialogue: runs per goal, each in other words")
        parser.add_argument("--only", default="", help="dialogue: only goals whose id starts with this")
        parser.add_argument("--now", default="2026-11-20T10:00", help="the clock of the conversations")
        parser.add_argument("--databases", type=Path, help="text2sql: the folder of databases, DIR/ID/ID.sqlite")
        parser.add_argument("--questions", type=Path, help="text2sql: a JSON file of questions with gold queries")
        parser.add_argument("--half", default="", help="corpus: only the questions and conversations of this half")
        parser.add_argument("--each", type=int, help="text2sql: draw that many questions of each database")
        parser.add_argument("--out", type=Path, help="text2sql, corpus: JSON file for each verdict")
        parser.add_argument("--corpus", help="parsing: a corpus whose regression cases are run; the run is kept")
        parser.add_argument(
            "--few-shot",
            choices=FEW_SHOT,
            default="with",
            help="parsing --corpus: with the few-shot pairs, without them, or one after the other",
        )
        parser.add_argument(
            "--pairs",
            metavar="FILE",
            help="corpus: few-shot pairs, JSON lines of message and suql; scores without them too",
        )
        parser.add_argument(
            "--keep", action="store_true", help="keep the report, to be compared over time in the admin"
        )
        add_language(parser)
        add_understanding(parser)
        add_system(parser)

    def handle(self, **options: Any) -> None:
        if options["system"] != "suql" and (options["what"] in PARTS or options["corpus"]):
            raise CommandError(f"{options['what']} measures a part of our own system, which --system would replace.")
        prepare()
        if options["what"] in ("corpus", "text2sql"):
            self._unseen(options) if options["what"] == "corpus" else self._text2sql(options)
            return
        if options["corpus"]:
            self._cases(options)
            return
        scored = {
            "turns": self._turns,
            "articles": self._articles,
            "parsing": self._parsing,
            "reading": self._reading,
            "lists": self._lists,
            "injection": self._injection,
            "dialogue": self._dialogue,
            "star": self._star,
            "marking": self._marking,
        }
        run = scored[options["what"]]
        with metered() as calls:
            report, table = asyncio.run(run(self._agent(options), options))
        self._print(report, table, spending(calls, self.turns), options)

    def _agent(self, options: dict[str, Any]) -> Agent:
        return arranged(agent_for(spoken(options), patient=True), options["system"])

    def _cases(self, options: dict[str, Any]) -> None:
        if options["what"] != "parsing":
            raise CommandError("--corpus goes with parsing.")
        about, reports = check_assistant(options["corpus"]), []
        for few_shot in FEW_SHOT[options["few_shot"]]:
            run = regression.begin(about, options["language"] or settings.LANGUAGE_BACKEND, few_shot)
            if not run.cases:
                run.delete()
                raise CommandError(f"{about} has no regression cases. They are made in the admin.")
            agent = agent_for(regression.language_of(run), patient=True)
            asyncio.run(regression.work(run.pk, agent))
            reports.append(regression_report.report(run))
        self.stdout.write(
            json.dumps(reports, ensure_ascii=False, indent=1) if options["json"] else regression_report.table(reports)
        )

    def _unseen(self, options: dict[str, Any]) -> None:
        if not options["folder"]:
            raise CommandError("corpus needs a folder with corpus.json, its files, and questions.jsonl.")
        now = clock(options["now"])
        try:
            asked = corpus.conversations(options["folder"], options["half"])
            asked = self._drawn(asked, options, part=lambda turns: len(turns) > 1)
            pairs = read_lines(options["pairs"], "message", "suql") if options["pairs"] else []
            asked = corpus.untaught(asked, pairs)
            with corpus.imported(options["folder"], f"{EVALUATED}_corpus") as assistant, metered() as calls:
                agent = self._agent(options)

                async def hold(turns: list[dict[str, Any]]) -> list[corpus.Answered]:
                    return await corpus.ask(Talk(agent, assistant, now), turns)

                def score() -> dict[str, Any]:
                    held = asyncio.run(at_once(hold, asked, options["at_once"]))
                    return corpus.report([turn for turns in held for turn in turns])

                report, without = score(), None
                if pairs:
                    without = report
                    with corpus.taught(assistant, pairs):
                        report = {**score(), "without pairs": report}
        except (OSError, ValueError, KeyError, QueryError) as error:
            raise CommandError(f"{options['folder']} cannot be used: {error!r}") from error
        turns = len(report["turns"]) * (2 if pairs else 1)
        self._print(report, corpus.table(report, without), spending(calls, turns), options, rows="turns")

    def _print(self, report: Any, table: str, spent: dict[str, Any], options: dict[str, Any], rows: str = "") -> None:
        """Print a report with what a model took for it, if one was asked; write its `rows` where `--out` says."""
        if spent and isinstance(report, dict):
            report = {**report, "model": spent}
        keep_report("evaluate", options, report)
        if rows and options["out"]:
            options["out"].write_text(json.dumps(report[rows], ensure_ascii=False, indent=1), encoding="utf-8")
        told = json.dumps(report, ensure_ascii=False, indent=1)
        self.stdout.write(told if options["json"] else "\n".join([table, *spending_lines(spent)]))

    def _text2sql(self, options: dict[str, Any]) -> None:
        if not options["databases"] or not options["questions"]:
            raise CommandError("text2sql needs --databases, a folder of SQLite files, and --questions, a JSON file.")
        now, scores = clock(options["now"]), list[text2sql.Scored]()
        with metered() as calls:
            try:
                questions = json.loads(options["questions"].read_text(encoding="utf-8"))
                asked = self._drawn(list(text2sql.conversations(questions)), options)
                for database in dict.fromkeys(turns[0]["db_id"] for turns in asked):
                    of_it = [turns for turns in asked if turns[0]["db_id"] == database]
                    if options["each"] is not None:
                        of_it = drawn(of_it, options["each"], options["seed"])
                    scores += self._of_database(database, of_it, now, options)
                    self.stderr.write(f"{database}: {sum(one.right for one in scores)} of {len(scores)} so far")
            except (OSError, ValueError, KeyError) as error:
                raise CommandError(f"{options['questions']} cannot be used: {error!r}") from error
        report = text2sql.report(scores)
        self._print(report, text2sql.table(report), spending(calls, len(scores)), options, rows="rows")

    def _of_database(
        self, database: str, asked: list[list[dict[str, Any]]], now: Callable[[], datetime], options: dict[str, Any]
    ) -> list[text2sql.Scored]:
        """The scores of the conversations over one database."""
        path = text2sql.path_of(options["databases"], database)
        with text2sql.imported(path, f"{EVALUATED}_{identifier(database)}"[:40]) as assistant:
            agent = self._agent(options)

            async def hold(turns: list[dict[str, Any]]) -> list[text2sql.Scored]:
                return await text2sql.ask(Talk(agent, assistant, now), turns, path)

            return [one for held in asyncio.run(at_once(hold, asked, options["at_once"])) for one in held]

    def _drawn(
        self, items: list[Item], options: dict[str, Any], part: Callable[[Item], Any] | None = None
    ) -> list[Item]:
        """The items to score: a sample of them, the first ones, or all."""
        if options["sample"] is not None:
            items = drawn(items, options["sample"], options["seed"], part)
        return items[: options["limit"]]

    async def _turns(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        items = read_lines(options["source"] or str(SETS / "questions.jsonl"), "id", "messages", "truth")
        now = clock(options["now"])

        async def hold(item: dict[str, Any]) -> list[turns.TurnScore]:
            talk = Talk(agent, item.get("assistant", ""), now)
            return turns.score(item, [await talk.say(message) for message in item["messages"]])

        items = self._drawn(items, options)
        self.turns = sum(len(item["messages"]) for item in items)
        scored = await at_once(hold, items, options["at_once"])
        scores = [one for conversation in scored for one in conversation]
        return turns.report(scores), turns.table(scores)

    async def _articles(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        items = read_lines(options["source"] or str(SETS / "articles.jsonl"), "id", "question", "articles", "fact")
        now = clock(options["now"])

        async def ask(item: dict[str, Any]) -> articles.ArticleScore:
            return await articles.ask(agent, item, now)

        scores = await at_once(ask, self._drawn(items, options), options["at_once"])
        return articles.report(scores), articles.table(scores)

    async def _parsing(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        sources = [options["source"]] if options["source"] else [str(SETS / name) for name in parsing.SETS]
        items = [item for source in sources for item in read_lines(source, "id", "gold")]
        return await parsing.evaluate(agent, self._drawn(items, options), clock(options["now"]))

    async def _reading(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        sources = [options["source"] or str(SETS / "reading" / HELD_OUT)]
        items = [item for source in sources for item in read_lines(source, "id", "passage", "yesno")]
        return await reading.evaluate(agent.language, self._drawn(items, options))

    async def _lists(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        items = read_lines(options["source"] or str(SETS / "lists.jsonl"), "id", "question", "yes")
        return await lists.evaluate(agent.engine, self._drawn(items, options))

    async def _injection(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        fields = ("id", "family", "text", "attack", "question", "type", "options", "truth", "wanted")
        items = read_lines(options["source"] or str(SETS / "injection.jsonl"), *fields)
        return await injection.evaluate(agent.language, self._drawn(items, options))

    async def _dialogue(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        now = clock(options["now"])
        if options["source"]:
            items = self._drawn(read_lines(options["source"], "id", "assistant", "turns"), options)
            scores = await at_once(lambda item: simulation_run.replay(agent, item, now), items, options["at_once"])
            self.turns = sum(len(item["turns"]) for item in items)
            return dialogue.report(scores), dialogue.table(scores)
        goals = [Goal.of(item) for item in read_lines(str(SETS / "goals.jsonl"), "id", "assistant", "tasks")]
        told = self._drawn([goal for goal in goals if goal.id.startswith(options["only"])], options)
        chosen = [varied for goal in told for varied in variations(goal, options["variations"])]
        held = await at_once(lambda goal: simulation_run.hold(agent, goal, now), chosen, options["at_once"])
        self.turns = sum(len(one.turns) for one in held)
        return simulation_run.report(held), simulation_run.table(held)

    async def _marking(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        items = marking.messages([options["source"] or SETS / "marking" / "held.txt"])
        return marking.evaluate(Tagger.load(), self._drawn(items, options))

    async def _star(self, agent: Agent, options: dict[str, Any]) -> tuple[dict[str, Any], str]:
        if not options["dialogues"] or not options["task"]:
            raise CommandError("star needs --dialogues, a folder of STAR's files, and --task, which worksheets.")
        now, files = clock(options["now"]), self._drawn(star.dialogues(options["dialogues"]), options)

        async def follow(file: tuple[str, list[star.Event]]) -> list[star.Prediction]:
            return await star.predict(agent, options["task"], *file, now)

        found = [one for predictions in await at_once(follow, files, options["at_once"]) for one in predictions]
        return star.report(found), star.table(found)
