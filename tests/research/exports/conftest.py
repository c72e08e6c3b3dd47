"""Conversations to export, and a way to do it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command

from tests.research.talks import answer, lies_in_a_folder_of_its_own, talk

__all__ = ["answer", "lies_in_a_folder_of_its_own", "talk"]


@pytest.fixture
def export(tmp_path: Path) -> Callable[..., Path]:
    """Runs `manage.py export` into a folder and returns it."""

    def run(**options: Any) -> Path:
        folder = tmp_path / f"out-{uuid4().hex}"
        call_command("export", out=folder, **options)
        return folder

    return run
