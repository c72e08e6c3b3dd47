"""Learn the linker: `python -m hybridchat.research.linking.train --data FOLDER --minutes 34 [--start] [--talks]`.

Reads the training folder (`hybridchat.research.linking.examples` says of what form), learns every weight but the word
vectors for that long, and writes what changed to `agent/understanding/data/linker.npz`. Needs PyTorch
(requirements-train.txt), which nothing else here does.
"""

from __future__ import annotations

import argparse
import dataclasses
import random
import time
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from agent.networks.checkpoint import LEFT, RIGHT, SCALE, WHOLE, Checkpoint, changed, kept, load
from agent.networks.layers import Array
from agent.understanding import linker
from agent.understanding.linker import Window, Writer
from agent.understanding.roles import (
    AGGREGATES,
    COMPARED,
    COUNTED,
    DIRECTIONS,
    KINDS,
    LIMIT,
    OPERATORS,
    ROWS,
    SHOWN,
    Literal,
    Roles,
)
from agent.understanding.schema import Schema
from hybridchat.research.linking.examples import Example, Folder
from hybridchat.research.linking.labels import Span, spans_of
from hybridchat.research.linking.network import Model, published_name

OUT = Path(linker.__file__).parent / "data" / "linker.npz"
RATE, TOKENS, RANK = 1.5e-4, 2_000, 96
TABLES_A_PASS = 5_000  # questions over single tables
LEFT_OUT, IN_WORDS, LOWERED = 0.15, 0.5, 0.15  # shares: found values, columns in people's words, small letters
POOL = 512  # rows that batches of like length are made of
WARM, CALM = 100, 1.0  # steps in which the rate rises; the longest step of the gradient after them


@dataclasses.dataclass
class Row:
    """A question and a schema as tokens, with the roles to learn."""

    window: Window
    roles: Roles
    spans: list[Span]


class Rows:
    """Writes examples in another way in each pass: tables and columns in a new order, some values left out, half of
    the columns' names as people would say them."""

    def __init__(self, writer: Writer, words: dict[str, dict[tuple[str, str], str]], chance: random.Random) -> None:
        self._writer, self._words, self._chance = writer, words, chance

    def of(self, examples: Sequence[Example]) -> Iterator[Row]:
        for one in examples:
            schema = self._worded(one) if one.database and self._chance.random() < IN_WORDS else one.schema
            lowered = one.question.lower()
            small = self._chance.random() < LOWERED and len(lowered) == len(one.question)
            question = lowered if small else one.question
            found = {at: values for at, values in schema.found(question).items() if self._chance.random() >= LEFT_OUT}
            windows = self._writer.windows(question, schema, self._layout(schema), found)
            if len(windows) == 1 and len(windows[0].columns) == len(schema.fields):
                yield Row(windows[0], one.roles, spans_of(question, one.roles.literals))

    def _worded(self, one: Example) -> Schema:
        known = self._words.get(one.database, {})
        fields = []
        for field in one.schema.fields:
            name = (one.schema.tables[field.table].name.lower(), field.column.name.lower())
            fields.append(dataclasses.replace(field, words=known.get(name, field.words)))
        return dataclasses.replace(one.schema, fields=tuple(fields))

    def _layout(self, schema: Schema) -> list[tuple[int, list[int]]]:
        tables = list(range(len(schema.tables)))
        self._chance.shuffle(tables)
        layout = [(table, schema.of(table)) for table in tables]
        for _, columns in layout:
            self._chance.shuffle(columns)
        return layout


def loss_of(scores: dict[str, Tensor], rows: Sequence[Row]) -> Tensor:
    """Return the sum of all heads' losses, a mean over questions."""
    losses = [
        _of_columns(one, row) + _of_question(one, row) + _of_tokens(one, row)
        for row, one in ((row, {name: value[text] for name, value in scores.items()}) for text, row in enumerate(rows))
    ]
    return torch.stack(losses).mean()


def _of_columns(scores: dict[str, Tensor], row: Row) -> Tensor:
    roles, at, number = row.roles, _places(row), len(row.window.columns)
    several = {"select": torch.zeros(number, len(SHOWN)), "where": torch.zeros(number, len(OPERATORS))}
    several["group"] = torch.zeros(number, 1)
    one_of = {name: torch.zeros(number, dtype=torch.long) for name in ("order", "having", "compare")}
    total = torch.zeros(())
    for column, aggregate in roles.select:
        if column != ROWS:
            several["select"][at[column], SHOWN.index(aggregate)] = 1
    for column, operator in roles.where:
        several["where"][at[column], OPERATORS.index(operator)] = 1
    for column in roles.group:
        several["group"][at[column], 0] = 1
    for column, aggregate, direction in roles.order:
        one_of["order"][at[column]] = DIRECTIONS.index(direction)
        wanted = torch.tensor(AGGREGATES.index(aggregate))
        total = total + 0.5 * functional.cross_entropy(scores["column order_of"][at[column]], wanted)
    for column, aggregate in roles.having:
        one_of["having"][at[column]] = AGGREGATES.index(aggregate)
    for column, how in roles.compare:
        one_of["compare"][at[column]] = COMPARED.index(how)
    for name, wanted in several.items():
        told = scores[f"column {name}"][:number]
        total = total + functional.binary_cross_entropy_with_logits(told, wanted, reduction="sum")
    for name, wanted in one_of.items():
        total = total + functional.cross_entropy(scores[f"column {name}"][:number], wanted, reduction="sum")
    return total


