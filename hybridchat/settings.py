"""All settings, from the environment. docs/operators.md has a paragraph for each; a test holds it to that.

Two forms. On a laptop everything has a default that works. With PRODUCTION=1 nothing is assumed: what is missing is
named, all of it at once, and the site does not start.
"""

from __future__ import annotations

import os
from datetime import timedelta
from ipaddress import ip_network
from pathlib import Path

import environ
from celery.schedules import crontab
from django.core.exceptions import ImproperlyConfigured

from hybridchat import services
from hybridchat.services.folder import var_folder
from hybridchat.services.secret import laptop_secret

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = var_folder()


class Environment(environ.Env):
    """The environment. An empty variable counts as absent: compose.yaml hands on what nobody filled in."""

    ENVIRON = {name: value for name, value in os.environ.items() if value}


env = Environment()

RELEASE_COMMIT = env.str("RELEASE_COMMIT", default="")
PRODUCTION = env.bool("PRODUCTION", default=False)
DEBUG = env.bool("DEBUG", default=False)

if PRODUCTION:
    _needed = ("SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "REDIS_URL")
    if _missing := [name for name in _needed if name not in env.ENVIRON]:
        raise ImproperlyConfigured(
            f"PRODUCTION=1 needs {', '.join(_missing)} in the environment. See docs/operators.md for each."
        )
    if DEBUG:
        raise ImproperlyConfigured("PRODUCTION=1 and DEBUG=1 exclude each other: DEBUG shows internals to visitors.")

SECRET_KEY = env.str("SECRET_KEY", default=None) or laptop_secret(VAR)
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]  # health checks ask from inside
ALLOWED_HOSTS = [*env.list("ALLOWED_HOSTS", default=[]), *LOCAL_HOSTS]
TRUSTED_PROXIES = env.list("TRUSTED_PROXIES", default=[])
for _proxy in TRUSTED_PROXIES:
    try:
        ip_network(_proxy)
    except ValueError as error:
        raise ImproperlyConfigured(f"TRUSTED_PROXIES: {error}. Name addresses or networks: 10.0.0.0/8.") from error
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[])
CSRF_FAILURE_VIEW = "hybridchat.chat.views.csrf_failure"

# --- The site -----------------------------------------------------------------------------------------------------

INSTALLED_APPS = [
    "hybridchat.staff.apps.StaffAdminConfig",  # in the place of django.contrib.admin
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "channels",
    "csp",
    "axes",
    "hybridchat.services",
    "corpora",
    "hybridchat.chat",
    "hybridchat.effects",
    "hybridchat.research",
    "hybridchat.staff.apps.StaffConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "hybridchat.refusing.RefuseNul",
    "axes.middleware.AxesMiddleware",  # last: it answers for whoever is locked out
]
AUTHENTICATION_BACKENDS = ["axes.backends.AxesStandaloneBackend", "django.contrib.auth.backends.ModelBackend"]

AGENT_FACTORY = "hybridchat.agents.agent_for"  # what agent processes load: a language's name to its agent
WORKSHEET_REGISTRY = "hybridchat.effects.registry.registry_for"  # the actions that worksheets may call

ROOT_URLCONF = "hybridchat.urls"
ASGI_APPLICATION = "hybridchat.asgi.application"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

LANGUAGE_CODE = "en-us"
USE_I18N = True
USE_TZ = True
TIME_ZONE = env.str("TIME_ZONE", default="America/Los_Angeles")

DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000  # a corpus of many columns, or many worksheets, are one form

# --- PostgreSQL ---------------------------------------------------------------------------------------------------

EMBEDDED_DATABASE = "DATABASE_URL" not in env.ENVIRON  # then its tables and corpora are this installation's to make
DATABASE_URL = env.str("DATABASE_URL", default=services.postgres().url)
DATABASE_READER_URL = env.str("DATABASE_READER_URL", default="")
DATABASES = {
    "default": {
        **env.db_url_config(DATABASE_URL),
        "CONN_HEALTH_CHECKS": True,  # a connection that PostgreSQL's restart has cut is not handed out
        "CONN_MAX_AGE": 0,  # the pool keeps connections; under ASGI a thread that kept one would never come back to it
    },
}
DATABASES["default"].setdefault("OPTIONS", {})["pool"] = {"min_size": 1, "max_size": 20, "timeout": 20}

# --- Redis: broker, channel layer, cache --------------------------------------------------------------------------

