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

# A process of a worker computes for one turn at a time, or for one import, and so does each agent process: the
# processors are shared out already. BLAS threads of several such processes spin while they wait for one another, and
# those of an import would not give way to turns, as the thread that works on it does (`corpora.politeness`).
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

app = Celery("hybridchat")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
@beat_init.connect
def start_services(**_: object) -> None:
    """A worker started by hand brings up, or shares, the embedded servers like every other command."""
    for name, threads in ONE_THREAD.items():  # before anything loads BLAS
        os.environ.setdefault(name, threads)
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
