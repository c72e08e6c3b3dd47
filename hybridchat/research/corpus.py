"""A corpus that nobody here has seen, asked as people would: which rows, answers and turns are right.

A folder holds `corpus.json` with the files that it names, `questions.jsonl` ({"id", "question", "keys"} with the keys
of the right rows of the main table, or "answer", a number or a word), and `conversations.jsonl` ({"id", "turns":
[{"user", "keys" or "answer"}]}). Rows in "either" may be among those returned. Lines may belong to a "half", such as
the one that is only ever scored. The corpus is imported, asked, and removed again.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from corpora.catalogue.imported import whole_catalogue
from corpora.embedding import embedder
from corpora.examples import keep_pair
from corpora.importing.reading import tables_of
from corpora.importing.removing import NotThere, remove
from corpora.importing.sources import open_sources
from corpora.importing.specification import CorpusSpec, read_specification
from corpora.importing.storing import store
from corpora.models import FewShotPair
from corpora.passages.indexing import index
from hybridchat.research.lines import read_lines
from hybridchat.research.text2sql import unlike_others
from hybridchat.talk import Talk

NEAR = 0.01  # of a number: how far from it an answer may be
AT_ONCE = 3  # rows that a search in prose shows, of which all have to be right
_YES, _NO = re.compile(r"\W*(yes|true)\b", re.IGNORECASE), re.compile(r"\W*(no|false)\b", re.IGNORECASE)


@dataclass
class Answered:
    """One turn: the keys that came back, those that are right, and whether all is."""

    id: str
    turn: int
    message: str
    kind: str
    right: bool
    found: list[str] = field(default_factory=list)
    truth: list[str] | None = None
    allowed: list[str] = field(default_factory=list)
    answer: Any = None
    suql: str = ""
    reply: str = ""
    error: str = ""
    refused: bool = False  # no query was written, and the reply says why

    @property
    def good(self) -> int:
        """How many of the rows are right."""
        return sum(key in {*(self.truth or ()), *self.allowed} for key in self.found)


@contextmanager
def imported(folder: Path, name: str) -> Iterator[str]:
    """Import the corpus of a folder under that name; yield the assistant's slug, and remove it after."""
    with suppress(NotThere):  # an evaluation that was broken off may have left it
        remove(name)
    specification: CorpusSpec = read_specification(folder / "corpus.json").model_copy(update={"name": name})
    files = [folder / Path(file).name for file in dict.fromkeys(table.file for table in specification.tables)]
    with tempfile.TemporaryDirectory(prefix="corpus-") as unpacked:
        specification = unlike_others(specification)
        store(specification, tables_of(specification, open_sources(files, Path(unpacked))))
    index(whole_catalogue(), embedder())
    try:
        yield name
    finally:
        remove(name)


