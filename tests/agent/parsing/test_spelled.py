"""Conditions on how a value is written or that there is none, and sums and signs of money."""

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    ("message", "condition"),
    [
        ("Palo Alto restaurants whose name starts with S", "name ILIKE 'S%'"),
        ('restaurant names containing "house"', "name ILIKE '%house%'"),
        ("restaurants in Palo Alto with a name ending in s", "name ILIKE '%s'"),
        ("restaurants with no phone number", "phone_number IS NULL"),
        ("places in Palo Alto that lack a rating", "rating IS NULL"),
    ],
)
def test_how_a_value_is_written_is_a_condition(parser: BuiltinParser, message: str, condition: str) -> None:
    assert condition in parser.parse(message, ("restaurants",)).suql


def test_a_title_of_any_table_may_be_spelled(parser: BuiltinParser) -> None:
    suql = parser.parse("courses whose title starts with I", ("courses", "offerings", "ratings")).suql
    assert "title ILIKE 'I%'" in suql


@pytest.mark.parametrize(
    ("message", "condition"),
    [
        ("$$$$ restaurants in San Francisco", "price = 'luxury'"),
        ("$ thai in Sunnyvale", "price = 'cheap'"),
        ("dinner for €15 in Palo Alto", "price = 'cheap'"),
        ("thai in Palo Alto, budget 25 euros", "price IN ('cheap', 'moderate')"),
        ("no more than $$ in Sunnyvale", "price IN ('cheap', 'moderate')"),
    ],
)
def test_signs_and_sums_of_money_are_steps_of_the_scale(parser: BuiltinParser, message: str, condition: str) -> None:
    assert condition in parser.parse(message, ("restaurants",)).suql
