"""A query's plan in words, as a tree of steps."""

from __future__ import annotations

from dataclasses import asdict, replace

from sqlglot import exp

from agent.suql.asking import Asking
from agent.suql.calls import Ask, asked
from agent.suql.logic import leaves
from agent.suql.names import Names
from agent.suql.result import Step, Usage
from agent.suql.scopes import Block, asks_of, calls_in, is_plain
from agent.suql.tree import write

_ROLES = {"main": "The query", "branch": "One side", "cte": "First, a step of WITH", "from": "First, a subquery"}


def plan(
    names: Names,
    blocks: dict[int, Block],
    candidates: int | None,
    usage: Usage | None = None,
    asking: Asking | None = None,
) -> Step:
    """Return the steps of a query, before it runs (`candidates`: rows that the cheap conditions leave) or after.

    Estimates are what it can take at most. What a question took is told where it is first asked.
    """
    told: set[Ask] = set()
    children = [
        _measured(_block(blocks[scope.number]), blocks[scope.number], candidates, asking, told, done=usage is not None)
        for scope in names.scopes
    ]
    estimated: dict[str, float] = {}
    if candidates is not None:
        asks = [ask for block in blocks.values() for ask in {asked(call) for call in _calls(block)}]
        values = candidates * len(asks)
        calls = sum(asking.calls(candidates, ask) for ask in asks) if asking else values
        estimated = {"rows": candidates, "values": values, "calls": calls}
    actual = {} if usage is None else _actual(usage)
    count = "" if candidates is None else f"{_rows(candidates)} left by the conditions that need no reading."
    return Step("Run the query by demand", count, write(names.tree), estimated, actual, tuple(children))


def _actual(usage: Usage) -> dict[str, float]:
    names = ("calls", "cached", "values", "tokens", "cost", "planning", "seconds")
    return {name: getattr(usage, name) for name in names}


def _measured(
    step: Step, block: Block, candidates: int | None, asking: Asking | None, told: set[Ask], *, done: bool
) -> Step:
    """The steps that ask, with what they can take and, afterwards, what they took."""
    by_question = {asked(call).question: asked(call) for call in _calls(block)}
    children = []
    for child in step.children:
        ask = next((ask for question, ask in by_question.items() if f"“{question}”" in child.title), None)
        if ask is not None and asking is not None:
            estimated: dict[str, float] = {}
            if block.scope.role == "main" and candidates is not None:
                estimated = {"values": candidates, "calls": asking.calls(candidates, ask)}
            spent = asking.spent.get(ask) if ask not in told else None
            told.add(ask)
            actual = {} if not done or spent is None else asdict(spent)
            child = replace(child, estimated=estimated, actual=actual)
        children.append(child)
    return replace(step, children=tuple(children))


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
    return ", ".join(
        item.this.name if isinstance(item.this, exp.Table) else item.this.meta.get("table", "a subquery")
        for item in items
    )


def _conditions(block: Block) -> list[Step]:
    assert block.where is not None
    found = list(leaves(block.where))
    cheap = [write(leaf.node) for leaf in found if not leaf.free]
    steps = [Step("In PostgreSQL first", " and ".join(cheap))] if cheap else []
    for leaf in found:
        for ask in asks_of(leaf.node) if leaf.free else ():
            steps.append(Step(f"Ask “{ask.question}” where it can still change the result", write(leaf.node)))
    if block.limit is not None and is_plain(block.select) and not block.ordered_by_answers:
        steps.append(Step(f"Stop as soon as the first {block.limit + block.offset} rows are certain"))
    return steps


def _rows(count: int) -> str:
    return "1 row is" if count == 1 else f"{count} rows are"
