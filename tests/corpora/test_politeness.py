"""Work that gives way to other work."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from corpora.politeness import place, politely


@pytest.fixture
def soon() -> Iterator[None]:
    """A time limit that is up while the work is being done."""

    def over(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, over)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_it_returns_and_raises_what_the_work_does() -> None:
    assert politely(lambda: 4) == 4
    with pytest.raises(ZeroDivisionError):
        politely(lambda: 1 // 0)


def test_nobody_takes_up_work_that_is_still_being_done(soon: None) -> None:
    done: list[bool] = []

    def work() -> None:
        time.sleep(0.3)
        done.append(True)

    with pytest.raises(TimeoutError):
        politely(work)
    assert done


@pytest.mark.django_db
@pytest.mark.parametrize(("processes", "places"), [(1, 1), (2, 1), (4, 3)])
def test_long_work_leaves_a_process_for_turns(settings: Any, processes: int, places: int) -> None:
    settings.CELERY_WORKER_CONCURRENCY = processes
    with ExitStack() as held:
        assert [held.enter_context(place()) for _ in range(places + 1)] == [True] * places + [False]
    with place() as free:
        assert free, "a place that is given back is free again"
