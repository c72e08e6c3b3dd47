"""What an import costs: rows and passages a second, memory at two sizes, the first answer, and what chats feel of it.

Files are made, imported as a curator's are, and removed again: things with a text of their own each and notes that
refer to them, two texts a row. Each import runs in a process of its own, whose memory is its own: a dry run, the
import, and another one of the same files with a tenth of the rows changed. An encoder takes far longer than all else,
so the two sizes by which memory and speed are told have vectors that cost nothing to make; the encoder is measured in a
small import of its own, beside which turns are taken. With a stand-in, all imports have their vectors from an endpoint
that answers at once, as they would from EMBEDDINGS_URL. Every other turn is taken while that import stands still, so
that whatever else the machine does weighs on both alike.
"""

from __future__ import annotations

import csv
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, TypeVar

from corpora.importing.removing import NotThere, remove
from corpora.importing.storing import active_version
from corpora.passages.vector_indexes import bring_vector_indexes_in_step
from hybridchat.celery import ONE_THREAD
from hybridchat.services.folder import CHECKOUT

if TYPE_CHECKING:
    from corpora.importing.storing import Imported as Stored
    from corpora.passages.indexing import Indexed

T = TypeVar("T")

NAME = "bench_import"
CONSONANTS, VOWELS = "bdfglmnprst", "aeiou"
WIDTH = 14  # words of a text
MILLION = 1_000_000
MEMORY = 10 * MILLION  # no process has fewer bytes, and no import more passages
ENCODED = 400  # rows that are imported with the encoder
STOOD_IN = 10_000  # rows that are imported in its place with a stand-in: as long as turns are taken
CHANGED = 10  # of so many rows one is another one when the files are imported again
ASKED = 12  # turns while it is at work, and as many while it stands still
STAGES = 6  # of an import that are timed
SLOWER = 1.2  # times as long a turn may take while an import runs


@dataclass
class Imported:
    """One import: rows of the first table, and what it took. A row brings two texts."""

    rows: int
    passages: int
    checking: float  # seconds of the dry run
    storing: float
    embedding: float
    indexing: float
    storing_again: float  # a tenth of the rows is another one
    embedding_again: float
    processor: float  # seconds of it, for all of that; PostgreSQL's apart
    memory: int  # bytes, at most
    before: int  # bytes, before it began


@dataclass
class Report:
    """Two sizes, one beside turns, seconds until the first answer after the larger, and turns alone and beside."""

    small: Imported | None
    large: Imported
    encoded: Imported
    first_answer: float
    alone: list[float]
    beside: list[float]


