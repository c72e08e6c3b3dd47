"""Which sentences limit themselves to a case that the question does not name."""

from __future__ import annotations

import pytest

from agent.backends.builtin.cases import named, qualifiers, special_case


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("when does a class close?", "Evening classes close on Monday."),
        ("how much does a ticket cost?", "For groups of ten, the price is lower."),
        ("how much do the seats cost?", "Seats 40 and above cost ten dollars."),
        ("what does a repair cost?", "After two years a repair costs twenty dollars."),
    ],
)
def test_a_case_that_nobody_asked_of_is_seen(question: str, sentence: str) -> None:
    assert special_case(sentence, named(question))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("when does an evening class close?", "Evening classes close on Monday."),
        ("when does a class close?", "The class closes on Monday."),
        ("when does a class close?", "Classes close on Monday."),
        ("when does a class close?", "Most classes close on Monday."),
        ("when does a class close?", "You can join a class until Monday."),
        ("what does a repair cost for groups?", "For groups, the price is lower."),
    ],
)
def test_a_general_rule_and_the_case_asked_of_are_no_special_cases(question: str, sentence: str) -> None:
    assert not special_case(sentence, named(question))


def test_a_case_named_in_other_words_is_seen_in_the_question() -> None:
    sentence = "Physical education classes close on Monday."
    assert qualifiers("when do gym classes close?", sentence) == {"gym"}
    assert not qualifiers("when does a class close?", sentence)
