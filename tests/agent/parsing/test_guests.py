"""What is told of those who come along is a wish, though it names none."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Asked, Condition, leaves
from agent.parsing.parser import BuiltinParser

QUIET = "is this restaurant quiet?"
CASUAL = "is this restaurant casual?"
DOGS = "is this restaurant dog friendly?"
STEPS = "is this restaurant wheelchair accessible?"
ALLERGIES = "does this restaurant take food allergies seriously?"


def asked(parser: BuiltinParser, words: str) -> list[tuple[str, str]]:
    """All questions of a message, with the answers it expects."""
    frame = parser.frame(words, ("restaurants",))
    return [(leaf.question, leaf.expected) for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked)]


def kinds(parser: BuiltinParser, words: str) -> set[object]:
    """The kinds of food that a message wants."""
    frame = parser.frame(words, ("restaurants",))
    found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    return {value for leaf in found if leaf.column == "cuisines" for value in leaf.values}


@pytest.mark.parametrize(
    ("words", "need"),
    [
        ("Thai in Sunnyvale that would not object to a whippet under the table", DOGS),
        ("We'll have our elderly poodle along. Thai in Sunnyvale?", DOGS),
        ("Thai in Sunnyvale, grandpa is a bit deaf in one ear", QUIET),
        ("My uncle can hardly hear any more. Thai in Sunnyvale?", QUIET),
        ("Thai in Sunnyvale, I hate having to yell over the music", QUIET),
        ("Nana struggles with steps. Thai in Sunnyvale?", STEPS),
        ("My flatmate has his foot in a cast: Thai in Sunnyvale", STEPS),
        ("Thai in Sunnyvale, but I will not put on a blazer", CASUAL),
        ("Thai in Sunnyvale, nothing snooty", CASUAL),
        ("We'd come in muddy boots. Thai in Sunnyvale?", CASUAL),
        ("thai in Sunnyvale, life threatening sesame allergy", ALLERGIES),
        ("My hips are really sore, so no stairs. Thai in Sunnyvale", STEPS),
        ("The best man is on crutches. Thai in Sunnyvale", STEPS),
        ("Our toddler comes with us. Thai in Sunnyvale", "is this restaurant good for kids?"),
        ("Thai in Sunnyvale for me and an eight year old", "is this restaurant good for kids?"),
        ("My sister can't handle spice. Thai in Sunnyvale", "is the food at this restaurant mild?"),
        ("Thai in Sunnyvale. We forgot our cards.", "does this restaurant accept cash?"),
        ("Thai in Sunnyvale, I've got only 40 minutes", "is the service at this restaurant fast?"),
    ],
)
def test_what_guests_are_or_have_says_what_is_needed(parser: BuiltinParser, words: str, need: str) -> None:
    assert asked(parser, words) == [(need, "Yes")]
    assert kinds(parser, words) == {"thai"}


@pytest.mark.parametrize(
    ("words", "diet"),
    [
        ("I'm bringing a colleague to Sunnyvale for Thai. He is vegetarian.", "vegetarian"),
        ("Two of us are strict vegans, Thai in Sunnyvale", "vegan"),
        ("Half of them won't touch meat. Thai in Sunnyvale", "vegetarian"),
        ("My roommate keeps kosher, Thai in Sunnyvale", "kosher"),
        ("Thai in Sunnyvale, one of us can't digest dairy", "dairy-free"),
    ],
)
def test_the_diet_of_a_guest_asks_for_options(parser: BuiltinParser, words: str, diet: str) -> None:
    assert asked(parser, words) == [(f"does this restaurant have {diet} options?", "Yes")]
    assert kinds(parser, words) == {"thai"}


def test_the_diet_of_a_place_is_a_kind(parser: BuiltinParser) -> None:
    assert kinds(parser, "a place in Sunnyvale that is vegetarian") == {"vegetarian"}


def test_who_fears_dogs_wants_none(parser: BuiltinParser) -> None:
    assert asked(parser, "Thai in Sunnyvale, my niece is scared of dogs") == [(DOGS, "No")]


@pytest.mark.parametrize(
    "words",
    [
        "We don't mind dogs. Thai in Sunnyvale",
        "My dog is barking at me, so: Thai in Sunnyvale",
        "My father-in-law is rather traditional. Thai in Sunnyvale",
        "We only have a babysitter for two hours. Thai in Sunnyvale",
    ],
)
def test_what_asks_for_nothing_stays_nothing(parser: BuiltinParser, words: str) -> None:
    assert asked(parser, words) == []
    assert kinds(parser, words) == {"thai"}


def test_two_guests_have_two_needs(parser: BuiltinParser) -> None:
    found = asked(parser, "Thai in Sunnyvale with a baby and a spaniel")
    assert found == [("is this restaurant good for kids?", "Yes"), (DOGS, "Yes")]
