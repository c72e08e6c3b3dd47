"""What learning the cross-encoder and the tagger has in common: the network in PyTorch, the steps, what is kept.

Needs PyTorch and transformers (requirements-train.txt), which nothing else here does.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor, nn
from transformers import DebertaV2Config, DebertaV2Model

from agent.networks.checkpoint import LEFT, RIGHT, Checkpoint, changed
from agent.networks.deberta import EPSILON, LAYERS, REACH, WIDTH
from agent.networks.deberta import HEADS as ATTENTION_HEADS
from agent.networks.layers import Array

WARM = 0.06  # the share of all steps in which the rate rises
DECAY = 0.01
LONGEST_STEP = 1.0  # of the gradient's length

Item = TypeVar("Item")


def network(checkpoint: Checkpoint) -> DebertaV2Model:
    """The checkpoint as a module whose word vectors stay as they are."""
    module = DebertaV2Model(
        DebertaV2Config(
            vocab_size=len(checkpoint.words.numbers),
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=ATTENTION_HEADS,
            intermediate_size=4 * WIDTH,
            type_vocab_size=0,
            relative_attention=True,
            position_buckets=REACH,
            norm_rel_ebd="layer_norm",
            share_att_key=True,
            pos_att_type=["p2c", "c2p"],
            layer_norm_eps=EPSILON,
            position_biased_input=False,
        )
    )
    weights = {name: torch.tensor(value) for name, value in checkpoint.weights.items()}
    words = checkpoint.words.of(np.arange(len(checkpoint.words.numbers)))
    module.load_state_dict({**weights, "embeddings.word_embeddings.weight": torch.tensor(words)})
    module.embeddings.word_embeddings.weight.requires_grad = False
    return module


def learned(checkpoint: Checkpoint, kept: Mapping[str, Array]) -> Checkpoint:
    """The checkpoint with what an earlier run kept, to go on from."""
    weights = {name: changed(name, value, kept) for name, value in checkpoint.weights.items()}
    return Checkpoint(checkpoint.words, weights, checkpoint.tokenizer)


def learn(
    model: nn.Module,
    items: Callable[[], Sequence[Item]],
    loss_of: Callable[[Sequence[Item]], Tensor],
    length: Callable[[Item], int],
    *,
    passes: int,
    batch: int,
    rate: float,
    seed: int,
) -> None:
    """AdamW with a rate that rises and then falls in a straight line. `items` are asked for anew in each pass."""
    random.seed(seed)
    torch.manual_seed(seed)
    wide = [one for one in model.parameters() if one.requires_grad and one.ndim > 1]
    thin = [one for one in model.parameters() if one.requires_grad and one.ndim < 2]
    groups = [{"params": wide, "weight_decay": DECAY}, {"params": thin, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=rate, eps=1e-6)
    steps = passes * -(-len(items()) // batch)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (WARM * steps), (steps - step) / (steps - WARM * steps))
    )
    model.train()
    began, mean = time.monotonic(), 0.0
    for step, group in enumerate(one for _ in range(passes) for one in _shuffled(items(), length, batch)):
        optimiser.zero_grad()
        loss = loss_of(group)
        loss.backward()
        nn.utils.clip_grad_norm_([*wide, *thin], LONGEST_STEP)
        optimiser.step()
        schedule.step()
        mean = loss.item() if step == 0 else 0.98 * mean + 0.02 * loss.item()
        if step % 50 == 0:
            sys.stderr.write(f"step {step} of {steps}, loss {mean:.3f}, {time.monotonic() - began:.0f} s\n")


def _shuffled(items: Sequence[Item], length: Callable[[Item], int], batch: int) -> Iterator[list[Item]]:
    """Batches of like length in a new order."""
    order = random.sample(items, len(items))
    pooled = 16 * batch
    pools = [sorted(order[at : at + pooled], key=length) for at in range(0, len(order), pooled)]
    groups = [pool[at : at + batch] for pool in pools for at in range(0, len(pool), batch)]
    yield from random.sample(groups, len(groups))


def rows(texts: Sequence[list[int]]) -> tuple[Tensor, Tensor]:
    """Token numbers filled up to one length, and a mask of ones and zeros."""
    longest = max(map(len, texts))
    ids = torch.tensor([ids + [0] * (longest - len(ids)) for ids in texts])
    mask = torch.tensor([[1] * len(ids) + [0] * (longest - len(ids)) for ids in texts])
    return ids, mask


def changes(
    encoder: nn.Module, heads: Mapping[str, nn.Linear], checkpoint: Checkpoint, rank: int
) -> dict[str, np.ndarray[Any, np.dtype[np.float16]]]:
    """What learning changed: differences of low rank, new values of vectors and norms, the heads."""
    kept: dict[str, Array] = {}
    learned = {name: value.detach().numpy() for name, value in encoder.state_dict().items()}
    for name, start in checkpoint.weights.items():
        value = learned[name]
        if value.ndim < 2:
            kept[name] = value
            continue
        left, sizes, right = np.linalg.svd(value - start, full_matrices=False)
        root = np.sqrt(sizes[:rank])
        kept[name + LEFT], kept[name + RIGHT] = left[:, :rank] * root, root[:, None] * right[:rank]
    for name, head in heads.items():
        kept[name + ".weight"], kept[name + ".bias"] = head.weight.detach().numpy(), head.bias.detach().numpy()
    return {name: value.astype(np.float16) for name, value in kept.items()}
