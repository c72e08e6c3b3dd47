"""Scores what the reader makes of whole lists of reviews: one question, asked of every restaurant of the sample.

A set is a JSON-lines file of `{"id", "question", "yes", "no", "unclear"}`: the slugs of the restaurants whose reviews
say yes, those whose reviews say no, and those that can be seen either way, which are not scored. All others say
nothing of it. A query finds a restaurant only if its list is read as Yes: recall here bounds what queries can find.
"""

from __future__ import annotations

from typing import Any

from agent.suql import Budget, Engine

UNBOUNDED = Budget(calls=None, seconds=None)  # what is scored is the reader, not how busy the machine is


async def evaluate(engine: Engine, items: list[dict[str, Any]]) -> tuple[dict[str, Any], str]:
    """The report and the same for a person to read."""
    rows = [score(item, await _answers(engine, item["question"])) for item in items]
    found, said, wanted = (sum(row[name] for row in rows) for name in ("found", "said_yes", "yes"))
    report = {"questions": len(rows), "precision": _share(found, said), "recall": _share(found, wanted), "rows": rows}
    return report, _table(report)


def score(item: dict[str, Any], answers: dict[str, str | None]) -> dict[str, Any]:
    """One question: how many of the restaurants that say yes were read so, which were missed, which wrongly taken."""
    yes, no, unclear = (set(item.get(name, ())) for name in ("yes", "no", "unclear"))
    said_yes = {slug for slug, answer in answers.items() if answer == "Yes"} - unclear
    said_no = {slug for slug, answer in answers.items() if answer == "No"} - unclear
    return {
        "id": item["id"],
        "question": item["question"],
        "yes": len(yes),
        "said_yes": len(said_yes),
        "found": len(said_yes & yes),
        "precision": _share(len(said_yes & yes), len(said_yes)),
        "recall": _share(len(said_yes & yes), len(yes)),
        "missed": sorted(yes - said_yes),
        "wrong_yes": sorted(said_yes - yes),
        "wrong_no": sorted(said_no - no),
    }


async def _answers(engine: Engine, question: str) -> dict[str, str | None]:
    quoted = question.replace("'", "''")
    result = await engine.run(f"SELECT slug, answer(reviews, '{quoted}') AS said FROM restaurants", budget=UNBOUNDED)
    if not result.complete:
        raise ValueError(f"Not every list was read, so there is nothing to score: {' '.join(result.notes)}")
    return {row.values["slug"]: row.values["said"] for row in result.rows}


def _table(report: dict[str, Any]) -> str:
    lines = []
    for row in report["rows"]:
        lines.append(f"{row['id']:6} precision {row['precision']:.2f}  recall {row['recall']:.2f}  {row['question']}")
        lines += [
            f"       {name.replace('_', ' ')}: {', '.join(row[name])}"
            for name in ("missed", "wrong_yes", "wrong_no")
            if row[name]
        ]
    return "\n".join([*lines, "", *(f"{name:12} {report[name]}" for name in ("questions", "precision", "recall"))])


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
