from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from agent.parsing.relax import Relaxation, least_relaxed, relaxations
from corpora.catalogue import catalogue

QUERY = (
    "SELECT * FROM restaurants WHERE 'italian' = ANY(cuisines) AND location = 'Ferry Building, San Francisco' "
    "AND price = 'cheap' AND opening_hours = 'open now' AND answer(reviews, 'is this restaurant romantic?') = 'Yes' "
    "AND rating >= 4 LIMIT 3"
)


def relaxed(query: str, soft: Collection[str] = (), **wished: Collection[str]) -> list[Relaxation]:
    return list(relaxations(query, catalogue(), soft, **wished))


def lost(soft: tuple[str, ...] = ()) -> list[str]:
    return [step.label for step in relaxed(QUERY, soft)]


def test_the_least_essential_goes_first_and_the_place_is_widened_last() -> None:
    manner, hours, rating, price, place = lost()
    assert "romantic" in manner
    assert "open now" in hours
    assert "rating" in rating
    assert "cheap" in price
    assert "anywhere in San Francisco" in place


def test_what_there_has_to_be_is_given_up_after_the_place_was_widened() -> None:
    query = QUERY.replace("is this restaurant romantic?", "does this restaurant have live jazz?")
    *_, place, jazz = [step.label for step in relaxed(query)]
    assert "anywhere in San Francisco" in place
    assert "live jazz" in jazz


def test_a_question_about_rows_already_shown_gives_up_nothing() -> None:
    query = (
        "SELECT * FROM restaurants WHERE slug IN ('quorum', 'the-slow-egg') AND price = 'cheap' "
        "AND answer(reviews, 'does this restaurant have parking?') = 'Yes'"
    )
    assert relaxed(query) == []


def test_other_rows_than_those_shown_may_be_asked_less_of() -> None:
    query = (
        "SELECT * FROM restaurants WHERE location = 'Palo Alto' AND price = 'cheap' AND slug NOT IN ('quorum') LIMIT 3"
    )
    assert [step.label for step in relaxed(query)] != []


def test_what_was_only_preferred_goes_before_everything_else() -> None:
    assert "romantic" in lost(("is this restaurant romantic?",))[0]


def test_each_step_keeps_what_earlier_steps_gave_up() -> None:
    steps = relaxed(QUERY)
    assert [len(step.dropped) for step in steps] == [1, 2, 3, 4, 5]
    assert "open now" not in steps[-1].suql
    assert "location = 'San Francisco'" in steps[-1].suql


def test_the_kind_of_food_is_never_given_up() -> None:
    assert all("'italian' = ANY(cuisines)" in step.suql for step in relaxed(QUERY))


def test_a_name_is_never_given_up() -> None:
    assert relaxed("SELECT * FROM restaurants WHERE name = 'Quorum'") == []


def test_the_only_condition_is_not_given_up() -> None:
    assert relaxed("SELECT * FROM restaurants WHERE price = 'cheap'") == []


def test_a_diet_is_given_up_before_another_kind_of_food() -> None:
    query = (
        "SELECT * FROM restaurants WHERE (('vegan' = ANY(cuisines) OR answer(reviews, 'does this restaurant have vegan "
        "options?') = 'Yes') AND 'ramen' = ANY(cuisines)) AND location = 'Palo Alto' LIMIT 3"
    )
    first = relaxed(query)[0]
    assert "vegan" in first.label
    assert "'ramen' = ANY(cuisines)" in first.suql


def test_what_the_message_is_about_stays():
    suql = "SELECT * FROM restaurants WHERE 'ramen' = ANY(cuisines) AND price < 'cheap' AND rating > 4"
    given_up = [one.label for one in relaxed(suql, firm=("price < ",))]
    assert given_up
    assert not any("price" in label for label in given_up)


def test_what_is_ruled_out_stays_ruled_out() -> None:
    query = "SELECT * FROM restaurants WHERE location = 'Palo Alto' AND price <> 'luxury' AND rating >= 4 LIMIT 3"
    assert all("price <> 'luxury'" in step.suql for step in relaxed(query))


