"""The linker in PyTorch, for learning: the same heads under the same names as in `agent.understanding.linker`.

The encoder is written for short inputs on a CPU: positions are projected only for the distances that occur, and what
content says of distances becomes a matrix by shifting rows, without a gather; that is twice as fast as the published
implementation.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from agent.networks.checkpoint import Checkpoint
from agent.networks.deberta import EPSILON, HEAD, HEADS, LAYERS, REACH, WIDTH, places_of
from agent.understanding.linker import COLUMN, POINTED, QUESTION, TABLE, TOKEN
from agent.understanding.writer import Window

DROPPED = 0.1  # in the heads
#: This encoder's names of a layer's parts, and those of the checkpoint.
PARTS = {
    "query": "attention.self.query_proj",
    "key": "attention.self.key_proj",
    "value": "attention.self.value_proj",
    "out": "attention.output.dense",
    "norm": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "norm2": "output.LayerNorm",
}


def published_name(name: str) -> str:
    """Return the checkpoint's name of one of the encoder's weights."""
    if name == "places":
        return "encoder.rel_embeddings.weight"
    whole, _, part = name.rpartition(".")
    if whole in ("norm", "place_norm"):
        return f"{'embeddings' if whole == 'norm' else 'encoder'}.LayerNorm.{part}"
    _, layer, mine = whole.split(".")
    return f"encoder.layer.{layer}.{PARTS[mine]}.{part}"


class Layer(nn.Module):
    """One layer of disentangled attention and its feed-forward network."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value = (nn.Linear(WIDTH, WIDTH) for _ in range(3))
        self.out, self.norm = nn.Linear(WIDTH, WIDTH), nn.LayerNorm(WIDTH, EPSILON)
        self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, EPSILON)

    def forward(self, hidden: Tensor, bias: Tensor, positions: Tensor) -> Tensor:
        query, key, value = (self._split(part(hidden)) for part in (self.query, self.key, self.value))
        placed = (part(positions).view(-1, HEADS, HEAD).transpose(0, 1) for part in (self.query, self.key))
        scale = (3 * HEAD) ** -0.5
        query, (place_query, place_key) = query * scale, placed
        scores = query @ key.transpose(-1, -2) + _shifted(query @ place_key.flip(1).transpose(-1, -2))
        scores = scores + _shifted(key @ (place_query * scale).transpose(-1, -2)).transpose(-1, -2)
        weights = torch.softmax(scores + bias.to(scores.dtype), -1).to(value.dtype)
        hidden = self.norm(self.out((weights @ value).transpose(1, 2).flatten(2)) + hidden)
        return self.norm2(self.narrow(functional.gelu(self.wide(hidden))) + hidden)

    @staticmethod
    def _split(rows: Tensor) -> Tensor:
        return rows.unflatten(-1, (HEADS, HEAD)).transpose(1, 2)


class Encoder(nn.Module):
    """Word vectors, which stay as they are, and twelve layers."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__()
        words = checkpoint.words
        self.words, self.scale, self.zero = torch.tensor(words.numbers), float(words.scale), float(words.zero)
        self.norm, self.place_norm = nn.LayerNorm(WIDTH, EPSILON), nn.LayerNorm(WIDTH, EPSILON)
        self.places = nn.Parameter(torch.zeros(2 * REACH, WIDTH))
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))
        self.load_state_dict(
            {name: torch.tensor(checkpoint.weights[published_name(name)]) for name in self.state_dict()}
        )

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """Return the last layer, shape (texts, tokens, 384)."""
        hidden = (self.words[ids].float() - self.zero) * self.scale
        hidden = self.norm(hidden) * mask[:, :, None]
        bias = (mask[:, None, None, :] - 1.0) * 1e9
        positions = self.place_norm(self.places)[torch.from_numpy(places_of(ids.shape[1]))]
        for layer in self.layers:
            hidden = layer(hidden, bias, positions)
        return hidden


class Heads(nn.Module):
    """Scores of columns, tables, the question's tokens and the question, under the names that the linker reads."""

    def __init__(self) -> None:
        super().__init__()
        self.column = _mixing(3 * WIDTH)
        self.whole = _mixing(2 * WIDTH)
        for name, sizes in (("column", COLUMN), ("question", QUESTION), ("table", TABLE), ("token", TOKEN)):
            setattr(self, f"of_{name}", nn.Linear(WIDTH, sum(sizes.values())))
        self.pointing, self.pointed = nn.Linear(WIDTH, POINTED), nn.Linear(WIDTH, POINTED)
        self.limit, self.count = nn.Linear(WIDTH, POINTED), nn.Linear(WIDTH, POINTED)
        nn.init.constant_(self.of_column.bias, -2.0)  # most columns and tables play no role
        nn.init.constant_(self.of_table.bias, -1.0)


