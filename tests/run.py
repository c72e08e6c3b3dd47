"""All tests, as `make test` runs them: four processes share the files, the browser tests are a run of their own, and
the counts of both come last. The static checks run beside the first of them, on what their waiting leaves free.

Playwright's synchronous interface leaves an event loop behind in which Django refuses to query, so the two cannot share
a process. Both run even if the first fails; the exit code is that of the first failure.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

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
CHECKS = ["nice", "-n", "10", "make", "check"]  # some tests measure time
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # of each process: more would wait for one another
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"  # with it, a hundred processes would each compile everything


def main() -> int:
    """Run everything, show the output of the tests as it comes, then that of the checks and the last lines."""
    with tempfile.TemporaryFile("w+") as told, subprocess.Popen(CHECKS, stdout=told, stderr=told) as checks:
        results = {name: pytest([*arguments, *sys.argv[1:]]) for name, arguments in RUNS.items()}
        checks.wait()
        told.seek(0)
        print(told.read())
    for name, (_, summary) in results.items():
        print(f"{name}: {summary}")
    return next((code for code, _ in results.values() if code), checks.returncode)


def pytest(arguments: list[str]) -> tuple[int, str]:
    """The exit code and the last line, which has the counts."""
    last = ""
    command = [sys.executable, "-m", "pytest", "--durations=25", "--durations-min=5", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != NO_BYTECODE}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**ONE_THREAD, **environment}) as run:
        assert run.stdout is not None
        for line in run.stdout:
            print(line, end="", flush=True)
            last = line.strip() or last
    return run.returncode, last


if __name__ == "__main__":
    sys.exit(main())
