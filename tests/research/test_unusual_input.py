"""Input that is no text gets one sentence from every command that takes text, never a traceback."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from agent.protocols.errors import QueryError
from agent.suql import Catalogue, check
from hybridchat.research.lines import read_lines, write_lines

LINES = {
    '{"id": 1, "texts": ["\\ud800x"]}': "half a character",
    '{"id": 1, "texts": ["a\\u0000b"]}': "a NUL character",
    '{"id": 1, "texts": [], "more": {"\\udfff": [1]}}': "half a character",
    '{"id": ' + "7" * 5_000 + ', "texts": []}': "too many digits",
    '{"id": 1, "texts": ' + "[" * 100_000 + "]" * 100_000 + "}": "nested too deeply",
    '{"id": 1, "texts": 5}': "texts has to be a text or a list of texts",
    '{"id": 1, "texts": [5]}': "texts has to be a text or a list of texts",
}


@pytest.mark.parametrize(("line", "said"), list(LINES.items()), ids=list(LINES.values()))
def test_a_line_that_holds_no_text_is_named(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "in.jsonl"
    path.write_text('{"id": 0, "texts": ["fine"]}\n' + line + "\n", encoding="utf-8")
    with pytest.raises(CommandError, match=f"line 2: .*{said}"):
        read_lines(str(path), "id", "texts")


def test_standard_input_that_is_not_utf_8_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"id": "\xff"}\n'), encoding="utf-8"))
    with pytest.raises(CommandError, match="UTF-8"):
        read_lines("-", "id")


def test_a_name_that_is_no_file_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        read_lines("a\x00b", "id")
    with pytest.raises(CommandError, match="cannot be written"):
        write_lines(str(tmp_path / "no" / "such"), [{"id": 1}])


@pytest.mark.parametrize(
    "query", ["SELECT " + "7" * 4_300, "SELECT \udcff", "SELECT 'a\x00b'", "SELECT " + "(" * 9_000]
)
def test_a_query_that_is_no_text_is_said(query: str) -> None:
    with pytest.raises(QueryError) as refusal:
        check(query, Catalogue(()))
    assert len(refusal.value.sentence) < 400
