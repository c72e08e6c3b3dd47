"""What personal data an export would meet, to look at before it is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any
from uuid import UUID

from hybridchat.research.exports.choosing import Filters, chosen
from hybridchat.research.exports.participations import collected, wrote_questions
from hybridchat.research.exports.personal import Finding, findings
from hybridchat.research.exports.records import conversations, facts

SLICE = 50
EXAMPLES = 100
LOOKED_AT = 1_000  # conversations


@dataclass(frozen=True, slots=True)
class Preview:
    """What was found in so many conversations (the newest, where there are more), or by who wrote questions without a
    conversation, and examples of it."""

    conversations: int
    counts: dict[str, int]
    examples: tuple[Finding, ...]


def preview(filters: Filters, most: int = LOOKED_AT) -> Preview:
    """What is personal in the newest conversations that the filters choose."""
    newest = chosen(filters).order_by("-created", "-pk").values_list("pk", flat=True)[:most]
    found: Counter[str] = Counter()
    examples: list[Finding] = []
    keys = list(newest)
    for record in chain(_conversations(keys), _collected(filters, most)):
        told = findings(record)
        found.update(one.kind for one in told)
        examples += told[: EXAMPLES - len(examples)]
    return Preview(len(keys), dict(found), tuple(examples))


def _conversations(keys: list[UUID]) -> Iterator[dict[str, Any]]:
    for start in range(0, len(keys), SLICE):
        few = chosen(Filters(conversations=tuple(map(str, keys[start : start + SLICE]))))
        yield from (record for _, record in conversations(few))


def _collected(filters: Filters, most: int) -> Iterator[dict[str, Any]]:
    yield from (record for _, record in collected(wrote_questions(filters)[:most], facts))
