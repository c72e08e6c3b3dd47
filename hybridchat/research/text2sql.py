"""Execution accuracy on databases that nobody here has seen, in Spider's layout (`DIR/ID/ID.sqlite`).

Each database is imported as it stands, each question asked as a person would ask it in the chat, and the rows of its
last query are compared with those of the gold query, which runs on the SQLite file. Questions whose gold query finds
nothing say little and are counted apart. Turns of one conversation follow each other.
"""

from __future__ import annotations

import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpora.catalogue.imported import whole_catalogue
from corpora.importing.drafting import draft
from corpora.importing.reading import tables_of
from corpora.importing.removing import NotThere, remove
from corpora.importing.sources import open_sources
from corpora.importing.specification import CorpusSpec
from corpora.importing.storing import store
from hybridchat.research.execution import LEVELS, GoldFailed, gold_rows, hardness, is_ordered, same_rows
from hybridchat.talk import Talk


@dataclass(frozen=True, slots=True)
class Scored:
    """One question: whether its rows are those of the gold query. `skipped` says why it does not count."""

    id: str
    database: str
    question: str
    turn: int
    gold: str
    suql: str
    right: bool
    empty: bool
    level: str
    seconds: float
    error: str = ""
    skipped: str = ""


def path_of(folder: Path, database: str) -> Path:
    """Return where a database lies: `ID/ID.sqlite`, or `ID.sqlite`. Raises FileNotFoundError."""
    for path in (folder / database / f"{database}.sqlite", folder / f"{database}.sqlite"):
        if path.exists():
            return path
    raise FileNotFoundError(f"There is no {database}/{database}.sqlite in {folder}.")


def conversations(questions: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yield the questions by conversation, in the order of their turns; one that names none is its own."""
    found: dict[Any, list[dict[str, Any]]] = defaultdict(list)
    for number, one in enumerate(questions):
        found[one["db_id"], one.get("conversation", ("alone", number))].append(one)
    for turns in found.values():
        yield sorted(turns, key=lambda one: one.get("turn", 0))


@contextmanager
def imported(path: Path, name: str) -> Iterator[str]:
    """Import a SQLite file as a corpus of that name, as it stands; yield the assistant's slug, and remove it after."""
    with suppress(NotThere):  # an evaluation that was broken off may have left it
        remove(name)
    with tempfile.TemporaryDirectory(prefix="text2sql-") as unpacked:
        sources = open_sources([path], Path(unpacked))
        specification, _ = draft(name, sources)
        specification = unlike_others(specification)
        store(specification, tables_of(specification, sources))
    try:
        yield name
    finally:
        remove(name)


def unlike_others(specification: CorpusSpec) -> CorpusSpec:
    """Return the specification with its tables' names made unlike those that queries see already; their nouns stay."""
    taken = whole_catalogue()
    names = {one.name: one.name if one.name not in taken else f"{one.name}_rows" for one in specification.tables}
    tables = [
        table.model_copy(
            update={
                "name": names[table.name],
                "links": [link.model_copy(update={"table": names[link.table]}) for link in table.links],
            }
        )
        for table in specification.tables
    ]
    return specification.model_copy(update={"tables": tables})


async def ask(talk: Talk, turns: list[dict[str, Any]], database: Path) -> list[Scored]:
    """Return the scores of one conversation."""
    return [await _ask(talk, one, number, database) for number, one in enumerate(turns, 1)]


async def _ask(talk: Talk, one: dict[str, Any], number: int, database: Path) -> Scored:
    began = time.monotonic()
    report = await talk.say(one["question"])
    seconds = time.monotonic() - began
    last = report["queries"][-1] if report["queries"] else None
    known = {
        "id": str(one["id"]),
        "database": one["db_id"],
        "question": one["question"],
        "turn": number,
        "gold": one["query"],
        "suql": last["suql"] if last else "",
        "seconds": seconds,
        "error": report["error"] or "",
    }
    try:
        gold, level = gold_rows(database, one["query"]), hardness(one["query"])
        ordered = is_ordered(one["query"])
    except GoldFailed as failure:
        return Scored(**known, right=False, empty=False, level="", skipped=f"gold: {failure}")
    found = [tuple(row.values.get(name) for name in outcome.columns) for outcome, row in _rows(talk)]
    right = last is not None and not last["relaxed"] and same_rows(found, gold, ordered=ordered)
    return Scored(**known, right=right, empty=not gold, level=level)


def _rows(talk: Talk) -> Iterator[tuple[Any, Any]]:
    """The rows of the last query of the last turn, with its outcome."""
    outcomes = talk.states[-1].outcomes
    for row in outcomes[-1].rows if outcomes else ():
        yield outcomes[-1], row


def report(scores: list[Scored]) -> dict[str, Any]:
    """Return the shares that are right: all, by hardness, by database, of first and of later turns."""
    counted = [one for one in scores if not one.skipped and not one.empty]
    return {
        "questions": len(scores),
        "skipped": sum(bool(one.skipped) for one in scores),
        "empty gold": _share([one for one in scores if one.empty]),
        "non-empty gold": _share(counted),
        "by hardness": {level: _share([one for one in counted if one.level == level]) for level in LEVELS},
        "by database": {
            name: _share([one for one in counted if one.database == name])
            for name in sorted({one.database for one in counted})
        },
        "first turns": _share([one for one in counted if one.turn == 1]),
        "later turns": _share([one for one in counted if one.turn > 1]),
        "errors": sum(bool(one.error) for one in counted),
        "median seconds": sorted(one.seconds for one in counted)[len(counted) // 2] if counted else None,
        "rows": [asdict(one) for one in scores],
    }


def table(report: dict[str, Any]) -> str:
    """Return the report for people."""
    lines = [f"{'':24}{'right':>7}{'of':>6}{'share':>8}"]
    for name in ("non-empty gold", "first turns", "later turns", "empty gold"):
        lines.append(_line(name, report[name]))
    for group in ("by hardness", "by database"):
        lines += ["", group, *(_line(f"  {name}", share) for name, share in report[group].items())]
    lines.append("")
    lines.append(f"errors {report['errors']}, gold queries that cannot be run {report['skipped']}")
    if report["median seconds"] is not None:
        lines.append(f"a question takes {1000 * report['median seconds']:.0f} ms, median")
    return "\n".join(lines)


def _share(scores: list[Scored]) -> tuple[int, int]:
    return sum(one.right for one in scores), len(scores)


def _line(name: str, share: tuple[int, int]) -> str:
    right, of = share
    return f"{name:24}{right:>7}{of:>6}{right / of:>8.1%}" if of else f"{name:24}{right:>7}{of:>6}"
