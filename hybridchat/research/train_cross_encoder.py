"""Learn the cross-encoder: `python -m hybridchat.research.train_cross_encoder FILE... --held-out FILE`.

Each file holds one JSON object a line: `passage`, `yesno` (a list of `{"q", "a": Yes | No | no info}`) and `spans` (a
list of `{"q", "a": the exact stretch, or null where the passage does not answer}`). Learns every weight but the word
vectors from all of them at once, prints how it does on the held-out file, and writes `data/cross_encoder.npz`.

Needs PyTorch and transformers (requirements-train.txt), which nothing else here does; two passes over 25,000 questions
take some 40 minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn
from transformers import DebertaV2Config, DebertaV2Model

from agent.language.builtin.reading import cross_encoder
from agent.language.builtin.reading.cross_encoder import HEADS, LEFT, RIGHT, VERDICTS, CrossEncoder
from agent.language.checkpoint import Checkpoint, load
from agent.language.deberta import EPSILON, LAYERS, NEAR, REACH, WIDTH
from agent.language.deberta import HEADS as ATTENTION_HEADS
from agent.language.layers import Array

RATE = 1e-4
WARM = 0.06  # the share of all steps in which the rate rises
DECAY = 0.01
BATCH = 32
SMOOTHING = 0.05
LONGEST_STEP = 1.0  # of the gradient's length
RANK = 48  # of the differences that are kept
LEVELS = (0.0, 0.5, 0.6, 0.7)  # probabilities from which Yes is said, for the report
DATA = Path(cross_encoder.__file__).parent / "data" / "cross_encoder.npz"


@dataclass(frozen=True, slots=True)
class Example:
    """One row of tokens. `verdict` is a number of `VERDICTS`, or `stretch` the first and last token of the answer."""

    ids: list[int]
    verdict: int | None
    stretch: tuple[int, int] | None


class Model(nn.Module):
    """The encoder and its two heads, under the names that the runtime knows them by."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__()
        self.encoder = DebertaV2Model(
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
        self.encoder.load_state_dict({**weights, "embeddings.word_embeddings.weight": torch.tensor(words)})
        self.encoder.embeddings.word_embeddings.weight.requires_grad = False
        shapes = {"verdict.dense": WIDTH, "verdict.out": len(VERDICTS), "stretch.out": 2}
        self.heads = nn.ModuleDict({name.replace(".", "_"): nn.Linear(WIDTH, shapes[name]) for name in HEADS})
        self.drop = nn.Dropout(0.1)

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of the verdicts (texts, 3), and of first and last tokens (texts, 2, tokens)."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        inner = nn.functional.gelu(self.heads["verdict_dense"](self.drop(hidden[:, 0])))
        verdict = self.heads["verdict_out"](self.drop(inner))
        edges = self.heads["stretch_out"](hidden).transpose(1, 2)
        return verdict.float(), edges.float().masked_fill(mask[:, None, :] == 0, -1e9)


def examples(paths: Sequence[str], tokenizer: Tokenizer) -> list[Example]:
    """Every question of the files; a stretch that lies beyond what is read at once is left out."""
    found = []
    for path in paths:
        for line in Path(path).read_text(encoding="utf-8").splitlines():
            entry = json.loads(line)
            for item in entry["yesno"]:
                ids = tokenizer.encode(item["q"], entry["passage"]).ids[:NEAR]
                found.append(Example(ids, VERDICTS.index(item["a"]), None))
            for item in entry.get("spans", ()):
                encoding = tokenizer.encode(item["q"], entry["passage"])
                stretch = _tokens_of(encoding, entry["passage"], item["a"])
                if stretch is not None:
                    found.append(Example(encoding.ids[:NEAR], None, stretch))
    return found


def _tokens_of(encoding: Any, passage: str, answer: str | None) -> tuple[int, int] | None:
    """The first and last token of an answer; the first token of all for both where there is none."""
    if answer is None:
        return 0, 0
    begin = passage.lower().find(answer.lower())
    end = begin + len(answer)
    inside = [
        place
        for place, ((start, stop), part) in enumerate(zip(encoding.offsets, encoding.sequence_ids, strict=True))
        if part == 1 and start < end and stop > begin
    ]
    return (inside[0], inside[-1]) if begin >= 0 and inside and inside[-1] < NEAR else None


def learn(model: Model, items: Sequence[Example], passes: int, rate: float, seed: int) -> None:
    """AdamW with a rate that rises and then falls in a straight line; half precision where it is safe."""
    random.seed(seed)
    torch.manual_seed(seed)
    wide = [one for one in model.parameters() if one.requires_grad and one.ndim > 1]
    thin = [one for one in model.parameters() if one.requires_grad and one.ndim < 2]
    groups = [{"params": wide, "weight_decay": DECAY}, {"params": thin, "weight_decay": 0.0}]
    optimiser = torch.optim.AdamW(groups, lr=rate, eps=1e-6)
    steps = passes * -(-len(items) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda step: min((step + 1) / (WARM * steps), (steps - step) / (steps - WARM * steps))
    )
    model.train()
    began, mean = time.monotonic(), 0.0
    for step, batch in enumerate(one for _ in range(passes) for one in _shuffled(items)):
        optimiser.zero_grad()
        loss = _loss(model, batch)
        loss.backward()
        nn.utils.clip_grad_norm_([*wide, *thin], LONGEST_STEP)
        optimiser.step()
        schedule.step()
        mean = loss.item() if step == 0 else 0.98 * mean + 0.02 * loss.item()
        if step % 50 == 0:
            sys.stderr.write(f"step {step} of {steps}, loss {mean:.3f}, {time.monotonic() - began:.0f} s\n")


def _shuffled(items: Sequence[Example]) -> Iterator[list[Example]]:
    """Batches of like length in a new order."""
    order = random.sample(items, len(items))
    pooled = 16 * BATCH
    pools = [sorted(order[at : at + pooled], key=lambda one: len(one.ids)) for at in range(0, len(order), pooled)]
    groups = [pool[at : at + BATCH] for pool in pools for at in range(0, len(pool), BATCH)]
    yield from random.sample(groups, len(groups))


def _loss(model: Model, batch: Sequence[Example]) -> Tensor:
    """The mean cross-entropy of all verdicts and edges."""
    length = max(len(one.ids) for one in batch)
    ids = torch.tensor([one.ids + [0] * (length - len(one.ids)) for one in batch])
    mask = torch.tensor([[1] * len(one.ids) + [0] * (length - len(one.ids)) for one in batch])
    with torch.autocast("cpu", dtype=torch.bfloat16):
        verdicts, edges = model(ids, mask)
    entropy = partial(nn.functional.cross_entropy, reduction="sum")
    parts = []
    judged = [(place, one.verdict) for place, one in enumerate(batch) if one.verdict is not None]
    if judged:
        places, wanted = zip(*judged, strict=True)
        parts.append(entropy(verdicts[list(places)], torch.tensor(wanted), label_smoothing=SMOOTHING))
    cut = [(place, one.stretch) for place, one in enumerate(batch) if one.stretch is not None]
    if cut:
        places, ends = zip(*cut, strict=True)
        parts.append(entropy(edges[list(places)].flatten(0, 1), torch.tensor(ends).flatten()) / 2)
    return torch.stack(parts).sum() / len(batch)


def changes(model: Model, checkpoint: Checkpoint, rank: int) -> dict[str, Array]:
    """What learning changed: differences of low rank, new values of vectors and norms, the heads."""
    kept: dict[str, Array] = {}
    learned = {name: value.detach().numpy() for name, value in model.encoder.state_dict().items()}
    for name, start in checkpoint.weights.items():
        value = learned[name]
        if value.ndim < 2:
            kept[name] = value
            continue
        left, sizes, right = np.linalg.svd(value - start, full_matrices=False)
        root = np.sqrt(sizes[:rank])
        kept[name + LEFT], kept[name + RIGHT] = left[:, :rank] * root, root[:, None] * right[:rank]
    for name in HEADS:
        head = model.heads[name.replace(".", "_")]
        kept[name + ".weight"], kept[name + ".bias"] = head.weight.detach().numpy(), head.bias.detach().numpy()
    return {name: value.astype(np.float16) for name, value in kept.items()}


def report(reader: CrossEncoder, path: str) -> str:
    """Accuracy and Yes-precision at several levels of caution, and how many stretches are met exactly."""
    entries = [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]
    asked = [(entry["passage"], item) for entry in entries for item in entry["yesno"]]
    guesses = reader.verdicts([(item["q"], passage) for passage, item in asked])
    labels = np.array([VERDICTS.index(item["a"]) for _, item in asked])
    lines = [f"{path}: {len(asked)} questions"]
    for level in LEVELS:
        cautious = guesses.copy()
        cautious[guesses[:, 0] < level, 0] = 0.0
        best = cautious.argmax(axis=1)
        precision = (labels[best == 0] == 0).mean()
        lines.append(f"  Yes from {level:.2f}: accuracy {(best == labels).mean():.3f}, Yes-precision {precision:.3f}")
    cut = [(entry["passage"], item) for entry in entries for item in entry.get("spans", ()) if item["a"]]
    found = reader.stretches([(item["q"], passage) for passage, item in cut])
    exact = [
        passage[one.start : one.stop].strip(" .,").lower() == item["a"].strip(" .,").lower()
        for (passage, item), one in zip(cut, found, strict=True)
    ]
    return "\n".join([*lines, f"  {len(cut)} stretches, exactly met {np.mean(exact):.3f}", ""])


def main(arguments: Sequence[str]) -> None:
    """Learn, write what changed, and report on the held-out file as the runtime reads it."""
    parser = argparse.ArgumentParser(prog="train_cross_encoder")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--held-out", required=True)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", type=Path, help="go on from weights that --whole kept; the mean is kept")
    parser.add_argument("--whole", type=Path, help="also keep all learned weights, to go on from")
    options = parser.parse_args(arguments)
    checkpoint = load()
    items = examples(options.files, checkpoint.tokenizer)
    model = Model(checkpoint)
    if options.start:
        model.load_state_dict(torch.load(options.start))
    learn(model, items, options.passes, options.rate, options.seed)
    if options.start:  # the mean of before and after reads both kinds better than either (Wortsman et al. 2022)
        before = torch.load(options.start)
        model.load_state_dict({name: (before[name] + value) / 2 for name, value in model.state_dict().items()})
    if options.whole:
        torch.save(model.state_dict(), options.whole)
    kept = changes(model, checkpoint, RANK)
    np.savez_compressed(DATA, **kept)
    reader = CrossEncoder(checkpoint, {name: value.astype(np.float32) for name, value in kept.items()})
    sys.stdout.write(report(reader, options.held_out))


if __name__ == "__main__":
    main(sys.argv[1:])
