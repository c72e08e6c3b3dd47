"""The Celery application. Its settings are the CELERY_… ones in hybridchat/settings.py."""

import os
import time
from typing import Any

from celery import Celery
from celery.beat import Scheduler
from celery.signals import beat_init, celeryd_init, heartbeat_sent, worker_ready

from hybridchat import services

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hybridchat.settings")

BETWEEN_SIGNS = 2.0  # seconds

app = Celery("hybridchat")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
@beat_init.connect
def start_services(**_: object) -> None:
    """A worker started by hand brings up, or shares, the embedded servers like every other command."""
    services.start()


@worker_ready.connect
@heartbeat_sent.connect
def worker_lives(**_: object) -> None:
    """A worker says that it is alive when it is ready and with each of its heartbeats."""
    from hybridchat.health import WORKER, sign_of_life

    sign_of_life(WORKER)


class SignOfLife(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Beat's schedule in memory: what runs every few seconds needs no record of when it ran. Says that it is alive."""

    said = float("-inf")  # when it last did, by the monotonic clock

    def tick(self, *arguments: Any, **options: Any) -> Any:
        from hybridchat.health import BEAT, sign_of_life

        if time.monotonic() - self.said > BETWEEN_SIGNS:
            self.said = time.monotonic()
            sign_of_life(BEAT)
        return super().tick(*arguments, **options)
