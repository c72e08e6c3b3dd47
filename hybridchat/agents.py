"""Puts the agent together from the parts the settings name: database, catalogue, language, encoder, memo.

One `Agent` per language and process; everything in it is shared by the conversations of the process.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from django.conf import settings

from agent.language.builtin.language import BuiltinLanguage
from agent.language.openai import ModelSettings, OpenAILanguage, Price
from agent.language.tasks import Conversation, Language
from agent.parsing.correction import Corrector
from agent.record import TurnState, past_turn
from agent.suql import Budget, Engine
from agent.turn import Agent
from agent.worksheets.state import DialogueState
from corpora.calls import log_call
from corpora.catalogue import catalogue
from corpora.connection import reader_connect
from corpora.embedding import embedder
from corpora.gazetteer import gazetteer
from corpora.memo import DatabaseMemo
from corpora.selectors import assistant_tables, value_memory
from corpora.vectors import StoredEncoder

LANGUAGES = ("builtin", "openai")
REMEMBERED_TURNS = 12  # how far back a conversation is understood against


def conversation_for(
    assistant: str, states: Sequence[TurnState], now: datetime, dialogue: DialogueState | None = None
) -> Conversation:
    """What the next turn is understood against. An empty assistant may look into every corpus.

    `dialogue` is the state of the worksheets.
    """
    return Conversation(
        assistant=assistant,
        tables=assistant_tables(assistant),
        past=tuple(past_turn(state) for state in states[-REMEMBERED_TURNS:]),
        now=now,
        state=dialogue,
        acts=states[-1].acts if states else (),
    )


@lru_cache(maxsize=4)
def agent_for(language: str = "", *, patient: bool = False) -> Agent:
    """The agent that speaks a language: "builtin", "openai", "MODEL at BASE_URL", or "" for the settings' choice.

    A patient one looks to the end; otherwise a query stops after what the settings let it spend, and says so.
    """
    spoken = language_for(language or settings.LANGUAGE_BACKEND)
    tables = catalogue()
    engine = Engine(reader_connect, tables, spoken, embedder(), gazetteer=gazetteer(), memo=DatabaseMemo())
    seconds, calls = (None, None) if patient else (settings.QUERY_SECONDS, settings.QUERY_CALLS)
    return Agent(spoken, engine, tables, Corrector(tables, value_memory()), Budget(seconds=seconds, calls=calls))


def language_for(name: str) -> Language:
    """The backend of that name. Raises ValueError for a name that is none."""
    if name == "builtin":
        return BuiltinLanguage(catalogue(), value_memory(), gazetteer(), StoredEncoder())
    if name == "openai":
        prices = {model: Price(*price) for model, price in settings.LANGUAGE_MODEL["prices"].items()}
        return _model(ModelSettings(**{**settings.LANGUAGE_MODEL, "prices": prices}))
    model, _, base_url = name.partition(" at ")
    if model and base_url:
        return _model(ModelSettings(model=model, base_url=base_url))
    raise ValueError(f"There is no language backend called {name!r}; the backends are {', '.join(LANGUAGES)}.")


def _model(model_settings: ModelSettings) -> Language:
    memory = value_memory()
    samples = {(table, column): memory.of(table, column) for table, column in (name.split(".", 1) for name in memory)}
    return OpenAILanguage(model_settings, catalogue(), samples=samples, log=log_call)
