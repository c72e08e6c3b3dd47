"""Scores single questions to the help articles: the right article, the key fact in the reply, and an honest "no".

A set is a JSON-lines file of `{"id", "question", "articles": [slug, …], "fact": pattern, "part"}`; `articles` is empty
where no article answers. `part` is "tune" or "held": what was tuned is read off one half and believed of the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from agent.turn import Agent
from hybridchat.talk import Talk

ASSISTANT = "services"


@dataclass(frozen=True, slots=True)
class ArticleScore:
    """One question. `said`: the key fact is in the reply; `refused`: nothing was given for an answer."""

    id: str
    part: str
    question: str
    answerable: bool
    article: str
    right: bool
    said: bool
    refused: bool
    reply: str


async def ask(agent: Agent, item: dict[str, Any], now: Callable[[], datetime]) -> ArticleScore:
    """One question, asked as the first message of a conversation."""
    turn = await Talk(agent, ASSISTANT, now).say(item["question"])
    rows = [row for query in turn["queries"] for row in query["rows"]]
    keys = [key for query in turn["queries"] for key in query["keys"] if key]
    answered = any(value for row in rows for name, value in row.items() if name.startswith("answer"))
    return ArticleScore(
        id=item["id"],
        part=item.get("part", ""),
        question=item["question"],
        answerable=bool(item["articles"]),
        article=keys[0] if keys else "",
        right=bool(keys) and keys[0] in item["articles"],
        said=bool(item["articles"]) and re.search(item["fact"], turn["agent"]) is not None,
        refused=not answered,
        reply=turn["agent"],
    )


def summary(scores: list[ArticleScore]) -> dict[str, dict[str, str]]:
    """By part: how many questions got the right article and the fact, and how many unanswerable ones an honest no."""
    found: dict[str, dict[str, str]] = {}
    for part in sorted({one.part for one in scores}):
        asked = [one for one in scores if one.part == part and one.answerable]
        beyond = [one for one in scores if one.part == part and not one.answerable]
        found[part] = {
            "right article": f"{sum(one.right for one in asked)}/{len(asked)}",
            "key fact said": f"{sum(one.said for one in asked)}/{len(asked)}",
            "honest no": f"{sum(one.refused for one in beyond)}/{len(beyond)}",
        }
    return found


def table(scores: list[ArticleScore]) -> str:
    """A line for each question that went wrong, then the figures."""
    wrong = [one for one in scores if not (one.right and one.said if one.answerable else one.refused)]
    lines = [f"{one.id:5} {one.article or 'no article':34} {one.question}" for one in wrong]
    figures = [
        f"{part:5} {name:14} {share}" for part, shares in summary(scores).items() for name, share in shares.items()
    ]
    return "\n".join([*lines, "", *figures])


def report(scores: list[ArticleScore]) -> dict[str, Any]:
    """The same as JSON, with the replies."""
    return {"summary": summary(scores), "questions": [asdict(one) for one in scores]}
