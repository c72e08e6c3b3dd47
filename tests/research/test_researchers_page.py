"""The commands that the page for researchers shows for exports, replays and arms can be run as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from hybridchat.research.management.commands import replay
from hybridchat.research.models import Participation
from tests.chat import fakes
from tests.research.exports.test_studies import own
from tests.research.talks import answer, lies_in_a_folder_of_its_own, talk, without_corpora

__all__ = ["answer", "lies_in_a_folder_of_its_own", "own", "talk", "without_corpora"]
PAGE = Path(__file__).parents[2] / "docs" / "researchers.md"
COMMAND = re.compile(
    r"^\.venv/bin/python manage\.py ((?:export|import_conversations|replay|compare) .*)$", re.MULTILINE
)


def test_exporting_importing_and_replaying(
    own: Participation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(replay, "prepare", lambda: None)
    monkeypatch.setattr(replay, "agent_for", lambda language, patient: fakes.ScriptedAgent())
    commands = COMMAND.findall(PAGE.read_text(encoding="utf-8"))
    assert len(commands) == 8
    for command in commands:
        call_command(*shlex.split(command))
    assert (tmp_path / "tables" / "turns.parquet").exists()
    told = capsys.readouterr().out
    assert "1 conversations imported" in told  # under their pseudonyms, beside the real ones
    assert "searches that found something" in told


def test_examples_in_python(own: Participation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in ("tables", "dinner"):
        call_command("export", format="parquet", out=tmp_path / folder)
    first, analysis = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    found: dict[str, Any] = {}
    exec(first, found)
    assert "restaurants" in str(found["turns"])
    exec(analysis, found)
    assert found["steps"].loc["nearest"].tolist() == [1, 1, 1, 1]
    assert found["ease_by_arm"].loc["nearest", "mean"] == 6
    assert found["turns_by_arm"].loc["nearest", ["cost", "turns"]].tolist() == [0.75, 3]
    assert (found["found"]["nearest"], found["shown"].sum()) == (1.0, 6)
