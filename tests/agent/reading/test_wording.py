"""What the wording of a question alone is taken to say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from agent.language.builtin.reading import wording
from agent.language.builtin.reading.wording import COMMON, Wording, learn_wording

EVEN = np.full(3, 1 / 3)


def learned() -> Wording:
    questions = ["was it only for members?"] * (2 * COMMON) + ["is there a garden?"] * (2 * COMMON) + ["is it blue?"]
    labels = [1] * (2 * COMMON) + [0] * (2 * COMMON) + [2]
    return learn_wording(questions, np.array(labels))


def test_a_word_that_is_mostly_denied_makes_no_likelier() -> None:
    yes, no, _ = learned().probabilities("was the terrace only open in May?")
    assert no > 2 * yes


def test_a_rare_word_has_no_weight() -> None:
    assert "blue" not in learned().weights
    assert "garden" in learned().weights


def test_tempering_keeps_a_sure_verdict_and_tips_an_even_one() -> None:
    model = learned()
    assert model.temper(np.array([0.9, 0.05, 0.05]), "was it only for members?").argmax() == 0
    assert model.temper(EVEN, "was it only for members?").argmax() == 1


def test_tempered_probabilities_sum_to_one_even_from_a_certainty() -> None:
    tempered = wording.load().temper(np.array([1.0, 0.0, 0.0]), "is it open?")
    assert tempered.sum() == pytest.approx(1.0)
    assert (tempered > 0).all()


def test_weights_are_written_and_read_alike(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = learned()
    (tmp_path / "data").mkdir()
    model.save(tmp_path / "data" / "wording.json")
    monkeypatch.setattr(wording, "files", lambda package: tmp_path)
    wording.load.cache_clear()
    assert wording.load() == model
    wording.load.cache_clear()
