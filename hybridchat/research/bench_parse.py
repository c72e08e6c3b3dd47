"""The two parsers of the builtin language beside each other, over messages with what they ask for."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import datetime
from itertools import product
from typing import Any

from agent.turn import Agent
from hybridchat.research.parsing import messages, queries, scorer
from hybridchat.research.query_slots import Verdict

SETS = ("restaurants", "crowd", "strangers", "varied")  # development sets with what each message asks for
COLUMNS = ("rules", "catalogue")
FIGURES = ("exact", "lenient", "structure")


@dataclass(frozen=True)
class Parse:
    """The queries of one message by one parser, how right they are, and the milliseconds they took."""

    suqls: list[str]
    verdict: Verdict
    milliseconds: float

    @property
    def figures(self) -> tuple[bool, bool, bool]:
        """Whether it is right, by FIGURES."""
        return self.verdict.strict, self.verdict.lenient, self.verdict.structure


@dataclass
class Compared:
    """One message of a set about an assistant, and what each parser makes of it, in the order of COLUMNS."""

    id: str
    set: str
    assistant: str
    message: str
    parses: list[Parse] = field(default_factory=list)

    @property
    def differs(self) -> bool:
        """Whether one parser is right where the other is wrong, exactly or in structure."""
        rules, catalogue = (parse.figures for parse in self.parses)
        return (rules[0], rules[2]) != (catalogue[0], catalogue[2])


async def compare(agents: list[Agent], items: list[dict[str, Any]], now: Callable[[], datetime]) -> list[Compared]:
    """Return each message that stands alone as the agents parse it, one after the other, so that their times can be
    compared."""
    score, found, alone = scorer(), [], [item for item in items if len(messages(item)) == 1]
    for item, agent in product(alone[:1], agents):
        await queries(agent, item, now)  # loads what is loaded once
    for item in alone:
        about = item.get("assistant", "restaurants")
        one = Compared(item["id"], item.get("set", ""), about, messages(item)[0])
        for agent in agents:
            begun = time.perf_counter()
            suqls = await queries(agent, item, now)
            one.parses.append(Parse(suqls, score(suqls, item["gold"]), (time.perf_counter() - begun) * 1000))
        found.append(one)
    return found


def report(found: list[Compared]) -> dict[str, Any]:
    """Return the figures of both parsers by set and assistant, and the messages that they read differently."""
    return {
        "figures": {name: _figures(part) for name, part in _parts(found)},
        "differences": [
            {**asdict(one), "parses": [_told(parse) for parse in one.parses]} for one in found if one.differs
        ],
    }


def _parts(found: list[Compared]) -> Iterator[tuple[str, list[Compared]]]:
    names = dict.fromkeys((one.set, one.assistant) for one in found)
    for set_name, assistant in names:
        part = [one for one in found if (one.set, one.assistant) == (set_name, assistant)]
        yield " ".join(filter(None, (set_name, "" if set_name == assistant else assistant))), part
    if len(names) > 1:
        yield "all", found


def _figures(part: list[Compared]) -> dict[str, Any]:
    columns: dict[str, Any] = {"messages": len(part)}
    for place, column in enumerate(COLUMNS):
        parses = [one.parses[place] for one in part]
        shares = (100 * statistics.mean(values) for values in zip(*(parse.figures for parse in parses), strict=True))
        columns[column] = {name: round(share, 1) for name, share in zip(FIGURES, shares, strict=True)}
        columns[column]["ms"] = round(statistics.median(parse.milliseconds for parse in parses), 1)
    return columns


def _told(parse: Parse) -> dict[str, Any]:
    return {"exact": parse.verdict.strict, "wrong": parse.verdict.wrong, "suql": "; ".join(parse.suqls)}


def table(told: dict[str, Any]) -> str:
    """Return the report for people: the messages that differ, and under them a line of figures a set."""
    lines = []
    for one in told["differences"]:
        lines.append(f"{one['id']:6} {one['message']}")
        for column, parse in zip(COLUMNS, one["parses"], strict=True):
            wrong = "right" if parse["exact"] else ", ".join(parse["wrong"])
            lines.append(f"  {column:10} {wrong}\n{'':13}{parse['suql']}")
    heads = (*FIGURES, "ms")
    lines += ["", f"{'':24}{'n':>5}" + "".join(f"{column:>{9 * len(heads)}}" for column in COLUMNS)]
    lines.append(" " * 29 + "".join(f"{head:>9}" for head in heads) * len(COLUMNS))
    for name, figures in told["figures"].items():
        numbers = (f"{figures[column][head]:9}" for column in COLUMNS for head in heads)
        lines.append(f"{name:24}{figures['messages']:5}" + "".join(numbers))
    return "\n".join(lines)
