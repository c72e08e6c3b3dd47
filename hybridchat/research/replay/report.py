"""A replay as a report: for programs, and for people."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from hybridchat.chat.configurations import exported
from hybridchat.research.replay.differences import Difference, differences, times
from hybridchat.research.replay.models import Run


def report(run: Run) -> dict[str, Any]:
    """The run with its figures, and each turn before and after."""
    held = [(one, differences(one.turns)) for one in run.replayed.all()]
    compared = times([one for _, found in held for one in found])
    return {
        "run": str(run.pk),
        "what": run.what,
        "configuration": exported(run.configuration) if run.configuration else None,
        "summary": run.figures,
        "seconds": asdict(compared) if compared else None,
        "conversations": [
            {"source": one.source, "assistant": one.assistant, "turns": [asdict(turn) for turn in found]}
            for one, found in held
        ],
    }


def table(run: Run, everything: bool = False) -> str:
    """The turns that went otherwise (or all), then the figures."""
    lines = []
    found: list[Difference] = []
    for one in run.replayed.all():
        turns = differences(one.turns)
        shown = [line for turn in turns if turn.changed or not turn.known or everything for line in _lines(turn)]
        lines += [f"--- {one.source}", *shown, ""] if shown else []
        found += turns
    figures = [f"{name:16} {value}" for name, value in run.figures.items()]
    if (compared := times(found)) is not None:
        change, p = compared.difference, ", ".join(f"p {value:.3g} ({name})" for name, value in compared.p.items())
        figures.append(
            f"seconds a turn   {compared.first:.2f} before, {compared.second:.2f} now; difference {change.value:+.2f} "
            f"({change.low:+.2f} to {change.high:+.2f}), {p}"
        )
    return "\n".join([*lines, *figures])


def _lines(turn: Difference) -> list[str]:
    head = f"{turn.number:3} {turn.message}" + (f"   [{', '.join(turn.changed)}]" if turn.changed else "")
    lines = [head]
    for aspect in turn.changed if turn.known else ("parse", "reply"):
        if aspect == "rows":
            lines += [f"    - {key}" for key in turn.lost] + [f"    + {key}" for key in turn.found]
            continue
        before, after = turn.before[aspect], turn.after[aspect]
        if turn.known:
            lines += [f"    - {line}" for line in _each(before)]
        lines += [f"    + {line}" for line in _each(after)]
    return lines


def _each(value: Any) -> list[str]:
    return [line for one in (value if isinstance(value, list) else [value]) for line in str(one).splitlines()]
