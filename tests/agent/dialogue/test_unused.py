"""What of a message no query uses is named, and nothing else is."""

import pytest

from agent.language import ChatKind
from tests.agent.dialogue.test_interpreter import Talker

DROPPED = (
    ("cheap thai in Sunnyvale within 2 miles", "within 2 miles"),
    ("thai within 10 minutes walk of the Ferry Building", "within 10 minutes walk"),
    ("thai in Palo Alto for four", "for four"),
    ("thai in San Francisco under $150 a head", "under $150 a head"),
    ("restaurants in Palo Alto in alphabetical order", "in alphabetical"),
    ("italian in San Francisco with more than 20 seats", "with more than 20 seats"),
    ("mexican in Sunnyvale that opened before 2010", "before 2010"),
    ("chinese in Cupertino with fewer than 5 tables", "with fewer than 5 tables"),
    ("sushi in Palo Alto with a meal under 800 calories", "with a meal under 800 calories"),
    ("burgers in Cupertino in postcode 95014", "in postcode 95014"),
    ("average rating of restaurants without reviews", "without reviews"),
    ("thai in Sunnyvale with a name of fewer than 8 letters", "with a name of fewer than 8 letters"),
    ("which neighborhoods in Sunnyvale have nothing?", "nothing"),
)
USED = (
    "cheap thai in Sunnyvale",
    "Could you find me an Italian restaurant in Palo Alto, please?",
    "good thai in Palo Alto with at least 4 stars",
    "the 3 best rated mexican places in San Francisco",
    "how many chinese restaurants are there in Cupertino?",
    "romantic italian in San Francisco, not too loud",
    "I need a restaurant in Palo Alto that takes reservations",
    "thai in Sunnyvale open after 10 pm",
    "My parents are flying in from Ohio next week. I need a thai place in Palo Alto.",
    "what is the phone number of Quorum?",
    "how many restaurants are there in total in Cupertino?",
    "a nice thai place in Sunnyvale for my sister and me",
    "restaraunt in palo alto",
    "show me thai places in Sunnyvale with more than 100 reviews",
    "dinner for €15 in Palo Alto",
    "dinner for £15 in Palo Alto",
    "$$$ thai in Sunnyvale",
)


@pytest.mark.parametrize(("message", "unused"), DROPPED)
def test_a_condition_that_is_not_used_is_named(message: str, unused: str) -> None:
    assert unused in Talker().understand(message).unused


@pytest.mark.parametrize("message", USED)
def test_a_message_that_is_understood_has_nothing_unused(message: str) -> None:
    assert Talker().understand(message).unused == ()


def test_a_part_that_only_another_question_of_the_message_uses_is_used() -> None:
    understood = Talker().understand("how many thai places are there in Sunnyvale, and which is the cheapest?")
    assert len(understood.questions) > 1
    assert understood.unused == ()


def test_the_most_of_one_thing_and_of_another_are_two_questions() -> None:
    understood = Talker().understand("which restaurant is the cheapest and which one is the best rated?")
    assert [question.words for question in understood.questions] == [
        "which restaurant is the cheapest",
        "which restaurant is the best rated?",
    ]


def test_a_message_of_which_nothing_is_understood_does_not_repeat_the_search_before() -> None:
    talk = Talker()
    talk.say("thai in Palo Alto")
    understood = talk.understand("within 2 miles")
    assert understood.chat is ChatKind.UNCLEAR
    assert understood.questions == ()
    assert "within 2 miles" in understood.reply
