"""The baseline: rows as documents, the nearest of which are what the reply is written from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from zlib import crc32

import numpy as np
import psycopg
import pytest

from agent.backends.builtin.replies import respond
from agent.catalogue.values import ValueMemory
from agent.language import (
    ChatKind,
    Conversation,
    Parsed,
    ParseRequest,
    PastTurn,
    Question,
    Reply,
    RespondRequest,
    SearchWish,
    Understanding,
    UnderstandRequest,
)
from agent.record import TurnState
from agent.suql import Catalogue, Engine
from agent.suql.correction import Corrector
from agent.systems.linearization import Linearization, linearized
from tests.agent.suql.world import CATALOGUE, PairReader

KEYED = Catalogue(
    tables=tuple(replace(table, key=("id",)) for table in CATALOGUE.tables),
    foreign_keys=CATALOGUE.foreign_keys,
    schema="kb",
)
ROWS = [
    (901, "tea-house", "O'Malley Tea", "Zed", 4, "a silent garden with lanterns", ["green tea"], ["calm"]),
    (902, "rock-bar", "Rock Bar", "Zed", 3, "guitars until morning", ["loud crowd"], ["late"]),
    (903, "far", "Far", "Zed", 2, " ".join(["filler"] * 400) + " lighthouse view", [], []),
]


class Words:
    """Vectors of the words in a text; remembers what it embedded."""

    name, dimensions = "words", 512

    def __init__(self) -> None:
        self.embedded: list[str] = []

    async def embed(self, texts: Sequence[str]) -> Any:
        self.embedded += texts
        vectors = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().replace(",", " ").split():
                vectors[row, crc32(word.encode()) % self.dimensions] += 1
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


class Talking:
    """A language that takes no query from a talk: the last messages are one."""

    name, version, notice = "talking", "1", ""

    async def understand(self, request: UnderstandRequest) -> Understanding:
        if request.message == "thanks":
            return Understanding(chat=ChatKind.THANKS)
        return Understanding(questions=(Question(words=request.message),))

    async def parse(self, request: ParseRequest) -> Parsed:
        raise AssertionError("nothing is parsed here")

    async def respond(self, request: RespondRequest) -> Reply:
        return respond(request)


class Writing(Talking):
    """A language that writes the query itself."""

    def __init__(self, wish: SearchWish) -> None:
        self.wish = wish

    async def search_wish(self, request: UnderstandRequest) -> SearchWish:
        return self.wish


@pytest.fixture(autouse=True)
def rows(world: psycopg.Connection[Any]) -> None:
    world.execute("DELETE FROM kb.venues")
    world.cursor().executemany("INSERT INTO kb.venues VALUES (%s, %s, %s, %s, %s, %s, %s, %s)", ROWS)
    world.commit()


@pytest.fixture
def words() -> Words:
    return Words()


@pytest.fixture
def answer(connect: Callable[[], Any], words: Words) -> Callable[..., Any]:
    """Answers a message; with what was said before, and in how many rows."""

    async def answered(message: str, language: Any = None, past: Sequence[str] = (), top: int = 1) -> TurnState:
        spoken = language or Talking()
        engine = Engine(connect, KEYED, PairReader())
        corrector = Corrector(KEYED, ValueMemory({}))
        agent = Linearization(spoken, engine, KEYED, corrector, top=top, embedder=words, rows=words)
        before = tuple(PastTurn(user=text, agent="") for text in past)
        talk = Conversation(assistant="", tables=("venues", "events"), past=before, now=datetime(2026, 11, 20, 10))

        async def emit(kind: str, payload: dict[str, Any]) -> None:
            pass

        parsed = await agent.parse_turn(TurnState(message=message, conversation=talk), emit)
        return await agent.execute_turn(parsed, emit)

    return answered


def keys(state: TurnState) -> list[str | None]:
    return [row.key for outcome in state.outcomes for row in outcome.rows]


async def test_the_nearest_row_is_found_by_what_its_texts_say(answer: Callable[..., Any]) -> None:
    done = await answer("silent garden")
    assert keys(done) == ["tea-house"]
    assert "O'Malley Tea" in done.reply.text
    assert done.outcomes[0].query.description == "the entries nearest to “silent garden”"


async def test_three_are_found_nearest_first(answer: Callable[..., Any]) -> None:
    assert keys(await answer("loud guitars in zed", top=3))[0] == "rock-bar"
    assert len(keys(await answer("loud guitars in zed", top=3))) == 3


async def test_what_stands_late_in_a_long_document_is_found_too(answer: Callable[..., Any]) -> None:
    assert keys(await answer("lighthouse view")) == ["far"]


async def test_without_a_model_the_last_messages_are_the_query(answer: Callable[..., Any], words: Words) -> None:
    await answer("with tea", past=["one", "two", "somewhere calm"])
    assert words.embedded[0] == "two somewhere calm with tea"


async def test_with_a_model_it_is_what_the_model_takes_from_the_talk(answer: Callable[..., Any]) -> None:
    assert keys(await answer("and louder?", Writing(SearchWish(query="loud guitars")))) == ["rock-bar"]


async def test_small_talk_searches_nothing(answer: Callable[..., Any], words: Words) -> None:
    assert keys(await answer("thanks")) == []
    done = await answer("hi", Writing(SearchWish(chat=ChatKind.GREETING, reply="Hello!")))
    assert done.queries == ()
    assert words.embedded == []


def test_a_row_is_written_out_as_its_values_separated_by_commas() -> None:
    row = {
        "id": 1,
        "slug": "hidden",
        "name": "Tea",
        "city": None,
        "stars": 4,
        "about": "two\nlines",
        "notes": ["a", "b"],
    }
    assert linearized(KEYED.tables[0], row) == "1, Tea, 4, two lines, a, b"
