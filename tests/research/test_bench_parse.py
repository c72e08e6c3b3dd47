"""Two parsers beside each other: figures of both by set, and the messages that one of them reads better."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from hybridchat.research import bench_parse
from hybridchat.research.bench_parse import COLUMNS, Compared, Parse
from hybridchat.research.query_slots import Verdict

RIGHT = Parse(["SELECT 1"], Verdict(strict=True, lenient=True, wrong=(), structure=True), 20)
WISH = Parse(["SELECT 2"], Verdict(strict=False, lenient=True, wrong=("-~quiet",), structure=True), 40)
NEITHER = Parse([], Verdict(strict=False, lenient=False, wrong=("no query",)), 60)


def compared(*parses: Parse, of: str = "crowd", assistant: str = "restaurants") -> Compared:
    return Compared("k1", of, assistant, "somewhere quiet", list(parses))


def test_figures_are_percentages_of_each_parser() -> None:
    told = bench_parse.report([compared(RIGHT, WISH), compared(RIGHT, NEITHER)])["figures"]["crowd restaurants"]
    assert told["messages"] == 2
    assert told["rules"] == {"exact": 100, "lenient": 100, "structure": 100, "ms": 20}
    assert told["catalogue"] == {"exact": 0, "lenient": 50, "structure": 50, "ms": 50}


def test_only_messages_that_one_parser_reads_better_are_told() -> None:
    report = bench_parse.report([compared(RIGHT, RIGHT), compared(RIGHT, WISH), compared(NEITHER, NEITHER)])
    text = bench_parse.table(report)
    assert [one["parses"][1]["wrong"] for one in report["differences"]] == [("-~quiet",)]
    assert "rules      right" in text
    assert "catalogue  -~quiet" in text


def test_sets_and_assistants_have_lines_of_their_own() -> None:
    found = [compared(RIGHT, WISH), compared(RIGHT, WISH, of="courses", assistant="courses")]
    assert list(bench_parse.report(found)["figures"]) == ["crowd restaurants", "courses", "all"]


async def test_later_messages_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    async def queries(agent: object, item: dict[str, Any], now: object) -> list[str]:
        asked.append(item["id"])
        return []

    monkeypatch.setattr(bench_parse, "queries", queries)
    items = [{"id": "a", "messages": ["hi"], "gold": "none"}, {"id": "b", "messages": ["hi", "more"], "gold": "none"}]
    agents: list[Any] = [object(), object()]
    found = await bench_parse.compare(agents, items, datetime.now)
    assert [one.id for one in found] == ["a"]
    assert len(found[0].parses) == len(COLUMNS)


def test_the_command_wants_to_be_told_that_both_are_compared() -> None:
    with pytest.raises(CommandError, match="--both"):
        call_command("bench", "parse")
