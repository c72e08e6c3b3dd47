"""Whether this process can do its work: for load balancers, container health checks and `make run`."""

from __future__ import annotations

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis.exceptions import RedisError

OK = "ok"


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """200 when PostgreSQL and Redis answer, else 503; says which, not why."""
    parts = {"database": database(), "redis": redis()}
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
