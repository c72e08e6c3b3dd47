"""Reading a question and a passage together: verdicts, stretches, and that pairs do not disturb each other."""

from __future__ import annotations

import numpy as np
import pytest

from agent.networks.cross_encoder import VERDICTS, CrossEncoder, changed


@pytest.fixture(scope="module")
def encoder() -> CrossEncoder:
    return CrossEncoder.load()


@pytest.mark.parametrize(
    ("question", "passage", "verdict"),
    [
        ("is the soup hot?", "The soup came steaming and we loved every spoon of it. Parking was a pain.", "Yes"),
        ("is the soup hot?", "The soup was stone cold when it came. Parking was easy.", "No"),
        ("is the soup hot?", "We parked behind the building and walked in through the garden.", "no info"),
        ("do I need a form?", "No form is needed. Write to the office and say what you want.", "No"),
    ],
)
def test_what_a_passage_says_to_a_question(encoder: CrossEncoder, question: str, passage: str, verdict: str) -> None:
    (row,) = encoder.verdicts([(question, passage)])

    assert row.sum() == pytest.approx(1, abs=1e-5)
    assert VERDICTS[int(row.argmax())] == verdict


def test_a_pair_is_read_the_same_alone_and_among_others(encoder: CrossEncoder) -> None:
    pairs = [
        ("is it loud?", "We had to shout."),
        (
            "is a second copy free?",
            "The first copy is free; each further one costs 4.",
        ),
        ("is it loud?", "A long story about a bus. " * 10),
    ]

    together = encoder.verdicts(pairs)

    assert np.allclose(np.vstack([encoder.verdicts([pair]) for pair in pairs]), together, atol=1e-3)


def test_the_stretch_that_answers(encoder: CrossEncoder) -> None:
    passage = "We queued for forty minutes in the rain, and the dumplings were gone by nine."

    questions = ("how long was the wait?", "when did they run out of dumplings?")
    queued, gone = encoder.stretches([(question, passage) for question in questions])

    assert "forty minutes" in passage[queued.start : queued.stop]
    assert "nine" in passage[gone.start : gone.stop]
    assert queued.probability > 0.5


def test_a_passage_without_an_answer_makes_its_stretch_unlikely(encoder: CrossEncoder) -> None:
    (one,) = encoder.stretches([("what does the tasting menu cost?", "The chairs are blue and the soup was hot.")])

    assert one.probability < 0.3


def test_of_a_very_long_passage_the_beginning_is_read(encoder: CrossEncoder) -> None:
    passage = "They only take cash. " + "The chairs are blue. " * 200

    assert encoder.verdicts([("can I pay by card?", passage)])[0].sum() == pytest.approx(1, abs=1e-5)


def test_no_pairs_give_no_rows(encoder: CrossEncoder) -> None:
    assert encoder.verdicts([]).shape == (0, 3)
    assert encoder.stretches([]) == []


def test_a_changed_weight_is_what_it_was_and_the_difference() -> None:
    start = np.ones((2, 3), np.float32)
    left, right = np.array([[1.0], [2.0]], np.float32), np.array([[1.0, 0.0, -1.0]], np.float32)

    assert changed("w", start, {"w.left": left, "w.right": right}).tolist() == [[2, 1, 0], [3, 1, -1]]
    assert changed("w", start, {"w": left}) is left
    assert changed("w", start, {}) is start
