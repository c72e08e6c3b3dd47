"""Two restaurants of the sample, really loaded and embedded, for commands that run whole conversations."""

from __future__ import annotations

import asyncio
import io
import json
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.management import call_command
from django.db import connection, connections

from corpora.gazetteer import gazetteer
from corpora.loading.assistants import add_missing_assistants
from corpora.selectors import memory_of
from hybridchat import services
from hybridchat.agents import built
from hybridchat.guard.fork_server import ForkServer

SAMPLE = Path(__file__).resolve().parents[2] / "corpora" / "sample"
LOADED = ("pa-trattoria-sottovoce", "pa-proof-and-peel")

Run = Callable[..., str]
Write = Callable[..., str]


@pytest.fixture(scope="module")
def two_restaurants(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """An expensive Italian trattoria and a moderate pizzeria of Palo Alto, for the tests of one module."""
    lines = (SAMPLE / "restaurants" / "palo_alto.jsonl").read_text(encoding="utf-8").splitlines()
    with (
        django_db_blocker.unblock(),
        loaded((line for line in lines if json.loads(line)["slug"] in LOADED), tmp_path_factory.mktemp("corpus")),
    ):
        yield


@contextmanager
def loaded(restaurants: Iterable[str], folder: Path) -> Iterator[None]:
    """Restaurants, one a line of JSON, with the assistants; afterwards everything is gone."""
    path = folder / "restaurants.jsonl"
    path.write_text("\n".join(restaurants), encoding="utf-8")
    forget_what_was_read()
    call_command("load_corpora", restaurants=[path], stdout=io.StringIO())
    add_missing_assistants()
    yield
    # Keys go on from where they are: what a process has read of the corpora is known by them.
    call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
    forget_what_was_read()
    asyncio.run(sync_to_async(connections.close_all)())  # those of the thread that the commands' steps ran in


def forget_what_was_read() -> None:
    """A process reads values, places and the agent's parts once; other tests have other rows."""
    for cached in (built, memory_of, gazetteer):
        cached.cache_clear()


@pytest.fixture(scope="module")
def guarded(two_restaurants: None, request: pytest.FixtureRequest) -> Iterator[None]:
    """Agent processes of commands that hold many conversations, on this run's database; a parameter names others."""
    database = services.postgres().server.database_url(connection.settings_dict["NAME"])
    factory = getattr(request, "param", settings.AGENT_FACTORY)
    kept = ForkServer(factory, {**os.environ, "DATABASE_URL": database})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("hybridchat.research.management.commands.chat.fork_server", lambda: kept)
        yield
    kept.close()


@pytest.fixture
def run(two_restaurants: None) -> Run:
    """Runs a command with the builtin language and returns what it printed."""

    def printed(name: str, *arguments: str, **options: Any) -> str:
        out = io.StringIO()
        call_command(name, *arguments, language="builtin", stdout=out, **options)
        return out.getvalue()

    return printed


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes objects to a file of JSON lines and returns its path."""

    def to_file(*objects: dict[str, Any]) -> str:
        path = tmp_path / "in.jsonl"
        path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")
        return str(path)

    return to_file


@pytest.fixture
def lines_of(run: Run, tmp_path: Path) -> Callable[..., list[dict[str, Any]]]:
    """Runs a command that has --out and returns the objects it wrote there."""

    def written(name: str, **options: Any) -> list[dict[str, Any]]:
        path = tmp_path / "out.jsonl"
        run(name, out=str(path), **options)
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    return written
