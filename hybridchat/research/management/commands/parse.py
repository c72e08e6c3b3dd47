"""`manage.py parse`: utterances to SUQL, nothing executed."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from typing import Any

from asgiref.sync import sync_to_async
from django.core.management.base import BaseCommand

from agent.record import TurnState
from corpora.loading.installing import prepare
from hybridchat.agents import agent_for, conversation_for
from hybridchat.research.commands import (
    Failures,
    add_assistant,
    add_language,
    add_understanding,
    at_once,
    check_assistant,
    check_assistants,
    clock,
    spoken,
)
from hybridchat.research.lines import read_lines, write_lines
from hybridchat.talk import ignore

AT_ONCE = 8


class Command(BaseCommand):
    help = 'Convert lines {"id","utterance"} to {"id","suql","description"}.'

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--in", dest="source", required=True)
        parser.add_argument("--out", default="-")
        parser.add_argument("--now", help="the clock, such as 2026-11-20T10:00")
        add_assistant(parser)
        add_language(parser)
        add_understanding(parser)

    def handle(self, **options: Any) -> None:
        prepare()
        now = clock(options["now"])
        items = check_assistants(
            read_lines(options["source"], "id", "utterance"), check_assistant(options["assistant"])
        )
        agent = agent_for(spoken(options), patient=True)
        failures = Failures(self, options["source"])

        async def parse(item: dict[str, Any]) -> dict[str, Any]:
            conversation = await sync_to_async(conversation_for)(item["assistant"], (), now())
            state = TurnState(message=item["utterance"], conversation=conversation)
            try:
                return _parsed(item, await agent.parse_turn(state, ignore))
            except Exception as error:  # one line must not end the batch
                return {"id": item["id"], "suql": "", "description": "", "error": failures.said(item["id"], error)}

        write_lines(options["out"], asyncio.run(at_once(parse, items, AT_ONCE)))
        failures.settle()


def _parsed(item: dict[str, Any], state: TurnState) -> dict[str, Any]:
    queries = [query for query in state.queries or () if query.suql]
    unread = state.understanding.unread if state.understanding else ""
    return {
        "id": item["id"],
        "suql": ";\n".join(query.suql for query in queries),
        "description": "; ".join(query.description for query in queries),
        "ask": state.understanding.ask if state.understanding else "",
        **({"unread": unread} if unread else {}),
    }
