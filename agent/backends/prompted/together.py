"""Waiting for several calls at once, none of which outlives the others' failure."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def together(calls: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """The results in order. The first failure, or a cancellation from outside, cancels the calls still under way."""
    tasks = [asyncio.ensure_future(call) for call in calls]
    try:
        return await asyncio.gather(*tasks)
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
