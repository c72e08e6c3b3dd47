"""The understanding of tasks over the parser's small world, with the real encoder."""

from __future__ import annotations

import pytest

from tests.agent.tasks.speaking import Understander


@pytest.fixture(scope="session")
def understander() -> Understander:
    return Understander()
