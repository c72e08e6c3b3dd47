"""`GROUP BY` a table's key stands for all of its columns, as PostgreSQL has it for tables but not for views."""

from __future__ import annotations

from sqlglot import exp

from agent.suql.names import Names
from agent.suql.tree import own_nodes
from agent.suql.walking import copied


def group_by_key(names: Names) -> None:
    """Add the columns of a table that its SELECT uses to a GROUP BY that has its key."""
    for scope in names.scopes:
        group = scope.select.args.get("group")
        if group is None or any(group.args.get(kind) for kind in ("rollup", "cube", "grouping_sets")):
            continue
        given = {(one.table, one.name) for one in group.expressions if isinstance(one, exp.Column)}
        keyed = {
            source.alias
            for source in scope.sources.values()
            if source.table is not None and source.table.key
            and all((source.alias, source.written(key)) in given for key in source.table.key)
        }  # fmt: skip
        for column in _used(scope.select):
            if column.table in keyed and (column.table, column.name) not in given:
                given.add((column.table, column.name))
                group.append("expressions", copied(column))


def _used(select: exp.Select) -> list[exp.Column]:
    clauses = [*select.expressions, *(select.args[name] for name in ("having", "order") if select.args.get(name))]
    found = [node for clause in clauses for node in own_nodes(clause) if isinstance(node, exp.Column)]
    return [column for column in found if column.find_ancestor(exp.AggFunc, exp.Select) is select]
