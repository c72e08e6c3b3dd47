"""The last statement: the whole query over what is known, with each row's entity and evidence carried along.

Hidden columns at the end of the SELECT list name the entity and title of the row of the main table and the contents
that its answers were read from. Where rows are groups, they name the entity only if the whole group shares one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from sqlglot import exp

from agent.catalogue.tables import Table
from agent.suql.asking import Asking
from agent.suql.calls import asked
from agent.suql.names import Names
from agent.suql.passes.carry_entity import entity_of
from agent.suql.result import Evidence, Row
from agent.suql.scopes import Block, aggregates, calls_in, is_grouped
from agent.suql.statements import Statement
from agent.suql.tree import own_nodes, raw
from agent.suql.walking import copied


@dataclass(slots=True)
class Shape:
    """What the final statement's columns are: the query's own, then the hidden ones."""

    columns: tuple[str, ...]
    table: Table | None
    entity: str  # as SQL
    title: str
    calls: list[exp.Expr]


def shape(names: Names, block: Block | None) -> Shape:
    """Return the columns of the result, and what can be carried along (nothing for a set operation)."""
    columns = _told_apart([output.name for output in names.outputs])
    if block is None:
        return Shape(columns, None, "", "", [])
    source = _main_source(names, block.select)
    if source is None or _one_group(block.select) or _is_distinct(block.select):
        return Shape(columns, None, "", "", [])
    table, entity, title = source
    calls: list[exp.Expr] = []
    for node in own_nodes(block.select):
        if isinstance(node, exp.Where | exp.Order) or (node.parent is block.select and node.arg_key == "expressions"):
            calls += [call for call in calls_in(node) if call not in calls]
    return Shape(columns, table, entity, title, calls)


def final_sql(names: Names, block: Block | None, found: Shape, statement: Statement, limit: int) -> str:
    """Return the statement, cut to `limit` rows."""
    tree = copied(names.tree)
    if isinstance(tree, exp.Select) and block is not None and found.table is not None:
        for item in _hidden(found, block, statement):
            tree.expressions.append(item)
    own = tree.args.get("limit")
    kept = limit if block is None or block.limit is None else min(limit, block.limit)
    if own is None or block is not None:
        tree.set("limit", exp.Limit(expression=exp.Literal.number(kept)))
    return statement.text(tree)


def rows_of(found: Shape, fetched: Sequence[tuple[Any, ...]], asking: Asking) -> list[Row]:
    """Return the rows of the result, with their evidence."""
    return [_row(found, values, asking) for values in fetched]


def _row(found: Shape, values: tuple[Any, ...], asking: Asking) -> Row:
    count = len(found.columns)
    shown = dict(zip(found.columns, map(plain, values[:count]), strict=True))
    if found.table is None:
        return Row(shown)
    key, title, *hashes = values[count:]
    evidence = [
        piece
        for call, contents in zip(found.calls, hashes, strict=True)
        for content in (contents if isinstance(contents, list) else [contents])
        for piece in _evidence(call, content, asking)
    ]
    return Row(
        shown, key, tuple(dict.fromkeys(evidence)), found.table.name, title or "", _by_score(found, hashes, asking)
    )


def _by_score(found: Shape, hashes: Sequence[Any], asking: Asking) -> tuple[str, ...]:
    """The questions whose answers for a row nobody gave."""
    if not asking.assumed:
        return ()
    asks = [
        asked(call)
        for call, contents in zip(found.calls, hashes, strict=True)
        for content in (contents if isinstance(contents, list) else [contents])
        if (asked(call), content) in asking.assumed
    ]
    return tuple(dict.fromkeys(ask.question for ask in asks))


def _evidence(call: exp.Expr, content: str | None, asking: Asking) -> list[Evidence]:
    if content is None or (asked(call), content) not in asking.found:
        return []
    column = call.expressions[0]
    name = column.name if isinstance(column, exp.Column) else ""
    return [replace(piece, column=name) for piece in asking.found[asked(call), content].evidence]


def _hidden(found: Shape, block: Block, statement: Statement) -> list[exp.Expr]:
    entity, title = found.entity, found.title
    hashes = [statement.hash(call) for call in found.calls]
    if is_grouped(block.select):
        entity = f"CASE WHEN min({entity}) = max({entity}) THEN min({entity}) END"
        title = f"CASE WHEN min({title}) = max({title}) THEN min({title}) END"
        both = zip(found.calls, hashes, strict=True)
        hashes = [hashed if aggregates(call) else f"array_agg(DISTINCT {hashed})" for call, hashed in both]
    hidden = [entity, title, *hashes]
    return [exp.alias_(raw(text), f"_suql_{number}", quoted=True) for number, text in enumerate(hidden)]


def _main_source(names: Names, select: exp.Select) -> tuple[Table, str, str] | None:
    """The first item of FROM whose rows have an entity."""
    start = select.args.get("from_")
    for item in [start, *(select.args.get("joins") or ())] if start else []:
        source = names.sources.get(item.this.alias)
        carried = entity_of(source) if source is not None else None
        if carried is not None:
            return carried
    return None


def _one_group(select: exp.Select) -> bool:
    return is_grouped(select) and not select.args.get("group")


def _is_distinct(select: exp.Select) -> bool:
    """Would further columns keep rows apart that are one?"""
    distinct = select.args.get("distinct")
    return distinct is not None and not distinct.args.get("on")


def _told_apart(names: list[str]) -> tuple[str, ...]:
    """answer, answer_2: a row is a mapping from names."""
    seen: dict[str, int] = {}
    told: list[str] = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        candidate = name if seen[name] == 1 else f"{name}_{seen[name]}"
        while candidate in told:
            seen[name] += 1
            candidate = f"{name}_{seen[name]}"
        told.append(candidate)
    return tuple(told)


def plain(value: Any) -> Any:
    """Return a value as JSON can hold it: whole decimals as int, others as float, dates and times in ISO form."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() and value.is_finite() else float(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, time):
        return value.isoformat("minutes")
    if isinstance(value, list):
        return [plain(item) for item in value]
    if value is None or isinstance(value, str | int | float | bool | dict):
        return value
    return str(value)
