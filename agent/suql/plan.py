"""A query's plan in words, as a tree of steps."""

from __future__ import annotations

from sqlglot import exp

from agent.suql.calls import asked
from agent.suql.logic import leaves
from agent.suql.names import Names
from agent.suql.result import Step, Usage
from agent.suql.scopes import Block, asks_of, calls_in, is_plain
from agent.suql.tree import write

_ROLES = {"main": "The query", "branch": "One side", "cte": "First, a step of WITH", "from": "First, a subquery"}


def plan(names: Names, blocks: dict[int, Block], candidates: int | None, usage: Usage | None = None) -> Step:
    """The steps of a query, before it runs (`candidates`: rows that the cheap conditions leave) or after."""
    children = [_block(blocks[scope.number]) for scope in names.scopes]
    estimated = {} if candidates is None else {"rows": float(candidates), "calls": float(_estimate(blocks, candidates))}
    actual = {} if usage is None else _actual(usage)
    count = "" if candidates is None else f"{candidates} rows are left by the conditions that need no reading."
    return Step("Run the query by demand", count, write(names.tree), estimated, actual, tuple(children))


def _actual(usage: Usage) -> dict[str, float]:
    return {"calls": usage.calls, "cached": usage.cached, "values": usage.values, "seconds": usage.seconds}


def _estimate(blocks: dict[int, Block], candidates: int) -> int:
    questions = sum(len({asked(call) for call in _calls(block)}) for block in blocks.values())
    return candidates * questions


def _calls(block: Block) -> list[exp.Expr]:
    found = [*block.ordering, *block.shown, *block.grouped]
    for condition in [*([block.where] if block.where else []), *block.joins.values()]:
        found += [call for leaf in leaves(condition) for call in calls_in(leaf.node)]
    return found


def _block(block: Block) -> Step:
    select = block.select
    steps: list[Step] = []
    if select.args.get("from_"):
        steps.append(Step("Read the tables", _tables(select)))
    where = select.args.get("where")
    if where is not None and block.where is None:
        steps.append(Step("Keep the rows where", write(where.this)))
    if block.where is not None:
        steps += _conditions(block)
    for calls, of_what in (
        (block.ordering, "of every row that is left, for the order"),
        (block.shown, "of the rows that are shown"),
        (block.grouped, "of every group"),
    ):
        questions = dict.fromkeys(asked(call).question for call in calls)
        steps += [Step(f"Ask “{question}” {of_what}") for question in questions]
    title = _ROLES.get(block.scope.role, "For each row, a subquery")
    return Step(title, "", write(select), children=tuple(steps))


def _tables(select: exp.Select) -> str:
    items = [select.args["from_"], *(select.args.get("joins") or ())]
    return ", ".join(item.this.name if isinstance(item.this, exp.Table) else "a subquery" for item in items)


def _conditions(block: Block) -> list[Step]:
    assert block.where is not None
    found = list(leaves(block.where))
    cheap = [write(leaf.node) for leaf in found if not leaf.free]
    steps = [Step("In PostgreSQL first", " and ".join(cheap))] if cheap else []
    for leaf in found:
        for ask in asks_of(leaf.node) if leaf.free else ():
            steps.append(Step(f"Ask “{ask.question}” where it can still change the result", write(leaf.node)))
    if block.limit is not None and is_plain(block.select) and not block.ordering:
        steps.append(Step(f"Stop as soon as the first {block.limit + block.offset} rows are certain"))
    return steps
