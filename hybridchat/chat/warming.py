"""What the first people on a fresh web process would else wait for, made ready as it begins to listen."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from django.conf import settings
from django.template.loader import get_template
from django.urls import reverse
from kombu.exceptions import OperationalError

from hybridchat.celery import app

logger = logging.getLogger(__name__)


def warm_up() -> threading.Thread:
    """Make it ready beside whatever is asked meanwhile: nobody's answer waits for it."""
    thread = threading.Thread(target=_warm_up, name="warm-up", daemon=True)
    thread.start()
    return thread


def _warm_up() -> None:
    reverse("health")  # loads every view
    pages = Path(settings.BASE_DIR) / "templates"
    for page in (pages / "chat").glob("*.html"):
        get_template(str(page.relative_to(pages)))
    try:
        with app.producer_or_acquire() as producer:
            producer.connection.ensure_connection(max_retries=1, timeout=5)
            producer.maybe_declare(app.amqp.router.route({}, "warm-up")["queue"])
    except OperationalError:
        logger.warning("the task queue is away")  # whoever needs it finds that out
