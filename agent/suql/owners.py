"""Whose is a column? The nearest SELECT outwards that has a source offering it, as in SQL."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from agent.protocols.errors import NotAllowed, UnknownName
from agent.suql.names import Scope, Source
from agent.suql.naming import match, nearest, unknown, unknown_name
from agent.suql.tree import position


def owner_of(node: exp.Column, scope: Scope, schema: str) -> tuple[Source, str, Scope]:
    """The source a column is of, its name there, and the scope that source is in. Raises `UnknownName`."""
    if node.table:
        source, owner = named_source(node, scope, schema)
        name = match(node.name, list(source.outputs))
        return source, name or unknown(node, list(source.outputs), f"column in {node.table}"), owner
    for level in _outwards(scope):
        holding = [(source, name) for source in level.sources.values() if (name := match(node.name, source.outputs))]
        merged = next((name for _, name in holding if name in level.merged), None)
        if merged is not None:
            return level.merged[merged][0], merged, level
        if len(holding) > 1:
            tables = " and ".join(source.alias for source, _ in holding)
            raise UnknownName(f"{node.name} is in {tables}: say which.", position=position(node))
        if holding:
            return (*holding[0], level)
    raise _unknown_column(node, scope)


def named_source(node: exp.Column, scope: Scope, schema: str) -> tuple[Source, Scope]:
    """The source that a column names as its table, and the scope it is in. Raises `UnknownName` or `NotAllowed`."""
    if node.args.get("catalog") or (node.db and node.db.lower() != schema):
        raise NotAllowed(f"Only tables of the schema {schema} can be read.", position=position(node))
    for level in _outwards(scope):
        if node.table.lower() in level.sources:
            return level.sources[node.table.lower()], level
    raise UnknownName(
        f"There is no table {node.table} in this part of the query.{nearest(node.table, list(scope.sources))}",
        position=position(node),
    )


def _outwards(scope: Scope) -> Iterator[Scope]:
    level: Scope | None = scope
    while level is not None:
        yield level
        level = level.parent


def _unknown_column(node: exp.Column, scope: Scope) -> NotAllowed | UnknownName:
    if node.name.lower() in scope.sources:
        return NotAllowed(f"{node.name} is a table; name one of its columns.", position=position(node))
    if node.this.quoted and " " in node.name:
        return UnknownName(
            f"“{node.name}” is in double quotes, which name a column; put texts in single quotes.",
            position=position(node),
        )
    return unknown_name(node, [name for source in scope.sources.values() for name in source.outputs], "column")
