"""The hashes that a configuration is told apart by."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import agent
from agent import fingerprint
from agent.networks import wheels

NETWORKS = Path(agent.__file__).parent / "networks"


@pytest.mark.parametrize("name", wheels.WEIGHTS_OF)
def test_other_weights_of_any_network_are_another_hash(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint.weights_hash.__wrapped__()
    monkeypatch.setitem(wheels.WEIGHTS_OF, name, "0" * 64)
    assert fingerprint.weights_hash.__wrapped__() != before


def test_every_network_from_a_wheel_is_in_the_hash() -> None:
    loading = {path.stem for path in NETWORKS.glob("*.py") if re.search(r"\bwheel_file\(", path.read_text())}
    assert loading - {"wheels"} == set(wheels.WEIGHTS_OF)


def test_prompts_of_a_version_are_another_hash(tmp_path: Path) -> None:
    (tmp_path / "respond.jinja").write_text("Be brief.")
    assert fingerprint.prompts_hash.__wrapped__(tmp_path) != fingerprint.prompts_hash.__wrapped__()
