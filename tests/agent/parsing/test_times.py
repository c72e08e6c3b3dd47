"""When meetings of courses may start and must be over, in the words of somebody's day."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Condition
from agent.parsing.parser import BuiltinParser


def times(parser: BuiltinParser, words: str) -> list[str]:
    """The bounds on times of a message, and which of them are denied."""
    return [
        f"{'not ' if node.negated else ''}{node.column} {node.op} {node.values[0]}"
        for node in parser.frame(words, ("courses",)).where
        if isinstance(node, Condition) and node.column in ("start_time", "end_time")
    ]


@pytest.mark.parametrize(
    ("words", "bounds"),
    [
        ("my practice ends at 10, so nothing before 11 please, spring", ["start_time >= 11:00"]),
        ("courses on ethics, I'm available only from 1 on", ["start_time >= 13:00"]),
        ("I'm at the lab until 2. Ethics courses?", ["start_time >= 14:00"]),
        ("I have to catch a train at 5. Ethics courses?", ["end_time <= 17:00"]),
        ("ethics courses that are over by 4", ["end_time <= 16:00"]),
        ("an ethics course between 10 and 1", ["start_time >= 10:00", "end_time <= 13:00"]),
        ("nothing that runs past 5pm, spring", ["end_time <= 17:00"]),
        ("no 8ams, spring", ["not start_time = 08:00"]),
        ("my job ends at noon every day so I can't do anything before 1, spring", ["start_time >= 13:00"]),
        ("an ethics class that isn't at 9 in the morning", ["not start_time = 09:00"]),
        ("an ethics class at 8 in the evening", ["start_time = 20:00"]),
        ("ethics, done by 8 at night", ["end_time <= 20:00"]),
        ("ethics courses that are not full and dont start before 10", ["start_time >= 10:00"]),
        ("an ethics class that doesnt start before 10", ["start_time >= 10:00"]),
        ("courses with 3 to 5 units", []),
        ("between 5 and 10 hours a week", []),
    ],
)
def test_bounds_on_times(parser: BuiltinParser, words: str, bounds: list[str]) -> None:
    assert times(parser, words) == bounds
