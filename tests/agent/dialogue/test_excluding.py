"""Taking rows away from a search by what they are, and conditions by what they are about."""

import pytest

from agent.parsing.frame import Condition
from tests.agent.dialogue.test_interpreter import Talker


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("drop the sushi spots", "NOT 'sushi' = ANY(cuisines)"),
        ("she is vegan, so leave out the steakhouse options", "NOT 'steakhouse' = ANY(cuisines)"),
        ("get rid of the cheap ones", "NOT price = 'cheap'"),
        ("exclude anything rated under 3.5", "rating >= 3.5"),
        ("skip places that are closed on Tuesday", "opening_hours = 'open Tuesday'"),
        ("weed out the noisy ones please", "'is this restaurant noisy?') = 'No'"),
        ("minus the chain restaurants", "'is this restaurant part of a chain?') = 'No'"),
        ("forget those with live music", "'does this restaurant have live music?') = 'No'"),
    ],
)
def test_rows_are_left_out_by_what_they_are(said: str, written: str) -> None:
    talk = Talker()
    talk.say("places in Cupertino")
    suql = talk.say(said)
    assert written in suql
    assert "location = 'Cupertino'" in suql
    assert "slug" not in suql


def test_only_what_is_all_that_is_said_is_left_out() -> None:
    talk = Talker()
    talk.say("places in Cupertino")
    assert "NOT (answer(reviews, 'is this restaurant noisy?') = 'Yes' AND 'bar" in talk.say("ditch the noisy bars")


def test_a_condition_is_still_taken_back() -> None:
    talk = Talker()
    talk.say("cheap thai in Palo Alto")
    assert "price" not in talk.say("forget about the price")
    assert "location" not in talk.say("drop the city")


def test_a_bound_is_turned_around_and_not_only_denied() -> None:
    talk = Talker()
    talk.say("places in Cupertino")
    frame = talk.interpreter.frame("drop anything rated over 4.5", talk._conversation())
    rated = [node for node in frame.where if isinstance(node, Condition) and node.column == "rating"]
    assert [(node.op, node.negated) for node in rated] == [("<=", False)]


def test_what_is_not_minded_is_not_left_out() -> None:
    talk = Talker()
    talk.say("places in Cupertino")
    assert "noisy" not in talk.say("I don't mind the loud ones")