class Model(nn.Module):
    """The encoder and the heads."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__()
        self.encoder, self.heads = Encoder(checkpoint), Heads()

    def forward(self, rows: Sequence[Window]) -> dict[str, Tensor]:
        """Return the scores of each head by name, with a first axis of texts. Tokens are counted from the first."""
        longest, heads = max(len(row.ids) for row in rows), self.heads
        ids = torch.tensor([row.ids + [0] * (longest - len(row.ids)) for row in rows])
        mask = torch.tensor([[1.0] * len(row.ids) + [0.0] * (longest - len(row.ids)) for row in rows])
        hidden = self.encoder(ids, mask)
        tables = _means([[one[1:] for one in row.tables] for row in rows], hidden)
        columns = _means([[one[1:3] for one in row.columns] for row in rows], hidden)
        asked = _means([[(1, 1 + len(row.offsets))] for row in rows], hidden)
        owner = torch.zeros(columns.shape[:2], dtype=torch.long)
        for text, row in enumerate(rows):
            owner[text, : len(row.columns)] = torch.tensor([one[3] for one in row.columns], dtype=torch.long)
        owners, first = tables.gather(1, owner[:, :, None].expand(-1, -1, WIDTH)), hidden[:, 0]
        columns = heads.column(torch.cat([columns, owners, first[:, None].expand_as(columns)], -1))
        whole = heads.whole(torch.cat([first, asked[:, 0]], -1))
        targets = torch.cat([heads.limit(whole)[:, None], heads.count(whole)[:, None], heads.pointed(columns)], 1)
        scores = {"pointer": (heads.pointing(hidden) @ targets.transpose(1, 2) * POINTED**-0.5).float()}
        for name, sizes, values in (
            ("column", COLUMN, heads.of_column(columns)),
            ("question", QUESTION, heads.of_question(whole)),
            ("table", TABLE, heads.of_table(tables)),
            ("token", TOKEN, heads.of_token(hidden)),
        ):
            parts = values.float().split(list(sizes.values()), -1)
            scores |= {f"{name} {part}": score for part, score in zip(sizes, parts, strict=True)}
        return scores


def _mixing(width: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(width, WIDTH), nn.GELU(), nn.Dropout(DROPPED), nn.LayerNorm(WIDTH))


def _means(spans: list[list[tuple[int, int]]], hidden: Tensor) -> Tensor:
    """The mean of each span of tokens, shape (texts, spans, 384)."""
    out = torch.zeros(len(spans), max(1, *map(len, spans)), hidden.shape[1])
    for text, each in enumerate(spans):
        for at, (start, stop) in enumerate(each):
            out[text, at, start:stop] = 1 / max(1, stop - start)
    return out.to(hidden.dtype) @ hidden


def _shifted(told: Tensor) -> Tensor:
    """From (…, L, 2L-1) by distance to (…, L, L) by place: row i is read from place L-1-i on."""
    length = told.shape[-2]
    flat = told.flatten(-2)[..., length - 1 : -1]
    return flat.unflatten(-1, (length, 2 * length - 2))[..., :length]
