"""The log of calls to language models.

Calls happen on the event loop, where the database may not be waited for; a thread of its own writes them down, in
order, and the process does not end before it is through.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from uuid import UUID

import structlog
from django.db import DatabaseError, close_old_connections

from agent.protocols.reading import CallRecord
from corpora.models import ModelCall

current_turn: ContextVar[UUID | None] = ContextVar("current_turn", default=None)
"""The turn that calls are made for, where one is being worked on."""

_writer = ThreadPoolExecutor(max_workers=1, thread_name_prefix="model-calls")
_log = structlog.get_logger(__name__)


def log_call(record: CallRecord) -> None:
    """Write one call down, without waiting for it."""
    _writer.submit(_store, record, current_turn.get())


def _store(record: CallRecord, turn: UUID | None) -> None:
    try:
        ModelCall.objects.create(turn=turn, **record.model_dump())
    except DatabaseError as error:  # a call that cannot be logged must not fail the turn it was made for
        _log.warning("a model call could not be logged", task=record.task, error=str(error))
    finally:
        close_old_connections()
