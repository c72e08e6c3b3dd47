"""The few-shot bank as languages see it, and how pairs get into it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import numpy as np
from django.db import connection
from django.db.models import Count, Max
from numpy.typing import NDArray
from sqlglot import exp

from agent.backends.examples import Example
from agent.networks.encoder import Encoder
from agent.protocols.errors import QueryError
from agent.suql import check
from agent.suql.syntax import parse
from corpora.catalogue.imported import whole_catalogue
from corpora.models import FewShotPair
from corpora.selectors import assistant_tables
from corpora.vectors import StoredEncoder

MOST = 4  # pairs that go into a prompt
NEAR = 0.35  # the least cosine between a message and a pair's that says anything

Stamp = tuple[str, int, datetime | None]


class StoredExamples:
    """Implements `agent.backends.examples.Examples`: the active pairs of the database, as they are now.

    A message costs one small query where no pair has changed. Meant for threads that are not the event loop's; it gives
    the thread's database connection back after each call. `named` is a set of pairs, "" for all of them.
    """

    def __init__(self, named: str = "") -> None:
        self._named = named

    def of(self, tables: Sequence[str]) -> list[Example]:
        try:
            return [one for one in _bank(_stamp(self._named)) if set(one.tables) <= set(tables)]
        finally:
            _give_back()

    def nearest(self, message: str, tables: Sequence[str]) -> list[Example]:
        return [one for one, _ in self.ranked(message, tables)]

    def ranked(self, message: str, tables: Sequence[str]) -> list[tuple[Example, float]]:
        """Return the nearest pairs with how near they are, from -1 to 1."""
        try:
            stamp = _stamp(self._named)
            known = [(at, one) for at, one in enumerate(_bank(stamp)) if set(one.tables) <= set(tables)]
            if not known:
                return []
            vectors = _vectors(stamp)[[at for at, _ in known]]
            closeness = vectors @ np.asarray(Encoder.load().encode([message]))[0]
        finally:
            _give_back()
        best = np.argsort(-closeness, kind="stable")[:MOST]
        return [(known[at][1], float(closeness[at])) for at in best if closeness[at] >= NEAR]


def check_query(corpus: str, suql: str) -> None:
    """Raise QueryError, which says what to write instead, where a query over a corpus cannot be run."""
    check(suql, whole_catalogue().only(*assistant_tables(corpus)))


def keep_pair(corpus: str, message: str, suql: str, presentation: str, by: Any, note: str = "") -> FewShotPair:
    """Check a pair and keep it; one for the same message gets this query. Raises QueryError."""
    check_query(corpus, suql)
    kept, _ = FewShotPair.objects.update_or_create(
        corpus=corpus,
        message=" ".join(message.split())[:500],
        defaults={"suql": suql, "presentation": presentation, "by": by, "note": note, "active": True},
    )
    return kept


def tables_of(suql: str) -> tuple[str, ...]:
    """Return the tables that a query reads, in the order in which it names them."""
    return tuple(dict.fromkeys(table.name for table in parse(suql).find_all(exp.Table)))


def _stamp(named: str) -> Stamp:
    """What changes with any pair of a set."""
    state = FewShotPair.objects.in_use(named).aggregate(count=Count("pk"), changed=Max("changed"))
    return named, state["count"], state["changed"]


@lru_cache(maxsize=4)
def _bank(stamp: Stamp) -> tuple[Example, ...]:
    """The active pairs that can still be asked: a corpus may have lost a table or a column since."""
    catalogue, found = whole_catalogue(), []
    for pair in FewShotPair.objects.in_use(stamp[0]).order_by("pk"):
        try:
            check(pair.suql, catalogue)
            tables = tables_of(pair.suql)
        except QueryError:
            continue
        found.append(Example(pair.message, pair.suql, tables, pair.presentation))
    return tuple(found)


@lru_cache(maxsize=4)
def _vectors(stamp: Stamp) -> NDArray[np.float32]:
    """The vectors of the bank's messages, in its order."""
    return StoredEncoder().encode([one.message for one in _bank(stamp)])


def _give_back() -> None:
    if not connection.in_atomic_block:
        connection.close()
