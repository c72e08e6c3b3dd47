"""Random queries: the same rows as PostgreSQL's own evaluation, no value asked twice."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import psycopg

from agent.protocols.errors import AgentError
from agent.suql import Engine
from agent.suql.result import Budget
from tests.agent.suql.grammar import query
from tests.agent.suql.oracle import distinct_values, right_rows
from tests.agent.suql.world import CATALOGUE, PairReader, fill

QUERIES = int(os.environ.get("SUQL_DIFFERENTIAL_QUERIES", "150"))
SEED = int(os.environ.get("SUQL_DIFFERENTIAL_SEED", "7"))


async def test_random_queries_give_the_rows_postgresql_gives(
    world: psycopg.Connection[Any], connect: Callable[[], Any]
) -> None:
    chance = random.Random(SEED)
    wrong: list[str] = []
    values = 0
    for number in range(QUERIES):
        if number % 25 == 0:
            fill(world, seed=SEED + number, venues=chance.choice((0, 1, 12, 24)), events=chance.choice((0, 6, 18)))
            values = distinct_values(world)
        sql = query(chance)
        reader = PairReader()
        try:
            result = await Engine(connect, CATALOGUE, reader, budget=Budget(calls=None)).run(sql)
        except AgentError as error:
            wrong.append(f"{sql}\n   {error}")
            continue
        mine = [tuple(row.values.values()) for row in result.rows]
        right = right_rows(world, sql)
        ordered = " ORDER BY " in sql.rpartition(")")[2] or "LIMIT" in sql
        if (mine != right) if ordered else (Counter(map(repr, mine)) != Counter(map(repr, right))):
            wrong.append(f"{sql}\n   mine  {mine}\n   right {right}")
        asked = Counter(request.question for request in reader.requests if hasattr(request, "question"))
        if any(count > values for count in asked.values()):
            wrong.append(f"{sql}\n   asks more values than there are: {asked}, {values}")
    assert not wrong, f"{len(wrong)} of {QUERIES} wrong\n" + "\n".join(wrong[:10])
