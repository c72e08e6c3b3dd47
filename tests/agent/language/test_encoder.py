"""The sentence encoder: unit vectors, the same however texts are batched, near in meaning is near in space."""

import numpy as np
import pytest

from agent.networks import encoder as module
from agent.networks.encoder import Encoder
from agent.protocols.errors import ModelUnavailable


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.load()


def test_vectors_are_of_unit_length(encoder):
    vectors = encoder.encode(["a quiet garden", "", "x" * 5_000])
    assert vectors.shape == (3, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_texts_give_no_vectors(encoder):
    assert encoder.encode([]).shape == (0, 384)


def test_a_text_has_the_same_vector_alone_and_in_a_batch(encoder):
    texts = ["Parking is hard to find.", "A short one.", "The staff could not have been kinder to us all evening."]
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.allclose(alone, encoder.encode(texts), atol=1e-5)


def test_paraphrases_are_nearer_than_strangers(encoder):
    rug, mat, stocks = encoder.encode(["A cat lay on the rug.", "A kitten was lying on the mat.", "Shares fell."])
    assert rug @ mat > 0.5 > rug @ stocks


def test_altered_weights_are_refused(monkeypatch):
    monkeypatch.setattr(module, "SHA256", "0" * 64)
    module._load.cache_clear()
    try:
        with pytest.raises(ModelUnavailable, match="not the expected ones"):
            Encoder.load()
    finally:
        module._load.cache_clear()
