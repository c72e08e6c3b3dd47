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
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from agent.backends.builtin.reading import cross_encoder
from agent.networks.checkpoint import Checkpoint, kept, load
from agent.networks.cross_encoder import HEADS, VERDICTS, CrossEncoder
from agent.networks.deberta import NEAR, WIDTH
from hybridchat.research.learning import changes, learn, learned, network, rows

RATE = 1e-4
BATCH = 32
SMOOTHING = 0.05
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
        self.encoder = network(checkpoint)
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


def _loss(model: Model, batch: Sequence[Example]) -> Tensor:
    """The mean cross-entropy of all verdicts and edges."""
    ids, mask = rows([one.ids for one in batch])
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
    if exact:
        lines.append(f"  {len(cut)} stretches, exactly met {np.mean(exact):.3f}")
    return "\n".join([*lines, ""])


def main(arguments: Sequence[str]) -> None:
    """Learn, write what changed, and report on the held-out file as the runtime reads it."""
    parser = argparse.ArgumentParser(prog="train_cross_encoder")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--held-out", nargs="+", required=True)
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--go-on", action="store_true", help="start from the stored weights and store the mean of both")
    options = parser.parse_args(arguments)
    checkpoint = load()
    items = examples(options.files, checkpoint.tokenizer)
    model = begun(checkpoint) if options.go_on else Model(checkpoint)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    learn(
        model,
        lambda: items,
        partial(_loss, model),
        lambda one: len(one.ids),
        passes=options.passes,
        batch=BATCH,
        rate=options.rate,
        seed=options.seed,
    )
    if options.go_on:  # the mean of before and after reads both kinds better than either (Wortsman et al. 2022)
        model.load_state_dict({name: (before[name] + value) / 2 for name, value in model.state_dict().items()})
    heads = {name: model.heads[name.replace(".", "_")] for name in HEADS}
    found = changes(model.encoder, heads, checkpoint, RANK)
    np.savez_compressed(DATA, **found)
    reader = CrossEncoder(checkpoint, {name: value.astype(np.float32) for name, value in found.items()})
    sys.stdout.write("".join(report(reader, path) for path in options.held_out))


def begun(checkpoint: Checkpoint) -> Model:
    """The model as an earlier run left it."""
    before = kept(cross_encoder.__package__, DATA.name)
    model = Model(learned(checkpoint, before))
    for name in HEADS:
        head = model.heads[name.replace(".", "_")]
        head.load_state_dict({part: torch.tensor(before[f"{name}.{part}"]) for part in ("weight", "bias")})
    return model


if __name__ == "__main__":
    main(sys.argv[1:])
