"""The parts a laptop does not have: PostgreSQL and Redis out of wheels, shared by all processes of a checkout.

    from hybridchat import services
    services.start()          # both, unless DATABASE_URL / REDIS_URL name others; returns when they answer

Each process that called `start` holds a shared lock per service until it ends, however it ends. A small keeper process
per service waits for that lock to be free and then stops the server: the last one out turns off the light.
"""

from hybridchat.services.embedded import ServiceFailed, postgres, redis, release, start, tail, used

__all__ = ["ServiceFailed", "postgres", "redis", "release", "start", "tail", "used"]
