"""What a statement is sent with beside its text."""

from collections.abc import Callable
from typing import Any

from agent.suql.database import session


async def test_a_text_that_the_statement_does_not_use_has_a_type(connect: Callable[[], Any]) -> None:
    async with session(connect, "kb", 5) as database:
        assert await database.rows("SELECT $1::int + $3::int", [1, "left out by a shorter plan", 2]) == [(3,)]
        assert await database.rows("SELECT $1::int WHERE 'b' = ANY ($2::text[])", [1, ["a", "b"]]) == [(1,)]
