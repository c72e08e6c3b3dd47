"""A Celery worker with the scripted agent, for tests that kill it. It sweeps by itself, as beat would have it do."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "hybridchat.settings"

import django

from hybridchat.celery import app
from tests.chat import fakes

if __name__ == "__main__":
    django.setup()
    fakes.install(guarded=True)
    app.conf.beat_schedule_filename = os.environ["BEAT_FILE"]
    app.worker_main(["worker", "--beat", "--concurrency=1", "--loglevel=INFO", "--without-gossip", "--without-mingle"])
