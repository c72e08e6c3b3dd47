"""CASE and COALESCE are lazy: an answer in a branch that is not taken is not asked for.

CASE WHEN city = 'Aldo' THEN answer(about, 'q') END     needed where city = 'Aldo'
coalesce(name, answer(about, 'q'))                      needed where name is NULL
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sqlglot import exp

from agent.suql.tree import inner

_SEEING_ALL = (exp.Query, exp.AggFunc, exp.Filter, exp.Window)


def guards(call: exp.Expr) -> list[tuple[exp.Expr, str]]:
    """Return what must hold for a call's value to be needed: pairs of a condition and a test, `IS TRUE` and the like.

    An aggregate or window looks at all of its rows, whatever is then done with what it gives.
    """
    found: list[tuple[exp.Expr, str]] = []
    node, parent = call, call.parent
    while parent is not None and not isinstance(parent, _SEEING_ALL):
        if isinstance(parent, exp.If) and isinstance(parent.parent, exp.Case):
            found.extend(_of_branch(parent.parent, parent, taken=parent.args.get("true") is node))
        elif isinstance(parent, exp.Case) and parent.args.get("default") is node:
            found.extend((_condition(parent, branch), "IS NOT TRUE") for branch in parent.args["ifs"])
        elif isinstance(parent, exp.Coalesce) and parent.this is not node:
            found.extend(_before(parent, node))
        node, parent = parent, parent.parent
    return found


def guarded(call: exp.Expr, text: str, write: Callable[[exp.Expr], str]) -> str:
    """The text, or NULL where the call's value is not needed. Sets cannot stand in CASE, so they are not guarded."""
    conditions = [f"({write(condition)}) {test}" for condition, test in guards(call)]
    if not conditions or call.find(exp.Explode, exp.Unnest):
        return text
    return f"CASE WHEN {' AND '.join(conditions)} THEN {text} END"


def _of_branch(case: exp.Case, branch: exp.If, *, taken: bool) -> Iterator[tuple[exp.Expr, str]]:
    for earlier in case.args["ifs"]:
        if earlier is branch:
            break
        yield _condition(case, earlier), "IS NOT TRUE"
    if taken:
        yield _condition(case, branch), "IS TRUE"


def _condition(case: exp.Case, branch: exp.If) -> exp.Expr:
    """`CASE x WHEN y` asks whether x = y."""
    if case.this is None:
        return inner(branch.this)
    return exp.EQ(this=exp.paren(case.this), expression=exp.paren(branch.this))


def _before(node: exp.Coalesce, argument: exp.Expr) -> Iterator[tuple[exp.Expr, str]]:
    for earlier in [node.this, *node.expressions]:
        if earlier is argument:
            return
        yield earlier, "IS NULL"
