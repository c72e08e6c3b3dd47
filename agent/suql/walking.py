"""Walking and copying trees.

A query is walked dozens of times before its first question. sqlglot's `walk` goes through three generators for each
node, its `copy` through `deepcopy`, with all that nodes carry in `meta`. What they carry here (positions, scopes, asks)
never changes once it is there, so copies share it.
"""

from __future__ import annotations

from typing import Any, TypeVar

from sqlglot import exp

Node = TypeVar("Node", bound=exp.Expr)


def nodes(tree: exp.Expr) -> list[exp.Expr]:
    """Return the node and everything below it, level by level, as it is now: the tree may be changed on the way."""
    found = [tree]
    for node in found:
        for value in node.args.values():
            if isinstance(value, exp.Expr):
                found.append(value)
            elif type(value) is list:
                found += [part for part in value if isinstance(part, exp.Expr)]
    return found


def children(node: exp.Expr) -> list[exp.Expr]:
    """Return the nodes right below one."""
    found: list[exp.Expr] = []
    for value in node.args.values():
        if isinstance(value, exp.Expr):
            found.append(value)
        elif type(value) is list:
            found += [part for part in value if isinstance(part, exp.Expr)]
    return found


def every(tree: exp.Expr, kind: type[Node]) -> list[Node]:
    """Return the nodes of a kind in a tree, level by level."""
    return [node for node in nodes(tree) if isinstance(node, kind)]


def copied(tree: Node) -> Node:
    """Return the tree once more, by itself. What its nodes carry in `meta`, and their types, are shared, not copied."""
    twin = type(tree)(**{key: _copied_argument(value) for key, value in tree.args.items()})
    if tree.meta:
        twin.meta.update(tree.meta)
    if tree.type is not None:
        twin.type = tree.type
    return twin


def _copied_argument(value: Any) -> Any:
    if isinstance(value, exp.Expr):
        return copied(value)
    if type(value) is list:
        return [copied(part) if isinstance(part, exp.Expr) else part for part in value]
    return value
