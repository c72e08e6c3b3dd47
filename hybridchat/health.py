"""Whether the site can do its work: for load balancers, container health checks and `make run`."""

from __future__ import annotations

import time

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

OK = "ok"
WORKER, BEAT = "alive:worker", "alive:beat"  # keys of the last sign of life, in seconds since the epoch
SILENCE = 30.0  # seconds without a sign of life after which a part counts as gone
KEPT = 3600  # seconds that a sign of life is remembered, to be told


def sign_of_life(key: str) -> None:
    """Note that a part is alive; nothing where Redis is away, which is seen anyhow."""
    try:
        cache.set(key, time.time(), timeout=KEPT)
    except RedisError:
        return


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 when PostgreSQL, Redis, a worker and beat are there, else 503; says of each whether it is, not why.

    With `?only=web`, of what this process itself needs: PostgreSQL and Redis.
    """
    parts = {"database": database(), "redis": redis()}
    if request.GET.get("only") != "web":
        parts |= {"worker": last_sign(WORKER), "beat": last_sign(BEAT)}
    return JsonResponse(parts, status=200 if set(parts.values()) == {OK} else 503)


def database() -> str:
    """One query."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError as error:
        return type(error).__name__
    return OK


def redis() -> str:
    """One read."""
    try:
        cache.get("health")
    except RedisError as error:
        return type(error).__name__
    return OK


def last_sign(key: str) -> str:
    """How long ago a part was alive, where that is too long."""
    try:
        seen = cache.get(key)
    except RedisError:
        return "unknown: Redis is unavailable"
    if seen is None:
        return "not seen"
    silent = time.time() - seen
    return OK if silent < SILENCE else f"not seen for {silent:.0f} seconds"
