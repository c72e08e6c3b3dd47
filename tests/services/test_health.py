"""The health page says whether a process can do its work."""

from __future__ import annotations

import pytest
from django.core.cache import caches
from django.test import Client, override_settings


@pytest.mark.django_db
def test_health_is_200_when_the_database_and_redis_answer(client: Client) -> None:
    response = client.get("/health/")
    assert response.status_code == 200
    assert response.json() == {"database": "ok", "redis": "ok"}
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_health_is_503_and_names_the_part_that_is_away(client: Client) -> None:
    nowhere = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    with override_settings(CACHES={"default": nowhere}):
        caches.close_all()
        response = client.get("/health/")
    assert response.status_code == 503
    assert response.json() == {"database": "ok", "redis": "ConnectionError"}


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
