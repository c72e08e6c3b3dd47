"""Scores a reader on passages with labelled questions: Yes, No and no info, and short answers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from agent.protocols.reading import AnswerRequest, Passage, Reader

LABELS = ("Yes", "No", "no info")
BATCH = 64


async def evaluate(reader: Reader, items: list[dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """The report and the same for a person to read.

    Items are `{"id", "passage", "yesno": [{"q", "a", "why"}], "spans": [{"q", "a"}]}`.
    """
    judged = [(item, question) for item in items for question in item["yesno"]]
    asked = [(item, question) for item in items for question in item.get("spans", ())]
    values = [value async for value in _answers(reader, [(item["passage"], one["q"]) for item, one in judged + asked])]
    verdicts = [
        (item.get("domain", ""), one, value or "no info") for (item, one), value in zip(judged, values, strict=False)
    ]
    report = {
        "questions": len(verdicts),
        "accuracy": _accuracy(verdicts),
        "yes_precision": _precision(verdicts, "Yes"),
        "no_precision": _precision(verdicts, "No"),
        "by_domain": {name: _accuracy(group) for name, group in _grouped(verdicts, lambda one: one[0])},
        "by_kind": {name: _accuracy(group) for name, group in _grouped(verdicts, lambda one: one[1].get("why", ""))},
        "confusion": {gold: _given(verdicts, gold) for gold in LABELS},
        "short_answers": len(asked),
        "short_answer_f1": _mean(
            [_overlap(value or "", one["a"]) for (_, one), value in zip(asked, values[len(judged) :], strict=True)]
        ),
    }
    return report, _table(report)


async def _answers(reader: Reader, asked: list[tuple[str, str]]) -> Any:
    for start in range(0, len(asked), BATCH):
        batch = asked[start : start + BATCH]
        requests = [AnswerRequest(question=question, passages=(Passage(text=text),)) for text, question in batch]
        for reply in await reader.answer(requests):
            yield reply.value


Verdict = tuple[str, dict[str, Any], str]


def _accuracy(verdicts: list[Verdict]) -> float:
    return _mean([float(one["a"] == value) for _, one, value in verdicts])


def _precision(verdicts: list[Verdict], label: str) -> float:
    return _accuracy([verdict for verdict in verdicts if verdict[2] == label])


def _given(verdicts: list[Verdict], gold: str) -> dict[str, int]:
    given = Counter(value if value in LABELS else "other" for _, one, value in verdicts if one["a"] == gold)
    return {label: given[label] for label in (*LABELS, "other")}


def _grouped(verdicts: list[Verdict], of: Any) -> Iterator[tuple[str, list[Verdict]]]:
    for name in sorted({of(verdict) for verdict in verdicts}):
        yield name, [verdict for verdict in verdicts if of(verdict) == name]


def _overlap(given: str, gold: str) -> float:
    """F1 over words, as question answering measures it (Rajpurkar et al. 2016)."""
    left, right = (Counter(re.findall(r"[a-z0-9]+", text.lower())) for text in (given, gold))
    shared = sum((left & right).values())
    return 2 * shared / (left.total() + right.total()) if shared else 0.0


def _mean(values: list[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def _table(report: dict[str, Any]) -> str:
    lines = [f"{name:18} {report[name]}" for name in ("questions", "accuracy", "yes_precision", "no_precision")]
    lines += [f"{'short answers':18} {report['short_answers']}  F1 {report['short_answer_f1']}", ""]
    lines += [f"  {name:16} {value:.1%}" for part in ("by_domain", "by_kind") for name, value in report[part].items()]
    lines += ["", f"{'gold, given':12}" + "".join(f"{label:>9}" for label in (*LABELS, "other"))]
    lines += [
        f"{gold:12}" + "".join(f"{count:9}" for count in row.values()) for gold, row in report["confusion"].items()
    ]
    return "\n".join(lines)
