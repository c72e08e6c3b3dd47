"""What a query will cost, said before it is spent: one that is far beyond its budget is refused at once."""

from __future__ import annotations

from agent.protocols.errors import TooExpensive
from agent.suql.asking import CHOICES, Asking
from agent.suql.calls import asked
from agent.suql.candidates import SAMPLE, Candidates
from agent.suql.result import Budget
from agent.suql.scopes import Block, is_grouped

FAR = 20  # times the budget of calls
PAIRS = 500_000  # rows that wait for same(); over more, the statements between the waves come near their time limit


async def refuse_far_over(
    found: Candidates, block: Block, candidates: int | None, asking: Asking, budget: Budget
) -> None:
    """Raise `TooExpensive` for a query that needs every row read, many times more than its budget allows.

    A query that may stop early, or whose texts are few or known already, is let through: what it finds until the
    budget runs out is worth having.
    """
    every_row = is_grouped(block.select) or block.ordered_by_answers
    if budget.calls is None or candidates is None or not every_row or block.distinct:
        return
    calls = max((asking.calls(candidates, asked(call)) for _, call in found.calls), default=0)
    if calls <= FAR * max(budget.calls, 1):
        return
    rows, fresh = await found.sample()
    if fresh * 2 < rows:
        return
    raise TooExpensive(
        f"This would take about {calls:,} calls of the language model, and the budget is {budget.calls:,}. "
        "Narrow it down with a condition on a column, or ask for a few rows with LIMIT.",
        f"{candidates} rows, of {min(rows, SAMPLE)} looked at {fresh} have texts that are not known yet",
    )


async def refuse_too_many_pairs(found: Candidates, budget: Budget) -> None:
    """Raise `TooExpensive` for same() over more pairs than the database can go through again after each wave.

    A budget that ends long before that, or has only near pairs compared (see `blocking`), lets the query through.
    """
    if not any(asked(call).same for _, call in found.calls):
        return
    if budget.calls is not None and budget.calls * CHOICES <= PAIRS:
        return
    pairs = await found.count(PAIRS + 1)
    if pairs > PAIRS:
        raise TooExpensive(
            f"This compares more than {PAIRS:,} pairs of texts. Narrow it down with a condition on a column, or set a "
            f"budget of at most {PAIRS // CHOICES:,} calls: then only texts near in meaning are compared.",
            f"at least {pairs} pairs",
        )
