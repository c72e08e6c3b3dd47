"""The commands that the page for researchers shows for exports, replays and arms can be run as they stand."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from django.core.management import call_command

from hybridchat.chat.models import Turn
from hybridchat.research.management.commands import replay
from hybridchat.research.models import Study
from tests.chat import fakes
from tests.research.talks import answer, lies_in_a_folder_of_its_own, talk, without_corpora

__all__ = ["answer", "lies_in_a_folder_of_its_own", "talk", "without_corpora"]
PAGE = Path(__file__).parents[2] / "docs" / "researchers.md"
COMMAND = re.compile(
    r"^\.venv/bin/python manage\.py ((?:export|import_conversations|replay|compare) .*)$", re.MULTILINE
)


def test_exporting_importing_and_replaying(
    talk: Turn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(replay, "prepare", lambda: None)
    monkeypatch.setattr(replay, "agent_for", lambda language, patient: fakes.ScriptedAgent())
    Study.objects.create(slug="dinner", title="Dinner", assistant="restaurants", quota=1)
    commands = COMMAND.findall(PAGE.read_text(encoding="utf-8"))
    assert len(commands) == 7
    for command in commands:
        call_command(*shlex.split(command))
    assert (tmp_path / "tables" / "turns.parquet").exists()
    told = capsys.readouterr().out
    assert "1 conversations imported" in told  # under their pseudonyms, beside the real ones
    assert "Nobody has ended a conversation yet." in told


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL))
def test_examples_in_python(talk: Turn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, example: str) -> None:
    monkeypatch.chdir(tmp_path)
    call_command("export", format="parquet", out=tmp_path / "tables")
    found: dict[str, object] = {}
    exec(example, found)
    assert "restaurants" in str(found["turns"])
