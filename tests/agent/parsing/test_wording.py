"""A wish becomes one well-formed question, whatever it is: a thing, a quality, what is done there and by whom."""

from __future__ import annotations

import pytest

from agent.parsing.semantics.wording import Wording


@pytest.mark.parametrize(
    ("marker", "words", "question", "negated"),
    [
        # things
        ("", "fish tank", "does this restaurant have a fish tank?", False),
        ("with", "cloth napkins", "does this restaurant have cloth napkins?", False),
        ("", "puddings you finish in two bites", "does this restaurant have puddings you finish in two bites?", False),
        (
            "",
            "wine pairings that are not stingy",
            "does this restaurant have wine pairings that are not stingy?",
            False,
        ),
        ("", "juicy patty", "does this restaurant have a juicy patty?", False),
        ("", "no televisions", "does this restaurant have televisions?", True),
        ("have", "gone downhill", "has this restaurant gone downhill?", False),
        # how it is
        ("", "dog friendly", "is this restaurant dog friendly?", False),
        ("", "quiet enough to read", "is this restaurant quiet enough to read?", False),
        ("that", "is not run like a nightclub", "is this restaurant run like a nightclub?", True),
        ("", "a retro looking", "is this restaurant retro looking?", False),
        ("", "easy for my aunt to get into", "is this restaurant easy to get into?", False),
        ("", "worth what they charge", "is this restaurant worth what they charge?", False),
        ("", "frozen", "does this restaurant serve frozen food?", False),
        # what it does
        ("", "makes its own pasta", "does this restaurant make its own pasta?", False),
        ("that", "lets you taste first", "does this restaurant let you taste first?", False),
        ("", "do not skimp on the meat", "does this restaurant skimp on the meat?", True),
        # what others do or are there
        ("where", "the owner comes out to chat", "does the owner come out to chat at this restaurant?", False),
        (
            "where",
            "the cook should actually know gluten",
            "does the cook actually know gluten at this restaurant?",
            False,
        ),
        ("where", "nobody hurries you", "does anyone hurry you at this restaurant?", True),
        ("where", "silences are not awkward", "are the silences awkward at this restaurant?", True),
        ("", "the chairs should have backs", "do the chairs have backs at this restaurant?", False),
        ("", "dogs welcome", "are the dogs welcome at this restaurant?", False),
        ("that", "people call a hidden gem", "is this restaurant a hidden gem?", False),
        ("", "someone said the owner sings", "does the owner sing at this restaurant?", False),
        # what one can, has to do, or has done to one
        ("acting", "watch the ferries", "can guests watch the ferries at this restaurant?", False),
        ("where", "you can hear each other", "can guests hear each other at this restaurant?", False),
        ("", "by a stove", "can guests sit by a stove at this restaurant?", False),
        ("where", "can i get soup", "can guests get soup at this restaurant?", False),
        ("whose", "food tastes like home", "does the food taste like home at this restaurant?", False),
        ("whose", "curtain colour", "does this restaurant have the curtain colour?", False),
        ("where", "will the staff sing and dance", "will the staff sing and dance at this restaurant?", False),
        ("where", "eating alone does not feel odd", "does eating alone feel odd at this restaurant?", True),
        ("", "the bathrooms being clean", "are the bathrooms clean at this restaurant?", False),
        ("where", "curry is really creamy", "is the curry really creamy at this restaurant?", False),
        ("", "fish tank my kids can stare at", "does this restaurant have a fish tank my kids can stare at?", False),
        ("", "swimming in oil", "is the food swimming in oil at this restaurant?", False),
        ("where", "the menu is not only in latin", "is the menu only in latin at this restaurant?", True),
        # for whom
        ("for", "a first date", "is this restaurant good for a first date?", False),
        ("", "our anniversary", "is this restaurant good for an anniversary?", False),
        ("", "party of 7", "", False),
        ("", "2 of us", "", False),
    ],
)
def test_each_kind_of_wish_has_its_question(marker: str, words: str, question: str, negated: bool) -> None:
    asked = Wording("restaurant").question(marker, words.split())
    assert (asked.text, asked.negated) == (question, negated)


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("queueing", "do guests have to queue at this restaurant?"),
        ("being glared at", "are guests glared at at this restaurant?"),
    ],
)
def test_what_one_does_not_want_to_do_or_suffer(words: str, question: str) -> None:
    assert Wording("restaurant").question("without", words.split(), unwanted=True).text == question
