"""The settings under test: the real ones, with the var folder, the Redis and the database name of a test run.

The environment has to say so before hybridchat.settings reads it; a conftest would come too late.
"""

import os
import tempfile
from pathlib import Path

from hybridchat import services
from hybridchat.services.folder import CHECKOUT

RUN_FOLDER = Path(tempfile.gettempdir()) / f"hybridchat-test-{os.getpid()}"

for _name in ("DATABASE_URL", "OPENAI_BASE_URL", "OPENAI_API_KEY", "EMBEDDINGS_URL", "PRODUCTION", "DEBUG"):
    os.environ.pop(_name, None)
os.environ["HYBRIDCHAT_VAR"] = str(CHECKOUT / "var" / "test")
os.environ["REDIS_URL"] = services.redis(RUN_FOLDER).url

from hybridchat.settings import *  # noqa: E402, F403
from hybridchat.settings import DATABASES  # noqa: E402

DATABASES["default"]["TEST"] = {"NAME": f"test_hybridchat_{os.getpid()}"}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]  # quick; nothing in a test is secret
