"""Scores conversations over the sample corpus against the rows that truly satisfy each question.

A set is a JSON-lines file of `{"id", "assistant", "messages": […], "truth": [[key, …], …]}`: for each message the
entities (restaurant and article slugs, course codes) that satisfy it, `[]` where nothing does, and `null` where the
message is not a question for the corpus. Rows got by relaxing a question count as an honest "nothing".
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

PAPER = {
    "suql_turn_accuracy": "  (SUQL, table 5: 0.938 single questions, 0.903 conversations;"
    " linearization 1: 0.570, 0.634; linearization 3: 0.497, 0.619)",
    "suql_false_negatives": "  (SUQL, section 6.2.2: 0.14 single questions, 0.09 conversations)",
}
"""What the authors report, on their own corpus and questions, to stand beside ours."""


@dataclass(frozen=True, slots=True)
class TurnScore:
    """One message: what came back, what would have been right. `nothing` marks questions that no row satisfies.

    `missed` are the entities that satisfy it and did not come back (a query with a LIMIT leaves some out), `hits`
    those that did; `error` is what went wrong, which is never the same as finding nothing.
    """

    id: str
    message: str
    returned: tuple[str, ...]
    right: int
    wanted: int
    missed: tuple[str, ...]
    nothing: bool
    relaxed: bool
    suql: str
    seconds: float
    calls: int
    error: str
    hits: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        """The share of the returned rows that are right; an unanswered question has none."""
        return self.right / len(self.returned) if self.returned and not self.relaxed else 0.0

    @property
    def recall(self) -> float:
        """The share of the entities that satisfy the question that came back."""
        found = self.wanted - len(self.missed)
        return found / self.wanted if self.wanted and not self.relaxed else 0.0

    @property
    def honest(self) -> bool:
        """For a question nothing satisfies: it said so, or said what it dropped to find something else."""
        return not self.error and (not self.returned or self.relaxed)


def score(item: dict[str, Any], reports: Iterable[dict[str, Any]]) -> list[TurnScore]:
    """The scores of one conversation's questions."""
    scores = []
    for message, truth, report in zip(item["messages"], item["truth"], reports, strict=True):
        if truth is None:
            continue
        queries = report["queries"]
        returned = tuple(key for query in queries for key in query["keys"] if key)
        scores.append(
            TurnScore(
                id=f"{item['id']}.{report['turn']}",
                message=message,
                returned=returned,
                right=sum(key in truth for key in returned),
                wanted=len(truth),
                missed=tuple(key for key in truth if key not in returned),
                nothing=not truth,
                relaxed=any(query["relaxed"] for query in queries),
                suql="; ".join(query["suql"] for query in queries),
                seconds=sum(query["usage"]["seconds"] for query in queries),
                calls=int(sum(query["usage"]["calls"] for query in queries)),
                error=report["error"] or "",
                hits=tuple(dict.fromkeys(key for key in returned if key in truth)),
            )
        )
    return scores


def summary(scores: list[TurnScore]) -> dict[str, Any]:
    """The figures: turn accuracy (rows pooled, and averaged over questions), and honesty where nothing satisfies.

    Recall is the share of the satisfying entities that came back, averaged over questions.
    """
    answerable = [one for one in scores if not one.nothing]
    none = [one for one in scores if one.nothing]
    rows = sum(max(len(one.returned), 1) for one in answerable)
    return {
        "questions": len(answerable),
        "turn_accuracy": _share(sum(one.right for one in answerable if not one.relaxed), rows),
        "mean_accuracy": _share(sum(one.share for one in answerable), len(answerable)),
        "mean_recall": _share(sum(one.recall for one in answerable), len(answerable)),
        **suql_formula(scores),
        "errors": sum(1 for one in scores if one.error),
        "unanswered": sum(1 for one in answerable if not one.returned or one.relaxed),
        "none_questions": len(none),
        "none_honest": _share(sum(one.honest for one in none), len(none)),
        "calls": sum(one.calls for one in scores),
        "seconds": round(sum(one.seconds for one in scores), 2),
    }


def suql_formula(scores: list[TurnScore]) -> dict[str, float]:
    """The figures as SUQL's authors have them (section 6.2.2): true over true and false positives, an entity counted
    once in a conversation, and an empty answer not at all; and of all turns that search, the share of those that came
    back empty although something satisfies them. Rows found by asking for less count as returned."""
    seen: set[tuple[str, str]] = set()
    right = returned = 0
    for one in scores:
        talk = one.id.rpartition(".")[0]
        fresh = [key for key in dict.fromkeys(one.returned) if (talk, key) not in seen]
        seen |= {(talk, key) for key in fresh}
        returned += len(fresh)
        right += sum(key in one.hits for key in fresh)
    missed = sum(1 for one in scores if not one.nothing and not one.returned)
    return {"suql_turn_accuracy": _share(right, returned), "suql_false_negatives": _share(missed, len(scores))}


def table(scores: list[TurnScore]) -> str:
    """A line per question, then the figures: for a person to read."""
    lines = [
        f"{one.id:10} {one.right:2}/{len(one.returned):<2} {'relaxed ' if one.relaxed else ''}"
        f"{'none    ' if one.nothing else ''}{one.message}" + (f"  ({one.error})" if one.error else "")
        for one in scores
    ]
    figures = [f"{name:20} {value}{PAPER.get(name, '')}" for name, value in summary(scores).items()]
    return "\n".join([*lines, "", *figures])


def report(scores: list[TurnScore]) -> dict[str, Any]:
    """The same as JSON."""
    return {"summary": summary(scores), "turns": [asdict(one) for one in scores]}


def _share(part: float, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
