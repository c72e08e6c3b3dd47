"""What a turn is answered with, as far as it could make a difference to the answer: written down once, by its hash.

Two turns with one configuration were answered by the same release, models, prompts, weights, corpora, worksheets and
settings. There are no keys in it.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from functools import cache
from typing import Any, get_args

from django.conf import settings

from agent.backends.prompted.settings import TaskName
from agent.fingerprint import prompts_hash, weights_hash
from corpora.versions import active_editions, corpus_versions, few_shot_version
from hybridchat.chat.models import Configuration, Conversation
from hybridchat.chat.overrides import overrides_of
from hybridchat.variants import NONE, Variant
from hybridchat.version import __version__

SETTINGS = ("QUERY_SECONDS", "QUERY_CALLS", "TIME_ZONE")
GIT = ("git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*")


def configuration_of(conversation: Conversation, language: str) -> Configuration:
    """The configuration of the conversation's next turn, stored where it is new."""
    arm = overrides_of(conversation)
    return present_configuration(arm.spoken(language), arm.system)


def present_configuration(language: str, system: str = "suql") -> Configuration:
    """The configuration that a system answers with now in a language or a variant of one, stored where it is new."""
    document = document_of(system, language)
    found, _ = Configuration.objects.get_or_create(hash=hash_of(document), defaults={"document": document})
    return found


def document_of(system: str, language: str) -> dict[str, Any]:
    """What a system that speaks a language answers with now."""
    variant = Variant.of(language)
    return {
        "release": __version__,
        "commit": commit(),
        "system": system,
        "language": variant.language,
        "models": _models(variant.language),
        "embeddings": settings.EMBEDDINGS_MODEL if settings.EMBEDDINGS_URL else "all-MiniLM-L6-v2",
        "prompts": prompts_hash(variant.folder),
        "weights": weights_hash(),
        "corpora": corpus_versions(),
        "worksheets": active_editions(),
        "few_shot": "" if variant.few_shot == NONE else few_shot_version(variant.few_shot),
        "variant": variant.model_dump(exclude={"language"}, exclude_defaults=True),
        "settings": {name: getattr(settings, name) for name in SETTINGS},
    }


def hash_of(document: dict[str, Any]) -> str:
    """The name of a document: one hash for one content."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


def exported(configuration: Configuration) -> dict[str, Any]:
    """A configuration as exports tell it."""
    return {"hash": configuration.hash, **configuration.document}


@cache
def commit() -> str:
    """The commit this process began with; "" where neither the settings nor a checkout say. Changes that are not
    committed are told by "-dirty"."""
    if settings.RELEASE_COMMIT:
        return settings.RELEASE_COMMIT
    try:
        told = subprocess.run(GIT, cwd=settings.BASE_DIR, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.TimeoutExpired):  # no git on this machine
        return ""
    return told.stdout.strip()


def _models(language: str) -> dict[str, str]:
    """The model of each task; none of the builtin language, whose networks are the weights."""
    if language == "openai":
        own = settings.LANGUAGE_MODEL
        named = {task: own["models"].get(task, own["model"]) for task in get_args(TaskName)}
        return {**named, "base_url": own["base_url"]}
    model, _, base_url = language.partition(" at ")
    return {**dict.fromkeys(get_args(TaskName), model), "base_url": base_url} if base_url else {}


def differing(first: Any, second: Any, place: str = "") -> list[tuple[str, Any, Any]]:
    """Where two documents differ: the place, and what stands there in the one and in the other (None for nothing)."""
    if isinstance(first, dict) and isinstance(second, dict):
        names = sorted({*first, *second})
        return [
            one for name in names for one in differing(first.get(name), second.get(name), f"{place} {name}".strip())
        ]
    return [] if first == second else [(place, first, second)]
