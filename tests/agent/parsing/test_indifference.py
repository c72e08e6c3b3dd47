from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    "aside",
    [
        "I don't care about the ambience",
        "no matter how loud it is",
        "service is not important",
        "it doesn't have to be romantic",
        "cash only is fine",
        "no preference on price",
        "I have no strong preference about the time",
    ],
)
def test_what_does_not_matter_is_no_condition(parser: BuiltinParser, aside: str) -> None:
    plain = parser.parse("thai in Sunnyvale", ("restaurants",)).suql
    assert parser.parse(f"thai in Sunnyvale, {aside}", ("restaurants",)).suql == plain


def test_indifference_ends_with_its_clause(parser: BuiltinParser) -> None:
    suql = parser.parse("I don't care about the price but it must be quiet, Sunnyvale", ("restaurants",)).suql
    assert "is this restaurant quiet?" in suql
    assert "price" not in suql


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("thai under $20", "price = 'cheap'"),
        ("thai for less than 30 bucks a head", "price IN ('cheap', 'moderate')"),
    ],
)
def test_an_amount_is_a_step_of_the_price(parser: BuiltinParser, words: str, condition: str) -> None:
    assert condition in parser.parse(words, ("restaurants",)).suql


def test_nothing_is_in_two_cities(parser: BuiltinParser) -> None:
    suql = parser.parse("Sunnyvale thai with a patio. Cupertino works", ("restaurants",)).suql
    assert "(location = 'Sunnyvale' OR location = 'Cupertino')" in suql
