"""Learn the linker: `python -m hybridchat.research.linking.train --data FOLDER --minutes 34 [--start]`.

Reads the training folder (`hybridchat.research.linking.examples` says of what form), learns every weight but the word
vectors for that long, and writes what changed to `agent/understanding/data/linker.npz`. Needs PyTorch
(requirements-train.txt), which nothing else here does.
"""

from __future__ import annotations

import argparse
import dataclasses
import os
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import django
import numpy as np
import torch
from torch import nn

from agent.networks.checkpoint import LEFT, RIGHT, SCALE, WHOLE, Checkpoint, changed, kept, load
from agent.networks.layers import Array
from agent.understanding import linker
from agent.understanding.roles import Roles
from agent.understanding.schema import Schema
from agent.understanding.writer import Writer
from hybridchat.research.linking.losses import Row, loss_of
from hybridchat.research.linking.network import Model, published_name

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hybridchat.settings")
django.setup()  # the import's drafting, which tells the columns' kinds, is part of an application

from hybridchat.research.linking.examples import Example, Folder, with_prose  # noqa: E402

OUT = Path(linker.__file__).parent / "data" / "linker.npz"
RATE, TOKENS, RANK = 1.2e-4, 2_000, 190
TABLES_A_PASS = 1_000  # questions over single tables
LEFT_OUT, LOWERED = 0.15, 0.15  # shares: found values that are left out, questions in small letters
DESCRIBED, AS_NAMED = 0.25, 0.4  # shares: columns with people's words as a description, without any; the rest in them
UNLISTED = 0.3  # share of schemas whose columns are written without their values
PROSE, EARLIER = 0.35, 0.35  # shares of questions with a prose column, with a query before, that they do not need
KEPT_EVERY = 300  # seconds
POOL = 512  # rows that batches of like length are made of
WARM, CALM = 100, 1.0  # steps in which the rate rises; the longest step of the gradient after them


class Rows:
    """Writes examples in another way in each pass: tables and columns in a new order, some values left out, columns'
    names as people would say them, prose columns that nothing is asked of, queries before that say nothing."""

    def __init__(self, writer: Writer, folder: Folder, chance: random.Random) -> None:
        self._writer, self._words, self._proses, self._chance = writer, folder.words(), folder.proses(), chance
        self._earlier: dict[str, list[Roles]] = defaultdict(list)

    def remember(self, examples: Iterable[Example]) -> None:
        """Keep roles that may stand before another question over the same database."""
        for one in examples:
            self._earlier[one.database].append(one.roles)

    def of(self, examples: Sequence[Example]) -> Iterator[Row]:
        """Yield those that fit into one window."""
        for one in examples:
            if row := self._row(one):
                yield row

    def _row(self, one: Example) -> Row | None:
        schema, before = self._worded(one), one.before
        if not one.roles.marks and self._chance.random() < PROSE:
            table = self._chance.choice(schema.tables).name
            schema = with_prose(schema, **{**self._chance.choice(self._proses), "table": table})
        if before is None and self._earlier[one.database] and self._chance.random() < EARLIER:
            before = self._chance.choice(self._earlier[one.database])
        lowered = one.question.lower()
        small = self._chance.random() < LOWERED and len(lowered) == len(one.question)
        question = lowered if small else one.question
        found = {at: values for at, values in schema.found(question).items() if self._chance.random() >= LEFT_OUT}
        windows = self._writer.windows(question, schema, self._layout(schema), found, before)
        if len(windows) > 1 or len(windows[0].columns) < len(schema.fields):
            return None
        return Row(windows[0], one.roles, one.spans, one.told, before is not None)

    def _worded(self, one: Example) -> Schema:
        known, chance = self._words.get(one.database, {}), self._chance.random()
        choices = self._chance.random() >= UNLISTED
        fields = []
        for field in one.schema.fields:
            name = (one.schema.tables[field.table].name.lower(), field.column.name.lower())
            words, described = known.get(name, field.words), field.described
            if chance < DESCRIBED:
                words, described = field.words, " ".join(w for w in words.split() if w not in field.words.split())
            elif chance < DESCRIBED + AS_NAMED:
                words = field.words
            kept = field.choices if choices else ()
            fields.append(dataclasses.replace(field, words=words, described=described, choices=kept))
        return dataclasses.replace(one.schema, fields=tuple(fields))

    def _layout(self, schema: Schema) -> list[tuple[int, list[int]]]:
        tables = list(range(len(schema.tables)))
        self._chance.shuffle(tables)
        layout = [(table, schema.of(table)) for table in tables]
        for _, columns in layout:
            self._chance.shuffle(columns)
        return layout


def batches(examples: list[Example], rows: Rows, chance: random.Random) -> Iterator[list[Row]]:
    """Yield batches of like length and at most TOKENS tokens."""
    chance.shuffle(examples)
    for start in range(0, len(examples), POOL):
        groups: list[list[Row]] = [[]]
        for row in sorted(rows.of(examples[start : start + POOL]), key=lambda one: len(one.window.ids)):
            if groups[-1] and (len(groups[-1]) + 1) * len(row.window.ids) > TOKENS:
                groups.append([])
            groups[-1].append(row)
        chance.shuffle(groups)
        yield from groups


