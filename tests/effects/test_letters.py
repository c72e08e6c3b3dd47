"""Confirmations by e-mail: written with the effect, posted once, by a worker."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.utils import timezone
from redis import Redis

from agent.worksheets.actions import Call, Refusal
from corpora.models import Restaurant
from hybridchat.effects import tasks
from hybridchat.effects.actions.restaurants import book, cancel_booking
from hybridchat.effects.models import Letter, Reservation
from tests.effects.test_changing import named
from tests.effects.test_once import together

Calls = Callable[..., Call]
PATIENCE = 60.0


@pytest.fixture
def written(place: Restaurant, call: Calls, table: dict[str, Any]) -> Letter:
    """The letter of a booking, not posted yet."""
    asyncio.run(book(call(), **table, email="ada@example.org"))
    return Letter.objects.get()


def test_a_booking_is_confirmed_with_a_calendar_file(written: Letter) -> None:
    assert tasks.post_letter(written.pk)
    (sent,) = mail.outbox
    assert sent.to == ["ada@example.org"]
    assert sent.subject == "Your table at The Blue Door"
    assert "The Blue Door for 4 people on Friday, November 27 at 7:00 pm" in sent.body
    name, content, kind = sent.attachments[0]
    reference = Reservation.objects.get().reference
    assert (name, kind) == (f"table-{reference}.ics", "text/calendar")
    assert f"UID:{reference}@hybridchat" in content


def test_a_letter_is_posted_once(written: Letter) -> None:
    assert [tasks.post_letter(written.pk) for _ in range(3)] == [True, False, False]
    assert len(mail.outbox) == 1


def test_workers_that_get_it_at_once_post_it_once(written: Letter) -> None:
    assert sorted(together(4, lambda _: tasks.post_letter(written.pk))) == [False, False, False, True]


def test_what_was_refused_writes_no_letter(place: Restaurant, call: Calls, table: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        asyncio.run(book(call(), **table | {"number_of_people": 11}, email="ada@example.org"))
    assert not Letter.objects.exists()


def test_without_an_address_there_is_no_letter(place: Restaurant, call: Calls, table: dict[str, Any]) -> None:
    asyncio.run(book(call(), **table))
    assert not Letter.objects.exists()


def test_a_cancellation_is_confirmed_and_takes_the_entry_out_of_the_calendar(written: Letter, call: Calls) -> None:
    asyncio.run(cancel_booking(call(), booking=named(Reservation.objects.get().reference)))
    assert tasks.post_letter(Letter.objects.exclude(pk=written.pk).get().pk)
    assert "METHOD:CANCEL" in mail.outbox[0].attachments[0][1]


def test_a_server_that_is_away_is_tried_again_and_then_given_up(
    written: Letter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "_message", _unreachable)
    assert not any(tasks.post_letter(written.pk) for _ in range(tasks.ATTEMPTS + 2))
    written.refresh_from_db()
    assert (written.attempts, written.sent_at) == (tasks.ATTEMPTS, None)
    assert "no route to the server" in written.problem


def test_a_repeated_letter_has_the_same_identifier(written: Letter) -> None:
    tasks.post_letter(written.pk)
    Letter.objects.update(sent_at=None)  # as if the process had died before it could say so
    tasks.post_letter(written.pk)
    assert len({sent.extra_headers["Message-ID"] for sent in mail.outbox}) == 1


@pytest.fixture
def worker(live_environment: dict[str, str], tmp_path: Path) -> Iterator[Path]:
    """A real worker that posts into a folder."""
    with Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
    outbox = tmp_path / "outbox"
    environment = live_environment | {"EMAIL_URL": f"filemail:///{outbox}"}
    command = [sys.executable, str(Path(__file__).with_name("run_worker.py"))]
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(command, env=environment, stdout=log, stderr=log, start_new_session=True)
    yield outbox
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def test_a_worker_posts_it_after_the_commit_and_once_however_often_it_is_asked(
    worker: Path, place: Restaurant, call: Calls, table: dict[str, Any]
) -> None:
    asyncio.run(book(call(), **table, email="ada@example.org"))
    letter = Letter.objects.get()
    for _ in range(3):
        tasks.post_letter.delay(letter.pk)
    tasks.post_letter.delay(letter.pk + 1)  # there is none: nothing to do
    until(lambda: Letter.objects.filter(sent_at__isnull=False).exists(), "the letter")
    with Redis.from_url(settings.REDIS_URL) as client:
        until(lambda: client.llen("celery") == 0, "an empty queue")
    assert Letter.objects.get().attempts == 1
    assert sum(file.read_text().count("Message-ID") for file in worker.iterdir()) == 1


def test_a_letter_whose_hint_was_lost_is_swept_up(written: Letter, worker: Path) -> None:
    assert tasks.sweep() == 0
    Letter.objects.update(created=timezone.now() - timedelta(minutes=5))
    assert tasks.sweep() == 1
    until(lambda: Letter.objects.filter(sent_at__isnull=False).exists(), "the letter")


def test_a_letter_goes_with_what_it_is_about_if_that_is_taken_back(written: Letter) -> None:
    receipt = written.receipt
    Reservation.objects.all().delete()
    assert receipt is not None
    receipt.delete()
    assert not Letter.objects.exists()


class _Unreachable:
    def send(self) -> None:
        raise ConnectionRefusedError("no route to the server")


def _unreachable(letter: Letter) -> _Unreachable:
    return _Unreachable()


def until(happened: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not happened():
        if time.monotonic() > deadline:
            pytest.fail(f"waited {PATIENCE:.0f} s for {what}")
        time.sleep(0.1)
