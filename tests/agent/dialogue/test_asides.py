"""What searches nothing is not answered with rows; what searches is."""

from datetime import datetime

import pytest

from agent.language import ChatKind, Conversation
from agent.networks.encoder import Encoder
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.frame import Condition
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
        "my mail is ada@sushi.example",
        "will it rain tonight in San Francisco?",
        "is it going to be sunny in Palo Alto?",
        "how do I get from Palo Alto to San Francisco by train?",
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
        "does it have parking",
        "how do I find a table for two in Palo Alto?",
    ],
)
def test_what_searches_is_searched_for(interpreter: Interpreter, message: str) -> None:
    assert interpreter.understand(message, _conversation()).questions


@pytest.mark.parametrize("message", ["ramen vs udon", "how many calories are in a burrito?"])
def test_kinds_compared_and_other_things_counted_are_no_search(interpreter: Interpreter, message: str) -> None:
    assert interpreter.understand(message, _conversation()).chat is ChatKind.GENERAL


def test_a_value_of_the_catalogue_is_explained_by_its_column(interpreter: Interpreter) -> None:
    understood = interpreter.understand("what does moderate mean?", _conversation())
    assert understood.questions == ()
    assert "from least to most: cheap, moderate, expensive, luxury" in understood.reply


def test_rows_are_still_counted(interpreter: Interpreter) -> None:
    assert interpreter.understand("how many ramen places are there?", _conversation()).questions


def test_the_closed_list_of_a_name_is_told_whole(interpreter: Interpreter) -> None:
    parser = interpreter.parser
    assert parser.frame("restaurants whose name starts with S", ("restaurants",)).limit is None
    assert parser.frame("show me 2 restaurants whose name starts with S", ("restaurants",)).limit == 2


def test_a_distance_that_bounds_nothing_is_told(interpreter: Interpreter) -> None:
    message = "within 20 minutes walk of Golden Gate Park"
    assert interpreter.understand(message, _conversation()).unused == ("within 20 minutes walk",)


def test_a_distance_that_is_used_is_not_told(interpreter: Interpreter) -> None:
    understood = interpreter.understand("within 2 miles of Golden Gate Park", _conversation())
    assert understood.unused == ()
    frame = interpreter.parser.frame(understood.questions[0].words, ("restaurants",))
    assert [one.values for one in frame.where if isinstance(one, Condition)] == [
        ("within 2 miles of Golden Gate Park",)
    ]
