"""The commands that the page for researchers shows run as they stand there, on two restaurants and little else."""

from __future__ import annotations

import json
import re
import shlex
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from corpora.importing.drafting import draft
from corpora.importing.sources import open_sources
from corpora.loading.assistants import add_missing_assistants
from hybridchat.research.management.commands import evaluate
from hybridchat.research.management.commands.bench import Command as Bench
from tests.research.test_researchers_page import COMMAND as OTHERS
from tests.research.test_star import BANK

PAGE = Path(__file__).parents[2] / "docs" / "researchers.md"
ALL = re.findall(r"^\.venv/bin/python manage\.py ([^#\n]*[^#\s])", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
HERE = [one for one in ALL if one.startswith(("chat", "evaluate", "bench", "annotations"))]
IMPORTING = [one for one in HERE if one.startswith(("evaluate corpus", "evaluate text2sql"))]
LONG = {f"bench {what}": f"_{what}" for what in ("turn", "suql", "start", "crowd", "import", "export", "parse")}
"""What takes minutes, or a site that runs, and has tests of its own: here it is only begun."""
FERRIES = "id,name,about\n1,Ada,Slow and dry inside.\n2,Bea,Fast and always wet.\n"


def test_every_command_of_the_page_is_run() -> None:
    there = "\n".join(f".venv/bin/python manage.py {one}" for one in ALL)
    assert sorted([*HERE, *OTHERS.findall(there)]) == sorted(ALL)
    assert len(ALL) > 20


@pytest.mark.django_db
@pytest.mark.parametrize("command", [one for one in HERE if one not in IMPORTING])
def test_command_runs(
    command: str,
    two_restaurants: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    told: list[dict[str, Any]] = []
    for name in LONG.values():
        monkeypatch.setattr(Bench, name, lambda self, options: told.append(options))
    (tmp_path / "1.json").write_text(json.dumps({"Events": BANK}))
    words = shlex.split(command.replace("DIR", str(tmp_path)))
    short = next((name for name in LONG if command.startswith(name)), None)
    call_command(*words, *([] if short or words[0] in ("chat", "annotations") else ["--limit", "1"]))
    assert told if short else capsys.readouterr().out.strip()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("command", IMPORTING)
def test_command_that_imports_runs(
    command: str,
    two_restaurants: None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(evaluate, "prepare", add_missing_assistants)  # what one test leaves is flushed before the next
    (tmp_path / "ferries").mkdir()
    with sqlite3.connect(tmp_path / "ferries" / "ferries.sqlite") as base:
        base.execute("CREATE TABLE ferries (id INTEGER PRIMARY KEY, name TEXT)")
        base.executemany("INSERT INTO ferries VALUES (?, ?)", [(1, "Ada"), (2, "Bea")])
    asked = {"id": "a", "db_id": "ferries", "question": "How many ferries?", "query": "SELECT count(*) FROM ferries"}
    (tmp_path / "questions.json").write_text(json.dumps([asked]))
    (tmp_path / "ferries.csv").write_text(FERRIES)
    specification, _ = draft("ferries", open_sources([tmp_path / "ferries.csv"], tmp_path / "unpacked"))
    (tmp_path / "corpus.json").write_text(specification.model_dump_json())
    question = {"id": "a", "question": "ferries named Ada", "keys": ["1"]}
    (tmp_path / "questions.jsonl").write_text(json.dumps(question) + "\n")
    given = {"DIR": tmp_path, "FILE": tmp_path / "questions.json", "FOLDER": tmp_path}
    call_command(*(str(given.get(word, word)) for word in shlex.split(command)))
    assert capsys.readouterr().out.strip()
