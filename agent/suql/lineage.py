"""Where a value goes on to: through COALESCE and the like, and out of subqueries under their columns' names.

SELECT name FROM (SELECT name, answer(bio, 'goals?') AS g FROM players) AS x WHERE coalesce(x.g, 0) > 5

The answer goes on to `x.g`, from there to `coalesce(x.g, 0)`, and is there compared with 5.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from agent.suql.allowed import READING
from agent.suql.comparing import compared, in_place, outside, selects
from agent.suql.names import Names
from agent.suql.tree import inner
from agent.suql.walking import every, nodes

_CHOOSING = (exp.Coalesce, exp.Greatest, exp.Least)
_CARRYING = (
    exp.Min, exp.Max, exp.AnyValue, exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue, exp.Filter,
    exp.Window,
)  # fmt: skip


class Lineage:
    """Which expressions a column of a subquery or CTE stands for, and which columns stand for an expression."""

    def __init__(self, names: Names) -> None:
        self._behind: dict[tuple[str, str], list[exp.Alias]] = {}
        self._uses: dict[int, list[exp.Expr]] = {}
        ctes = {cte.alias: cte.this for cte in every(names.tree, exp.CTE)}
        for item in nodes(names.tree):
            query = _defined_by(item, ctes)
            source = names.sources.get(item.alias) if query is not None else None
            if query is None or source is None:
                continue
            for select in selects(query):
                for name, selected in zip(source.outputs, select.expressions, strict=False):
                    self._behind.setdefault((item.alias, name), []).append(selected)
        for column in every(names.tree, exp.Column):
            for selected in self._behind.get((column.table, column.name), ()):
                self._uses.setdefault(id(selected), []).append(column)

    def behind(self, column: exp.Column) -> list[exp.Expr]:
        """Return what the subqueries select that a column comes from; columns that only pass it on are seen through."""
        found: list[exp.Expr] = []
        ahead: list[exp.Expr] = [column]
        for node in ahead:
            selected = self._behind.get((node.table, node.name)) if isinstance(node, exp.Column) else None
            if selected is None:
                found.append(node)
            else:
                ahead += [one for item in selected if not _among(one := inner(item.unalias()), ahead)]
        return [node for node in found if node is not column]

    def ends(self, value: exp.Expr) -> Iterator[tuple[exp.Expr, exp.Expr | None, list[exp.Expr]]]:
        """Every form in which a value is used, with what stands around it, and what may take its place on the way.

        Those that only hand it on (COALESCE, max, a subquery) come too, before what they hand it on to.
        """
        ahead = [value]
        for form in ahead:
            node, parent = outside(form)
            beside, after = ([], []) if is_condition(node, parent) else self._onward(node, parent)
            yield node, parent, beside
            ahead += [one for one in after if not _among(one, ahead)]

    def _onward(self, node: exp.Expr, parent: exp.Expr | None) -> tuple[list[exp.Expr], list[exp.Expr]]:
        """What may stand in the node's place, and the expressions that then have its value."""
        if isinstance(parent, _CHOOSING):
            return [inner(one) for one in (parent.this, *parent.expressions) if one is not node], [parent]
        if isinstance(parent, exp.Nullif):
            return [inner(parent.expression if parent.this is node else parent.this)], [parent]
        if is_result(node, parent):
            case = parent if isinstance(parent, exp.Case) else parent.parent if parent is not None else None
            assert isinstance(case, exp.Case)
            results = [branch.args["true"] for branch in case.args["ifs"]] + [case.args.get("default")]
            return [inner(one) for one in results if one is not None and one is not node], [case]
        if isinstance(parent, _CARRYING) and parent.this is node:
            default = parent.args.get("default")
            return [inner(default)] if default is not None else [], [parent]
        if isinstance(parent, exp.Alias) and isinstance(parent.parent, exp.Select):
            return self._selected(parent, parent.parent)
        return [], []

    def _selected(self, item: exp.Alias, select: exp.Select) -> tuple[list[exp.Expr], list[exp.Expr]]:
        """What the other sides of a set operation give in this place, and what the value is called outside."""
        place = next(place for place, one in enumerate(select.expressions) if one is item)
        query: exp.Expr = select
        while isinstance(query.parent, exp.SetOperation):
            query = query.parent
        others = [one.expressions[place] for one in selects(query) if one is not select]
        after = list(self._uses.get(id(item), ()))
        if query.parent is not None and not after and not isinstance(query.parent, exp.CTE | exp.Exists):
            after = [query] if len(select.expressions) == 1 else []
            others += in_place(compared(*outside(query)), place)
        return [inner(one.unalias()) for one in others], after


def is_call(node: exp.Expr) -> bool:
    """Is this a call that reads texts?"""
    return isinstance(node, exp.Anonymous) and str(node.this).lower() in READING


def is_truth(node: exp.Expr) -> bool:
    """Does the call give true or false by itself (validate, same), rather than a text?"""
    return isinstance(node, exp.Anonymous) and str(node.this).lower() in ("validate", "same")


def is_result(node: exp.Expr, parent: exp.Expr | None) -> bool:
    """Is the node one of those that CASE gives?"""
    if isinstance(parent, exp.If) and isinstance(parent.parent, exp.Case):
        return parent.args.get("true") is node
    return isinstance(parent, exp.Case) and parent.args.get("default") is node


def is_condition(node: exp.Expr, parent: exp.Expr | None) -> bool:
    """Does the node stand where SQL wants a truth value? As what CASE or COALESCE gives there, it does."""
    if parent is not None and is_result(node, parent):
        case = parent if isinstance(parent, exp.Case) else parent.parent
        return case is not None and is_condition(*outside(case))
    if isinstance(parent, exp.Coalesce):
        others = [inner(one) for one in [parent.this, *parent.expressions] if one is not node]
        truths = all(is_call(one) or isinstance(one, exp.Boolean | exp.Predicate | exp.Column) for one in others)
        return truths and is_condition(*outside(parent))
    if isinstance(parent, exp.And | exp.Or | exp.Not | exp.Where | exp.Having | exp.LogicalAnd | exp.LogicalOr):
        return True
    if isinstance(parent, exp.Join):
        return parent.args.get("on") is node
    return isinstance(parent, exp.If) and parent.this is node and _searched(parent)


def _searched(branch: exp.If) -> bool:
    return not (isinstance(branch.parent, exp.Case) and branch.parent.this is not None)


def _defined_by(item: exp.Expr, ctes: dict[str, exp.Expr]) -> exp.Expr | None:
    """The query whose columns something in FROM offers."""
    if isinstance(item, exp.Table) and not item.db:
        return ctes.get(item.name)
    if isinstance(item, exp.Lateral):
        item = item.this
        return item.this if isinstance(item, exp.Subquery) else None
    return item.this if isinstance(item, exp.Subquery) else None


def _among(node: exp.Expr, found: list[exp.Expr]) -> bool:
    return any(one is node for one in found)
