"""Every shape of query: the same rows as PostgreSQL's own evaluation, in the same order where one is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import AgentError
from agent.suql import Engine
from agent.suql.check import check
from tests.agent.suql.oracle import right_rows
from tests.agent.suql.world import CATALOGUE, PairReader, fill

SHAPES = Path("tests/fixtures/suql/shapes.sql").read_text().splitlines()


def same(sql: str, mine: list[tuple[Any, ...]], right: list[tuple[Any, ...]]) -> bool:
    """Equal as lists where the query orders its rows, else as bags."""
    ordered = check(sql, CATALOGUE).tree.args.get("order")
    if ordered:
        return mine == right
    return Counter(map(repr, mine)) == Counter(map(repr, right))


@pytest.mark.parametrize("seed", [1, 2])
async def test_every_shape_gives_the_rows_postgresql_gives(
    world: psycopg.Connection[Any], connect: Callable[[], Any], seed: int
) -> None:
    fill(world, seed)
    wrong = []
    for sql in SHAPES:
        reader = PairReader()
        try:
            result = await Engine(connect, CATALOGUE, reader).run(sql)
        except AgentError as error:
            wrong.append(f"{sql}\n   {error}")
            continue
        mine = [tuple(row.values.values()) for row in result.rows]
        right = right_rows(world, sql)
        if not same(sql, mine, right) or not result.complete:
            wrong.append(f"{sql}\n   mine  {mine}\n   right {right}\n   {result.notes}")
        asked = [request.model_dump_json() for request in reader.requests]
        if len(asked) != len(set(asked)):
            wrong.append(f"{sql}\n   asks the same value twice")
    assert not wrong, "\n".join(wrong)
