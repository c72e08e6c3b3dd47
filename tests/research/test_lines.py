"""JSON lines: what is wrong with a file is said with the file and the line."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from hybridchat.research.lines import read_lines, write_lines


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "items.jsonl"


def test_reads_objects_and_passes_over_empty_lines(path: Path) -> None:
    path.write_text('{"id": 1}\n\n  \n{"id": 2}')
    assert read_lines(str(path), "id") == [{"id": 1}, {"id": 2}]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('{"id": ', "line 2: not JSON"),
        ("[1]", "line 2: an object is expected"),
        ('{"id": 2}', "line 2: messages, truth missing"),
    ],
)
def test_a_bad_line_is_named_with_what_is_wrong(path: Path, line: str, problem: str) -> None:
    path.write_text('{"id": 1, "messages": [], "truth": []}\n' + line)
    with pytest.raises(CommandError, match=problem):
        read_lines(str(path), "id", "messages", "truth")


def test_a_missing_file_is_said_with_what_to_give(path: Path) -> None:
    with pytest.raises(CommandError, match=r"cannot be read.*Give a JSON-lines file"):
        read_lines(str(path))


def test_a_file_that_is_not_utf_8_is_said(path: Path) -> None:
    path.write_bytes(b'{"id": "\xff"}')
    with pytest.raises(CommandError, match="UTF-8"):
        read_lines(str(path))


def test_a_dash_is_standard_input_and_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO('{"id": 1}\n'))
    write_lines("-", read_lines("-", "id"))
    assert capsys.readouterr().out == '{"id": 1}\n'


def test_what_is_written_is_read_again_letters_and_all(path: Path) -> None:
    objects = [{"id": "Phở"}, {"id": "line\nbreak\u2028here"}]
    write_lines(str(path), objects)
    assert read_lines(str(path)) == objects
    assert "Phở" in path.read_text(encoding="utf-8")
    assert len([json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]) == 2


def test_a_file_from_an_editor_that_marks_utf_8_and_ends_lines_its_way_is_read(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{"id": 1}\r\n{"id": 2}\r\n')
    assert read_lines(str(path), "id") == [{"id": 1}, {"id": 2}]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": 1, "messages": [{"role": "user", "content": "hi"}]}', "line 1: messages has to be a list of texts"),
        ('{"id": 1, "messages": "hi"}', "line 1: messages has to be a list of texts"),
    ],
)
def test_a_field_of_another_form_is_named(tmp_path: Path, line: str, said: str) -> None:
    (path := tmp_path / "in.jsonl").write_text(line, encoding="utf-8")
    with pytest.raises(CommandError, match=said):
        read_lines(str(path), "id", "messages")


def test_a_text_is_a_text(tmp_path: Path) -> None:
    (path := tmp_path / "in.jsonl").write_text('{"id": 1, "utterance": ["thai"]}', encoding="utf-8")
    with pytest.raises(CommandError, match="utterance has to be a text"):
        read_lines(str(path), "id", "utterance")
