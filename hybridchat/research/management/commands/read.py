"""`manage.py read`: questions on texts, answered by the reader alone."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from agent.language.tasks import AnswerRequest, AnswerType, Passage, Reader
from corpora.loading.installing import prepare
from hybridchat.agents import agent_for
from hybridchat.research.commands import add_language
from hybridchat.research.lines import read_lines, write_lines

AT_ONCE = 32


class Command(BaseCommand):
    help = 'Lines {"id","texts","question"} to {"id","answer"}: Yes, No, no info, or a short answer.'

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--in", dest="source", required=True)
        parser.add_argument("--out", default="-")
        add_language(parser)

    def handle(self, **options: Any) -> None:
        prepare()
        items = read_lines(options["source"], "id", "texts", "question")
        write_lines(
            options["out"], asyncio.run(answer_all(agent_for(options["language"], patient=True).language, items))
        )


async def answer_all(reader: Reader, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One `{"id","answer"}` per `{"id","texts","question"}`; what the texts do not say is "no info"."""
    answers = []
    for start in range(0, len(items), AT_ONCE):
        batch = items[start : start + AT_ONCE]
        replies = await reader.answer([_request(item) for item in batch])
        answers += [
            {"id": item["id"], "answer": reply.value or "no info"} for item, reply in zip(batch, replies, strict=True)
        ]
    return answers


def _request(item: dict[str, Any]) -> AnswerRequest:
    texts = [item["texts"]] if isinstance(item["texts"], str) else item["texts"]
    passages = tuple(Passage(text=text, document=index) for index, text in enumerate(texts))
    return AnswerRequest(question=item["question"], passages=passages, type=AnswerType.TEXT)
