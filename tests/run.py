"""All tests, as `make test` runs them: three processes share the files, the browser tests are a run of their own, and
the counts of both come last.

Playwright's synchronous interface leaves an event loop behind in which Django refuses to query, so the two cannot share
a process. Both run even if the first fails; the exit code is that of the first failure.
"""

from __future__ import annotations

import os
import subprocess
import sys

SLOW = ("services", "chat", "guard", "effects", "research", "corpora")  # rooms whose tests start processes
RUNS = {
    # Four processes on two cores: many tests wait for a site or a worker. The slow files come first, since the last
    # file of one process is what the others wait for.
    "engine, corpora and site": [
        "-n", "4", "--dist", "loadfile", "--no-loadscope-reorder", *(f"tests/{room}" for room in SLOW),
        "tests", "--ignore=tests/browser",
    ],
    "in a real browser": ["tests/browser"],  # one process: it measures how soon a person is told
}  # fmt: skip
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # of each process: more would wait for one another


def main() -> int:
    """Run both, show their output as it comes, repeat their last lines."""
    results = {name: pytest([*arguments, *sys.argv[1:]]) for name, arguments in RUNS.items()}
    print()
    for name, (_, summary) in results.items():
        print(f"{name}: {summary}")
    return next((code for code, _ in results.values() if code), 0)


def pytest(arguments: list[str]) -> tuple[int, str]:
    """The exit code and the last line, which has the counts."""
    last = ""
    command = [sys.executable, "-m", "pytest", "--durations=25", "--durations-min=5", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**ONE_THREAD, **os.environ}) as run:
        assert run.stdout is not None
        for line in run.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
    return run.returncode, last


if __name__ == "__main__":
    sys.exit(main())