def write_files(folder: Path, rows: int, seed: int = 1) -> None:
    """Things, and as many notes on them, each with a text; the specification beside them."""
    chance = Random(seed)  # noqa: S311  data, not secrets

    def word() -> str:
        return "".join(chance.choice(CONSONANTS) + chance.choice(VOWELS) for _ in range(chance.randint(1, 4)))

    def text() -> str:
        return f"It is {' '.join(word() for _ in range(WIDTH))}."

    with (folder / "things.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["id", "name", "price", "about"])
        lines.writerows([number, f"Thing {number}", chance.randrange(1, 999), text()] for number in range(rows))
    with (folder / "notes.csv").open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(["id", "thing", "note"])
        lines.writerows([number, chance.randrange(rows), text()] for number in range(rows))
    (folder / "corpus.json").write_text(json.dumps(_SPECIFICATION))


_SPECIFICATION: dict[str, Any] = {
    "name": NAME,
    "noun": ["thing", "things"],
    "tables": [
        {
            "name": f"{NAME}_things", "file": "things.csv", "key": "id", "title": "name", "noun": ["thing", "things"],
            "columns": [
                {"name": "id", "kind": "NUMBER"}, {"name": "name", "kind": "TEXT"}, {"name": "price", "kind": "NUMBER"},
                {"name": "about", "kind": "FREE_TEXT"},
            ],
        },
        {
            "name": f"{NAME}_notes", "file": "notes.csv", "key": "id", "noun": ["note", "notes"],
            "columns": [
                {"name": "id", "kind": "NUMBER"}, {"name": "thing", "kind": "NUMBER"},
                {"name": "note", "kind": "FREE_TEXT"},
            ],
            "links": [{"column": "thing", "table": f"{NAME}_things", "target": "id"}],
        },
    ],
}  # fmt: skip


def change_files(folder: Path) -> None:
    """Let the text of every tenth row say more."""
    for path in (folder / "things.csv", folder / "notes.csv"):
        with path.open(newline="") as before, path.with_suffix(".new").open("w", newline="") as after:
            lines = csv.writer(after)
            for number, line in enumerate(csv.reader(before)):
                lines.writerow([*line[:-1], f"{line[-1]} Anew."] if number and number % CHANGED == 0 else line)
        path.with_suffix(".new").replace(path)


def import_files(folder: Path, encoded: bool, again: bool) -> Imported:
    """Import the files of a folder in this process, with this installation's embedder or with vectors that cost
    nothing; first a dry run, and in the end once more where that is wanted."""
    from corpora.catalogue.imported import whole_catalogue
    from corpora.embedding import embedder
    from corpora.importing.reading import tables_of
    from corpora.importing.sources import open_sources
    from corpora.importing.specification import read_specification
    from corpora.importing.storing import store, views_ever
    from corpora.passages.indexing import index
    from corpora.politeness import politely
    from hybridchat.research.bench_vectors import Clusters

    chosen = embedder() if encoded else Clusters()
    before = _peak()
    spec = read_specification(folder / "corpus.json")
    took = []

    def kept(rehearse: bool = False) -> Stored:
        sources = open_sources([folder / "things.csv", folder / "notes.csv"], folder)
        return timed(lambda: store(spec, tables_of(spec, sources), rehearse=rehearse))

    def embedded() -> Indexed:
        return timed(lambda: politely(lambda: index(whole_catalogue(), chosen, tables=views_ever(NAME))))

    def timed(work: Callable[[], T]) -> T:
        started = time.perf_counter()
        done = work()
        took.append(time.perf_counter() - started)
        return done

    kept(rehearse=True)
    done, made = kept(), embedded()
    timed(lambda: politely(bring_vector_indexes_in_step))
    if again:
        change_files(folder)
        kept()
        embedded()
    rows, processor = done.counts[f"{NAME}_things"]["stored"], time.process_time()
    return Imported(rows, made.written, *took, *[0.0] * (STAGES - len(took)), processor, _peak(), before)


def _peak() -> int:
    """The most memory this process had. What getrusage says of a new process is what its parent had."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(int(line.split()[1]) * 1024 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def measure_import(
    rows: int,
    ask: Callable[[], float],
    first: Callable[[], float],
    endpoint: str = "",
    *,
    once: bool = False,
    told: Callable[[str], object] = lambda line: None,
) -> Report:
    """Import a quarter of the rows, then all, then some beside turns; `ask` takes one, returns its seconds.

    With an `endpoint`, all have their vectors from there. `once` leaves out the quarter, and the same files again.
    `told` hears of each import once it is over.
    """

    def imported(name: str, rows: int, **how: Any) -> Imported:
        done = _in_process(rows, endpoint, **how)
        told(_line(name, done))
        return done

    try:
        told(_titles())
        small = None if once else imported("small", rows // 4)
        large = imported("large", rows, again=not once)
        answered = first()
        turns = _Turns(ask)
        beside = imported(
            "beside turns", min(rows, STOOD_IN) if endpoint else ENCODED, meanwhile=turns.take, again=False
        )
        beside.embedding -= sum(turns.alone)  # it stood still
        return Report(small, large, beside, answered, turns.alone, turns.beside)
    finally:
        _remove()


class _Turns:
    """Turns beside a process, taken by turns while it is at work and while it stands still."""

    def __init__(self, ask: Callable[[], float]) -> None:
        self.alone: list[float] = []
        self.beside: list[float] = []
        self._ask = ask

    def take(self, process: subprocess.Popen[str]) -> None:
        """Take one of each, while there are not enough."""
        if len(self.beside) >= ASKED:
            return
        self.beside.append(self._ask())
        process.send_signal(signal.SIGSTOP)
        try:
            self.alone.append(self._ask())
        finally:
            process.send_signal(signal.SIGCONT)


def _remove() -> None:
    with suppress(NotThere):
        remove(NAME)
    bring_vector_indexes_in_step()


def _in_process(
    rows: int, endpoint: str, *, meanwhile: Callable[[subprocess.Popen[str]], None] | None = None, again: bool = True
) -> Imported:
    """Import so many rows in a process of its own, with vectors of the endpoint, or of the encoder where something is
    done `meanwhile`.

    That is told the process, from when the rows are stored until it ends.
    """
    _remove()
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        write_files(Path(name), rows)
        encoded = bool(endpoint or meanwhile)
        command = [sys.executable, "-c", _CHILD, name, json.dumps([encoded, again])]
        environment = {**ONE_THREAD, **os.environ, "DJANGO_SETTINGS_MODULE": "hybridchat.settings"}
        environment |= {"EMBEDDINGS_URL": endpoint} if endpoint else {}
        with subprocess.Popen(command, cwd=CHECKOUT, env=environment, stdout=subprocess.PIPE, text=True) as process:
            said: list[str] = []
            reading = threading.Thread(target=lambda: said.append(process.communicate()[0]))
            reading.start()
            while process.poll() is None:
                if meanwhile and active_version(NAME):
                    meanwhile(process)
                time.sleep(0.05)
            reading.join()
        if process.returncode:
            raise RuntimeError("The import failed; what it said stands above.")
        return Imported(**json.loads(said[0].splitlines()[-1]))


_CHILD = """
import json, sys, django
django.setup()
from dataclasses import asdict
from pathlib import Path
from hybridchat.research.bench_import import import_files
print(json.dumps(asdict(import_files(Path(sys.argv[1]), *json.loads(sys.argv[2])))))
"""


def import_figures(report: Report) -> dict[str, Any]:
    """Return the report as JSON, with what follows from it."""
    large, small, encoded = report.large, report.small, report.encoded
    alone, beside = statistics.median(report.alone), statistics.median(report.beside or report.alone)
    a_row = max(large.memory - small.memory, 0) / max(large.rows - small.rows, 1) if small else 0.0
    at_once = large.checking + large.storing + large.embedding + large.indexing
    return {
        **asdict(report),
        "rows_a_second": 2 * large.rows / large.storing,  # of both tables
        "passages_a_second": large.passages / large.embedding,
        "encoded_a_second": encoded.passages / encoded.embedding,
        "bytes_a_row": a_row,
        "memory_at_a_million": max(large.memory, encoded.memory) + a_row * max(MILLION - large.rows, 0),
        "hours_at_a_million": at_once * MILLION / large.rows / 3600,
        "slower": beside / alone,
    }


COLUMNS = {
    "rows": "rows", "passages": "passages", "checking": "dry run s", "storing": "storing s", "embedding": "passages s",
    "indexing": "indexes s", "storing_again": "again s", "embedding_again": "passages s", "processor": "in all CPU",
    "memory": "peak MiB", "before": "at first",
}  # fmt: skip


def import_table(report: Report) -> str:
    """Return the report for people."""
    found = import_figures(report)
    imports = {"small": report.small, "large": report.large, "beside turns": report.encoded}
    lines = [_titles(), *(_line(name, one) for name, one in imports.items() if one)]
    alone, beside = statistics.median(report.alone), statistics.median(report.beside or [0])
    lines += [
        f"rows stored a second        {found['rows_a_second']:,.0f}",
        f"passages indexed a second   {found['passages_a_second']:,.0f}, and "
        f"{found['encoded_a_second']:,.0f} while turns are taken",
        *(
            [f"memory a row more           {found['bytes_a_row']:,.0f} bytes between the two sizes"]
            * bool(report.small)
        ),
        f"first answer                {report.first_answer:.1f} s after the import",
        f"a turn                      {alone:.2f} s alone, {beside:.2f} s beside an import ({len(report.beside)} "
        f"turns each): {found['slower']:.2f} times, at most {SLOWER} wanted",
        f"1,000,000 rows would take   {found['hours_at_a_million']:.1f} hours besides what makes the vectors, and "
        f"{found['memory_at_a_million'] / 2**20:,.0f} MiB at most, below 1,024 wanted",
    ]
    return "\n".join(lines)


def _titles() -> str:
    return f"{'':12}" + "".join(f"{title:>11}" for title in COLUMNS.values())


def _line(name: str, one: Imported) -> str:
    return f"{name:12}" + "".join(f"{_shown(getattr(one, field)):>11}" for field in COLUMNS)


def _shown(figure: float) -> str:
    """Counts in full, memory in MiB, seconds to a tenth."""
    if isinstance(figure, float):
        return f"{figure:.1f}"
    return f"{figure:,}" if figure < MEMORY else f"{figure / 2**20:.0f}"
