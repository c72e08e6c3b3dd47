"""The task `parse` (stage 2): one question into SUQL."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from agent.backends.examples import Example
from agent.backends.prompted import context
from agent.backends.prompted.asking import Asker, Wire
from agent.language import Parsed, ParseRequest

_FENCE = re.compile(r"^```\w*\s*|\s*```$")
_SELECT = re.compile(r"^(?:SELECT|WITH)\b", re.IGNORECASE)


class Query(Wire):
    """The reply to the prompt `parse`."""

    thought: str
    suql: str
    presentation: Literal["list", "detail", "aggregate", "comparison", "article"]
    problem: str


async def parse(asker: Asker, request: ParseRequest, schema_text: str, examples: Sequence[Example] = ()) -> Parsed:
    """The query for a question, or none with the reason.

    Names, types and functions are checked by the engine, which knows them better; what it finds wrong comes back in
    `request.problem` for another attempt.
    """
    conversation = request.conversation
    messages = asker.prompts.render(
        "parse",
        schema_text=schema_text,
        now=context.clock(conversation),
        past=context.past(conversation),
        question=request.question.words,
        message=request.message,
        preferred=list(request.question.tables),
        previous=request.previous,
        problem=request.problem,
        examples=[{"message": one.message, "suql": one.suql} for one in examples],
    )
    return await asker.ask("parse", messages, Query, lambda query: _parsed(query, request))


def _parsed(query: Query, request: ParseRequest) -> Parsed:
    suql = _FENCE.sub("", query.suql.strip()).strip().rstrip(";").strip()
    if not suql and not query.problem.strip():
        raise ValueError("write a query in suql, or say in problem why there can be none")
    if suql and not _SELECT.match(suql):
        raise ValueError("suql has to be one SELECT statement")
    tables = tuple(t for t in request.conversation.tables if re.search(rf"\b{re.escape(t)}\b", suql))
    return Parsed(
        suql=suql, tables=tables, presentation=query.presentation, problem="" if suql else query.problem.strip()
    )
