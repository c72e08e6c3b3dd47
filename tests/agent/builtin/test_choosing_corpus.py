"""Where nobody chose an assistant, a message is read over the one corpus that it is about."""

from __future__ import annotations

from datetime import datetime

import pytest

from agent.backends.builtin.language import BuiltinLanguage
from agent.language import Conversation, Parsed, ParseRequest, UnderstandRequest
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY

ALL = ("restaurants", "courses", "offerings", "ratings", "programs", "articles")
TALK = Conversation(assistant="", tables=ALL, now=datetime(2026, 11, 20, 10))


@pytest.fixture(scope="module")
def language() -> BuiltinLanguage:
    return BuiltinLanguage(catalogue(), MEMORY, GAZETTEER)


async def parsed(language: BuiltinLanguage, words: str) -> Parsed:
    understood = await language.understand(UnderstandRequest(message=words, conversation=TALK))
    (question,) = understood.questions
    return await language.parse(ParseRequest(question=question, conversation=TALK, message=words))


@pytest.mark.parametrize(
    ("words", "table"),
    [
        ("burgers in Palo Alto", "restaurants"),
        ("which courses does Osric Pemberley teach in spring?", "courses"),
        ("I lost my campus card, what does a new one cost?", "articles"),
    ],
)
async def test_a_question_finds_its_corpus(language: BuiltinLanguage, words: str, table: str) -> None:
    assert f"FROM {table}" in (await parsed(language, words)).suql


async def test_what_tells_more_of_its_rows_is_read_with_them(language: BuiltinLanguage) -> None:
    assert "offerings.season = 'spring'" in (await parsed(language, "machine learning courses in spring")).suql
