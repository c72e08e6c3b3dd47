"""A model server for each test that asks for one, and a language that talks to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from agent.backends.openai import ModelSettings, OpenAILanguage, Price
from agent.protocols.reading import CallRecord
from tests.agent.language.model_server import ModelServer


@pytest.fixture
def server() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture
def calls() -> list[CallRecord]:
    """What the language logs."""
    return []


@pytest.fixture
def speak(server: ModelServer, calls: list[CallRecord]) -> Callable[..., OpenAILanguage]:
    """A language over the server; keyword arguments change its settings. Dollars for a million tokens: 2 and 8."""

    def make(**changes: Any) -> OpenAILanguage:
        usual: dict[str, Any] = {
            "model": "small-model",
            "base_url": server.base_url,
            "prices": {"small-model": Price(2.0, 8.0, cached=0.5)},
            "timeout": 5.0,
            "retries": 2,
        }
        return OpenAILanguage(ModelSettings(**(usual | changes)), log=calls.append)

    return make


@pytest.fixture(autouse=True)
def no_waiting_between_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    """The client's back-off without its half seconds; a server's own retry-after is still obeyed."""
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.01)