class Mixture:
    """The examples of each pass: all conversations and messages with wishes on prose, half of the questions over
    databases, some of those over single tables."""

    def __init__(self, folder: Folder, chance: random.Random) -> None:
        self._always = [*folder.talks(), *folder.hybrid()]
        self._halved = [*folder.questions("text2sql"), *folder.questions("written")]
        self._tables = list(folder.tables())
        self._chance = chance
        chance.shuffle(self._tables)

    @property
    def whole(self) -> list[Example]:
        """All examples over databases."""
        return self._always + self._halved

    def of(self, turn: int) -> list[Example]:
        """Return the examples of a pass."""
        half = self._chance.sample(self._halved, len(self._halved) // 2)
        return self._always + half + self._tables[turn * TABLES_A_PASS : (turn + 1) * TABLES_A_PASS]


def learn(model: Model, rows: Rows, mixture: Mixture, minutes: float, chance: random.Random, out: Path) -> None:
    """Take steps of AdamW with a rate that falls with the time left; the weights are kept every now and then."""
    encoder, heads = ([one for one in part.parameters() if one.requires_grad] for part in (model.encoder, model.heads))
    groups = [{"params": encoder, "lr": RATE}, {"params": heads, "lr": 3 * RATE}]
    optimiser = torch.optim.AdamW(groups, eps=1e-6, weight_decay=0.01, fused=True)
    began, step, turn, saved, tokens = time.monotonic(), 0, 0, time.monotonic(), 0
    model.train()
    while True:
        for group in batches(mixture.of(turn), rows, chance):
            spent = (time.monotonic() - began) / (60 * minutes)
            if spent >= 1:
                return
            for each, top in zip(optimiser.param_groups, (RATE, 3 * RATE), strict=True):
                each["lr"] = top * min(1.0, (step + 1) / WARM) * (1 - spent)
            optimiser.zero_grad()
            with torch.autocast("cpu", dtype=torch.bfloat16):
                scores = model([row.window for row in group])
            loss = loss_of(scores, group)
            loss.backward()
            nn.utils.clip_grad_norm_(encoder + heads, CALM if step > WARM else 5 * CALM)
            optimiser.step()
            step += 1
            tokens += sum(len(row.window.ids) for row in group)
            if step % 20 == 0:
                told = f"step {step}, pass {turn}, loss {loss.item():.3f}, {tokens} tokens"
                print(f"{told}, {time.monotonic() - began:.0f} s, {time.process_time():.0f} s of a core", flush=True)
            if time.monotonic() - saved > KEPT_EVERY:
                torch.save(model.state_dict(), out.with_suffix(".pt"))
                saved = time.monotonic()
        turn += 1


def start(model: Model, checkpoint: Checkpoint) -> None:
    """Give a model the weights that are there; scores that are new to a head keep their first weights."""
    there = kept("agent.understanding", OUT.name)
    weights = {name: changed(name, value, there) for name, value in checkpoint.weights.items()}
    model.encoder.load_state_dict(
        {name: torch.tensor(weights[published_name(name)]) for name in model.encoder.state_dict()}
    )
    heads = model.heads.state_dict()
    for name, value in heads.items():
        known = torch.tensor(there[f"heads.{name}"]).to(value.dtype)
        value[: len(known)] = known
    model.heads.load_state_dict(heads)


def freeze(model: Model, layers: int) -> None:
    """Let the first layers of the encoder, with what comes before them, stay as they are."""
    if layers:
        fixed = [model.encoder.norm, model.encoder.place_norm, *model.encoder.layers[:layers]]
        for one in (model.encoder.places, *(each for part in fixed for each in part.parameters())):
            one.requires_grad = False


def pack(model: Model, checkpoint: Checkpoint) -> dict[str, Array]:
    """Return what is kept: heads, and differences of low rank to the checkpoint, matrices in eight bits by rows."""
    found: dict[str, Array] = {}
    for name, value in model.heads.state_dict().items():
        found |= _eight_bits(f"heads.{name}", value.numpy())
    for name, value in model.encoder.state_dict().items():
        published = published_name(name)
        whole = value.numpy()
        if whole.ndim < 2:
            found[published] = whole.astype(np.float16)
            continue
        left, strength, right = np.linalg.svd(whole - checkpoint.weights[published], full_matrices=False)
        half = np.sqrt(strength[:RANK])
        found |= _eight_bits(published + LEFT, left[:, :RANK] * half)
        found |= _eight_bits(published + RIGHT, half[:, None] * right[:RANK])
    return found


def _eight_bits(name: str, value: Array) -> dict[str, Array]:
    if value.ndim < 2:
        return {name: value.astype(np.float16)}
    scale = np.maximum(np.abs(value).max(axis=1, keepdims=True), 1e-12) / 127
    return {name + WHOLE: np.round(value / scale).astype(np.int8), name + SCALE: scale.astype(np.float16)}


def main() -> None:
    """Read the arguments, learn, and write what changed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=34)
    parser.add_argument("--start", action="store_true", help="start from the existing weights")
    parser.add_argument("--frozen", type=int, default=0, help="layers, from the first, that stay as they are")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    checkpoint, folder = load(), Folder(options.data)
    chance = random.Random(options.seed)  # noqa: S311 - no secret: the order of examples
    model = Model(checkpoint)
    if options.start:
        start(model, checkpoint)
    freeze(model, options.frozen)
    mixture = Mixture(folder, chance)
    print(f"{len(mixture.whole)} examples over databases; held out: {sorted(folder.held_out())}", flush=True)
    rows = Rows(Writer(checkpoint.tokenizer), folder, chance)
    rows.remember(mixture.whole)
    learn(model, rows, mixture, options.minutes, chance, options.out)
    np.savez_compressed(options.out, **pack(model, checkpoint))


if __name__ == "__main__":
    main()
