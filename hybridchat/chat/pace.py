"""Counts that all processes of a site share: how often something came from somebody in the running stretch of time.

They are kept in Redis, which forgets them by itself. Where Redis is away, nothing is counted and nobody is refused.
"""

from __future__ import annotations

import logging
import time

from django.core.cache import cache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)


def count(what: str, whose: str, seconds: int) -> int:
    """Count one more; returns how many there were in this stretch of so many seconds."""
    key = _key(what, whose, seconds)
    try:
        cache.add(key, 0, timeout=2 * seconds)
        return cache.incr(key)
    except (RedisError, ValueError):
        logger.warning("nothing is counted: Redis is away")
        return 0


def counted(what: str, whose: str, seconds: int) -> int:
    """Return how many there were so far in this stretch of so many seconds."""
    try:
        return cache.get(_key(what, whose, seconds)) or 0
    except RedisError:
        return 0


def _key(what: str, whose: str, seconds: int) -> str:
    return f"pace:{what}:{whose}:{int(time.time() // seconds)}".replace(" ", "-")
