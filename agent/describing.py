"""A query with its description: what the page shows of it and lets the user take away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from agent.language.tasks import Parsed, Question
from agent.record import Constraint, Query
from agent.suql import Catalogue, describe
from agent.suql.syntax import parse
from agent.suql.tree import inner

DETAILS = ("detail", "comparison")  # about rows already known: nothing in them is a condition one could take away


def described(
    question: Question, parsed: Parsed, suql: str, catalogue: Catalogue, titles: Mapping[str, str] | None = None
) -> Query:
    """The query as it is stored; its description names the entities in `titles`. `suql` has been checked."""
    description = describe(suql, catalogue, titles)
    removable = () if parsed.presentation in DETAILS else description.chips
    return Query(
        question=question,
        parsed=parsed,
        suql=suql,
        description=description.text,
        parts=description.parts,
        constraints=tuple(Constraint(id=item.id, label=item.label) for item in removable),
    )


def asked_of_texts(suql: str, columns: Sequence[str]) -> dict[str, str]:
    """The questions that a query puts to texts in its SELECT list, by the column that holds the answers."""
    selected = parse(suql).expressions if suql else []
    if len(selected) != len(columns):
        return {}  # a star, or set operations: nothing is told by its place
    calls = [(name, inner(one.unalias())) for name, one in zip(columns, selected, strict=True)]
    return {
        name: str(call.expressions[1].name)
        for name, call in calls
        if isinstance(call, exp.Anonymous) and call.name.lower() == "answer" and len(call.expressions) > 1
    }


def takes_the_first(suql: str) -> bool:
    """Whether a query wants the one row that comes first by its columns: "the cheapest"."""
    query = parse(suql) if suql else None
    limit, order = (query.args.get(name) for name in ("limit", "order")) if query is not None else (None, None)
    terms = [term.this for term in order.expressions] if order is not None else []
    by_columns = bool(terms) and all(isinstance(term, exp.Column) for term in terms)
    return by_columns and limit is not None and limit.expression.name == "1"
