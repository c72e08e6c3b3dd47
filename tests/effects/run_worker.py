"""A Celery worker for letters and replies: it does not prepare what reading needs, which takes a while."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
os.environ["DJANGO_SETTINGS_MODULE"] = "hybridchat.settings"

import django
from celery.signals import worker_ready
from django.conf import settings

from hybridchat.celery import app

if __name__ == "__main__":
    django.setup()
    settings.AGENT_FACTORY = "tests.chat.fakes.agent_for"
    from hybridchat.chat.tasks import prepare

    worker_ready.disconnect(prepare)
    app.worker_main(["worker", "--concurrency=1", "--loglevel=INFO", "--without-gossip", "--without-mingle"])
