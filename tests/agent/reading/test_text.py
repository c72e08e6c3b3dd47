"""Cutting texts, words and their negation, numbers with units, and questions taken apart."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from agent.backends.builtin.reading.aspects import all_aspects, aspects_asked, cue
from agent.backends.builtin.reading.numbers import quantities
from agent.backends.builtin.reading.questions import read_question
from agent.backends.builtin.reading.units import sentences, units
from agent.text.words import stem, tokens


@given(some.text(alphabet="ab .,;!?\n-(but)", max_size=80))
def test_a_unit_is_exactly_its_characters(text: str) -> None:
    assert all(unit.text == text[unit.start : unit.stop] for unit in units(text))


@pytest.mark.parametrize("said", ["Ragù d'agnello", "Ragu\u0300 d'agnello"])
def test_a_word_is_the_same_with_its_accents_and_without(said: str) -> None:
    assert [token.stem for token in tokens(said)] == [token.stem for token in tokens("ragu d'agnello")]
    assert all(token.stop <= len(said) for token in tokens(said)), "a word stands where the text has it"


@pytest.mark.parametrize("asked", ["what's the smallest fee?", "whats the smallest fee", "what is the smallest fee?"])
def test_a_short_form_is_a_question_word(asked: str) -> None:
    assert read_question(asked).form == "what"


def test_an_abbreviation_does_not_end_a_sentence() -> None:
    text = "Dr. Ruiz opens at 5 p.m. on weekdays. She is kind!"
    assert [text[start:stop] for start, stop in sentences(text)] == [
        "Dr. Ruiz opens at 5 p.m. on weekdays.",
        "She is kind!",
    ]


def test_a_contrast_makes_two_clauses() -> None:
    assert [unit.text for unit in units("The food is great but the service is slow.") if not unit.whole] == [
        "The food is great",
        "but the service is slow.",
    ]


@pytest.mark.parametrize(
    ("text", "negated"),
    [
        ("The staff weren't friendly", {"friendly"}),
        ("No parking, but buses stop here", {"parking"}),
        ("It is not only cheap", set()),
        ("It was never not busy", set()),
    ],
)
def test_a_negation_reaches_to_the_next_boundary_and_two_cancel(text: str, negated: set[str]) -> None:
    assert {token.text for token in tokens(text) if token.negated and token.content} == negated


@pytest.mark.parametrize(
    ("one", "other"), [("dining", "dine"), ("cafés", "café"), ("stories", "story"), ("planned", "plan")]
)
def test_inflections_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


def test_notes_are_not_a_negation() -> None:
    assert stem("notes") != stem("not")


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("two hours", 120, "minutes"),
        ("$1,250", 1250, "money"),
        ("fifty cents", 0.5, "money"),
        ("7:15 pm", 19 * 60 + 15, "clock"),
        ("15 %", 15, "percent"),
        ("a fortnight", 20160, "minutes"),
        ("nine seats", 9, "seat"),
    ],
)
def test_numbers_come_in_common_units(text: str, value: float, unit: str) -> None:
    assert [(one.value, one.unit) for one in quantities(text)] == [(value, unit)]


def test_a_yes_no_question_stands_for_a_claim() -> None:
    question = read_question("does the library lend laptops?")
    assert (question.form, question.claim) == ("yes/no", "The library lend laptops.")


@pytest.mark.parametrize("text", ["isn't it loud?", "is it not loud?", "not loud"])
def test_a_denying_question_is_told_as_such(text: str) -> None:
    question = read_question(text)
    assert question.negated
    assert "loud" in question.claim
    assert "not" not in question.claim.split()


def test_what_reviewers_say_is_the_question_itself() -> None:
    assert read_question("do reviewers say that it is clean?").claim == "it is clean"


def test_a_phrase_asks_for_its_aspect_in_any_word_order() -> None:
    assert aspects_asked("The portions are large.")[0].aspect.name == "portions"
    assert aspects_asked("It has large portions.")[0].aspect.name == "portions"


def test_the_opposite_asks_for_the_aspect_turned_round() -> None:
    assert aspects_asked("The place is noisy.")[0].sign == -1


def test_a_question_about_more_than_the_aspect_is_not_only_the_aspect() -> None:
    assert aspects_asked("The terrace belongs to the neighbours.")[0].share < 0.85


def test_a_negation_turns_a_cue_round() -> None:
    aspect = next(one for one in all_aspects() if one.name == "friendly_staff")
    assert cue(aspect, "The staff is friendly").sign == 1
    assert cue(aspect, "The staff is not friendly").sign == -1


def test_every_aspect_can_be_asked_for_and_told() -> None:
    assert len(all_aspects()) >= 100
    assert all(one.ask and one.yes and one.no for one in all_aspects())
