"""Under LIMIT, where the query leaves the order open, the rows come first whose answers the reader is surest of.

Rows are looked at nearest to the question first, and the first that match are not those most likely to be right. A
reader that says it can (`sifts`) reads so many of the nearest rows however few are wanted, and the surest are shown.
The order stays as it is from then on: rows found later, where those were too few, come after.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator

from psycopg.types.json import Jsonb
from sqlglot import exp

from agent.suql.asking import Asking, Item
from agent.suql.calls import asked
from agent.suql.candidates import Candidates
from agent.suql.early_stopping import is_nearest_first
from agent.suql.head import wanted_of
from agent.suql.passes.settled_first import SETTLED
from agent.suql.scopes import Block
from agent.suql.similarity import Similarity
from agent.suql.statements import Statement
from agent.suql.tree import inner

Ask = Callable[[list[Item]], Awaitable[None]]
_OWN = "surest"


def is_sifted(block: Block, asking: Asking, cut: int) -> bool:
    """Return whether the rows of a SELECT are to be sifted: LIMIT is its own, the order of looking is ours, and no row
    matches without an answer."""
    order = block.select.args.get("order")
    ours = order is not None and order.meta.get("ours") and is_nearest_first(block)
    settled = order is not None and any(term.meta.get(SETTLED) for term in order.expressions)
    return bool(asking.sifts and ours and not settled and block.limit not in (None, cut))


async def sift(block: Block, found: Candidates, asking: Asking, similarity: Similarity, ask: Ask) -> None:
    """Read so many of the nearest rows for each question, and put those first that the reader is surest of."""
    while not asking.exhausted:
        rows = await found.first(block, asking.sifts)
        wave = _within(wanted_of(rows), asking)
        if not wave:
            break
        await ask(wave)
    _put_first(block, found, asking, similarity)


def _within(wanted: Iterable[Item], asking: Asking) -> list[Item]:
    """Which values are still read: for each question as many as are sifted."""
    taken: list[Item] = []
    for item in dict.fromkeys(wanted):
        of_it = len(asking.known.get(item[0], ())) + sum(one[0] == item[0] for one in taken)
        if of_it < asking.sifts:
            taken.append(item)
    return taken


def _put_first(block: Block, found: Candidates, asking: Asking, similarity: Similarity) -> None:
    """Order the rows by how sure the reader was of the answers that the condition wants."""
    sure = [(call, Jsonb(dict(_certainties(call, leaf.node, asking)))) for leaf, call in found.calls]

    def written(_: exp.Expr, statement: Statement) -> str:
        terms = (
            f"coalesce(jsonb_extract_path_text({statement.shared(known)}::jsonb, {statement.hash(call)})::float8, 0)"
            for call, known in sure
        )
        return f"({' + '.join(terms)})"

    term = exp.Ordered(this=exp.Anonymous(this=_OWN, expressions=[]), desc=True, nulls_first=False)
    term.this.meta["own"] = _OWN
    similarity.own[_OWN] = written
    order = block.select.args["order"]
    order.set("expressions", [term, *order.expressions])


def _certainties(call: exp.Expr, test: exp.Expr, asking: Asking) -> Iterator[tuple[str, float]]:
    """How sure the reader was of each answer that meets a test, by the content that it was asked of."""
    if not isinstance(test, exp.EQ) or inner(test.this) is not call:
        return
    for content, value in asking.known.get(asked(call), {}).items():
        item = (asked(call), content)
        if value == test.expression.name and item in asking.found:
            yield content, max((piece.confidence for piece in asking.found[item].evidence), default=0.0)
