"""An action in an app's `actions` is found by itself."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from hybridchat.effects import registry

SOURCE = """
from agent.worksheets.actions import Result
from hybridchat.effects.registry import action


@action("library", "reserve_room")
async def reserve_room(call, *, hours):
    return Result(f"{hours} hours")


@action("services", "lend_book")
async def lend_book(call):
    return Result("Lent.")
"""


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    folder = tmp_path / "lending_app" / "actions"
    folder.mkdir(parents=True)
    (folder.parent / "__init__.py").write_text("")
    (folder / "__init__.py").write_text("")
    (folder / "rooms.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    configs = [*registry.apps.get_app_configs(), types.SimpleNamespace(name="lending_app")]
    monkeypatch.setattr(registry, "apps", types.SimpleNamespace(get_app_configs=lambda: configs))
    monkeypatch.setattr(registry, "_added", {})
    registry.discover.cache_clear()
    yield
    registry.discover.cache_clear()
    for name in [name for name in sys.modules if name.startswith("lending_app")]:
        del sys.modules[name]


@pytest.mark.usefixtures("app")
def test_an_action_of_an_installed_app_is_found_without_being_named() -> None:
    assert set(registry.registry_for("library").actions) == {"reserve_room"}
    assert {"lend_book", "submit_ticket"} <= set(registry.registry_for("services").actions)