def untaught(asked: list[list[dict[str, Any]]], pairs: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return the conversations whose first message is none of the pairs': that a pair answers itself says nothing."""
    known = {one["message"].strip().casefold() for one in pairs}
    return [turns for turns in asked if turns[0]["user"].strip().casefold() not in known]


@contextmanager
def taught(assistant: str, pairs: Sequence[dict[str, Any]]) -> Iterator[None]:
    """Keep few-shot pairs for an assistant meanwhile. Raises QueryError where a query cannot be asked."""
    try:
        for one in pairs:
            keep_pair(assistant, one["message"], one["suql"], one.get("presentation", "list"), None)
        yield
    finally:
        FewShotPair.objects.filter(corpus=assistant).delete()


def conversations(folder: Path, half: str = "") -> list[list[dict[str, Any]]]:
    """Return the turns of the questions, each alone, and of the conversations: all of them, or those of one half."""
    path = folder / "conversations.jsonl"
    asked = read_lines(folder / "questions.jsonl", "id", "question")
    talks = read_lines(path, "id", "turns") if path.exists() else []
    if half:
        asked, talks = ([one for one in lines if one.get("half") == half] for lines in (asked, talks))
    alone = [[{"type": "question", **one, "user": one["question"]}] for one in asked]
    return alone + [[{"id": one["id"], **turn} for turn in one["turns"]] for one in talks]


async def ask(talk: Talk, turns: Sequence[dict[str, Any]]) -> list[Answered]:
    """Return what came of the turns of one conversation."""
    return [score(one, await talk.say(one["user"]), number) for number, one in enumerate(turns, 1)]


def score(turn: dict[str, Any], report: dict[str, Any], number: int) -> Answered:
    """Hold a turn of `Talk` against its truth."""
    last = report["queries"][-1] if report["queries"] else None
    either = [one for one in turn.get("either", ()) if one is not None]
    answered = Answered(
        id=str(turn["id"]),
        turn=number,
        message=turn["user"],
        kind=turn.get("type", "conversation"),
        right=False,
        found=[key for key in dict.fromkeys(last["keys"]) if key is not None] if last and not last["relaxed"] else [],
        truth=turn.get("keys"),
        answer=turn.get("answer"),
        suql=last["suql"] if last else "",
        reply=report["agent"],
        error=report["error"] or "",
        refused=last is not None and not last["suql"] and bool(report["error"]),
    )
    if answered.truth is None:
        answered.found = []
        answered.right = any(tells(report, last, wanted) for wanted in (turn["answer"], *either))
        return answered
    answered.allowed = either
    told = last is not None and not answered.error
    whole = set(answered.truth) <= set(answered.found) or (len(answered.found) >= AT_ONCE and "LIMIT" in answered.suql)
    answered.right = told and whole and answered.good == len(answered.found)
    return answered


def tells(report: dict[str, Any], last: dict[str, Any] | None, wanted: Any) -> bool:
    """Return whether a cell of the last query, or the reply, gives a number, a yes or a no, or a word."""
    cells = [cell for row in (last["rows"] if last else ()) for cell in row.values() if cell is not None]
    if isinstance(wanted, int | float) and not isinstance(wanted, bool):
        return any(abs(number - wanted) <= NEAR * abs(wanted) for cell in cells for number in _numbers(cell))
    word = str(wanted).casefold()
    if word in ("yes", "no"):
        form = _YES if word == "yes" else _NO
        return any(form.match(str(cell)) for cell in cells) or bool(form.match(report["agent"]))
    return any(word in str(cell).casefold() for cell in (*cells, report["agent"]))


def _numbers(cell: Any) -> list[float]:
    if isinstance(cell, bool):
        return []
    if isinstance(cell, int | float):
        return [float(cell)]
    return [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", str(cell)[:40])]


def report(answered: list[Answered]) -> dict[str, Any]:
    """Return the shares that are right: rows, questions by kind, first and later turns."""
    asked = [one for one in answered if one.kind != "conversation"]
    said = [one for one in answered if one.kind == "conversation"]
    rows = [one for one in answered if one.truth is not None]
    return {
        "rows returned": _sum([one.good for one in rows], [len(one.found) for one in rows]),
        "rows wanted": _sum([one.good for one in rows], [len(one.truth or ()) for one in rows]),
        "questions": _share(asked),
        **{f"  {kind}": _share([one for one in asked if one.kind == kind]) for kind in _kinds(asked)},
        "first turns": _share([one for one in said if one.turn == 1]),
        "later turns": _share([one for one in said if one.turn > 1]),
        "not understood, told": (sum(one.refused for one in answered), len(answered)),
        "errors": (sum(bool(one.error) and not one.refused for one in answered), len(answered)),
        "turns": [asdict(one) for one in answered],
    }


def table(report: dict[str, Any], without: dict[str, Any] | None = None) -> str:
    """Return the report for people, with what was right `without` few-shot pairs beside it."""
    lines = [f"{'':24}{'right':>7}{'of':>6}{'share':>8}" + (f"{'without pairs':>16}" if without else "")]
    for name, counts in report.items():
        if name not in ("turns", "without pairs"):
            some, of = counts
            share = f"{some / of:>8.1%}" if of else ""
            beside = f"{without[name][0]:>8}{without[name][1]:>8}" if without else ""
            lines.append(f"{name:24}{some:>7}{of:>6}{share:8}{beside}".rstrip())
    return "\n".join(lines)


def _kinds(answered: list[Answered]) -> list[str]:
    return list(dict.fromkeys(one.kind for one in answered))


def _share(answered: list[Answered]) -> tuple[int, int]:
    return sum(one.right for one in answered), len(answered)


def _sum(some: list[int], of: list[int]) -> tuple[int, int]:
    return sum(some), sum(of)
