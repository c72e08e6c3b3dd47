"""`manage.py run`: the whole site on a laptop, in one terminal. `make run` is this."""

from __future__ import annotations

import signal
import threading
import time
from argparse import ArgumentParser
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from celery.beat import EmbeddedService
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connections
from django.urls import reverse

from corpora.loading.installing import is_empty
from hybridchat import services
from hybridchat.celery import app as celery_app
from hybridchat.services import port as ports
from hybridchat.services.supervisor import Child

PORT = 8765
READY_LIMIT = 60.0  # seconds


class Command(BaseCommand):
    """Migrate, load the sample corpora the first time, then keep the site and a worker running until Ctrl-C."""

    help = "Start everything, print the address, and stop everything again on Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
        parser.add_argument("--port", type=int, default=PORT, help=f"port to listen on (default {PORT})")

    def handle(self, *, host: str, port: int, **_: Any) -> None:
        for ending in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):  # a shell may have left SIGINT ignored
            signal.signal(ending, signal.default_int_handler)
        try:
            self.run(host, port)
        except KeyboardInterrupt:
            self.stdout.write("")  # end the line on which the terminal shows ^C
        finally:
            services.release()

    def run(self, host: str, port: int) -> None:
        """Everything between taking the port and KeyboardInterrupt."""
        try:
            door = ports.take(host, port)
        except (ports.PortTaken, OSError) as error:
            raise CommandError(str(error)) from error
        call_command("migrate", interactive=False, verbosity=0)
        self.prepare_corpora()
        connections.close_all()

        beat = EmbeddedService(celery_app, thread=True, scheduler_cls=celery_app.conf.beat_scheduler)
        children = [self.site(door.fileno()), self.worker()]
        for part in (*children, beat):
            part.start()
        try:
            self.wait_until_ready(host, port)
            self.stdout.write(f"hybridchat is at http://{shown(host)}:{port}/ (Ctrl-C stops it)")
            self.stdout.flush()
            threading.Event().wait()
        finally:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # an impatient second Ctrl-C must not leave half of it running
            with ThreadPoolExecutor() as pool:
                list(pool.map(lambda part: part.stop(), (beat, *children)))

    def prepare_corpora(self) -> None:
        """The sample corpora on the first start; later only passages that are missing, so that no edit is undone."""
        call_command("load_corpora", stdout=self.stdout, verbosity=1 if is_empty() else 0)

    def site(self, door: int) -> Child:
        """The ASGI server, on a socket that stays open while it is restarted."""
        return Child("site", ["hybridchat.services.web", str(door)], self.log("web"), self.tell, share=[door])

    def worker(self) -> Child:
        """One Celery worker. What it is doing when it is stopped is taken up again at the next start."""
        alone = ["--without-gossip", "--without-mingle"]  # no neighbours to wait a second for
        command = ["celery", "-A", "hybridchat", "worker", "--loglevel", "INFO", *alone]
        return Child("worker", command, self.log("worker"), self.tell)

    def wait_until_ready(self, host: str, port: int) -> None:
        """Until the site and the worker answer. Raises CommandError after a minute."""
        started = time.monotonic()
        for name, log, ready in (
            ("site", self.log("web"), lambda: answers(reachable(host), port)),
            ("worker", self.log("worker"), lambda: celery_app.control.ping(timeout=0.5, limit=1)),
        ):
            while not ready():
                if time.monotonic() - started > READY_LIMIT:
                    raise CommandError(f"The {name} does not answer. The end of its log, {log}:\n{services.tail(log)}")
                time.sleep(0.05)

    def tell(self, sentence: str) -> None:
        """Something the person at the terminal should know."""
        self.stderr.write(sentence)

    def log(self, name: str) -> Path:
        """Where a process of the site writes."""
        return Path(settings.VAR) / "log" / f"{name}.log"


def answers(host: str, port: int) -> bool:
    """Whether the site says that it is well."""
    request = HTTPConnection(host, port, timeout=5)
    try:
        request.request("GET", reverse("health") + "?only=web", headers={"Host": "localhost"})
        return request.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False
    finally:
        request.close()


def reachable(host: str) -> str:
    """An address to connect to; "all addresses" is none."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104


def shown(host: str) -> str:
    """The address as it is written in a browser's address line."""
    host = reachable(host)
    return f"[{host}]" if ":" in host else host
