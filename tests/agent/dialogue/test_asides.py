"""What searches nothing is not answered with rows; what searches is."""

from datetime import datetime

import pytest

from agent.language.encoder import Encoder
from agent.language.tasks import ChatKind, Conversation
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.parser import BuiltinParser
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY


@pytest.fixture(scope="module")
def interpreter() -> Interpreter:
    tables = catalogue()
    return Interpreter(
        BuiltinParser(tables, MEMORY, GAZETTEER), tables, CorpusSelector(tables, MEMORY, Encoder.load().encode)
    )


def _conversation() -> Conversation:
    return Conversation(assistant="restaurants", tables=("restaurants",), now=datetime(2026, 11, 20, 10))


@pytest.mark.parametrize(
    "message",
    [
        "what is the weather tomorrow",
        "is sushi healthy",
        "do you speak Spanish",
        "who won the world cup",
        "translate hello to Spanish",
        "what is the capital of France",
        "write me a poem",
    ],
)
def test_what_searches_nothing_is_not_answered_with_rows(interpreter: Interpreter, message: str) -> None:
    understood = interpreter.understand(message, _conversation())
    assert understood.questions == ()
    assert understood.chat in (ChatKind.GENERAL, ChatKind.OUT_OF_SCOPE, ChatKind.SMALL_TALK, ChatKind.UNCLEAR)


@pytest.mark.parametrize(
    "message",
    [
        "sushi",
        "best ramen",
        "anything vegan?",
        "is it safe for peanut allergies",
        "pizza in Sunnyvale",
        "somewhere quiet for a date",
        "coffee",
        "open now",
        "ramen or udon in San Francisco",
        "is there parking",
    ],
)
def test_what_searches_is_searched_for(interpreter: Interpreter, message: str) -> None:
    assert interpreter.understand(message, _conversation()).questions