def _of_question(scores: dict[str, Tensor], row: Row) -> Tensor:
    roles, at, total = row.roles, _places(row), torch.zeros(())
    for tables, name in zip(roles.tables, linker.TABLE, strict=True):
        wanted = torch.tensor([float(table in tables) for table, *_ in row.window.tables])
        told = scores[f"table {name}"][: len(wanted), 0]
        total = total + 0.5 * functional.binary_cross_entropy_with_logits(told, wanted, reduction="sum")
    for name, index in (
        ("kind", KINDS.index(roles.kind)),
        ("limit", roles.limit),
        ("order_count", DIRECTIONS.index(roles.order_count)),
        ("having_count", COUNTED.index(roles.having_count)),
    ):
        total = total + functional.cross_entropy(scores[f"question {name}"], torch.tensor(index))
    for name, holds in (
        ("distinct", roles.distinct),
        ("count", (ROWS, "") in roles.select),
        ("either", roles.either),
        ("star", roles.everything),
    ):
        told = scores[f"question {name}"][0]
        total = total + functional.binary_cross_entropy_with_logits(told, torch.tensor(float(holds)))
    places = [
        scores["question place"][0] if column == ROWS else scores["column place"][at[column], 0]
        for column, _ in roles.select
    ]
    for before, after in pairwise(places):  # what is shown earlier scores lower
        total = total + 0.3 * functional.softplus(before - after)
    return total


def _of_tokens(scores: dict[str, Tensor], row: Row) -> Tensor:
    """What begins a literal (1), what goes on with it (2), of what it is a value; tokens begin after the first."""
    at, offsets, total = _places(row), row.window.offsets, torch.zeros(())
    marks = torch.zeros(len(offsets), dtype=torch.long)
    for start, stop, literal in row.spans:
        inside = [place for place, (low, high) in enumerate(offsets) if low < stop and high > start and low < high]
        if not inside:
            continue
        marks[inside] = 2
        marks[inside[0]] = 1
        token = 1 + inside[0]
        pointed = scores["pointer"][token, : len(at) + 2]
        total = total + functional.cross_entropy(pointed, torch.tensor(_pointer(literal, at)))
        operator = torch.tensor(OPERATORS.index(literal.operator))
        total = total + 0.7 * functional.cross_entropy(scores["token operator"][token], operator)
        branch = scores["token branch"][token, 0]
        wanted = torch.tensor(float(literal.inner))
        total = total + 0.5 * functional.binary_cross_entropy_with_logits(branch, wanted)
    told = scores["token bio"][1 : 1 + len(marks)]
    return total + 0.5 * functional.cross_entropy(told, marks, reduction="sum")


def _places(row: Row) -> dict[int, int]:
    return {column: place for place, (column, *_) in enumerate(row.window.columns)}


def _pointer(literal: Literal, at: dict[int, int]) -> int:
    """Its place among what it may be said of: how many rows, how many in a group, then the columns."""
    return literal.column - LIMIT if literal.column < 0 else at[literal.column] + 2


def batches(rows: list[Row], chance: random.Random) -> list[list[Row]]:
    """Return batches of like length and at most TOKENS tokens, in a new order."""
    chance.shuffle(rows)
    groups: list[list[Row]] = []
    for start in range(0, len(rows), POOL):
        group: list[Row] = []
        for row in sorted(rows[start : start + POOL], key=lambda one: len(one.window.ids)):
            if group and (len(group) + 1) * len(row.window.ids) > TOKENS:
                groups.append(group)
                group = []
            group.append(row)
        groups.append(group)
    chance.shuffle(groups)
    return groups


def learn(
    model: Model, rows: Rows, databases: list[Example], tables: list[Example], minutes: float, chance: random.Random
) -> None:
    """Take steps of AdamW with a rate that falls with the time left."""
    encoder, heads = list(model.encoder.parameters()), list(model.heads.parameters())
    groups = [{"params": encoder, "lr": RATE}, {"params": heads, "lr": 3 * RATE}]
    optimiser = torch.optim.AdamW(groups, eps=1e-6, weight_decay=0.01, fused=True)
    began, step, turn = time.monotonic(), 0, 0
    model.train()
    while True:
        examples = databases + tables[turn * TABLES_A_PASS : (turn + 1) * TABLES_A_PASS]
        for group in batches(list(rows.of(examples)), chance):
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
            nn.utils.clip_grad_norm_(model.parameters(), CALM if step > WARM else 5 * CALM)
            optimiser.step()
            step += 1
            if step % 50 == 0:
                print(f"step {step}, loss {loss.item():.3f}, {time.monotonic() - began:.0f} s", flush=True)
        turn += 1


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
    parser.add_argument("--talks", action="store_true", help="also train on conversations")
    parser.add_argument("--start", action="store_true", help="start from the existing weights")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    checkpoint, folder = load(), Folder(options.data)
    chance = random.Random(options.seed)  # noqa: S311 - no secret: the order of examples
    model = Model(checkpoint)
    if options.start:
        there = kept("agent.understanding", OUT.name)
        weights = {name: changed(name, value, there) for name, value in checkpoint.weights.items()}
        model.encoder.load_state_dict(
            {name: torch.tensor(weights[published_name(name)]) for name in model.encoder.state_dict()}
        )
        model.heads.load_state_dict({name: torch.tensor(there[f"heads.{name}"]) for name in model.heads.state_dict()})
    databases, tables = list(folder.databases()), list(folder.tables())
    databases += list(folder.talks()) if options.talks else []
    chance.shuffle(tables)
    print(f"{len(databases)} questions of databases, {len(tables)} of tables; held out: {sorted(folder.held_out())}")
    rows = Rows(Writer(checkpoint.tokenizer), folder.words(), chance)
    learn(model, rows, databases, tables, options.minutes, chance)
    np.savez_compressed(options.out, **pack(model, checkpoint))


if __name__ == "__main__":
    main()
