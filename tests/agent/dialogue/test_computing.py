"""A figure that is asked for is computed, or it is said that it cannot be; no other one takes its place."""

import pytest

from agent.language import ChatKind
from tests.agent.dialogue.test_interpreter import Talker


def test_a_median_is_no_average() -> None:
    suql = Talker().say("median rating in Sunnyvale")
    assert suql.startswith("SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY rating) AS median FROM restaurants")
    assert "location = 'Sunnyvale'" in suql


def test_an_average_in_a_place_is_an_average() -> None:
    assert Talker().say("average rating in Sunnyvale").startswith("SELECT AVG(rating)")


@pytest.mark.parametrize(
    "message",
    ["percentage of restaurants in Palo Alto that are cheap", "what share of places in Palo Alto are cheap?"],
)
def test_a_percentage_is_of_the_rows_before_what_is_said_of_them(message: str) -> None:
    suql = Talker().say(message)
    assert "COUNT(*) FILTER (WHERE price = 'cheap') AS so, COUNT(*) AS out_of" in suql
    assert suql.endswith("WHERE location = 'Palo Alto'")


@pytest.mark.parametrize(
    ("message", "figure"),
    [
        ("median price in Sunnyvale", "a median"),
        ("standard deviation of ratings in Cupertino", "a standard deviation"),
        ("correlation between price and rating in San Francisco", "a correlation"),
        ("ratio of italian to french restaurants in San Francisco", "a ratio"),
        ("how many more thai than indian restaurants are there in Sunnyvale?", "a difference"),
        ("number of reviews of all thai restaurants minus those of italian ones", "a difference"),
        ("are there twice as many restaurants in San Francisco as in Palo Alto?", "a ratio"),
        ("do thai places get more reviews on average than indian ones?", "a comparison of averages"),
        ("how far is San Francisco from Palo Alto?", "a distance"),
        ("the average rating and the highest number of reviews in Sunnyvale", "one figure at a time"),
        ("difference between the average rating in Palo Alto and in Sunnyvale", "a difference"),
        ("how many restaurants have more reviews than Quorum?", "a comparison with one that you name"),
        ("how many restaurants are rated exactly 4.7 or 4.8?", "4.7"),
        ("places open at 25:00 tonight", "There is no such time as “25:00”"),
        ("a place for dinner on 31 February", "There is no such day as “31 February”"),
    ],
)
def test_what_cannot_be_computed_is_refused(message: str, figure: str) -> None:
    understood = Talker().understand(message)
    assert understood.chat is ChatKind.UNCLEAR
    assert understood.questions == ()
    assert figure in understood.reply


def test_an_average_of_words_is_refused() -> None:
    talk = Talker()
    talk.say("thai in Sunnyvale")
    assert "an average" in talk.understand("average price of those").reply
    assert talk.say("average rating of those").startswith("SELECT AVG(rating)")


@pytest.mark.parametrize("message", ["what is a tasting menu?", "what's an izakaya?"])
def test_what_a_term_means_is_no_search(message: str) -> None:
    assert Talker().understand(message).chat is ChatKind.GENERAL


@pytest.mark.parametrize("message", ["what is a good thai place in Palo Alto?", "what's a cheap restaurant?"])
def test_a_search_that_begins_as_a_definition_does_is_one(message: str) -> None:
    assert Talker().understand(message).questions


@pytest.mark.parametrize("message", ["how many cuisines are there", "how many cuisines do you have in Palo Alto?"])
def test_what_a_column_holds_is_counted_by_its_different_values(message: str) -> None:
    assert Talker().say(message).startswith("SELECT COUNT(DISTINCT cuisine) AS count")


def test_rows_are_counted_by_what_they_are_called() -> None:
    assert Talker().say("how many restaurants are there").startswith("SELECT COUNT(*)")
