"""Clauses around what wishes for something in prose, and the questions that are made of them."""

from __future__ import annotations

import random

import pytest

from agent.text.wordlists import words
from agent.understanding.asking import asked
from agent.understanding.clauses import Clause, Span, clause, marked_clause, resolved


def span(message: str, words: str) -> Span:
    return message.index(words), message.index(words) + len(words)


@pytest.mark.parametrize(
    ("message", "mark", "claimed", "named", "question", "denied"),
    [
        (
            "that don't mind cats and dogs",
            "mind cats",
            "",
            "",
            "does this ferry mind cats and dogs?",
            True,
        ),
        ("which ferry keeps people waiting", "waiting", "", "ferry", "does this ferry keep people waiting?", False),
        ("ferries that have broken down, for hire", "broken", "hire", "ferries", "has this ferry broken down?", False),
        ("thats happy to wait", "wait", "", "", "is this ferry happy to wait?", False),
        ("Sandwick ones where the decks are dry", "dry", "Sandwick", "", "are the decks dry?", False),
        ("under 90 m and sailors sing on deck", "sing", "90", "", "do sailors sing on deck?", False),
        ("that are said to be slow", "said to be slow", "", "", "is this ferry slow?", False),
        ("where nobody smokes", "smokes", "", "", "does anybody smoke?", True),
        ("where did people get soaked, in Sandwick", "soaked", "Sandwick", "", "did people get soaked?", False),
        ("rude crew on a ferry with 5 decks", "rude crew", "5", "ferry", "does this ferry have a rude crew?", False),
        ("a quiet ferry that takes dogs", "quiet", "dogs", "ferry", "is this ferry quiet?", False),
        ("fast, with a clean cabin", "clean", "", "", "does this ferry have a clean cabin?", False),
        (
            "boats that sail alone, or by night",
            "alone",
            "",
            "boats",
            "does this ferry sail alone or by night?",
            False,
        ),
        ("which of them never sink", "sink", "", "", "does this ferry sink?", True),
        (
            "ferries that do discounts early",
            "discounts",
            "",
            "ferries",
            "does this ferry do discounts early?",
            False,
        ),
        ("heated, goes past the cliffs", "cliffs", "", "", "does this ferry go past the cliffs?", False),
        ("ferries where the gangways creak", "creak", "", "ferries", "do the gangways creak?", False),
        (
            "whats shaking and rattling at night",
            "shaking",
            "",
            "",
            "is this ferry shaking and rattling at night?",
            False,
        ),
        (
            "which ferries do their crews find easy to steer",
            "easy to steer",
            "",
            "ferries",
            "is this ferry easy to steer?",
            False,
        ),
        ("ferries that people say roll badly", "roll badly", "", "ferries", "does this ferry roll badly?", False),
        ("ones that guests call spotless", "spotless", "", "", "is this ferry spotless?", False),
        ("shady ferries with no wasps mentioned", "wasps", "", "ferries", "does this ferry have wasps?", True),
        ("a hull that lasts, no creaking", "creaking", "", "", "does this ferry have creaking?", True),
        (
            "ferries with 5 decks struggle in storms",
            "in storms",
            "5",
            "decks",
            "does this ferry struggle in storms?",
            False,
        ),
        ("somewhere they help u aboard", "help", "", "", "do they help you aboard?", False),
    ],
)
def test_a_cut_short_mark_is_asked_as_its_whole_clause(message, mark, claimed, named, question, denied):
    known = [[span(message, words)] if words else [] for words in (claimed, named)]
    found = clause(message, span(message, mark), *known)
    assert found is not None
    assert asked(found, "ferry") == (question, denied)


def test_a_clause_that_values_make_up_is_none():
    assert clause("in Sandwick", (3, 11), [(3, 11)], []) is None


PIECES = words(
    """
    there theres that's is was were not no and or but with without that which where i never nobody none has have now
    right ferry ferries crew quiet doesn't it's having the my ones one of really just usually takes dogs 4 , .
    """
)


def test_every_clause_can_be_asked_about() -> None:
    """Whatever words come together, also at the end of a message: "no crew, or", "theres"."""
    chance = random.Random(7)
    for _ in range(5_000):
        message = " ".join(chance.choice(PIECES) for _ in range(chance.randint(1, 8)))
        start = chance.randrange(len(message))
        stop = chance.randint(start + 1, len(message))
        places = [(at, at + 4) for at in (chance.randrange(len(message)), chance.randrange(len(message)))]
        found = clause(message, (start, stop), places[: chance.randint(0, 1)], places[chance.randint(1, 2) :], [start])
        if found is not None:
            text, _ = asked(found, "ferry")
            assert text == "" or text.endswith("?"), message


def test_people_type_without_signs_and_in_relative_clauses():
    ride = clause("somewhere ill get a ride home", (10, 29), [], [])
    assert ride is not None
    assert asked(ride, "ferry") == ("will i get a ride home?", False)
    crew = Clause(0, 0, ("a", "purser", "who", "doesn't", "shout"), "")
    assert asked(crew, "ferry") == ("does a purser shout?", True)
    slips = Clause(0, 0, ("any", "where", "people", "slip"), "but")
    assert asked(slips, "ferry") == ("do people slip?", False)


def test_what_whoever_asks_wants_to_do_is_asked_of_anybody():
    dog = marked_clause("where can I take my dog along while I eat", (14, 41), [])
    assert dog is not None
    assert asked(dog, "ferry") == ("can you take your dog along?", False)
    swim = marked_clause("where can we swim", (13, 17), [])
    assert swim is not None
    assert asked(swim, "ferry") == ("can you swim?", False)


@pytest.mark.parametrize(
    ("message", "mark", "question"),
    [
        ("one that serves rakfisk", "rakfisk", "does this ferry serve rakfisk?"),
        ("where a regular gets a warm meal", "regular gets a warm meal", "does a regular get a warm meal?"),
        ("calm enough to read", "calm enough to read", "is this ferry calm?"),
        ("my aunt uses a walker", "my aunt uses a walker", "is this ferry good for a walker?"),
    ],
)
def test_marks_are_asked_with_the_verb_before_them(message, mark, question):
    found = marked_clause(message, span(message, mark), [])
    assert found is not None
    assert asked(found, "ferry") == (question, False)


def test_a_pronoun_stands_for_what_was_told_before():
    message = "I have a peanut allergy. Which one takes that seriously?"
    told = marked_clause(message, (35, 55), [])
    assert told is not None
    assert resolved(told, message, [], []).words == ("takes", "peanut", "allergy", "seriously")
    assert resolved(told, message, [], [(17, 23)]) == told  # of what is searched for
