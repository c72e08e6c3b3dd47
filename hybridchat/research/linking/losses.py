"""What the linker's scores are held against: the losses of all heads over a batch of questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor
from torch.nn import functional

from agent.understanding.linker import TABLE
from agent.understanding.roles import (
    AGGREGATES,
    COMPARED,
    COUNT,
    COUNTED,
    DIRECTIONS,
    FILLED,
    KINDS,
    LIMIT,
    MOVES,
    OPERATORS,
    ROWS,
    SHOWN,
    WISHES,
    Literal,
    Roles,
)
from agent.understanding.writer import Window
from hybridchat.research.linking.labels import Span

NONE = -100  # in place of a class: there is nothing to learn


@dataclass
class Row:
    """A question and a schema as tokens, with the roles to learn; `follows` says that a query before is written."""

    window: Window
    roles: Roles
    spans: list[Span]
    told: str
    follows: bool


def loss_of(scores: dict[str, Tensor], rows: Sequence[Row]) -> Tensor:
    """Return the sum of all heads' losses, a mean over questions."""
    total = _of_columns(scores, rows) + _of_question(scores, rows) + _of_tokens(scores, rows)
    return total / len(rows)


def _of_columns(scores: dict[str, Tensor], rows: Sequence[Row]) -> Tensor:
    size = scores["column place"].shape[:2]
    several = {"select": torch.zeros(*size, len(SHOWN)), "where": torch.zeros(*size, len(OPERATORS))}
    several |= {name: torch.zeros(*size, 1) for name in ("group", "keep")}
    weights = {name: torch.zeros(size) for name in several}
    classes = {name: torch.full(size, NONE) for name in ("order", "having", "compare", "filled", "order_of")}
    for text, row in enumerate(rows):
        roles, at, number = row.roles, places_of(row), len(row.window.columns)
        if row.follows:
            weights["keep"][text, :number] = 1.0
            for column in roles.keep - {LIMIT, COUNT}:
                several["keep"][text, at[column], 0] = 1
        if row.told == "move":
            continue
        for name in ("where", "group"):
            weights[name][text, :number] = 1.0
        weights["select"][text, :number] = float(row.told == "all")
        for name in ("order", "having", "compare", "filled"):
            classes[name][text, :number] = 0
        for column, aggregate in roles.select:
            if column != ROWS:
                several["select"][text, at[column], SHOWN.index(aggregate)] = 1
        for column, operator in roles.where:
            several["where"][text, at[column], OPERATORS.index(operator)] = 1
        for column in roles.group:
            several["group"][text, at[column], 0] = 1
        for column, aggregate, direction in roles.order:
            classes["order"][text, at[column]] = DIRECTIONS.index(direction)
            classes["order_of"][text, at[column]] = AGGREGATES.index(aggregate)
        for name, words, told in (
            ("having", AGGREGATES, roles.having),
            ("compare", COMPARED, roles.compare),
            ("filled", FILLED, roles.filled),
        ):
            for column, word in told:
                classes[name][text, at[column]] = words.index(word)
    total = torch.zeros(())
    for name, wanted in several.items():
        loss = functional.binary_cross_entropy_with_logits(scores[f"column {name}"], wanted, reduction="none")
        total = total + (loss.sum(-1) * weights[name]).sum()
    for name, wanted in classes.items():
        total = total + (0.5 if name == "order_of" else 1.0) * _class(scores[f"column {name}"], wanted)
    return total


def _of_question(scores: dict[str, Tensor], rows: Sequence[Row]) -> Tensor:
    total = torch.zeros(())
    whole = [row.told != "move" for row in rows]
    for side, name in enumerate(TABLE):
        told = scores[f"table {name}"][:, :, 0]
        wanted, weight = torch.zeros_like(told), torch.zeros_like(told)
        for text, row in enumerate(rows):
            if whole[text]:
                needed = row.roles.tables[side]
                wanted[text, : len(row.window.tables)] = torch.tensor(
                    [float(t in needed) for t, *_ in row.window.tables]
                )
                weight[text, : len(row.window.tables)] = 0.5
        loss = functional.binary_cross_entropy_with_logits(told, wanted, reduction="none")
        total = total + (loss * weight).sum()
    for name, indices in (
        ("kind", [KINDS.index(row.roles.kind) for row in rows]),
        ("limit", [row.roles.limit for row in rows]),
        ("order_count", [DIRECTIONS.index(row.roles.order_count) for row in rows]),
        ("having_count", [COUNTED.index(row.roles.having_count) for row in rows]),
        ("skip", [row.roles.skip for row in rows]),
    ):
        told = torch.tensor([index if holds else NONE for index, holds in zip(indices, whole, strict=True)])
        total = total + _class(scores[f"question {name}"], told)
    moves = torch.tensor([MOVES.index(row.roles.move) if row.follows else NONE for row in rows])
    total = total + _class(scores["question move"], moves)
    shown = [row.told == "all" for row in rows]
    follows = [row.follows for row in rows]
    for name, holds, counts in (
        ("distinct", [row.roles.distinct for row in rows], shown),
        ("count", [(ROWS, "") in row.roles.select for row in rows], whole),
        ("either", [row.roles.either for row in rows], whole),
        ("star", [row.roles.everything for row in rows], shown),
        ("keep_limit", [LIMIT in row.roles.keep for row in rows], follows),
        ("keep_count", [COUNT in row.roles.keep for row in rows], follows),
    ):
        told = scores[f"question {name}"][:, 0]
        loss = functional.binary_cross_entropy_with_logits(told, torch.tensor(holds).float(), reduction="none")
        total = total + (loss * torch.tensor(counts).float()).sum()
    return total + 0.3 * _of_places(scores, rows)


