"""The DeBERTa encoder against its formula written out place by place (He et al. 2021, section 3.1)."""

from __future__ import annotations

import math

import numpy as np
import pytest

from agent.networks.deberta import HEAD, HEADS, LAYERS, LONGEST, NEAR, REACH, WIDTH, Deberta, places_of
from agent.networks.layers import Array

Weights = dict[str, Array]


@pytest.fixture(scope="module")
def weights() -> Weights:
    random = np.random.default_rng(7)

    def drawn(*shape: int) -> Array:
        return (random.standard_normal(shape) * 0.05).astype(np.float32)

    def norm(name: str) -> Weights:
        return {f"{name}.weight": 1 + drawn(WIDTH), f"{name}.bias": drawn(WIDTH)}

    def dense(name: str, out: int = WIDTH, inward: int = WIDTH) -> Weights:
        return {f"{name}.weight": drawn(out, inward), f"{name}.bias": drawn(out)}

    made = norm("embeddings.LayerNorm") | norm("encoder.LayerNorm")
    made["encoder.rel_embeddings.weight"] = 10 * drawn(2 * REACH, WIDTH)
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}."
        for name in ("query", "key", "value"):
            made |= dense(f"{layer}attention.self.{name}_proj")
        made |= dense(f"{layer}attention.output.dense") | norm(f"{layer}attention.output.LayerNorm")
        made |= dense(f"{layer}intermediate.dense", 4 * WIDTH) | dense(f"{layer}output.dense", inward=4 * WIDTH)
        made |= norm(f"{layer}output.LayerNorm")
    return made


def by_the_formula(weights: Weights, words: Array) -> Array:
    """One text of few tokens, in double precision, score by score."""

    def through(rows: Array, name: str) -> Array:
        return rows @ weights[name + ".weight"].T + weights[name + ".bias"]

    def norm(rows: Array, name: str) -> Array:
        centred = rows - rows.mean(-1, keepdims=True)
        spread = np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-7)
        return centred / spread * weights[name + ".weight"] + weights[name + ".bias"]

    erf = np.vectorize(math.erf)
    places = range(len(words))
    positions = norm(weights["encoder.rel_embeddings.weight"].astype(np.float64), "encoder.LayerNorm")
    hidden = norm(words.astype(np.float64), "embeddings.LayerNorm")
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}."
        own = f"{layer}attention.self."
        query, key, value = (through(hidden, f"{own}{name}_proj") for name in ("query", "key", "value"))
        query_at, key_at = through(positions, own + "query_proj"), through(positions, own + "key_proj")
        mixed = np.zeros_like(hidden)
        for head in range(HEADS):
            part = slice(head * HEAD, (head + 1) * HEAD)
            scores = np.array(
                [
                    [
                        query[i, part] @ key[j, part]
                        + query[i, part] @ key_at[REACH + i - j, part]
                        + key[j, part] @ query_at[REACH + i - j, part]
                        for j in places
                    ]
                    for i in places
                ]
            ) / math.sqrt(3 * HEAD)
            powers = np.exp(scores - scores.max(-1, keepdims=True))
            mixed[:, part] = powers / powers.sum(-1, keepdims=True) @ value[:, part]
        attended = norm(through(mixed, f"{layer}attention.output.dense") + hidden, f"{layer}attention.output.LayerNorm")
        inner = through(attended, f"{layer}intermediate.dense")
        inner = inner * 0.5 * (1 + erf(inner / math.sqrt(2)))
        hidden = norm(through(inner, f"{layer}output.dense") + attended, f"{layer}output.LayerNorm")
    return hidden


def test_it_computes_what_the_formula_says(weights: Weights) -> None:
    words = np.random.default_rng(1).standard_normal((6, WIDTH)).astype(np.float32)

    hidden = Deberta(weights).hidden(words[None], np.ones((1, 6), np.float32))[0]

    assert np.abs(hidden - by_the_formula(weights, words)).max() < 0.02


def test_what_a_text_is_padded_with_changes_nothing(weights: Weights) -> None:
    random = np.random.default_rng(2)
    network = Deberta(weights)
    words = random.standard_normal((2, 9, WIDTH)).astype(np.float32)
    mask = np.ones((2, 9), np.float32)
    mask[0, 5:] = 0

    together = network.hidden(words, mask)[0, :5]
    alone = network.hidden(words[:1, :5], mask[:1, :5])[0]

    assert np.allclose(together, alone, atol=1e-4)


def test_a_text_that_is_too_long_is_refused(weights: Weights) -> None:
    with pytest.raises(ValueError, match="At most 512 tokens"):
        Deberta(weights).hidden(np.zeros((1, LONGEST + 1, WIDTH), np.float32), np.ones((1, LONGEST + 1), np.float32))


def test_near_distances_have_a_position_each_and_far_ones_share_some() -> None:
    places = places_of(LONGEST)
    middle = LONGEST - 1
    near = places[middle - NEAR : middle + NEAR + 1]

    assert list(near) == [REACH + distance for distance in range(-NEAR, NEAR + 1)]
    assert (np.diff(places) >= 0).all()
    assert len(set(places[middle + NEAR :])) < LONGEST - NEAR
    assert places.min() >= 0
    assert places.max() == 2 * REACH - 1
