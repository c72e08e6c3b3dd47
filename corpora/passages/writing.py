"""Writing passages, many at once: copied as PostgreSQL keeps them, since a vector takes longer to write as text."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Any

from django.db import IntegrityError, connection, models, transaction

from corpora.models import Passage

FIELDS = [field for field in Passage._meta.concrete_fields if not (field.primary_key or field.generated)]


def write(passages: Sequence[Passage]) -> None:
    """Store passages; one whose place is taken is left out: somebody may have edited its row meanwhile."""
    try:
        with transaction.atomic():
            _copy(passages)
    except IntegrityError:
        Passage.objects.bulk_create(passages, ignore_conflicts=True)


def _copy(passages: Sequence[Passage]) -> None:
    quote = connection.ops.quote_name
    names = ", ".join(quote(field.column) for field in FIELDS)
    into = f"COPY {quote(Passage._meta.db_table)} ({names}) FROM STDIN (FORMAT BINARY)"
    with connection.cursor() as cursor, cursor.copy(into) as copy:
        for passage in passages:
            copy.write_row(list(_binary(passage)))


def _binary(passage: Passage) -> Iterator[Any]:
    """The values of a passage, those as bytes for which the format of PostgreSQL would not be chosen."""
    for field in FIELDS:
        value = getattr(passage, field.attname)
        if field.name == "embedding":
            yield value.to_binary()
        elif isinstance(field, models.IntegerField):
            yield struct.pack("!i", value)
        else:
            yield value
