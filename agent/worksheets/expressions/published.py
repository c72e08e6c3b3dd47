"""The spellings of published specifications, as plain Python of the same meaning.

`>say("…")` is `say("…")`, `@book(…)` is `book(…)`, `>say("…") >exitws()` on one line are two statements, and the
curved quotes of spreadsheets are straight. What stands inside a string is left alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

BUILTINS = ("say", "propose", "exitws", "confirm")

_QUOTES = {'"': '"', "'": "'", "“": "”", "”": "”", "‘": "’"}
_STRAIGHT = {"“": '"', "”": '"', "‘": "'", "’": "'"}
_STATEMENT = re.compile(rf"\s*(@\s*[A-Za-z_]|(?:{'|'.join(BUILTINS)})\s*\()")
_CALL = re.compile(r"\s*[A-Za-z_]\w*\s*\(")


@dataclass(frozen=True, slots=True)
class Plain:
    """Python text, and for each of its lines and characters the column (from 1) it had in the text as written."""

    text: str
    columns: tuple[tuple[int, ...], ...]

    def column(self, line: int, offset: int) -> int:
        """Return the written column of character `offset` (from 0) of line `line` (from 1) of the plain text."""
        columns = self.columns[line - 1] if 0 < line <= len(self.columns) else ()
        if not columns:
            return offset + 1
        return columns[offset] if offset < len(columns) else columns[-1] + 1


def plain(text: str) -> Plain:
    """The text in plain Python, line by line (strings do not run over lines), without indentation all lines share."""
    written = text.replace("\r\n", "\n").expandtabs(4).split("\n")
    margin = min((len(line) - len(line.lstrip()) for line in written if line.strip()), default=0)
    lines = [_line(line)[margin:] if line.strip() else [] for line in written]
    return Plain(
        "\n".join("".join(char for char, _ in line) for line in lines),
        tuple(tuple(column for _, column in line) for line in lines),
    )


def _line(line: str) -> list[tuple[str, int]]:
    """The characters of one line, each with its column."""
    kept: list[tuple[str, int]] = []
    closing, escaped, skipping = "", False, False
    for index, char in enumerate(line):
        if closing:
            kept.append((_STRAIGHT.get(char, char) if char == closing and not escaped else char, index + 1))
            ended = char == closing and not escaped
            escaped = char == "\\" and not escaped
            closing = "" if ended else closing
        elif skipping and char == " ":
            continue
        elif char in _QUOTES:
            closing = _QUOTES[char]
            kept.append((_STRAIGHT.get(char, char), index + 1))
        else:
            stands = _outside(line, index, kept)
            skipping = stands != char  # "> say" is indented as far as "say"
            kept.extend((part, index + 1) for part in stands)
    return kept


def _outside(line: str, index: int, kept: list[tuple[str, int]]) -> str:
    """What stands for the character at `index`, outside of any string."""
    rest = line[index + 1 :]
    if line[index] == "@" and _CALL.match(rest):
        return ""
    if line[index] == ">" and _STATEMENT.match(rest):
        before = "".join(char for char, _ in kept).rstrip()
        if not before or before[-1] in ":;":
            return ""
        if before[-1] == ")":
            return ";"
    return line[index]
