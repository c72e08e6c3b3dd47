"""Parts of speech of short phrases, where neighbours have to tell what a word is."""

from __future__ import annotations

import pytest

from agent.text import grammar


@pytest.mark.parametrize(
    ("words", "at", "tag"),
    [
        ("share a pot", 0, "VB"),
        ("skimps on the meat", 0, "VBZ"),
        ("they handle big parties", 1, "VB"),
        ("the chefs chat with you", 2, "VB"),
        ("a kids menu", 2, "NN"),
        ("the wait is short", 1, "NN"),
        ("brunch never ends", 2, "VBZ"),
        ("live zydeco", 0, "JJ"),
        ("12 of us", 0, "CD"),
    ],
)
def test_neighbours_tell_what_a_word_is(words: str, at: int, tag: str) -> None:
    assert grammar.tags(tuple(words.split()))[at] == tag


@pytest.mark.parametrize(
    ("words", "verb"),
    [("the owner sing", "sing"), ("guests bring wine", "bring"), ("the room hold twenty", "hold"), ("a view", "")],
)
def test_the_verb_after_a_subject(words: str, verb: str) -> None:
    said = words.split()
    at = grammar.verb_after_subject(said)
    assert (said[at] if at else "") == verb


@pytest.mark.parametrize(
    ("words", "subject"), [("the raw fish super fresh", "the raw fish"), ("guests glared at", "guests"), ("quiet", "")]
)
def test_where_a_subject_ends(words: str, subject: str) -> None:
    said = words.split()
    assert " ".join(said[: grammar.end_of_subject(said)]) == subject


@pytest.mark.parametrize(
    ("verb", "form"), [("pass", "passes"), ("carry", "carries"), ("have", "has"), ("sing", "sings")]
)
def test_the_form_for_one_who_does_it(verb: str, form: str) -> None:
    assert grammar.third_person(verb) == form
    assert grammar.base(form) == verb
