"""The memory of answers in the database: what has been asked once is not asked again, by any process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from corpora.models import AnswerMemo


class DatabaseMemo:
    """Values by key (a hash in hexadecimal). A value once written stays: the key covers all that it depends on."""

    async def get_many(self, keys: Sequence[str]) -> dict[str, Any]:
        """Return the values of those keys that have one."""
        found = AnswerMemo.objects.filter(key__in=set(keys)).order_by().values_list("key", "value")
        return {key: value async for key, value in found}

    async def put_many(self, values: Mapping[str, Any]) -> None:
        """Remember values (JSON). Two processes that learn the same do not collide: the first one stays."""
        rows = [AnswerMemo(key=key, value=value) for key, value in sorted(values.items())]
        await AnswerMemo.objects.abulk_create(rows, ignore_conflicts=True)
