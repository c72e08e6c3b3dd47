"""What calls of a model cost, told to whoever caused them.

A backend reports each of its calls with `report`; whoever asks a reader collects them with `metered`. The list belongs
to the asking task and the tasks it starts, so that queries that run side by side are not charged for one another.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from agent.protocols.reading import CallRecord

_RECORDS: ContextVar[list[CallRecord] | None] = ContextVar("records", default=None)


def report(record: CallRecord) -> None:
    """Tell of one call, whether it came back or not."""
    records = _RECORDS.get()
    if records is not None:
        records.append(record)


@contextmanager
def metered() -> Iterator[list[CallRecord]]:
    """The calls that are made inside the `with`. One inside another counts for both."""
    around = _RECORDS.get()
    records: list[CallRecord] = []
    token = _RECORDS.set(records)
    try:
        yield records
    finally:
        _RECORDS.reset(token)
        if around is not None:
            around += records
