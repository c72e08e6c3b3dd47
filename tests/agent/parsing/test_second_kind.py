"""Of two kinds of food, one may be given up, and a diet first."""

import pytest

from agent.parsing.parser import BuiltinParser
from agent.parsing.relax import relaxations
from corpora.catalogue import catalogue

VEGAN_RAMEN = "SELECT * FROM restaurants WHERE 'vegan' = ANY(cuisines) AND 'ramen' = ANY(cuisines) LIMIT 3"


def test_a_diet_goes_before_a_kind_of_food():
    first = next(relaxations(VEGAN_RAMEN, catalogue()))
    assert first.dropped == ("vegan",)
    assert "'ramen' = ANY(cuisines)" in first.suql


def test_the_last_kind_of_food_stays():
    assert all("cuisines" in step.suql for step in relaxations(VEGAN_RAMEN, catalogue()))


def test_one_kind_alone_is_never_given_up():
    suql = "SELECT * FROM restaurants WHERE 'vegan' = ANY(cuisines) AND price = 'cheap' LIMIT 3"
    assert [step.dropped for step in relaxations(suql, catalogue())] == [("cheap",)]


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("thai and indian places in Palo Alto", "('thai' = ANY(cuisines) OR 'indian' = ANY(cuisines))"),
        ("a thai and indian place in Palo Alto", "('thai' = ANY(cuisines) AND 'indian' = ANY(cuisines))"),
        ("both thai and indian restaurants in Palo Alto", "('thai' = ANY(cuisines) AND 'indian' = ANY(cuisines))"),
    ],
)
def test_places_of_two_kinds_are_of_either(parser: BuiltinParser, question: str, where: str) -> None:
    assert where in parser.parse(question, ("restaurants",)).suql
