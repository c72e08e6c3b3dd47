"""What is wished for in a message, and what only sets the scene around the wish."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Asked, Condition, leaves
from agent.parsing.parser import BuiltinParser
from tests.agent.parsing.shares import mostly

FOUNTAIN = "does this restaurant have a fountain?"


def asked(parser: BuiltinParser, words: str) -> list[str]:
    """The questions a message puts to the reviews."""
    frame = parser.frame(words, ("restaurants",))
    return [leaf.question for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked)]


SCENES = [
    "umm, a place with a fountain",
    "my printer jammed again, so printing is out. a place with a fountain?",
    "the elevator stopped, the lights flickered. find me a place with a fountain",
    "hand me over to a place with a fountain. go ahead.",
    "Gregor here. A restaurant with a fountain, please. Kind regards, Gregor",
    "second try: a place with a fountain",
    "a place with a fountain and i can't get over it",
    "Could I bother you for a tip? A restaurant with a fountain.",
    "Alexa brought me to you. Somewhere with a fountain. I want answers.",
    "my neighbour swears that there are restaurants with a fountain",
    "woke up craving a place with a fountain",
    "a place with a fountain. Surely somebody told you about it",
    "after a long ride with my uncle, I want a restaurant with a fountain",
    "stuck in an elevator, phone almost dead, tell me about places with a fountain and i'll love you forever",
    "Which restaurants with a fountain would you pick?",
    "excuse me, this may sound odd: a restaurant with a fountain",
    "I'm typing this on my laptop. A place with a fountain",
    "there is a noisy train behind me. A place with a fountain",
    "wondering out loud... a place with a fountain",
    "waiting in the waiting room. A place with a fountain",
    "my laptop is about to restart, so: a place with a fountain",
    "no wifi on this bus. A place with a fountain",
]


def test_what_surrounds_a_wish_is_not_asked(parser: BuiltinParser) -> None:
    mostly(SCENES, lambda words: asked(parser, words) == [FOUNTAIN], least=0.85)


@pytest.mark.parametrize(
    ("words", "need"),
    [
        ("my mother uses a wheelchair. A place with a fountain", "wheelchair"),
        ("we have two toddlers with us, any place with a fountain?", "kids"),
    ],
)
def test_what_is_told_of_those_who_will_eat_is_one(parser: BuiltinParser, words: str, need: str) -> None:
    found = asked(parser, words)
    assert FOUNTAIN in found
    assert any(need in question for question in found)


APART = [
    ("a place in Sunnyvale. The tables must be far apart.", "are the tables far apart at this restaurant?"),
    ("a place in Sunnyvale. They have to have a fountain.", FOUNTAIN),
    ("I'm tired. Somewhere in Sunnyvale, please, and make it one that has a fountain.", FOUNTAIN),
    ("fountain, cheap, quiet", "does this restaurant have fountain?"),
    ("Cheap. Fountain. Some place in Sunnyvale.", "does this restaurant have fountain?"),
    ("harp music at a restaurant in Sunnyvale", "harp music"),
]


def test_what_is_said_of_the_place_in_a_clause_of_its_own_is_wished(parser: BuiltinParser) -> None:
    mostly(APART, lambda case: any(case[1] in question for question in asked(parser, case[0])), least=0.65)


@pytest.mark.parametrize(
    "words",
    [
        "Hello, this is Brunhilde. I want a place with a fountain.",
        "whatever your name is find places with a fountain",
        "a place with MSG-free cooking",
    ],
)
def test_who_speaks_and_what_is_eaten_is_no_name_of_a_restaurant(parser: BuiltinParser, words: str) -> None:
    frame = parser.frame(words, ("restaurants",))
    conditions = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    assert not any(condition.column == "name" for condition in conditions)


def test_now_that_begins_what_is_told_is_no_time(parser: BuiltinParser) -> None:
    frame = parser.frame("read about it and now i can't stop dreaming of a place with a fountain", ("restaurants",))
    conditions = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    assert not any(condition.column == "opening_hours" for condition in conditions)
