"""Real processes, really killed: a Celery worker and the site under uvicorn, on the test's PostgreSQL and Redis.

Whoever dies in the middle of a turn, the turn is finished by another, and its effects are there once.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore
from django.db import connections
from redis import Redis
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from hybridchat.chat import services
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import TOKEN, Owner, key_of
from tests.chat.tab import ENDED

HERE = Path(__file__).parent
PATIENCE = 60.0
Starter = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start(live_environment: dict[str, str], tmp_path: Path) -> Iterator[Starter]:
    """Start one of the scripts beside this file; what is still alive in the end is killed."""
    started: list[subprocess.Popen[bytes]] = []
    with Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
    environment = live_environment | {"FAKE_AGENT_LOG": str(tmp_path / "acts"), "BEAT_FILE": str(tmp_path / "beat")}

    def starter(script: str, *arguments: str) -> subprocess.Popen[bytes]:
        with (tmp_path / f"{script}.{len(started)}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, str(HERE / script), *arguments],
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        started.append(process)
        return process

    yield starter
    for process in started:
        kill(process)
    connections.close_all()


class Site:
    """The site at a port, seen by one browser session with one conversation."""

    def __init__(self, port: int) -> None:
        self.port = port
        session = SessionStore()
        session[TOKEN] = "a token"
        session.create()
        self.cookie = f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
        self.conversation: Conversation = services.new_conversation(Owner(key_of("a token")), "restaurants")

    def another(self) -> Site:
        """Another browser session, with a conversation of its own."""
        return Site(self.port)

    def wait(self) -> None:
        def answers() -> bool:
            with socket.socket() as attempt:
                return attempt.connect_ex(("127.0.0.1", self.port)) == 0

        until(answers, "the site")

    async def say_until(self, words: str, origin: str = "", **message: str) -> str:
        """Say something and read until a frame holds the words."""
        address = f"ws://127.0.0.1:{self.port}/ws/chat/{self.conversation.pk}/"
        origin = origin or f"http://127.0.0.1:{self.port}"
        headers = {"Cookie": self.cookie}
        async with (
            asyncio.timeout(PATIENCE),
            connect(address, origin=origin, additional_headers=headers, proxy=None) as tab,
        ):
            await tab.send(json.dumps(message))
            async for frame in tab:
                if words in str(frame):
                    return str(frame)
        raise AssertionError(f"the websocket was closed before {words!r} came")

    async def say_and_leave(self, **message: str) -> None:
        """Say something and close the tab as soon as it is stored."""
        await self.say_until("beforeend:#turns", **message)


@pytest.fixture
def site(live_environment: dict[str, str]) -> Site:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return Site(free.getsockname()[1])


def kill(process: subprocess.Popen[bytes]) -> None:
    """SIGKILL to the process and its children: nothing gets to say goodbye."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def acts(tmp_path: Path) -> list[str]:
    """What agents did, in any process, without the process numbers."""
    log = tmp_path / "acts"
    return [line.split(" ", 1)[1] for line in log.read_text().splitlines()] if log.exists() else []