REDIS_URL = env.str("REDIS_URL", default=services.redis().url)

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "hybridchat",
    },
}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {
            # The layer waits five seconds for a message, as long as the client would wait for any reply at all.
            "hosts": [{"address": REDIS_URL, "socket_timeout": None}],
            "prefix": "hybridchat",
            "capacity": 1000,
            "expiry": 60,
        },
    },
}

# Redis hands an unacknowledged task out again after visibility_timeout, so no task may run that long:
# soft limit < hard limit < visibility timeout.
CELERY_BROKER_URL = REDIS_URL.replace("unix://", "redis+socket://").replace("?db=", "?virtual_host=")
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 600}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_SOFT_TIME_LIMIT = 330  # loading, both steps of a turn, and a server that is away for a while
CELERY_TASK_TIME_LIMIT = 360
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_BEAT_SCHEDULE = {
    "hand out turns that were left behind": {
        "task": "hybridchat.chat.tasks.sweep",
        "schedule": 3.0,
        "options": {"expires": 3.0},
    },
    "forget where turns came from": {
        "task": "hybridchat.chat.tasks.forget_addresses",
        "schedule": 3600.0,
        "options": {"expires": 3600.0},
    },
    "delete conversations that are old": {
        "task": "hybridchat.chat.tasks.delete_old",
        "schedule": 600.0,
        "options": {"expires": 600.0},
    },
    "hand out imports that were left behind": {
        "task": "corpora.tasks.sweep_imports",
        "schedule": 10.0,
        "options": {"expires": 10.0},
    },
    "forget the vectors of texts that are gone": {
        "task": "corpora.tasks.forget_vectors",
        "schedule": crontab(hour="4", minute="17"),
        "options": {"expires": 3600.0},
    },
    "take up exports that were left behind, and remove old ones": {
        "task": "hybridchat.research.exports.sweep",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "take up replays that were left behind": {
        "task": "hybridchat.research.replay.sweep",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "post letters and replies that were left behind": {
        "task": "hybridchat.effects.tasks.sweep",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
    "carry answers that were left behind": {
        "task": "hybridchat.research.tasks.sweep",
        "schedule": 60.0,
        "options": {"expires": 60.0},
    },
}
CELERY_TIMEZONE = "UTC"
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BEAT_SCHEDULER = "hybridchat.celery:SignOfLife"
CELERY_WORKER_CONCURRENCY = env.int("WORKER_CONCURRENCY", default=2)

# --- Language and embeddings --------------------------------------------------------------------------------------

OPENAI_BASE_URL = env.str("OPENAI_BASE_URL", default="")
OPENAI_API_KEY = env.str("OPENAI_API_KEY", default="")
OPENAI_MODEL = env.str("OPENAI_MODEL", default="" if OPENAI_BASE_URL else "gpt-4.1-mini")
OPENAI_MODELS = env.dict("OPENAI_MODELS", default={})
OPENAI_PRICES = env.json("OPENAI_PRICES", default={})
OPENAI_SEES = env.bool("OPENAI_SEES", default=False)
PROMPTS = Path(env.str("PROMPTS", default=str(VAR / "prompts")))  # a folder for each version of the prompts
OPENAI_AT_ONCE = env.int("OPENAI_AT_ONCE", default=8)
LANGUAGE_BACKEND = env.str("LANGUAGE_BACKEND", default="openai" if OPENAI_BASE_URL or OPENAI_API_KEY else "builtin")
if LANGUAGE_BACKEND not in ("builtin", "openai"):
    raise ImproperlyConfigured(f'LANGUAGE_BACKEND is "builtin" or "openai", not "{LANGUAGE_BACKEND}".')
if LANGUAGE_BACKEND == "openai" and not OPENAI_MODEL:
    raise ImproperlyConfigured("OPENAI_BASE_URL names a server; say in OPENAI_MODEL which of its models to use.")

# The assistants of the sample corpora that the builtin language understands by their catalogue, as imported ones; it
# understands the others by rules.
CATALOGUE_ASSISTANTS = env.list("CATALOGUE_ASSISTANTS", default=[])

# The fields of agent.backends.prompted.ModelSettings; a price is [prompt, completion] or [prompt, completion, cached].
LANGUAGE_MODEL = {
    "model": OPENAI_MODEL,
    "base_url": OPENAI_BASE_URL or "https://api.openai.com/v1",
    "api_key": OPENAI_API_KEY,
    "models": OPENAI_MODELS,
    "prices": OPENAI_PRICES,
    "sees": OPENAI_SEES,
    "concurrency": OPENAI_AT_ONCE,
}

# What one query may spend before it has to show what it has: seconds, and answers asked of the language model.
QUERY_SECONDS = env.float("QUERY_SECONDS", default=45.0)
QUERY_CALLS = env.int("QUERY_CALLS", default=1_000)

# What one person may spend on language models in 24 hours, over all turns; 0 is no limit. The builtin one is free.
DAY_CALLS = env.int("DAY_CALLS", default=20_000)
DAY_TOKENS = env.int("DAY_TOKENS", default=0)
DAY_COST = env.float("DAY_COST", default=10.0)  # US dollars, by the prices of OPENAI_PRICES
DAY_SECONDS = env.float("DAY_SECONDS", default=0.0)

# What one person may do, an address may do as often as so many people together, and the whole site as so many: what is
# counted by the minute (messages, new conversations), and what is counted by the day (models, tickets).
ADDRESS_PACE = env.int("ADDRESS_PACE", default=50)
SITE_PACE = env.int("SITE_PACE", default=500)
ADDRESS_SHARE = env.int("ADDRESS_SHARE", default=5)
SITE_SHARE = env.int("SITE_SHARE", default=20)
TICKETS_PER_DAY = env.int("TICKETS_PER_DAY", default=10)
CONVERSATION_DAYS = env.int("CONVERSATION_DAYS", default=0)  # 0: until somebody deletes them

EMBEDDINGS_URL = env.str("EMBEDDINGS_URL", default="")
EMBEDDINGS_MODEL = env.str("EMBEDDINGS_MODEL", default="")
EMBEDDINGS_API_KEY = env.str("EMBEDDINGS_API_KEY", default="")

# --- E-mail ----------------------------------------------------------------------------------------------------------

# Without EMAIL_URL, letters are printed where the worker logs.
vars().update(env.email_url("EMAIL_URL", default="consolemail://"))
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.str("EMAIL_FROM", default="hybridchat <hybridchat@localhost>")

# --- Static files -------------------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
# Production serves what collectstatic gathered, under names that change with the content; a laptop skips that step.
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = not PRODUCTION
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"
        if PRODUCTION
        else "django.contrib.staticfiles.storage.StaticFilesStorage",
    },
}

# --- Uploads ------------------------------------------------------------------------------------------------------

IMPORT_DATABASE_HOSTS = env.list("IMPORT_DATABASE_HOSTS", default=[])
VECTOR_INDEX_MEMORY_MB = env.int("VECTOR_INDEX_MEMORY_MB", default=128)
UPLOAD_MEGABYTES = env.int("UPLOAD_MEGABYTES", default=1024)
FILE_UPLOAD_HANDLERS = [
    "corpora.importing.uploads.BoundedUploads",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
DATA_UPLOAD_MAX_NUMBER_FIELDS = 50_000  # the form of an import has eight for each column of a table

# --- Security -----------------------------------------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "frame-ancestors": ["'none'"],
    },
}
X_FRAME_OPTIONS = "DENY"
# Five wrong passwords for one account from one address lock that pair, and nobody else, for a quarter of an hour.
AXES_VERBOSE = False
AXES_FAILURE_LIMIT = 5
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_COOL_OFF_ON_FAILURE_DURING_LOCKOUT = False
AXES_RESET_ON_SUCCESS = True
AXES_DISABLE_ACCESS_LOG = True  # who signed in from where is nobody's business; failures are kept while they count
AXES_CLIENT_IP_CALLABLE = "hybridchat.addresses.client_address"
AXES_LOCKOUT_CALLABLE = "hybridchat.signing_in.locked_out"
AXES_CLIENT_IP_CALLABLE = "hybridchat.addresses.client_address"  # behind the proxies of TRUSTED_PROXIES
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 180  # an anonymous person's conversations live as long as their session
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = PRODUCTION
SECURE_SSL_REDIRECT = env.bool("SECURE_SSL_REDIRECT", default=False)
SECURE_REDIRECT_EXEMPT = [r"^health/$"]
SECURE_HSTS_SECONDS = env.int("SECURE_HSTS_SECONDS", default=0)
if PRODUCTION:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- Logs ---------------------------------------------------------------------------------------------------------

LOG_LEVEL = env.str("LOG_LEVEL", default="INFO")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL},
    "loggers": {
        "celery.beat": {"level": "WARNING"},
        "celery.app.trace": {"level": "WARNING"},  # a line for each task that went well, sweeps for the most part
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.worker.request": {"level": "WARNING"},
        "httpx2": {"level": "WARNING"},
        "asyncio": {"level": "WARNING"},
    },
}
