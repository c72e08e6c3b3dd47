"""Scores the tagger against messages marked by hand; and reads such messages.

A line is a message with marks around what its writer wants found: `{w:...}` a wish, `n` unwanted, `p` preferred, `s` a
value of a column, `x` one that is excluded, `q` a question about what is found, `t` subject matter.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.networks.tagger import KINDS, Tagger

MARKS = dict(zip("wnpsxqt", KINDS, strict=True))
_MARK = re.compile(rf"\{{([{''.join(MARKS)}]):([^{{}}]*)\}}")


@dataclass(frozen=True, slots=True)
class Message:
    """A message and what is marked in it: characters `start:stop`, and the kind."""

    text: str
    marks: tuple[tuple[int, int, str], ...]


def messages(paths: Sequence[str | Path]) -> list[Message]:
    """The messages of files, one a line. Raises ValueError for a line with a broken mark."""
    lines = [line for path in paths for line in Path(path).read_text(encoding="utf-8").splitlines() if line]
    return [message(line) for line in lines]


def message(line: str) -> Message:
    """A line as a message and its marks. Raises ValueError where a mark is broken."""
    text, marks, position = "", [], 0
    for match in _MARK.finditer(line):
        text += line[position : match.start()]
        marks.append((len(text), len(text) + len(match[2]), MARKS[match[1]]))
        text, position = text + match[2], match.end()
    text += line[position:]
    if "{" in text or "}" in text:
        raise ValueError(f"A mark is broken in: {line}")
    return Message(text, tuple(marks))


def evaluate(tagger: Tagger, items: Sequence[Message]) -> tuple[dict[str, Any], str]:
    """F1 of marks met exactly, by kind, and of letters that are marked at all; messages met as a whole."""
    met: Counter[str] = Counter()
    said: Counter[str] = Counter()
    wanted: Counter[str] = Counter()
    whole = 0
    for item in items:
        found = {(mark.start, mark.stop, mark.kind) for mark in tagger.marks(item.text).marks}
        gold = set(item.marks)
        whole += found == gold
        for counted, marks in ((met, found & gold), (said, found), (wanted, gold)):
            counted.update(kind for _, _, kind in marks)
        letters = [{at for start, stop, _ in marks for at in range(start, stop)} for marks in (found, gold)]
        met["any letter"] += len(letters[0] & letters[1])
        said["any letter"] += len(letters[0])
        wanted["any letter"] += len(letters[1])
    report = {
        "messages": len(items),
        "as_a_whole": round(whole / max(len(items), 1), 4),
        "f1": {kind: round(2 * met[kind] / max(said[kind] + wanted[kind], 1), 4) for kind in (*KINDS, "any letter")},
    }
    lines = [f"messages     {len(items)}", f"as a whole   {report['as_a_whole']}"]
    lines += [f"{kind:12} F1 {report['f1'][kind]} of {wanted[kind]}" for kind in (*KINDS, "any letter")]
    return report, "\n".join(lines)
