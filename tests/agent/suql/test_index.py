"""An index of passages that is not finished is never taken for whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from agent.suql.asking import Ledger
from agent.suql.calls import Ask
from agent.suql.database import Database
from agent.suql.memo import MemoryMemo
from agent.suql.passages import MOST, Cut, Passages, _md5
from agent.text.values import AnswerType
from tests.agent.suql.world import PairReader

TEXT = "The soup is thin. The bread is stale. The garden is quiet."


class Flat:
    """Finds every text as near as any other."""

    name = "flat"
    dimensions = 2

    async def embed(self, texts: Sequence[str]) -> Any:
        return np.ones((len(texts), 2), dtype=np.float32)


def passages() -> Passages:
    return Passages(cast(Database, None), "kb", "passages", Flat())


def stored(text: str, *places: tuple[int, int]) -> dict[str, list[Cut]]:
    return {_md5(text): [Cut(text[start:stop], "", start, 0) for start, stop in places]}


async def test_a_text_with_some_of_its_passages_is_read_whole() -> None:
    found = await passages()._of("quiet?", [TEXT], stored(TEXT, (0, 17)), summary=False)
    assert any("quiet" in each.body for each in found)


async def test_a_text_with_all_of_its_passages_is_read_from_the_index() -> None:
    found = await passages()._of("quiet?", [TEXT], stored(TEXT, (0, 17), (18, 37), (38, 58)), summary=False)
    assert sorted(each.start for each in found) == [0, 18, 38]
    assert not any(each.provisional for each in found)


async def test_what_is_chosen_from_a_list_half_of_which_is_indexed_is_not_to_be_remembered() -> None:
    texts = [f"Review number {number} is here." for number in range(MOST + 4)]
    half: dict[str, list[Cut]] = {}
    for text in texts[::2]:
        half |= stored(text, (0, len(text)))
    assert all(each.provisional for each in await passages()._of("quiet?", texts, half, summary=False))
    few = await passages()._of("quiet?", texts[:4], half, summary=False)  # all of them are read
    assert not any(each.provisional for each in few)


def test_another_embedder_makes_another_memory() -> None:
    keys = {
        Ledger(PairReader(), MemoryMemo(), name).key(Ask("quiet?", AnswerType.BOOLEAN), "x") for name in ("", "a", "b")
    }
    assert len(keys) == 3
