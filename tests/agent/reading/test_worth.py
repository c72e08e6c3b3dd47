"""Whether something is good at all is asked of every text; most say so in no such words."""

import pytest

from agent.backends.builtin.reading.worth import asked_of_each

from .conftest import Ask

GLAD = (
    "The noodles were silky and the broth tasted of twelve hours.",
    "Crisp outside, soft inside, we ordered a second plate.",
    "Parking took a while.",
)
SORRY = ("Grey meat, cold rice, and I left most of it.", "Soggy, bland, never again.", "Parking took a while.")


@pytest.mark.parametrize(
    ("claim", "asked"),
    [
        ("The food is good at this restaurant.", "is the food good?"),
        ("Their food is really tasty.", "is the food good?"),
        ("This restaurant is any good.", "does the reviewer like this restaurant?"),
        ("This course is worth taking.", "does the reviewer like this course?"),
        ("People like this restaurant.", "does the reviewer like this restaurant?"),
        ("This restaurant is good for kids.", ""),
        ("The food is spicy.", ""),
        ("The coffee is good.", ""),
    ],
)
def test_what_is_asked_of_each_text(claim: str, asked: str) -> None:
    assert asked_of_each(claim) == asked


def test_what_most_say_of_the_food_settles_whether_it_is_good(ask: Ask) -> None:
    assert ask("is the food good at this restaurant?", *GLAD).value == "Yes"
    assert ask("is the food good at this restaurant?", *SORRY).value == "No"
    assert ask("is the food bad at this restaurant?", *SORRY).value == "Yes"