def _of_places(scores: dict[str, Tensor], rows: Sequence[Row]) -> Tensor:
    """What is shown earlier scores lower."""
    whole = torch.cat([scores["question place"], scores["column place"][:, :, 0]], 1)
    pairs = []
    for text, row in enumerate(rows):
        at = places_of(row)
        order = [0 if column == ROWS else at[column] + 1 for column, _ in row.roles.select]
        pairs += [(text, *pair) for pair in pairwise(order)] if row.told == "all" else []
    if not pairs:
        return torch.zeros(())
    texts, before, after = torch.tensor(pairs).T
    return functional.softplus(whole[texts, before] - whole[texts, after]).sum()


def _of_tokens(scores: dict[str, Tensor], rows: Sequence[Row]) -> Tensor:
    """What begins a literal (1), what goes on with it (2), of what it is a value; what marks a wish on prose, and of
    which column. Tokens begin after the first."""
    size = scores["token bio"].shape[:2]
    literals, marks = torch.full(size, NONE), torch.full(size, NONE)
    values: list[tuple[int, int, int, int, float]] = []  # text, token, target, operator, whether of the inner query
    wishes: list[tuple[int, int, int]] = []  # text, token, target
    for text, row in enumerate(rows):
        if row.told == "move":
            continue
        at, offsets = places_of(row), row.window.offsets
        literals[text, 1 : 1 + len(offsets)] = 0
        marks[text, 1 : 1 + len(offsets)] = 0
        for start, stop, literal in row.spans:
            if inside := _inside(offsets, start, stop):
                literals[text, inside] = 2
                literals[text, inside[0]] = 1
                operator = OPERATORS.index(literal.operator)
                values.append((text, inside[0], _target(literal, at), operator, float(literal.inner)))
        for mark in row.roles.marks:
            if inside := _inside(offsets, mark.start, mark.stop):
                marks[text, inside] = 1
                marks[text, inside[0]] = 2 + WISHES.index(mark.kind)
                wishes.append((text, inside[0], at[mark.column] + 2))
    total = 0.5 * _class(scores["token bio"], literals) + 0.5 * _class(scores["token mark"], marks)
    widths = torch.tensor([len(row.window.columns) + 2 for row in rows])
    if values:
        texts, tokens, targets, operators = torch.tensor([one[:4] for one in values]).T
        total = total + _pointed(scores, widths, texts, tokens, targets)
        total = total + 0.7 * _class(scores["token operator"][texts, tokens], operators)
        inner = torch.tensor([one[4] for one in values])
        branch = scores["token branch"][texts, tokens, 0]
        total = total + 0.5 * functional.binary_cross_entropy_with_logits(branch, inner, reduction="sum")
    if wishes:
        total = total + 0.5 * _pointed(scores, widths, *torch.tensor(wishes).T)
    return total


def _pointed(scores: dict[str, Tensor], widths: Tensor, texts: Tensor, tokens: Tensor, targets: Tensor) -> Tensor:
    told = scores["pointer"][texts, tokens]
    outside = torch.arange(told.shape[1])[None] >= widths[texts][:, None]
    return functional.cross_entropy(told.masked_fill(outside, -1e9), targets, reduction="sum")


def _inside(offsets: list[tuple[int, int]], start: int, stop: int) -> list[int]:
    """The tokens of a stretch."""
    return [1 + place for place, (low, high) in enumerate(offsets) if low < stop and high > start and low < high]


def _class(told: Tensor, wanted: Tensor) -> Tensor:
    classes = told.shape[-1]
    return functional.cross_entropy(told.reshape(-1, classes), wanted.reshape(-1), ignore_index=NONE, reduction="sum")


def places_of(row: Row) -> dict[int, int]:
    """Return the place in its window of each column."""
    return {column: place for place, (column, *_) in enumerate(row.window.columns)}


def _target(literal: Literal, at: dict[int, int]) -> int:
    """Its place among what it may be said of: how many rows, how many in a group, then the columns."""
    return literal.column - LIMIT if literal.column < 0 else at[literal.column] + 2