def test_rows_whose_texts_deny_what_is_given_up_are_left_out() -> None:
    step = relaxed(QUERY)[0]
    assert "answer(reviews, 'is this restaurant romantic?') IS DISTINCT FROM 'No'" in step.suql


def test_what_may_not_have_been_wished_for_is_given_up_first_and_together() -> None:
    scraps = [f"answer(reviews, 'does this restaurant have {one}?') = 'Yes'" for one in ("luck", "my week")]
    query = f"SELECT * FROM restaurants WHERE opening_hours = 'open now' AND {' AND '.join(scraps)} AND price = 'cheap'"
    first, *_ = relaxed(query, unsure=("have luck?", "have my week?"))
    assert first.label == "has luck and has my week"
    assert "answer(" not in first.suql
    assert "open now" in first.suql
    assert relaxed(query)[0].label == "open now"


def test_a_list_of_dishes_denies_nothing() -> None:
    cider = "does this restaurant serve cider?"
    told = " OR ".join(f"answer({column}, '{cider}') = 'Yes'" for column in ("popular_dishes", "reviews"))
    (step,) = relaxed(f"SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND ({told})")
    assert step.label == "serves cider"
    assert f"answer(reviews, '{cider}') IS DISTINCT FROM 'No'" in step.suql
    assert "answer(popular_dishes" not in step.suql


def test_one_thing_alone_is_given_up_before_two_are() -> None:
    steps = list(least_relaxed(QUERY, catalogue()))
    given_up = [step.dropped for step in steps]
    assert given_up[:3] == [("romantic",), ("open now",), given_up[2]]
    assert max(map(len, given_up)) == 2
    assert given_up == sorted(given_up, key=len)
    assert len(set(given_up)) == len(given_up)
    assert "romantic" in steps[1].suql
    assert "open now" not in steps[1].suql


def test_any_two_things_are_given_up_together() -> None:
    told = " AND ".join(f"answer(reviews, 'is this restaurant {how}?') = 'Yes'" for how in ("quiet", "cosy", "chic"))
    query = f"SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND {told}"
    steps = least_relaxed(query, catalogue())
    assert {frozenset(step.dropped) for step in steps if len(step.dropped) == 2} == {
        frozenset(pair) for pair in combinations(("quiet", "cosy", "chic"), 2)
    }


def test_a_query_of_which_one_thing_can_be_given_up_is_tried_once() -> None:
    query = "SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND price = 'cheap' LIMIT 3"
    assert [step.dropped for step in least_relaxed(query, catalogue())] == [("cheap",)]


def test_a_dish_that_is_all_that_is_wanted_is_not_given_up() -> None:
    dish = (
        "(answer(popular_dishes, 'does this restaurant serve pho?') = 'Yes' "
        "OR answer(reviews, 'does this restaurant serve pho?') = 'Yes')"
    )
    alone = f"SELECT * FROM restaurants WHERE {dish} AND location = 'Sunnyvale' AND price = 'cheap' LIMIT 3"
    assert ["pho" in step.label for step in relaxed(alone)] == [False]
    told = "answer(reviews, 'does this restaurant serve gluten free desserts?') = 'Yes'"
    assert relaxed(f"SELECT * FROM restaurants WHERE {told} AND location = 'Sunnyvale' LIMIT 3") == []
    beside = (
        f"SELECT * FROM restaurants WHERE {dish} AND 'vietnamese' = ANY(cuisines) AND location = 'Sunnyvale' LIMIT 3"
    )
    assert "pho" in relaxed(beside)[-1].label


def test_a_place_is_widened_to_the_city_that_is_known_of_it() -> None:
    query = "SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND location = 'Apple Park' LIMIT 3"
    assert relaxed(query) == []
    (step,) = list(relaxations(query, catalogue(), cities={"Apple Park": "Cupertino"}))
    assert step.label.endswith("(anywhere in Cupertino instead)")
    assert "location = 'Cupertino'" in step.suql


def test_a_city_is_as_wide_as_it_gets() -> None:
    assert relaxed("SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND location = 'Cupertino' LIMIT 3") == []
