from __future__ import annotations

from agent.parsing.relax import relaxations
from corpora.catalogue import catalogue

QUERY = (
    "SELECT * FROM restaurants WHERE 'italian' = ANY(cuisines) AND location = 'Ferry Building, San Francisco' "
    "AND price = 'cheap' AND opening_hours = 'open now' AND answer(reviews, 'is this restaurant romantic?') = 'Yes' "
    "AND rating >= 4 LIMIT 3"
)


def lost(soft: tuple[str, ...] = ()) -> list[str]:
    return [step.label for step in relaxations(QUERY, catalogue(), soft)]


def test_the_least_essential_goes_first_and_the_place_is_widened_last() -> None:
    hours, rating, opinion, price, place = lost()
    assert "open now" in hours
    assert "rating" in rating
    assert "romantic" in opinion
    assert "cheap" in price
    assert "San Francisco as a whole" in place


def test_what_was_only_preferred_goes_before_everything_else() -> None:
    assert "romantic" in lost(("is this restaurant romantic?",))[0]


def test_each_step_keeps_what_earlier_steps_gave_up() -> None:
    steps = relaxations(QUERY, catalogue())
    assert [len(step.dropped) for step in steps] == [1, 2, 3, 4, 5]
    assert "open now" not in steps[-1].suql
    assert "location = 'San Francisco'" in steps[-1].suql


def test_the_kind_of_food_is_never_given_up() -> None:
    assert all("'italian' = ANY(cuisines)" in step.suql for step in relaxations(QUERY, catalogue()))


def test_a_name_is_never_given_up() -> None:
    assert relaxations("SELECT * FROM restaurants WHERE name = 'Quorum'", catalogue()) == []


def test_the_only_condition_is_not_given_up() -> None:
    assert relaxations("SELECT * FROM restaurants WHERE price = 'cheap'", catalogue()) == []


def test_a_diet_is_given_up_before_another_kind_of_food() -> None:
    query = (
        "SELECT * FROM restaurants WHERE (('vegan' = ANY(cuisines) OR answer(reviews, 'does this restaurant have vegan "
        "options?') = 'Yes') AND 'ramen' = ANY(cuisines)) AND location = 'Palo Alto' LIMIT 3"
    )
    first = relaxations(query, catalogue())[0]
    assert "vegan" in first.label
    assert "'ramen' = ANY(cuisines)" in first.suql
