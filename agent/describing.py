"""A query with its description: what the page shows of it and lets the user take away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlglot import exp

from agent.language import Parsed, Question
from agent.record import Constraint, Query
from agent.suql import Catalogue, describe
from agent.suql.syntax import parse
from agent.suql.tree import inner, write
from agent.text.english import listed

TIES, TIES_READ = 5, 2  # rows looked at for others in the first place; where texts have to be read for it
# What groups are ordered by, in words.
_MEASURES: dict[type[exp.Expr], str] = {
    exp.Count: "count",
    exp.Sum: "total",
    exp.Avg: "average",
}
DETAILS = ("detail", "comparison")  # about rows already known: nothing in them is a condition one could take away


def described(
    question: Question, parsed: Parsed, suql: str, catalogue: Catalogue, titles: Mapping[str, str] | None = None
) -> Query:
    """Return the query as it is stored; its description names the entities in `titles`. `suql` has been checked."""
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
    """Return the questions that a query puts to texts in its SELECT list, by the column that holds the answers."""
    selected = parse(suql).expressions if suql else []
    if len(selected) != len(columns):
        return {}  # a star, or set operations: nothing is told by its place
    calls = [(name, _first(one)) for name, one in zip(columns, selected, strict=True)]
    return {
        name: str(call.expressions[1].name)
        for name, call in calls
        if isinstance(call, exp.Anonymous) and call.name.lower() == "answer" and len(call.expressions) > 1
    }


def _first(selected: exp.Expr) -> exp.Expr:
    """What is selected; of several texts that are asked the same in turn, the question to the first."""
    node = inner(selected.unalias())
    return inner(node.this) if isinstance(node, exp.Coalesce) else node


def limit_of(suql: str) -> int | None:
    """Return how many rows a query wants at most; None if it wants all of them."""
    limit = parse(suql).args.get("limit") if suql else None
    return int(limit.expression.name) if limit is not None and limit.expression.name.isdigit() else None


def ordered_by(suql: str) -> tuple[str, ...] | None:
    """The columns that a query orders its rows by; None if the order is not by what it shows, or is not known."""
    if not suql:
        return None
    names = _ordering(parse(suql))
    return names if all(names) else None


def _ordering(tree: exp.Expr) -> tuple[str, ...]:
    """What each term of an order is called where it is shown, else ""."""
    order = tree.args.get("order")
    shown = {inner(one.this): one.alias for one in tree.expressions if isinstance(one, exp.Alias)}
    terms = [inner(term.this) for term in order.expressions] if order is not None else []
    return tuple(term.name if isinstance(term, exp.Column) else shown.get(term, "") for term in terms)


def takes_the_first(suql: str) -> tuple[str, ...]:
    """The columns by which the one row that a query wants comes first: "the cheapest"; empty for any other query."""
    return (ordered_by(suql) or ()) if limit_of(suql) == 1 else ()


def with_ties(suql: str) -> str:
    """Return a query that wants the one row that comes first as one that wants some of those after it too: others may
    be equal. Groups show what they are ordered by. Empty for any other query."""
    tree = parse(suql) if suql else None
    if limit_of(suql) != 1 or not isinstance(tree, exp.Select) or tree.args.get("offset") is not None:
        return ""
    if not takes_the_first(suql):
        order = tree.args.get("order")
        if order is None or tree.args.get("group") is None or tree.args.get("distinct") is not None:
            return ""
        term = inner(order.expressions[0].this)
        tree = tree.select(exp.alias_(term.copy(), _MEASURES.get(type(term), "value")))
    asks = any(str(call.this).lower() == "answer" for call in tree.find_all(exp.Anonymous))
    return write(tree.limit(TIES_READ if asks else TIES))


def ties(suql: str, rows: Sequence[Mapping[str, object]], titles: Sequence[str]) -> str:
    """Return who shares the first place of a query by what it orders by first, as a sentence; empty where nobody does,
    or it is not shown. Groups are named by what they show first."""
    column = _ordering(parse(suql))[0]
    first = rows[0].get(column) if rows else None
    names = [str(next(iter(row.values()))) for row in rows] if parse(suql).args.get("group") else titles
    same = [name for row, name in zip(rows, names, strict=True) if row.get(column) == first and name]
    others = list(dict.fromkeys(same))[1:]
    if first is None or not others:
        return ""
    some = [*others[: TIES - 2], "others"] if len(others) >= TIES - 1 else others
    return f"{listed(some)} {'have' if len(some) > 1 else 'has'} the same {column.replace('_', ' ')}."
