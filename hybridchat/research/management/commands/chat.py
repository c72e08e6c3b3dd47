"""`manage.py chat`: the chat in a terminal, or many conversations from a file."""

from __future__ import annotations

import asyncio
import json
import sys
from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from agent.suql import Budget
from corpora.loading.installing import prepare
from hybridchat.agents import agent_for
from hybridchat.guard.agent import GuardedAgent
from hybridchat.guard.fork_server import fork_server
from hybridchat.research.commands import (
    Failures,
    add_assistant,
    add_language,
    add_system,
    add_understanding,
    at_once,
    check_assistant,
    check_assistants,
    clock,
    spoken,
)
from hybridchat.research.lines import flaw, read_lines, write_lines
from hybridchat.systems import arranged
from hybridchat.talk import Talk

AT_ONCE = 4
LONGEST = 300.0  # seconds that one step of a turn may take; nobody waits for a line of a batch, but the next one does


class Command(BaseCommand):
    help = "Chat in the terminal, answer given messages (--message), or run conversations from a file (--in)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_assistant(parser)
        add_language(parser)
        add_understanding(parser)
        add_system(parser)
        parser.add_argument("--message", action="append", help="a message; repeat it for a conversation")
        parser.add_argument("--json", action="store_true", help="print one JSON object per turn")
        parser.add_argument("--now", help="the conversation's clock, such as 2026-11-20T10:00")
        parser.add_argument("--in", dest="source", help='file of lines {"id","assistant","messages":[…]}')
        parser.add_argument("--out", default="-", help="output file for --in (default: standard output)")

    def handle(self, **options: Any) -> None:
        prepare()
        options["assistant"] = check_assistant(options["assistant"])
        conversations = read_lines(options["source"], "id", "messages") if options["source"] else []
        conversations = check_assistants(conversations, options["assistant"])
        if options["source"]:
            asyncio.run(self._many(options, conversations))
        else:
            agent = arranged(agent_for(spoken(options), patient=True), options["system"])
            asyncio.run(self._one(Talk(agent, options["assistant"], clock(options["now"])), options))

    async def _many(self, options: dict[str, Any], conversations: list[dict[str, Any]]) -> None:
        language, budget = spoken(options) or settings.LANGUAGE_BACKEND, Budget(seconds=None, calls=None)
        system = options["system"]
        idle = [GuardedAgent(language, fork_server().beside(), budget, LONGEST, system) for _ in range(AT_ONCE)]

        async def hold(item: dict[str, Any]) -> list[dict[str, Any]]:
            mine, turns = idle.pop(), []
            talk = Talk(mine, item["assistant"], clock(options["now"]))
            for number, message in enumerate(item["messages"], start=1):
                try:
                    turns.append({"id": item["id"], **await talk.say(message)})
                except Exception as error:  # one message must end neither its conversation nor the batch
                    problem = failures.said(f"{item['id']}, message {number}", error)
                    turns.append({"id": item["id"], "turn": number, "user": message, "agent": "", "error": problem})
            idle.append(mine)
            return turns

        failures = Failures(self, options["source"])
        turns = await at_once(hold, conversations, AT_ONCE)
        write_lines(options["out"], (turn for conversation in turns for turn in conversation))
        failures.settle()

    async def _one(self, talk: Talk, options: dict[str, Any]) -> None:
        for message in options["message"] or _typed(prompt=not options["json"]):
            if held := flaw(message):
                raise CommandError(f"The message holds {held}.")
            report = await talk.say(message)
            self.stdout.write(json.dumps(report, ensure_ascii=False) if options["json"] else _readable(report))
            self.stdout.flush()


def _typed(*, prompt: bool) -> Iterable[str]:
    """Messages from standard input, one a line; with a prompt where a person types them."""
    while True:
        if prompt and sys.stdin.isatty():
            sys.stdout.write("> ")
            sys.stdout.flush()
        try:
            line = sys.stdin.readline()
        except UnicodeDecodeError as error:
            raise CommandError(f"What is typed has to be UTF-8: {error}.") from error
        if not line:
            return
        if line.strip():
            yield line.strip()


def _readable(report: dict[str, Any]) -> str:
    searched = [f"  I searched for {query['description']}" for query in report["queries"] if query["description"]]
    return "\n".join([report["agent"], *searched, ""])
