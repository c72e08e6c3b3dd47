"""Puts the agent together from the parts the settings name: database, catalogue, language, encoder, memo.

One `Agent` per language and process; everything in it is shared by the conversations of the process. A backend is
imported where one is built: the site and the worker never build one, and start sooner.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.utils import timezone

from agent.backends.examples import Examples
from agent.catalogue.values import ValueMemory
from agent.language import Conversation, Language
from agent.parsing import RULED
from agent.protocols.errors import AgentError
from agent.record import TurnState, past_turn
from agent.worksheets.actions import Registry
from agent.worksheets.specification import Specification
from agent.worksheets.state import DialogueState
from corpora.calls import log_call
from corpora.catalogue.imported import State, state_of_corpora, whole_catalogue
from corpora.connection import reader_connect
from corpora.embedding import embedder
from corpora.examples import StoredExamples
from corpora.gazetteer import gazetteer
from corpora.memo import DatabaseMemo
from corpora.models import Assistant
from corpora.notes import article_notes
from corpora.questions import questions_of
from corpora.selectors import assistant_tables, specification, value_memory
from corpora.vectors import StoredEncoder
from hybridchat.effects.registry import registry_for
from hybridchat.variants import NONE, Variant

if TYPE_CHECKING:
    from agent.turn import Agent

logger = logging.getLogger(__name__)

LANGUAGES = ("builtin", "openai")
PATIENCE = 3_600.0  # seconds that a patient agent waits for a reply: as long as a slow model on a small machine takes
REMEMBERED_TURNS = 12  # how far back a conversation is understood against


def conversation_for(
    assistant: str,
    states: Sequence[TurnState],
    now: datetime,
    dialogue: DialogueState | None = None,
    conversation_id: str = "",
) -> Conversation:
    """What the next turn is understood against. An empty assistant may look into every corpus.

    `dialogue` is the state of the worksheets; where there is none yet, one begins with the assistant's specification
    of today.
    """
    return Conversation(
        id=conversation_id,
        assistant=assistant,
        tables=assistant_tables(assistant),
        past=tuple(past_turn(state) for state in states[-REMEMBERED_TURNS:]),
        now=now,
        state=dialogue or beginning(assistant),
        acts=states[-1].acts if states else (),
    )


def beginning(assistant: str) -> DialogueState | None:
    """An empty state of the assistant's worksheets, None where it has none."""
    found = specification(assistant) if assistant else None
    return DialogueState(application=assistant, version=found.version) if found else None


async def rehearse(agent: Agent) -> None:
    """Understand an example question of each assistant, so that what is loaded at the first message is loaded. A model
    has nothing to load, and would cost something."""
    from agent.backends.builtin.language import BuiltinLanguage

    if not isinstance(agent.language, BuiltinLanguage):
        return
    async for assistant in Assistant.objects.filter(active=True):
        conversation = await sync_to_async(conversation_for)(assistant.slug, [], timezone.localtime())
        examples = assistant.example_questions or await sync_to_async(questions_of)(assistant.tables)
        for message in examples[:1]:
            try:
                await agent.parse_turn(TurnState(message=message, conversation=conversation), _unheard)
            except AgentError:
                logger.exception("the example question of %s was not understood", assistant.slug)


async def _unheard(kind: str, payload: dict[str, object]) -> None:
    """An `Emit` for a turn of nobody."""


class Editions:
    """The assistants' worksheets, in the editions that conversations were begun with, and what they may call."""

    async def specification(self, state: DialogueState) -> Specification:
        return await sync_to_async(edition)(state.application, state.version)

    def registry(self, application: str, conversation: str) -> Registry:
        return registry_for(application, conversation)


@lru_cache(maxsize=64)
def edition(assistant: str, version: int) -> Specification:
    """One edition of an assistant's worksheets; an edition never changes. Raises AgentError where there is none."""
    found = specification(assistant, version)
    if found is None:
        raise AgentError("The forms of this conversation are gone. Please begin a new one.", f"{assistant} {version}")
    return found


def agent_for(language: str = "", *, patient: bool = False) -> Agent:
    """Return the agent that speaks a language: "builtin", "openai", "MODEL at BASE_URL", "" for the settings' choice,
    or the name of a `Variant` of one.

    A patient one has all the time it takes; otherwise a query stops after what the settings let it spend, and says so.
    It knows the corpora there are now. Not for the thread of an event loop.
    """
    variant = Variant.of(language)
    chosen = variant.model_copy(update={"language": variant.language or settings.LANGUAGE_BACKEND})
    return built(chosen.name, patient, state_of_corpora())


@lru_cache(maxsize=4)
def built(language: str, patient: bool, state: State) -> Agent:
    """Return the agent for a state of the corpora, built once: other rows are other values."""
    from agent.suql import Budget, Engine
    from agent.suql.correction import Corrector
    from agent.suql.reading import SILENCE
    from agent.turn import Agent

    tables = whole_catalogue()
    spoken = language_for(language)
    silence = PATIENCE if patient else SILENCE
    engine = Engine(
        reader_connect, tables, spoken, embedder(), gazetteer=gazetteer(), memo=DatabaseMemo(), silence=silence
    )
    seconds, calls = (None, None) if patient else (settings.QUERY_SECONDS, settings.QUERY_CALLS)
    budget = Budget(seconds=seconds, calls=calls, fruitless=getattr(spoken, "fruitless", None))
    return Agent(spoken, engine, tables, Corrector(tables, _memory(language)), budget, Editions())


def _memory(name: str) -> ValueMemory:
    """What the variant of a language knows of the corpora's values beforehand."""
    return value_memory() if Variant.of(name).memory else ValueMemory({})


def language_for(name: str) -> Language:
    """The backend of that name. Raises ValueError for a name that is none."""
    variant, memory = Variant.of(name), _memory(name)
    examples = None if variant.few_shot == NONE else StoredExamples(variant.few_shot)
    if variant.language == "builtin":
        from agent.backends.builtin.language import BuiltinLanguage

        ruled = _ruled(variant)
        return BuiltinLanguage(whole_catalogue(), memory, gazetteer(), StoredEncoder(), article_notes, examples, ruled)
    if variant.language == "openai":
        return _model(settings.LANGUAGE_MODEL, examples, memory, variant)
    model, _, base_url = variant.language.partition(" at ")
    if model and base_url:
        return _model({"model": model, "base_url": base_url}, examples, memory, variant)
    raise ValueError(f"There is no language backend called {name!r}; the backends are {', '.join(LANGUAGES)}.")


def _ruled(variant: Variant) -> frozenset[str]:
    """The tables whose questions the rules read: those of no assistant that is read by its catalogue, where a site has
    that one."""
    if variant.understanding == "catalogue":
        return frozenset()
    moved = Assistant.objects.filter(slug__in=() if variant.understanding else settings.CATALOGUE_ASSISTANTS)
    return RULED.difference(*(assistant.tables for assistant in moved))


def _model(given: dict[str, Any], examples: Examples | None, memory: ValueMemory, variant: Variant) -> Language:
    from agent.backends.openai import ModelSettings, OpenAILanguage, Price
    from agent.backends.prompted.prompts import Prompts

    prices = {model: Price(*price) for model, price in given.get("prices", {}).items()}
    samples = {(table, column): memory.of(table, column) for table, column in (name.split(".", 1) for name in memory)}
    return OpenAILanguage(
        ModelSettings(**{**given, "prices": prices}),
        whole_catalogue(),
        samples=samples,
        log=log_call,
        examples=examples,
        prompts=Prompts(variant.folder),
    )
