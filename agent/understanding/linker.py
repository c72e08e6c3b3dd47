"""Says of every column, table and word of a question beside a catalogue which role it plays.

A DeBERTa-v3-xsmall reads both together (content matching as in BRIDGE, Lin et al. 2020; roles of columns as in
HydraNet, Lyu et al. 2020); heads score columns, tables, the question's tokens and the question as a whole.
`hybridchat.research.train_linker` learns it; docs/decisions/linking.md has the figures. Kept is only what learning
changed of the checkpoint.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from agent.catalogue.tables import Kind
from agent.networks.checkpoint import Checkpoint, changed, give_back_memory, kept
from agent.networks.checkpoint import load as load_checkpoint
from agent.networks.deberta import WIDTH, Deberta
from agent.networks.layers import Array, gelu, normalise
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
    Mark,
    Roles,
)
from agent.understanding.schema import Schema
from agent.understanding.values import number_in
from agent.understanding.writer import Window, Writer

SKIPPED = 2  # rows, at most, that are left out before those shown
#: The scores of each head, in the order in which its weights have them.
COLUMN = {
    "select": len(SHOWN),
    "where": len(OPERATORS),
    "order": len(DIRECTIONS),
    "order_of": len(AGGREGATES),
    "group": 1,
    "having": len(AGGREGATES),
    "compare": len(COMPARED),
    "place": 1,
    "filled": len(FILLED),
    "keep": 1,
}
QUESTION = {
    "kind": len(KINDS),
    "distinct": 1,
    "count": 1,
    "either": 1,
    "limit": 3,
    "order_count": len(DIRECTIONS),
    "having_count": len(COUNTED),
    "place": 1,
    "star": 1,
    "move": len(MOVES),
    "skip": SKIPPED + 1,
    "keep_limit": 1,
    "keep_count": 1,
}
TABLE = {"main": 1, "inside": 1}
TOKEN = {"bio": 3, "operator": len(OPERATORS), "branch": 1, "mark": 2 + len(WISHES)}  # none, inside, a beginning each
POINTED = 128  # the width of what literals and columns are matched in
REMEMBERED = 512  # questions
ALONE = 0.5  # by how much likelier it has to be that a message stands alone
HEADS_EPSILON = 1e-5  # of the normalisations in the heads
_FIGURE = re.compile(r"\d+\.\d+")
_TIMES = re.compile(r" (?:dozen|hundred|thousand|million)\b", re.IGNORECASE)


Scores = dict[str, Array]


class Linker:
    """Safe to share between threads. `changes` holds the heads and what learning changed of the checkpoint."""

    def __init__(self, checkpoint: Checkpoint, changes: Mapping[str, Array]) -> None:
        self._words = checkpoint.words
        self._writer = Writer(checkpoint.tokenizer)
        self._network = Deberta({name: changed(name, value, changes) for name, value in checkpoint.weights.items()})
        self._heads = {name: value for name, value in changes.items() if name.startswith("heads.")}

    @classmethod
    def load(cls) -> Linker:
        """Return the linker of this process, loaded once. Raises ModelUnavailable if its wheel is not there."""
        with _loading:
            return _load()

    def roles(self, question: str, schema: Schema, before: Roles | None = None, *, goes_on: bool = False) -> Roles:
        """Return the likeliest roles, head by head; of two orders that exclude each other the likelier one.

        `before` has the roles of the query before, of which it is said what is kept; a message that `goes_on` does not
        stand alone.
        """
        windows = self._writer.windows(question, schema, before=before)
        scores = [self._scores(window) for window in windows]
        asked = {name: np.mean([one[f"question {name}"] for one in scores], axis=0) for name in QUESTION}
        roles = Roles(kind=KINDS[int(asked["kind"][:-1].argmax())])
        roles.distinct, roles.either = bool(asked["distinct"][0] > 0), bool(asked["either"][0] > 0)
        roles.limit = int(asked["limit"].argmax())
        roles.order_count = DIRECTIONS[int(asked["order_count"].argmax())]
        roles.having_count = COUNTED[int(asked["having_count"].argmax())]
        roles.skip = int(asked["skip"].argmax())
        self._columns(roles, windows, scores, asked)
        token = {name: np.mean([one[f"token {name}"] for one in scores], axis=0) for name in TOKEN}
        roles.literals = _literals(question, windows, scores, token)
        roles.marks = _marks(windows, scores, token, schema)
        if before is not None:
            alone = np.array([np.inf if goes_on else ALONE, *[0.0] * (len(MOVES) - 1)])
            roles.move = MOVES[int((asked["move"] - alone).argmax())]
            roles.keep |= {LIMIT} if asked["keep_limit"][0] > 0 else set()
            roles.keep |= {COUNT} if asked["keep_count"][0] > 0 else set()
        return roles

    def _columns(self, roles: Roles, windows: list[Window], scores: list[Scores], asked: Scores) -> None:
        places: dict[tuple[int, str], float] = {(ROWS, ""): float(asked["place"][0])}
        chosen: list[tuple[int, str]] = []
        others: list[tuple[float, int, str]] = []
        orders: list[float] = []
        for window, score in zip(windows, scores, strict=True):
            for place, (at, *_) in enumerate(window.columns):
                column = {name: score[f"column {name}"][place] for name in COLUMN}
                for index, aggregate in enumerate(SHOWN):
                    places[at, aggregate] = float(column["place"][0]) + 1e-3 * index
                    others.append((float(column["select"][index]), at, aggregate))
                    if column["select"][index] > 0:
                        chosen.append((at, aggregate))
                roles.where += [(at, OPERATORS[index]) for index in np.flatnonzero(column["where"] > 0)]
                if direction := DIRECTIONS[int(column["order"].argmax())]:
                    roles.order.append((at, AGGREGATES[int(column["order_of"].argmax())], direction))
                    orders.append(float(column["order"][1:].max() - column["order"][0]))
                if column["group"][0] > 0:
                    roles.group.append(at)
                if aggregate := AGGREGATES[int(column["having"].argmax())]:
                    roles.having.append((at, aggregate))
                if (how := COMPARED[int(column["compare"].argmax())]) != "none":
                    roles.compare.append((at, how))
                if filled := FILLED[int(column["filled"].argmax())]:
                    roles.filled.append((at, filled))
                if column["keep"][0] > 0:
                    roles.keep.add(at)
            for tables, name in zip(roles.tables, TABLE, strict=True):
                likely = score[f"table {name}"][:, 0] > 0
                tables.update(one[0] for one, needed in zip(window.tables, likely, strict=True) if needed)
        if roles.order_count and orders and roles.limit:
            if asked["order_count"][1:].max() - asked["order_count"][0] > max(orders):
                roles.order = []
            else:
                roles.order_count = ""
        if asked["count"][0] > 0:
            chosen.append((ROWS, ""))
        roles.everything = bool(asked["star"][0] > 0)
        if roles.everything:
            chosen = []
        elif not chosen:
            roles.guessed = True
            score_of, at, aggregate = max(others, default=(-np.inf, ROWS, ""))
            chosen = [(at, aggregate)] if score_of > asked["count"][0] else [(ROWS, "")]
        roles.select = sorted(chosen, key=lambda one: places[one])

    def _scores(self, window: Window) -> Scores:
        ids: NDArray[np.int64] = np.array([window.ids])
        hidden = self._network.hidden(self._words.of(ids), np.ones(ids.shape, np.float32))[0]
        first = hidden[0]
        tables = _means(hidden, [(start, stop) for _, start, stop in window.tables])
        columns = _means(hidden, [(start, stop) for _, start, stop, _ in window.columns])
        owners = tables[[one[3] for one in window.columns]]
        columns = self._mixed(
            "column", np.concatenate([columns, owners, np.broadcast_to(first, columns.shape)], axis=1)
        )
        asked = hidden[1 : 1 + len(window.offsets)]
        whole = self._mixed("whole", np.concatenate([first, asked.mean(axis=0) if len(asked) else first])[None])
        targets = np.concatenate(
            [self._linear("limit", whole), self._linear("count", whole), self._linear("pointed", columns)]
        )
        scores: Scores = {"pointer": self._linear("pointing", asked) @ targets.T}
        for head, sizes, values in (
            ("column", COLUMN, columns),
            ("table", TABLE, tables),
            ("token", TOKEN, asked),
            ("question", QUESTION, whole[0]),
        ):
            stops = np.cumsum([*sizes.values()])[:-1]
            parts = np.split(self._linear(f"of_{head}", values), stops, axis=-1)
            scores |= {f"{head} {name}": part for name, part in zip(sizes, parts, strict=True)}
        return scores

    def _linear(self, name: str, values: Array) -> Array:
        result: Array = values @ self._heads[f"heads.{name}.weight"].T + self._heads[f"heads.{name}.bias"]
        return result

    def _mixed(self, name: str, values: Array) -> Array:
        scale, shift = self._heads[f"heads.{name}.3.weight"], self._heads[f"heads.{name}.3.bias"]
        return normalise(gelu(self._linear(f"{name}.0", values)), scale, shift, HEADS_EPSILON)


def _means(hidden: Array, spans: list[tuple[int, int]]) -> Array:
    """The mean of each span of tokens, shape (spans, 384)."""
    means = np.zeros((len(spans), WIDTH), np.float32)
    for place, (start, stop) in enumerate(spans):
        means[place] = hidden[start:stop].mean(axis=0)
    return means


def _literals(question: str, windows: list[Window], scores: list[Scores], token: Scores) -> list[Literal]:
    """The stretches that are values, each with what it is said of."""
    offsets, found = windows[0].offsets, []
    for at, stop in _stretches(token["bio"].argmax(axis=-1), inside=2, length=len(offsets)):
        pointed = []
        for window, one in zip(windows, scores, strict=True):
            named = [LIMIT, COUNT, *(column for column, *_ in window.columns)]
            pointed += list(zip(one["pointer"][at].tolist(), named, strict=True))
        start, end = _whole_words(question, offsets[at][0], offsets[stop - 1][1])
        text = question[start:end].strip(" '\"“”‘’.,?!()")
        if text and not (text == "s" and question[start - 1 : start] in ("'", "’")):  # "the Blue Door's"
            operator = OPERATORS[int(token["operator"][at].argmax())]
            found.append(Literal(text, max(pointed)[1], operator, bool(token["branch"][at, 0] > 0), start, end))
    return found


def _whole_words(question: str, start: int, stop: int) -> tuple[int, int]:
    """A stretch without the parts of a word: the network reads pieces of words, a value is made of whole ones, and of
    whole figures."""
    if figure := next((one for one in _FIGURE.finditer(question) if one.start() < stop and start < one.end()), None):
        start, stop = min(start, figure.start()), max(stop, figure.end())
    while start > 0 and question[start - 1].isalpha() and question[start].isalpha():
        start -= 1
    while stop < len(question) and question[stop - 1].isalpha() and question[stop].isalpha():
        stop += 1
    more = _TIMES.match(question, stop) if number_in(question[start:stop]) else None  # "two <hundred>"
    return start, more.end() if more else stop


def _marks(windows: list[Window], scores: list[Scores], token: Scores, schema: Schema) -> list[Mark]:
    """The stretches that are about prose, each with the likeliest prose column."""
    offsets, found = windows[0].offsets, []
    told = token["mark"].argmax(axis=-1)
    for at, stop in _stretches(told, inside=1, length=len(offsets)):
        pointed = [
            (float(one["pointer"][at][2 + place]), column)
            for window, one in zip(windows, scores, strict=True)
            for place, (column, *_) in enumerate(window.columns)
            if schema.fields[column].column.kind is Kind.FREE_TEXT
        ]
        if pointed:
            kind = WISHES[max(0, int(told[at]) - 2)]
            found.append(Mark(kind, max(pointed)[1], offsets[at][0], offsets[stop - 1][1]))
    return found


def _stretches(marks: NDArray[np.int64], inside: int, length: int) -> Iterator[tuple[int, int]]:
    """From where to where tokens are marked: what begins with any other mark than `inside` goes on with that."""
    at = 0
    while at < length:
        stop = at + 1
        if marks[at]:
            while stop < length and marks[stop] == inside:
                stop += 1
            yield at, stop
        at = stop


_loading = threading.Lock()


@lru_cache(maxsize=1)
def _load() -> Linker:
    linker = Linker(load_checkpoint(), kept(str(__package__), "linker.npz"))
    give_back_memory()
    return linker
