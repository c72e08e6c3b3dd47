"""Writing passages, many at once: copied as PostgreSQL keeps them, since a vector takes longer to write as text."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from django.db import IntegrityError, connection, models, transaction
from numpy.typing import NDArray
from pgvector import HalfVector

from corpora.models import Passage

FIELDS = [field for field in Passage._meta.concrete_fields if not (field.primary_key or field.generated)]


@dataclass(slots=True)
class NewPassage:
    """A passage that is to be written, with the fields of one; much is made of an instance of a model."""

    owner_table: str
    owner_key: str
    column_name: str
    text_index: int
    text_md5: str
    start: int
    stop: int
    body: str
    dated: date | None
    label: str
    heading: str
    embedder: str
    embedding: bytes = b""  # as PostgreSQL sends a halfvec


def binary(vectors: NDArray[np.float32]) -> list[bytes]:
    """Return vectors as PostgreSQL sends each as a halfvec."""
    head = struct.pack("!HH", vectors.shape[1], 0)
    return [head + vector.tobytes() for vector in vectors.astype(">f2")]


def write(passages: Sequence[NewPassage]) -> None:
    """Store passages; one whose place is taken is left out: somebody may have edited its row meanwhile."""
    try:
        with transaction.atomic():
            _copy(passages)
    except IntegrityError:
        Passage.objects.bulk_create(map(_instance, passages), ignore_conflicts=True)


def _copy(passages: Sequence[NewPassage]) -> None:
    quote = connection.ops.quote_name
    names = ", ".join(quote(field.column) for field in FIELDS)
    into = f"COPY {quote(Passage._meta.db_table)} ({names}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(into) as copy:
        for passage in passages:
            copy.write_row(list(_binary(passage)))


def _binary(passage: NewPassage) -> Iterator[Any]:
    """The values of a passage, those as bytes for which the format of PostgreSQL would not be chosen."""
    for name, number in _NUMBERS:
        value = getattr(passage, name)
        yield struct.pack("!i", value) if number else value


_NUMBERS = [(field.name, isinstance(field, models.IntegerField)) for field in FIELDS]


def _instance(passage: NewPassage) -> Passage:
    values = {field.name: getattr(passage, field.name) for field in FIELDS}
    return Passage(**values | {"embedding": HalfVector.from_binary(passage.embedding)})
