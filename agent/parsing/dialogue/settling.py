"""The frame behind a query that was changed after it was written: a chip removed, a condition relaxed."""

from __future__ import annotations

from sqlglot import exp

from agent.catalogue.tables import Catalogue
from agent.language import PastQuery
from agent.parsing.dialogue import cues
from agent.parsing.dialogue.past import Past
from agent.parsing.frame import Either, Frame, Node, slots
from agent.parsing.generate import to_suql
from agent.suql.constraints import conjuncts
from agent.suql.syntax import parse


def frame_of(query: PastQuery, catalogue: Catalogue) -> Frame:
    """What a past query asked for when it ran: its frame, without the conditions the query no longer has.

    A query that another backend wrote has no frame; only its table and the rows it showed can be built on then.
    Values may have been put right since, so a condition counts as gone only while the query has fewer than the frame.
    """
    if query.frame is None:
        return Frame(tables=(query.table,), among=query.keys, presentation="list")
    frame = Frame.model_validate(query.frame)
    frame = frame.model_copy(update={"where": tuple(part for node in frame.where for part in _parts(node))})
    asked = _conditions(query.suql)
    surplus = len(_conditions(to_suql(frame, catalogue))) - len(asked)
    for node in frame.where:
        alone = _conditions(to_suql(Frame(tables=frame.tables, where=(node,)), catalogue))
        if 0 < len(alone) <= surplus and not alone & asked:
            frame = frame.model_copy(update={"where": tuple(one for one in frame.where if one is not node)})
            surplus -= len(alone)
    return frame


def before_nothing(searched: Frame, new: Frame, past: Past, catalogue: Catalogue) -> Frame:
    """The search whose rows were narrowed down to none, for a message (`new`) that changes nothing of what was asked
    since; otherwise the one that was `searched` last."""
    emptied, found = past.emptied, past.found
    if emptied is None or found is None:
        return searched
    before = frame_of(found, catalogue)
    compared = cues.comparative(emptied.question) is not None
    narrowed = compared or all(node in searched.where for node in before.where)
    changed = frozenset[str]().union(*map(slots, new.where))
    changes = any(slots(node) & changed for node in searched.where)
    return before if narrowed and not changes and before.table == searched.table else searched


def _parts(node: Node) -> tuple[Node, ...]:
    """What must all hold, one by one: a query may have lost a part of it."""
    together = isinstance(node, Either) and node.mode == "all" and not node.negated
    return node.parts if isinstance(node, Either) and together else (node,)


def _conditions(suql: str) -> set[str]:
    """Every condition of a query, written without the names of tables."""
    where = parse(suql).find(exp.Where)
    found = list(conjuncts(where.this)) if where else []
    found = [condition.unnest() for condition in found]
    for condition in found:
        for column in condition.find_all(exp.Column):
            column.set("table", None)
    return {condition.sql(dialect="postgres", normalize_functions=False) for condition in found}
