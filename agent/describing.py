"""A query with its description: what the page shows of it and lets the user take away."""

from __future__ import annotations

from collections.abc import Mapping

from agent.language.tasks import Parsed, Question
from agent.record import Constraint, Query
from agent.suql import Catalogue, describe

DETAILS = ("detail", "comparison")  # about rows already known: nothing in them is a condition one could take away


def described(
    question: Question, parsed: Parsed, suql: str, catalogue: Catalogue, titles: Mapping[str, str] | None = None
) -> Query:
    """The query as it is stored; its description names the entities in `titles`. `suql` has been checked."""
    description = describe(suql, catalogue, titles)
    removable = () if parsed.presentation in DETAILS else description.constraints
    return Query(
        question=question,
        parsed=parsed,
        suql=suql,
        description=description.text,
        parts=description.parts,
        constraints=tuple(Constraint(id=item.id, label=item.label) for item in removable),
    )
