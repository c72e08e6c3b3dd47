"""Conditions on how a value is written or that there is none, and sums and signs of money."""

import pytest

from agent.parsing.parser import BuiltinParser


@pytest.mark.parametrize(
    ("message", "condition"),
    [
        ("Palo Alto restaurants whose name starts with S", "name ILIKE 'S%'"),
        ('restaurant names containing "house"', "name ILIKE '%house%'"),
        ("restaurants in Palo Alto with a name ending in s", "name ILIKE '%s'"),
        ("restaurants with the word garden in the name", "name ILIKE '%garden%'"),
        ("places that have fog in their name", "name ILIKE '%fog%'"),
        ("restaurants with no phone number", "phone_number IS NULL"),
        ("places in Palo Alto that lack a rating", "rating IS NULL"),
    ],
)
def test_how_a_value_is_written_is_a_condition(parser: BuiltinParser, message: str, condition: str) -> None:
    assert condition in parser.parse(message, ("restaurants",)).suql


def test_what_stands_in_no_name_is_no_spelling(parser: BuiltinParser) -> None:
    suql = parser.parse("restaurants with outdoor seating in the Mission", ("restaurants",)).suql
    assert "ILIKE" not in suql


@pytest.mark.parametrize(
    ("message", "tables", "end"),
    [
        ("second best rated thai place", ("restaurants",), "ORDER BY rating DESC NULLS LAST LIMIT 1 OFFSET 1"),
        ("the 2nd cheapest thai place", ("restaurants",), "ORDER BY price ASC LIMIT 1 OFFSET 1"),
        ("thai places, best rated last", ("restaurants",), "ORDER BY rating ASC LIMIT 3"),
        ("thai places, cheapest last", ("restaurants",), "ORDER BY price DESC NULLS LAST LIMIT 3"),
    ],
)
def test_a_place_in_an_order_is_kept(parser: BuiltinParser, message: str, tables: tuple[str, ...], end: str) -> None:
    suql = parser.parse(message, tables).suql.replace(" NULLS LAST", "")
    assert suql.endswith(end.replace(" NULLS LAST", ""))


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
