"""Finding, comparing and giving names: what the resolver needs to say about one name at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from difflib import get_close_matches

from sqlglot import exp

from agent.protocols.errors import NotAllowed, TypeMismatch, UnknownName
from agent.suql.names import Output
from agent.suql.tree import inner, position

# What PostgreSQL calls the outputs that sqlglot writes with another word.
_NAMES: dict[type[exp.Expr], str] = {exp.Array: "array", exp.Variance: "variance"}


def implicit_name(node: exp.Expr) -> str:
    """Return the name PostgreSQL gives to a selected expression without an alias."""
    node = inner(node)
    if isinstance(node, exp.Column) and isinstance(node.this, exp.Identifier):
        return node.name.lower() if not node.this.quoted else node.name
    if isinstance(node, exp.Cast | exp.Filter | exp.Window | exp.WithinGroup | exp.Bracket):
        return implicit_name(node.this)
    if isinstance(node, exp.Anonymous):
        return str(node.this).lower()
    if isinstance(node, exp.Case):
        return "case"
    if isinstance(node, exp.Exists):
        return "exists"
    if type(node) in _NAMES:
        return _NAMES[type(node)]
    if isinstance(node, exp.Subquery) and isinstance(node.this, exp.Select) and node.this.expressions:
        first = node.this.expressions[0]
        return first.alias if isinstance(first, exp.Alias) else implicit_name(first)
    if isinstance(node, exp.Func) and not isinstance(node, exp.And | exp.Or):
        return node.sql(dialect="postgres").split("(")[0].lower()
    return "column"


def column_of(source: str, name: str) -> exp.Column:
    column = exp.Column(this=exp.to_identifier(name, quoted=True), table=exp.to_identifier(source, quoted=True))
    column.meta["resolved"] = True
    return column


def identifiers(outputs: Iterable[Output]) -> list[exp.Identifier]:
    return [exp.to_identifier(output.name, quoted=True) for output in outputs]


def is_star(node: exp.Expr) -> bool:
    if isinstance(node, exp.Column):
        return isinstance(node.this, exp.Star)
    return isinstance(node, exp.Star) and not isinstance(node.parent, exp.Count | exp.Column)


def is_hidden(output: Output) -> bool:
    return output.column is not None and output.column.hidden


def unwrapped(subquery: exp.Expr) -> exp.Expr:
    node = subquery.this
    while isinstance(node, exp.Subquery):
        node = node.this
    return node  # type: ignore[no-any-return]


def renamed(outputs: list[Output], alias: exp.Expr | None) -> list[Output]:
    """Return the outputs under the names of `AS t(a, b)`; names that occur twice are told apart."""
    names = [column.name.lower() for column in (alias.args.get("columns") or ())] if alias else []
    if len(names) > len(outputs):
        raise TypeMismatch(f"{len(names)} column names for {len(outputs)} columns.")
    chosen = names + [output.name for output in outputs[len(names) :]]
    return [
        Output(name, output.table, output.column, output.element) for name, output in zip(chosen, outputs, strict=True)
    ]


def refuse_doubles(outputs: list[Output]) -> None:
    names = [output.name for output in outputs]
    double = next((name for name in names if names.count(name) > 1), None)
    if double:
        raise NotAllowed(f"The subquery gives two columns called {double}; name one with AS.")


def written_alias(item: exp.Expr) -> str:
    alias = item.args.get("alias")
    if alias is not None and alias.name:
        return str(alias.name)
    return str(item.name) if isinstance(item, exp.Table) else ("unnest" if isinstance(item, exp.Unnest) else "derived")


def match(name: str, names: Collection[str]) -> str | None:
    """Return the name itself, or the only one that differs just in case."""
    if name in names:
        return name
    lowered = name.lower()
    alike = [known for known in names if known.lower() == lowered]
    return alike[0] if len(alike) == 1 else None


def nearest(name: str, names: list[str]) -> str:
    near = get_close_matches(name.lower(), names, n=1, cutoff=0.6)
    return f" Did you mean {near[0]}?" if near else ""


def unknown_name(node: exp.Expr, names: list[str], what: str) -> UnknownName:
    """That nothing here is called so, with the nearest name that something is called."""
    return UnknownName(
        f"There is no {what} called {node.name}.{nearest(node.name, names)}",
        f"there are: {', '.join(names)}",
        position(node),
    )


def unknown(node: exp.Expr, names: list[str], what: str) -> str:
    """Raise `UnknownName`; stands in the place of a name."""
    raise unknown_name(node, names, what)
