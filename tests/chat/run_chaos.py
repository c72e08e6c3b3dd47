"""Kills parts of a site under load and counts how its turns end. To be run by hand; everything is local and bounded.

    python tests/chat/run_chaos.py [KILLS] [builtin]

Starts a PostgreSQL, a Redis, a site and a worker of its own in a temporary folder, with the scripted agent in agent
processes, as in production; with "builtin", the site itself with the builtin language over the sample corpora. While
people ask, each part is killed KILLS times (20), with SIGKILL. Prints how the turns ended, by status and sentence, and
how long each part was away.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any
from uuid import uuid4

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parents[1]))
FOLDER = tempfile.mkdtemp(prefix="hybridchat-chaos-")
os.environ |= {"HYBRIDCHAT_VAR": FOLDER, "DJANGO_SETTINGS_MODULE": "hybridchat.settings", "BEAT_FILE": f"{FOLDER}/beat"}
for _name in ("DATABASE_URL", "REDIS_URL", "FAKE_AGENT_LOG"):
    os.environ.pop(_name, None)

import django  # noqa: E402

from hybridchat import services as servers  # noqa: E402

PARTS = ("worker", "web", "redis", "postgresql")
PORT = 8799
APART = 4.0  # seconds between two kills
PATIENCE = 120.0  # seconds for the last turns to end
EACH_SECOND = 2  # messages
LONGEST_LINE = 20  # turns that wait before nobody asks any more
SCRIPTED = ("somewhere romantic", "slow rows=3", "rows=30", "streamed rows=2")
BUILTIN = (
    "a romantic place in Palo Alto",
    "good ramen, not expensive",
    "is it loud there?",
    "the best rated in Cupertino",
)
BUILTIN_WORKER = ["-m", "celery", "-A", "hybridchat", "worker", "--beat", "--concurrency=1", "--loglevel=INFO"]
BUILTIN_SITE = ["-m", "uvicorn", "hybridchat.asgi:application", f"--port={PORT}"]


def main(kills: int, builtin: bool) -> int:
    """Run it; 0 if turns were asked, at most one of a hundred ended as our fault, and none was lost."""
    servers.start()
    django.setup()
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    if builtin:
        call_command("load_corpora", verbosity=0)
    commands = {
        "worker": BUILTIN_WORKER if builtin else [str(HERE / "run_worker.py")],
        "web": BUILTIN_SITE if builtin else [str(HERE / "run_site.py"), str(PORT)],
    }
    processes = {part: _start(part, command) for part, command in commands.items()}
    sent: list[Any] = []
    plan = [part for part in PARTS for _ in range(kills)]
    random.Random(26).shuffle(plan)
    began = time.monotonic()
    next_kill, away = time.monotonic() + 5 * APART, [0.0]
    while plan:
        _ask(sent, BUILTIN if builtin else SCRIPTED)
        if time.monotonic() > next_kill:
            part = plan.pop()
            print(f"{time.monotonic() - began:5.0f} s: {part} is killed")
            _kill(part, processes, commands)
            if part == "web":
                away.append(_until_it_answers())
            next_kill = time.monotonic() + APART
        time.sleep(1 / EACH_SECOND)
    endings = _endings(sent)
    for name, process in processes.items():
        print(name, "still runs" if process.poll() is None else "ended")
        os.killpg(process.pid, signal.SIGKILL)
    total = sum(endings.values())
    ours = sum(count for (status, _), count in endings.items() if status == "failed")
    lost = sum(count for (status, _), count in endings.items() if status not in ("done", "failed"))
    for (status, sentence), count in endings.most_common():
        print(f"{count:5} {status} {sentence}")
    print(f"{total} turns, {ours} failed, {lost} not ended; the web process was away for {max(away):.1f} s at most")
    servers.release()
    return 0 if total and ours * 100 <= total and not lost else 1


def _start(part: str, command: list[str]) -> subprocess.Popen[bytes]:
    with Path(FOLDER, f"{part}.log").open("ab") as log:
        return subprocess.Popen(
            [sys.executable, *command], cwd=HERE.parents[1], stdout=log, stderr=log, start_new_session=True
        )


def _kill(part: str, processes: dict[str, subprocess.Popen[bytes]], commands: dict[str, list[str]]) -> None:
    """SIGKILL to a part. The servers' keepers start theirs again; the others are started again here."""
    if part in processes:
        os.killpg(processes[part].pid, signal.SIGKILL)
        processes[part].wait()
        processes[part] = _start(part, commands[part])
        return
    pid_file = Path(FOLDER, "services", part, "server.pid")
    try:
        os.kill(int(pid_file.read_text()), signal.SIGKILL)
    except (FileNotFoundError, ProcessLookupError):
        print(part, "was away already")


def _until_it_answers() -> float:
    from hybridchat.services.management.commands.run import answers

    began = time.monotonic()
    while not answers("127.0.0.1", PORT) and time.monotonic() - began < PATIENCE:
        time.sleep(0.1)
    return time.monotonic() - began


def _ask(sent: list[Any], messages: tuple[str, ...]) -> None:
    """One more person asks something; where the database is away, nobody could have."""
    from django.db import DatabaseError, connection

    from hybridchat.chat import services
    from hybridchat.chat.models import Turn
    from hybridchat.chat.owners import Owner, key_of

    try:
        conversation = services.new_conversation(Owner(key_of(str(uuid4()))), "restaurants")
        if Turn.objects.running().count() < LONGEST_LINE:
            sent.append(services.receive(conversation, uuid4(), messages[len(sent) % len(messages)])[0].pk)
    except DatabaseError:
        connection.close()


def _endings(sent: list[Any]) -> Counter[tuple[str, str]]:
    from django.db import DatabaseError, connection

    from hybridchat.chat.models import Turn

    until = time.monotonic() + PATIENCE
    while True:
        try:
            found = Turn.objects.filter(pk__in=sent)
            if not found.running().exists() or time.monotonic() > until:
                told = [(turn.status, turn.error or turn.error_detail[:150]) for turn in found.defer("state")]
                missing = len(sent) - len(told)
                return Counter(told + [("lost", "")] * missing)
        except DatabaseError as error:
            connection.close()
            if time.monotonic() > until:
                raise RuntimeError("the database does not come back") from error
        time.sleep(0.5)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 20, "builtin" in sys.argv[2:]))
