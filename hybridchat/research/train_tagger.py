"""Learn the tagger: `python -m hybridchat.research.train_tagger FILE... --held-out FILE`.

Each file holds one message a line, with marks as `{w:...}` around what its writer wants found
(`hybridchat.research.marking`; docs/decisions/marking.md says what is marked). Begins with the weights of
the cross-encoder, learns every weight but the word vectors, prints how it does on the held-out file, and writes
`agent/backends/data/tagger.npz`.

Needs PyTorch and transformers (requirements-train.txt), which nothing else here does; four passes over 11,000 messages
take some forty minutes on two cores.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from agent.backends.builtin.reading import cross_encoder
from agent.networks import tagger
from agent.networks.checkpoint import Checkpoint, kept, load
from agent.networks.deberta import NEAR, WIDTH
from agent.networks.tagger import HEAD, LABELS, Tagger
from hybridchat.research.learning import changes, learn, learned, network, rows
from hybridchat.research.marking import Message, evaluate, messages

RATE = 2e-4
BATCH = 16
SMOOTHING = 0.03
RANK = 48  # of the differences that are kept
LOWERED, UNMARKED = 0.25, 0.2  # shares of messages that are learned in small letters, and without punctuation
AGREEMENT = 1.0  # weight of how far two readings with different units dropped are apart (R-Drop, Liang et al. 2021)
IGNORED = -100  # the label of tokens that are no part of the message
DATA = Path(tagger.__file__).parent / "data" / "tagger.npz"
_chance = np.random.default_rng(0)
_PUNCTUATION = re.compile(r"(?<!\d)[.,!?;:]|[.,!?;:](?!\d)")


@dataclass(frozen=True, slots=True)
class Row:
    """The tokens of a message, each with the number of its label."""

    ids: list[int]
    labels: list[int]


class Model(nn.Module):
    """The encoder and one score for each label of each token."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__()
        self.encoder = network(checkpoint)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(WIDTH, len(LABELS))

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Scores (texts, tokens, labels)."""
        hidden = self.encoder(input_ids=ids, attention_mask=mask).last_hidden_state
        scores: Tensor = self.head(self.drop(hidden)).float()
        return scores


def varied(one: Message) -> Message:
    """The message as it is, or in small letters, or without punctuation: people write in all these ways."""
    text = one.text.lower() if _chance.random() < LOWERED else one.text
    if len(text) != len(one.text) or _chance.random() > UNMARKED:
        return Message(text if len(text) == len(one.text) else one.text, one.marks)
    left_out = {match.start() for match in _PUNCTUATION.finditer(text)}
    if _chance.random() < 0.5:
        left_out = {at for at in left_out if at >= len(text) - 2}
    shift = np.cumsum([0, *(at in left_out for at in range(len(text)))])
    marks = tuple((start - int(shift[start]), stop - int(shift[stop]), kind) for start, stop, kind in one.marks)
    return Message("".join(letter for at, letter in enumerate(text) if at not in left_out), marks)


def row(tokenizer: Tokenizer, one: Message) -> Row:
    """The tokens of a message with their labels."""
    encoding = tokenizer.encode(one.text)
    labels = []
    for (start, stop), sequence in zip(encoding.offsets, encoding.sequence_ids, strict=True):
        while start < stop and one.text[start].isspace():
            start += 1
        mark = next((mark for mark in one.marks if mark[0] < stop and mark[1] > start), None)
        if sequence is None:
            labels.append(IGNORED)
        elif mark is None:
            labels.append(0)
        else:
            labels.append(LABELS.index(f"{'begin' if start <= mark[0] else 'inside'} {mark[2]}"))
    return Row(encoding.ids[:NEAR], labels[:NEAR])


def _loss(model: Model, batch: Sequence[Row]) -> Tensor:
    """The mean cross-entropy of all labels in two readings, and how far the readings are apart."""
    ids, mask = rows([one.ids for one in batch])
    labels = torch.full(ids.shape, IGNORED)
    for place, one in enumerate(batch):
        labels[place, : len(one.labels)] = torch.tensor(one.labels)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        both = [model(ids, mask), model(ids, mask)]
    flat = labels.flatten()
    kept = flat != IGNORED
    one, other = (nn.functional.log_softmax(scores.flatten(0, 1)[kept], dim=-1) for scores in both)
    apart = nn.functional.kl_div(one, other, log_target=True, reduction="batchmean") + nn.functional.kl_div(
        other, one, log_target=True, reduction="batchmean"
    )
    missed = [nn.functional.cross_entropy(scores, flat[kept], label_smoothing=SMOOTHING) for scores in (one, other)]
    return (missed[0] + missed[1] + AGREEMENT * apart) / 2


def main(arguments: Sequence[str]) -> None:
    """Learn, write what changed, and report on the held-out messages as the runtime reads them."""
    parser = argparse.ArgumentParser(prog="train_tagger")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--held-out", nargs="+", required=True)
    parser.add_argument("--passes", type=int, default=5)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    checkpoint = load()
    model = Model(learned(checkpoint, kept(cross_encoder.__package__, "cross_encoder.npz")))
    items = messages(options.files)
    learn(
        model,
        lambda: [row(checkpoint.tokenizer, varied(item)) for item in items],
        partial(_loss, model),
        lambda one: len(one.ids),
        passes=options.passes,
        batch=BATCH,
        rate=options.rate,
        seed=options.seed,
    )
    found = changes(model.encoder, {HEAD: model.head}, checkpoint, RANK)
    DATA.parent.mkdir(exist_ok=True)
    np.savez_compressed(DATA, **found)
    reader = Tagger(checkpoint, {name: value.astype(np.float32) for name, value in found.items()})
    sys.stdout.write(evaluate(reader, messages(options.held_out))[1] + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
