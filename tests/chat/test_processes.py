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
from django.db import connection, connections
from redis import Redis
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from hybridchat import services as servers
from hybridchat.chat import services
from hybridchat.chat.models import Conversation, Turn
from hybridchat.chat.owners import TOKEN, Owner, key_of
from tests.chat.tab import ENDED

HERE = Path(__file__).parent
PATIENCE = 60.0

pytestmark = pytest.mark.timeout(240)


class House:
    """One database with a worker and a site, each of which is started when it is asked for and none is running."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.environment = {
            **os.environ,
            "DATABASE_URL": servers.postgres().server.database_url(connection.settings_dict["NAME"]),
            "FAKE_AGENT_LOG": str(folder / "acts"),
            "BEAT_FILE": str(folder / "beat"),
        }
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def worker(self) -> subprocess.Popen[bytes]:
        return self._running("run_worker.py")

    def site(self) -> Site:
        """The site, seen by a browser session of its own."""
        self._running("run_site.py", str(self.port))
        site = Site(self.port)
        site.wait()
        return site

    def kill(self, *scripts: str) -> None:
        """SIGKILL to processes and their children: nothing gets to say goodbye."""
        for script in scripts:
            process = self.running.pop(script)
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def acts(self, message: str) -> list[str]:
        """What agents did about a message, in any process."""
        log = self.folder / "acts"
        lines = log.read_text().splitlines() if log.exists() else []
        return [act for act in (line.split(" ", 1)[1] for line in lines) if act.endswith(f" {message}")]

    def _running(self, script: str, *arguments: str) -> subprocess.Popen[bytes]:
        if script not in self.running:
            with (self.folder / f"{script}.log").open("ab") as log:
                self.running[script] = subprocess.Popen(
                    [sys.executable, str(HERE / script), *arguments],
                    env=self.environment,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        return self.running[script]


@pytest.fixture(scope="module")
def all_of_the_house(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
    house = House(tmp_path_factory.mktemp("house"))
    yield house
    house.kill(*house.running)


@pytest.fixture
def house(transactional_db: None, all_of_the_house: House) -> Iterator[House]:
    """Kept from test to test: what one has killed, the next starts again."""
    yield all_of_the_house
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


def test_a_worker_killed_in_the_middle_of_a_search_is_replaced_and_the_answer_comes_once(house: House) -> None:
    house.worker()
    turn = begun("slow rows=8")
    until(lambda: kinds(turn).count("row") >= 2, "two rows")
    house.kill("run_worker.py")
    turn.refresh_from_db()
    assert turn.status == Turn.Status.EXECUTING
    house.worker()
    ended(turn)
    assert turn.status == Turn.Status.DONE
    acts = house.acts("slow rows=8")
    assert acts.count("parse slow rows=8") == 1  # taken up from the last stored step
    assert acts.count("execute slow rows=8") == 2
    happened = kinds(turn)
    assert [happened.count(kind) for kind in ("received", "resumed", "replied", "done")] == [1, 1, 1, 1]
    assert list(turn.events.order_by("seq").values_list("seq", flat=True)) == list(range(1, len(happened) + 1))
    assert len(turn.state["outcomes"][0]["rows"]) == 8


def test_over_real_processes_a_message_is_answered_and_stopped_on_request(house: House) -> None:
    house.worker()
    site = house.site()
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
    said = (house.folder / "run_worker.py.log").read_text().splitlines()
    assert any("worked on turn" in line for line in said)
    assert not any("sweep" in line for line in said if "INFO" in line)  # they come every three seconds


def test_many_tabs_at_once_are_all_answered(house: House) -> None:
    house.worker()
    tabs = [house.site() for _ in range(16)]

    async def all_at_once() -> list[str]:
        return await asyncio.gather(
            *(tab.say_until(ENDED, type="send", uuid=str(uuid4()), message=f"number {n}") for n, tab in enumerate(tabs))
        )

    for number, frame in enumerate(asyncio.run(all_at_once())):
        assert f"places for number {number}." in frame
    assert Turn.objects.filter(status=Turn.Status.DONE).count() == 16


def test_a_page_of_another_site_gets_no_websocket(house: House) -> None:
    with pytest.raises(InvalidStatus) as refused:
        asyncio.run(house.site().say_until("anything", origin="http://elsewhere.example", type="stop", turn=""))
    assert refused.value.response.status_code == 403


def test_a_worker_killed_while_it_understands_is_replaced_by_another(house: House) -> None:
    house.worker()
    uuid = str(uuid4())
    asyncio.run(house.site().say_and_leave(type="send", uuid=uuid, message="slow-parse"))
    turn = Turn.objects.get(pk=uuid)
    until(lambda: "understood" in kinds(turn), "stage 1")
    house.kill("run_worker.py", "run_site.py")
    house.worker()
    ended(turn)
    assert turn.status == Turn.Status.DONE
    message = "slow-parse"
    assert house.acts(message) == [f"parse {message}", f"parse {message}", f"execute {message}", f"done {message}"]
    assert [kinds(turn).count(kind) for kind in ("received", "resumed", "replied", "done")] == [1, 1, 1, 1]
