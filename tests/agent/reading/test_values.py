"""Values by meaning, summaries, and what the small network learns."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from agent.language.builtin.reading import BuiltinReader
from agent.language.builtin.reading.alignment import Aligned
from agent.language.builtin.reading.learning import learn
from agent.language.builtin.reading.vectors import Array
from agent.language.tasks import MatchRequest, Passage, SummaryRequest

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

        def encode_tokens(self, texts: Sequence[str]) -> list[tuple[Array, list[tuple[int, int]]]]:
            raise AssertionError("no token vectors are needed")

    first, second = Counting(), Counting()
    reader = BuiltinReader(first)
    reader.warm(["A quiet room. Good soup."])
    reader.save_vectors(tmp_path / "vectors.npz")
    other = BuiltinReader(second)
    other.recall_vectors(tmp_path / "vectors.npz")
    other.warm(["A quiet room. Good soup.", "A new one."])
    assert "Good soup." in first.asked
    assert second.asked == ["A new one."]


def test_the_network_learns_what_a_feature_tells() -> None:
    random = np.random.default_rng(1)
    labels = random.integers(0, 3, 300)
    features = random.standard_normal((300, 6))
    features[np.arange(300), labels] += 4.0

    def blank() -> Aligned:
        rows = random.standard_normal((2, 64)).astype(np.float32)
        return Aligned(rows, rows, rows, np.zeros((2, 6), np.float32), np.zeros(25))

    aligned = [blank() for _ in labels]
    network = learn(aligned, features, labels, members=1)
    guesses = [int(network.probabilities(one, row).argmax()) for one, row in zip(aligned, features, strict=True)]
    assert np.mean(np.array(guesses) == labels) > 0.9
