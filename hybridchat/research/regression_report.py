"""Regression runs as JSON and as a table for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hybridchat.research.models import RegressionResult, RegressionRun
from hybridchat.research.regression import changes, tally


def report(run: RegressionRun) -> dict[str, Any]:
    """Return a run as JSON: how many passed, what changed since the one before, and every result."""
    changed = changes(run)
    return {
        "run": run.pk,
        "corpus": run.corpus,
        "language": run.language,
        "few_shot": run.few_shot,
        **tally(run),
        "before": changed.before.pk if changed.before else None,
        "broken": [one.case_id for one in changed.broken],
        "fixed": [one.case_id for one in changed.fixed],
        "new": [one.case_id for one in changed.new],
        "results": [_result(one) for one in run.results.select_related("case")],
    }


def table(reports: Sequence[dict[str, Any]]) -> str:
    """Return the reports for people; of two, one below the other and then side by side."""
    parts = [_table(one) for one in reports]
    if len(reports) > 1:
        parts.append(
            "\n".join(
                f"{_setting(one):26}{one['passed']} of {one['asked']}; "
                f"{one['fresh_passed']} of {one['fresh']} whose message is in no pair"
                for one in reports
            )
        )
    return "\n\n".join(parts)


def _result(one: RegressionResult) -> dict[str, Any]:
    return {
        "case": one.case_id,
        "question": one.case.messages[-1],
        "passed": one.passed,
        "reason": one.reason,
        "keys": one.keys,
        "suql": one.suql,
        "in_bank": one.in_bank,
        "seconds": one.seconds,
        "calls": one.calls,
    }


def _table(told: dict[str, Any]) -> str:
    lines = [
        f"{one['case']:6} {'passed' if one['passed'] else 'FAILED':7} {one['question']}"
        + (f"\n{'':15}{one['reason']}\n{'':15}{one['suql']}" if one["reason"] else "")
        for one in told["results"]
    ]
    lines += ["", f"{told['corpus']}, {told['language']}, {_setting(told)}: {told['passed']} of {told['asked']} passed"]
    if told["fresh"] != told["asked"]:
        lines.append(f"{told['fresh_passed']} of {told['fresh']} of those whose message is in no few-shot pair")
    if told["before"] is None:
        lines.append("There is no earlier run to compare with.")
    else:
        counted = ", ".join(f"{len(told[name])} {name}" for name in ("broken", "fixed", "new"))
        lines.append(f"Since run {told['before']}: {counted}.")
        lines += [f"  {name}: case {case}" for name in ("broken", "fixed") for case in told[name]]
    return "\n".join(lines)


def _setting(told: dict[str, Any]) -> str:
    return f"{'with' if told['few_shot'] else 'without'} few-shot pairs"
