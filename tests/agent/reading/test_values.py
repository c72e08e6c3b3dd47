"""Values by meaning, summaries, and vectors that outlive their process."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from agent.backends.builtin.reading.reader import BuiltinReader
from agent.networks.layers import Array
from agent.protocols.reading import MatchRequest, Passage, SummaryRequest

KITCHENS = (
    "barbeque",
    "cafes",
    "cantonese",
    "chinese",
    "coffee & tea",
    "italian",
    "steakhouses",
    "sushi bars",
    "vegetarian",
    "wine bars",
)


@pytest.mark.parametrize(
    ("wanted", "values", "found"),
    [
        ("coffee", KITCHENS, {"coffee & tea", "cafes"}),
        ("sushi", KITCHENS, {"sushi bars"}),
        ("bbq", KITCHENS, {"barbeque"}),
        ("a steak place", KITCHENS, {"steakhouses"}),
        ("Chinese food", KITCHENS, {"chinese", "cantonese"}),
        ("cantonese", KITCHENS, {"cantonese"}),
        ("itallian", KITCHENS, {"italian"}),
        ("wine bars", KITCHENS, {"wine bars"}),
        ("martian", KITCHENS, set()),
        ("fall", ("autumn", "winter", "spring"), {"autumn"}),
        ("Tuesdays", ("Mon", "Tue", "Wed"), {"Tue"}),
        ("inexpensive", ("cheap", "moderate", "expensive", "luxury"), {"cheap"}),
        ("ethical reasoning", ("WAY-ER", "WAY-FR"), {"WAY-ER"}),
        ("pass/fail", ("Letter (ABCD/NP)", "Satisfactory/No Credit"), {"Satisfactory/No Credit"}),
    ],
)
def test_values_are_found_by_what_they_mean(
    reader: BuiltinReader, wanted: str, values: tuple[str, ...], found: set[str]
) -> None:
    request = MatchRequest(wanted=wanted, values=values)
    assert set(asyncio.run(reader.match_values([request]))[0].values) == found


def test_a_summary_is_made_of_the_passages_own_sentences_and_keeps_the_dissent(reader: BuiltinReader) -> None:
    passages = (
        Passage(text="The noodles here are wonderful and the broth is rich and deep."),
        Passage(text="I come every week for the wonderful noodles in their deep broth.", document=1),
        Passage(text="Rude service, I was ignored for an hour and would not come back to be insulted.", document=2),
    )
    reply = asyncio.run(reader.summarise([SummaryRequest(passages=passages)]))[0]
    assert reply.value is not None
    quoted = [passages[span.passage].text[span.start : span.stop] for span in reply.spans]
    assert reply.value == " ".join(quoted)
    assert any(not span.supports for span in reply.spans)


def test_vectors_outlive_the_process(tmp_path: Path) -> None:
    class Counting:
        """An encoder that tells what it was asked for."""

        def __init__(self) -> None:
            self.asked: list[str] = []

        def encode(self, texts: Sequence[str]) -> Array:
            self.asked.extend(texts)
            return np.eye(384, dtype=np.float32)[[len(text) for text in texts]]

    first, second = Counting(), Counting()
    reader = BuiltinReader(first)
    reader.warm(["A quiet room. Good soup."])
    reader.save_vectors(tmp_path / "vectors.npz")
    other = BuiltinReader(second)
    other.recall_vectors(tmp_path / "vectors.npz")
    other.warm(["A quiet room. Good soup.", "A new one."])
    assert "Good soup." in first.asked
    assert second.asked == ["A new one."]
