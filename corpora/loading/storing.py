"""Bringing rows in step with records: what is new is made, what differs is updated, what is equal is left alone."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import models

from corpora.loading.edits import key_text

Values = Mapping[str, Any]


class Unfitting(Exception):
    """Records that are well formed and do not fit what is stored; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Changes:
    """How many rows were made, updated, removed, found as they should be, and kept as edited by hand."""

    created: int = 0
    updated: int = 0
    removed: int = 0
    unchanged: int = 0
    kept: tuple[str, ...] = ()  # the keys of lines left out, since their rows were edited by hand

    def __add__(self, other: Changes) -> Changes:
        return Changes(
            self.created + other.created,
            self.updated + other.updated,
            self.removed + other.removed,
            self.unchanged + other.unchanged,
            self.kept + other.kept,
        )

    @property
    def touched(self) -> int:
        """Rows written or removed."""
        return self.created + self.updated + self.removed


def bring_in_step(
    rows: models.QuerySet[Any],
    key: Sequence[str],
    wanted: Collection[Values],
    *,
    remove: bool = False,
    keep: Collection[str] = (),
) -> Changes:
    """Make `rows` hold `wanted`, told apart by the fields in `key`.

    Rows not wanted are removed if `remove` says so, but for those whose key, as text, is among `keep`.
    """
    model = rows.model
    present = {tuple(getattr(row, name) for name in key): row for row in rows}
    create, update, unchanged = [], [], 0
    for values in wanted:
        row = present.pop(tuple(values[name] for name in key), None)
        if row is None:
            create.append(model(**values))
        elif any(getattr(row, name) != value for name, value in values.items()):
            for name, value in values.items():
                setattr(row, name, value)
            update.append(row)
        else:
            unchanged += 1
    unwanted = [row.pk for values, row in present.items() if key_text(values) not in keep] if remove else []
    if unwanted:
        model._default_manager.filter(pk__in=unwanted).delete()
    if update:
        names = [name for name in next(iter(wanted)) if not model._meta.get_field(name).primary_key]
        model._default_manager.bulk_update(update, names, batch_size=500)
    model._default_manager.bulk_create(create, batch_size=500)
    return Changes(len(create), len(update), len(unwanted), unchanged)
