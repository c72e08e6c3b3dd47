"""The health page says whether a process can do its work."""

from __future__ import annotations

import logging
import time

import pytest
from django.core.cache import caches
from django.test import Client, override_settings

from hybridchat.chat.tasks import sweep
from hybridchat.health import BEAT, WORKER, sign_of_life


@pytest.mark.django_db
def test_health_is_200_when_the_database_and_redis_answer(client: Client) -> None:
    sign_of_life(WORKER)
    sign_of_life(BEAT)
    response = client.get("/health/")
    assert response.status_code == 200
    assert response.json() == {"database": "ok", "redis": "ok", "worker": "ok", "beat": "ok"}
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_health_is_503_and_names_the_part_that_is_away(client: Client) -> None:
    nowhere = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    with override_settings(CACHES={"default": nowhere}):
        caches.close_all()
        response = client.get("/health/?only=web")
        told = client.get("/health/").json()
    assert response.status_code == 503
    assert response.json() == {"database": "ok", "redis": "ConnectionError"}
    assert told["worker"] == told["beat"] == "unknown: Redis is unavailable"


@pytest.mark.django_db
@pytest.mark.parametrize(("part", "other"), [(WORKER, BEAT), (BEAT, WORKER)])
def test_health_is_503_and_names_the_part_that_gives_no_sign_of_life(client: Client, part: str, other: str) -> None:
    sign_of_life(other)
    caches["default"].delete(part)
    response = client.get("/health/")
    name = part.removeprefix("alive:")
    assert (response.status_code, response.json()[name]) == (503, "not seen")
    caches["default"].set(part, time.time() - 48)
    assert client.get("/health/").json()[name] == "not seen for 48 seconds"
    assert client.get("/health/?only=web").status_code == 200


def test_health_is_503_when_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    from django.db import OperationalError, connection

    def refuse(*_: object) -> None:
        raise OperationalError("the server closed the connection")

    monkeypatch.setattr(connection, "cursor", refuse)
    response = client.get("/health/")
    assert response.status_code == 503
    assert response.json()["database"] == "OperationalError"


def test_the_strict_content_security_policy_is_sent(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hybridchat.health.database", lambda: "ok")
    policy = client.get("/health/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy


@pytest.mark.django_db
def test_a_sweep_that_went_well_leaves_no_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """They are by far the most of what a worker does. What fails is logged."""
    with caplog.at_level(logging.INFO):
        sweep.apply()
    assert caplog.records == []
    for name in ("celery.app.trace", "celery.worker.strategy", "celery.worker.request"):
        assert not logging.getLogger(name).isEnabledFor(logging.INFO)
        assert logging.getLogger(name).isEnabledFor(logging.WARNING)
