"""How a turn that was held again differs from how it went before."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from hybridchat.research.statistics import Comparison, compare

ASPECTS = ("parse", "rows", "acts", "reply")


@dataclass(frozen=True, slots=True)
class Difference:
    """One turn before and after. `changed` are the aspects that differ; rows are named by their keys.

    Where nothing is known of before, `known` is False and nothing counts as changed.
    """

    number: int
    message: str
    known: bool
    changed: tuple[str, ...]
    before: dict[str, Any]
    after: dict[str, Any]
    lost: tuple[str, ...]
    found: tuple[str, ...]
    seconds: tuple[float | None, float]
    cost: tuple[float | None, float]


def difference(number: int, turn: dict[str, Any]) -> Difference:
    """Compare a replayed turn: `{"message", "before", "after", "seconds", "took", "cost"}`."""
    before, after = _told(turn["before"]), _told(turn["after"])
    known = turn["before"] is not None
    rows, now = set(before["rows"]), set(after["rows"])
    return Difference(
        number=number,
        message=turn["message"],
        known=known,
        changed=tuple(aspect for aspect in ASPECTS if known and before[aspect] != after[aspect]),
        before=before,
        after=after,
        lost=tuple(key for key in before["rows"] if key not in now),
        found=tuple(key for key in after["rows"] if key not in rows),
        seconds=(turn["seconds"], turn["took"]),
        cost=(turn.get("cost"), _cost(turn["after"])),
    )


def differences(turns: Iterable[dict[str, Any]]) -> list[Difference]:
    """Those of a conversation, in order."""
    return [difference(number, turn) for number, turn in enumerate(turns, start=1)]


FIGURES = (
    *("turns", "compared", *(f"same {aspect}" for aspect in ASPECTS), "errors", "errors before"),
    *("seconds a turn", "cost before", "cost"),
)
"""The figures of a replay, in the order in which they are read: what is stored as JSON has none."""


def figures(found: Sequence[Difference]) -> dict[str, float | int]:
    """The share of turns that stayed the same, by aspect, errors, and times."""
    known = [one for one in found if one.known]
    same = {
        f"same {aspect}": round(sum(aspect not in one.changed for one in known) / len(known), 4)
        for aspect in ASPECTS
        if known
    }
    errors = {"errors": sum(bool(one.after["error"]) for one in found)}
    if known:
        errors["errors before"] = sum(bool(one.before["error"]) for one in known)
    took = [one.seconds[1] for one in found]
    times = {"seconds a turn": round(sum(took) / len(took), 3)} if took else {}
    costs = {"cost before": sum(one.cost[0] or 0.0 for one in known)} if known else {}
    costs["cost"] = sum(one.cost[1] for one in found)
    return {"turns": len(found), "compared": len(known), **same, **errors, **times, **costs}


def times(found: Sequence[Difference]) -> Comparison | None:
    """Seconds a turn before and after, compared in pairs; None where they are not known."""
    pairs = [one.seconds for one in found if one.seconds[0] is not None]
    return compare([before or 0.0 for before, _ in pairs], [after for _, after in pairs]) if pairs else None


def _told(report: dict[str, Any] | None) -> dict[str, Any]:
    """What is compared of a turn's report."""
    report = report or {"queries": [], "acts": [], "agent": "", "error": None}
    return {
        "parse": [query["suql"] for query in report["queries"]],
        "rows": list(dict.fromkeys(key for query in report["queries"] for key in query["keys"] if key)),
        "acts": [" ".join(filter(None, (act["act"], act["worksheet"], act["field"]))) for act in report["acts"]],
        "reply": report["agent"],
        "error": report["error"],
    }


def _cost(report: dict[str, Any]) -> float:
    """US dollars of a turn: of all its calls where they were counted here, else of its queries."""
    told = [report] if "usage" in report else report["queries"]
    return float(sum(one.get("usage", {}).get("cost", 0.0) for one in told))
