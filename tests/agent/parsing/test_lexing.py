from __future__ import annotations

import pytest

from agent.parsing.semantics.lexing import read
from agent.parsing.semantics.spelling import Speller

SPELLER = Speller(["vietnamese", "palo alto", "sunnyvale", "mexican", "moderate"])


@pytest.mark.parametrize(
    ("written", "norm"),
    [
        ("Don't want it", "do not want it"),
        ("vietnmese in sunyvale", "vietnamese in sunnyvale"),
        ("PaloAlto", "palo alto"),
        ("crêpes, cre\u0302pes, smørrebrød", "crepes , crepes , smorrebrod"),
        ("at 7 p.m. or 11:30am", "at 19:00 or 11:30"),
        ("four and a half stars, a thousand reviews", "4.5 stars , 1000 reviews"),
        ("twenty-two of us", "22 of us"),
        ("at half nine, five to seven people, half price", "at 9:30 , 5 to 7 people , half price"),
        ("4-5 stars", "4 to 5 stars"),
        ("w/ a patio & wifi", "with a patio and wifi"),
        ("sooo good", "so good"),
        ("trickey, and a quite place", "tricky , and a quiet place"),
        ("wiht somethign nr teh park, w/out queues", "with something near the park , without queues"),
        ("it's been open, it's open", "it has been open , it is open"),
        ("not to loud, next to loud bars", "not too loud , next to loud bars"),
        ("the one", "the one"),
    ],
)
def test_words_are_normalised(written: str, norm: str) -> None:
    assert read(written, SPELLER).norm == norm


def test_english_words_are_not_corrected_into_values() -> None:
    assert read("moderator mexicans vault", SPELLER).norm == "moderator mexicans vault"


def test_a_stretch_is_given_back_in_the_users_words() -> None:
    text = read("Vietnmese, Palo Alto!", SPELLER)
    start = text.norm.index("palo")
    assert text.source(start, start + len("palo alto")) == "Palo Alto"


def test_letters_with_a_slash_between_them_are_one_word() -> None:
    assert read("A/B tests and tue/thu", SPELLER).norm == "a/b tests and tue or thu"