def until(happened: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if happened():
            return
        time.sleep(0.1)
    pytest.fail(f"waited {PATIENCE:.0f} s for: {what}")


def ended(turn: Turn) -> Turn:
    def finished() -> bool:
        turn.refresh_from_db()
        return not turn.running

    until(finished, "the turn's end")
    return turn


def kinds(turn: Turn) -> list[str]:
    return list(turn.events.order_by("seq").values_list("kind", flat=True))


def begun(message: str) -> Turn:
    """A conversation's first turn, which no web process takes up."""
    conversation = services.new_conversation(Owner(key_of("a token")), "restaurants")
    return services.receive(conversation, uuid4(), message)[0]


@pytest.mark.timeout(240)
def test_a_worker_killed_in_the_middle_of_a_search_is_replaced_and_the_answer_comes_once(
    start: Starter, tmp_path: Path
) -> None:
    worker = start("run_worker.py")
    turn = begun("slow rows=8")
    until(lambda: kinds(turn).count("row") >= 2, "two rows")
    kill(worker)
    turn.refresh_from_db()
    assert turn.status == Turn.Status.EXECUTING
    start("run_worker.py")
    ended(turn)
    assert turn.status == Turn.Status.DONE
    assert acts(tmp_path).count("parse slow rows=8") == 1  # taken up from the last stored step
    assert acts(tmp_path).count("execute slow rows=8") == 2
    happened = kinds(turn)
    assert [happened.count(kind) for kind in ("received", "resumed", "replied", "done")] == [1, 1, 1, 1]
    assert list(turn.events.order_by("seq").values_list("seq", flat=True)) == list(range(1, len(happened) + 1))
    assert len(turn.state["outcomes"][0]["rows"]) == 8


@pytest.mark.timeout(240)
def test_a_worker_killed_while_it_understands_is_replaced_by_another(
    start: Starter, tmp_path: Path, site: Site
) -> None:
    process = start("run_site.py", str(site.port))
    worker = start("run_worker.py")
    site.wait()
    uuid = str(uuid4())
    asyncio.run(site.say_and_leave(type="send", uuid=uuid, message="slow-parse"))
    turn = Turn.objects.get(pk=uuid)
    until(lambda: "understood" in kinds(turn), "stage 1")
    kill(worker)
    kill(process)
    start("run_worker.py")
    ended(turn)
    assert turn.status == Turn.Status.DONE
    assert acts(tmp_path) == ["parse slow-parse", "parse slow-parse", "execute slow-parse", "done slow-parse"]
    assert [kinds(turn).count(kind) for kind in ("received", "resumed", "replied", "done")] == [1, 1, 1, 1]


@pytest.mark.timeout(240)
def test_over_real_processes_a_message_is_answered_and_stopped_on_request(
    start: Starter, site: Site, tmp_path: Path
) -> None:
    start("run_site.py", str(site.port))
    start("run_worker.py")
    site.wait()
    first, second = str(uuid4()), str(uuid4())
    final = asyncio.run(site.say_until(ENDED, type="send", uuid=first, message="somewhere romantic"))
    assert "<strong>2</strong> places" in final
    asyncio.run(site.say_until("Looking at", type="send", uuid=second, message="slow rows=90"))
    asyncio.run(site.say_until("Stopped", type="stop", turn=second))
    turn = Turn.objects.get(pk=second)
    assert turn.status == Turn.Status.STOPPED
    count = turn.events.count()
    time.sleep(1)
    assert turn.events.count() == count
    said = (tmp_path / "run_worker.py.1.log").read_text().splitlines()
    assert any("worked on turn" in line for line in said)
    assert not any("sweep" in line for line in said if "INFO" in line)  # they come every three seconds


@pytest.mark.timeout(240)
def test_many_tabs_at_once_are_all_answered(start: Starter, site: Site) -> None:
    start("run_site.py", str(site.port))
    start("run_worker.py")
    site.wait()
    tabs = [site.another() for _ in range(16)]

    async def all_at_once() -> list[str]:
        return await asyncio.gather(
            *(tab.say_until(ENDED, type="send", uuid=str(uuid4()), message=f"number {n}") for n, tab in enumerate(tabs))
        )

    for number, frame in enumerate(asyncio.run(all_at_once())):
        assert f"places for number {number}." in frame
    assert Turn.objects.filter(status=Turn.Status.DONE).count() == 16


@pytest.mark.timeout(120)
def test_a_page_of_another_site_gets_no_websocket(start: Starter, site: Site) -> None:
    start("run_site.py", str(site.port))
    site.wait()
    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(site.say_until("anything", origin="http://elsewhere.example", type="stop", turn=""))
    assert refused.value.response.status_code == 403
