"""A var folder of their own for tests that start and stop servers."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.services.people import eventually, processes_of


@pytest.fixture(scope="module")
def var() -> Iterator[Path]:
    """A folder whose servers are initialised once for a module. In the end nothing that knows of it may be running."""
    folder = Path(tempfile.mkdtemp(prefix="hybridchat-var-"))
    yield folder
    assert eventually(lambda: not processes_of(folder)), processes_of(folder)
    shutil.rmtree(folder)
