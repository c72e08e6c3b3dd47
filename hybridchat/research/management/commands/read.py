"""`manage.py read`: questions on texts, answered by the reader alone."""

from __future__ import annotations

import asyncio
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from agent.protocols.reading import AnswerRequest, Passage, Reader
from agent.text.values import AnswerType
from corpora.loading.installing import prepare
from hybridchat.agents import agent_for
from hybridchat.research.commands import Failures, add_language
from hybridchat.research.lines import read_lines, write_lines

AT_ONCE = 32


class Command(BaseCommand):
    help = 'Convert lines {"id","texts","question"} to {"id","answer"}: Yes, No, no info, or a short answer.'

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--in", dest="source", required=True)
        parser.add_argument("--out", default="-")
        add_language(parser)

    def handle(self, **options: Any) -> None:
        prepare()
        items = read_lines(options["source"], "id", "texts", "question")
        reader, failures = agent_for(options["language"], patient=True).language, Failures(self, options["source"])
        write_lines(options["out"], asyncio.run(answer_all(reader, items, failures)))
        failures.settle()


async def answer_all(reader: Reader, items: list[dict[str, Any]], failures: Failures) -> list[dict[str, Any]]:
    """One `{"id","answer"}` per `{"id","texts","question"}`; what the texts do not say is "no info"."""
    answers = []
    for start in range(0, len(items), AT_ONCE):
        batch = items[start : start + AT_ONCE]
        try:
            answers += await _answers(reader, batch)
        except Exception:  # which of them cannot be read shows when they are read one by one
            for item in batch:
                try:
                    answers += await _answers(reader, [item])
                except Exception as error:  # one line must not end the batch
                    answers.append({"id": item["id"], "answer": "", "error": failures.said(item["id"], error)})
    return answers


async def _answers(reader: Reader, items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    replies = await reader.answer([_request(item) for item in items])
    return [{"id": item["id"], "answer": reply.value or "no info"} for item, reply in zip(items, replies, strict=True)]


def _request(item: dict[str, Any]) -> AnswerRequest:
    texts = [item["texts"]] if isinstance(item["texts"], str) else item["texts"]
    passages = tuple(Passage(text=text, document=index) for index, text in enumerate(texts))
    return AnswerRequest(question=item["question"], passages=passages, type=AnswerType.TEXT)
