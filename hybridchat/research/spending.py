"""What a language model took for an evaluation: calls and tokens, in all, by task, and per turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from agent.protocols.reading import CallRecord


def spending(calls: Sequence[CallRecord], turns: int = 0) -> dict[str, Any]:
    """Return the figures; none where no model was called. `turns` is how many messages the calls were made for."""
    if not calls:
        return {}
    tokens = sum(call.prompt_tokens + call.completion_tokens for call in calls)
    spent: dict[str, Any] = {
        "calls": len(calls),
        "tokens": tokens,
        "cost": round(sum(call.cost for call in calls), 4),
        "calls by task": dict(Counter(call.task for call in calls).most_common()),
    }
    if turns:
        spent |= {"turns": turns, "calls per turn": round(len(calls) / turns, 2), "tokens per turn": tokens // turns}
    return spent


def spending_lines(spent: dict[str, Any]) -> list[str]:
    """Return the figures for people, below a table."""
    if not spent:
        return []
    tasks = ", ".join(f"{task} {count:,}" for task, count in spent["calls by task"].items())
    lines = ["", f"the model: {spent['calls']:,} calls ({tasks}), {spent['tokens']:,} tokens, ${spent['cost']:.2f}"]
    if "turns" in spent:
        per = f"{spent['calls per turn']} calls and {spent['tokens per turn']:,} tokens"
        lines.append(f"each of {spent['turns']:,} turns: {per}")
    return lines
