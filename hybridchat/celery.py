"""The Celery application. Its settings are the CELERY_… ones in hybridchat/settings.py."""

import os

from celery import Celery
from celery.signals import beat_init, celeryd_init

from hybridchat import services

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hybridchat.settings")

app = Celery("hybridchat")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@celeryd_init.connect
@beat_init.connect
def start_services(**_: object) -> None:
    """A worker started by hand brings up, or shares, the embedded servers like every other command."""
    services.start()
