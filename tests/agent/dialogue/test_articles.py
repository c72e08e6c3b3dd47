"""A question to articles after others: what it is looked for with."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from agent.language import Conversation, PastQuery, PastTurn, Question
from agent.parsing.corpus_selection import CorpusSelector
from agent.parsing.dialogue.interpreter import Interpreter
from agent.parsing.parser import BuiltinParser
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY

TABLES = ("articles",)
BEFORE = "who repairs a bike"
TITLE = "Bikes on campus"


def asked(message: str, following: str = "", *, unanswered: str = "", **found: Any) -> str:
    """The SUQL of a message after a question whose outcome is `found`; `following` one of the same message.
    `unanswered`: the article that came nearest to a second question, and did not answer it."""
    parser = BuiltinParser(catalogue(), MEMORY, GAZETTEER)
    interpreter = Interpreter(parser, catalogue(), CorpusSelector(catalogue(), MEMORY))
    frame = parser.frame(BEFORE, TABLES).model_dump(mode="json")
    query = PastQuery(question=BEFORE, suql="SELECT 1", table="articles", presentation="article", frame=frame, **found)
    other = query.model_copy(update={"keys": (), "titles": (), "nearest": unanswered})
    past = (PastTurn(user=BEFORE, agent="", queries=(query, *([other] if unanswered else []))),)
    talk = Conversation(assistant="services", tables=TABLES, past=past, now=datetime(2026, 11, 20, 10))
    return interpreter.parse(Question(words=message, following=following), talk).suql


@pytest.mark.parametrize("found", [{"keys": ("bikes",), "titles": (TITLE,)}, {"nearest": TITLE}])
def test_the_article_read_last_counts_whether_it_answered_or_not(found: dict[str, Any]) -> None:
    suql = asked("how many days would a new wheel take?", **found)
    assert f"0.5 * similar(body, '{TITLE}: how many days would a new wheel take') " in suql


def test_the_talk_stays_on_the_article_that_answered_when_another_did_not() -> None:
    found = {"keys": ("bikes",), "titles": (TITLE,)}
    suql = asked("how many days would a new wheel take?", unanswered="Lockers", **found)
    assert f"'{TITLE}: how many days would a new wheel take'" in suql
    assert "Lockers" not in suql


@pytest.mark.parametrize(
    "message",
    ["how long do I wait for the first repair?", "what does the second visit cost?", "is the last payment due in May?"],
)
def test_a_first_thing_in_a_second_question_is_one_of_the_articles_and_no_row(message: str) -> None:
    assert f"similar(body, '{message.rstrip('?')}')" in asked(message, following="where do I hand a bike in?")


@pytest.mark.parametrize(
    "message",
    ["whats the deadline for spring", "what is the last day in winter", "how much is the fee in week 4"],
)
def test_a_deadline_or_a_fee_with_no_matter_of_its_own_is_one_of_what_the_talk_is_on(message: str) -> None:
    assert f"similar(body, '{TITLE} {BEFORE} " in asked(message, keys=("bikes",), titles=(TITLE,))


@pytest.mark.parametrize("message", ["whats the deadline for the petition", "what's the last day to drop a class"])
def test_a_deadline_of_something_named_is_looked_for_by_its_own_words(message: str) -> None:
    assert TITLE not in asked(message, keys=("bikes",), titles=(TITLE,)).split(" + ")[0]


def test_a_bare_second_question_of_a_message_is_read_with_the_first() -> None:
    suql = asked("what's the deadline for spring?", following="who sells a bike?")
    assert f"similar(body, '{BEFORE} what''s the deadline for spring')" in suql


def test_a_second_question_of_a_message_keeps_what_the_talk_is_about() -> None:
    suql = asked("how long do I wait for a new wheel?", following="what would a mechanic charge?", nearest=TITLE)
    about = f"{TITLE}: what would a mechanic charge how long do I wait for a new wheel"
    assert f"0.5 * similar(body, '{about}') " in suql


@pytest.mark.parametrize(
    "message", ["is there any last day by which I can apply for that", "how much would the office charge me for it?"]
)
def test_a_clause_that_closes_with_a_pronoun_goes_on_from_what_was_asked(message: str) -> None:
    assert f"similar(body, '{TITLE} {BEFORE} {message.rstrip('?')}')" in asked(
        message, keys=("bikes",), titles=(TITLE,)
    )


def test_a_pronoun_for_something_in_the_message_points_to_no_talk() -> None:
    message = "I have lost my campus card, how do I get it"
    assert BEFORE not in asked(message, keys=("bikes",), titles=(TITLE,))
