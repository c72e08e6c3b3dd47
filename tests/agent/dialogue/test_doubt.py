"""A yes/no question about one thing tells what is so of it, and has a test of whether that is what was asked."""

import pytest

from agent.language import Conversation, Parsed
from tests.agent.dialogue.test_interpreter import Talker


def asked(message: str, assistant: str = "courses") -> Parsed:
    tables = ("courses", "programs") if assistant == "courses" else ("restaurants",)
    talker = Talker(assistant, tables)
    conversation: Conversation = talker._conversation()
    (question,) = talker.interpreter.understand(message, conversation).questions
    return talker.interpreter.parse(question, conversation)


@pytest.mark.parametrize(
    ("message", "fact", "test"),
    [
        ("Is CS 140 offered in summer?", "offerings.season", "offerings.season = 'summer'"),
        ("Can I take CS 239 for two units?", "min_units", "max_units >= 2"),
        ("is CS 152 rated above 4.5?", "average_rating", "ratings.average_rating > 4.5"),
        ("Does CS 140 need CS 101?", "prerequisite_course_codes", "'CS 101' = ANY(prerequisite_course_codes)"),
    ],
)
def test_a_fact_of_a_course_is_told_whatever_it_is(message, fact, test):
    parsed = asked(message)
    told, _, where = parsed.suql.partition(" WHERE ")
    assert fact in told
    assert "= ANY(" in where
    assert test not in where
    assert test in parsed.test
    assert not parsed.denied


def test_a_thing_that_has_none_is_tested_by_the_emptiness_of_the_list():
    parsed = asked("Does CS 140 have any prerequisites?")
    assert "cardinality(prerequisite_course_codes) = 0" in parsed.test
    assert parsed.denied


def test_what_is_denied_is_looked_for_and_turned_around():
    parsed = asked("is Quorum closed on Sundays?", "restaurants")
    assert "opening_hours = 'open Sunday'" in parsed.test
    assert "NOT" not in parsed.test
    assert parsed.denied


@pytest.mark.parametrize(
    ("message", "denied"),
    [
        ("is CS 140 full in summer?", True),
        ("is there any space in CS 140 in summer?", False),
        ("Are there seats left in CS 140 for summer?", False),
        ("does CS 140 still have room in summer?", False),
    ],
)
def test_whether_there_is_room_is_a_matter_of_numbers_in_the_quarter_asked_about(message, denied):
    parsed = asked(message)
    assert "offerings.season = 'summer'" in parsed.suql
    assert "offerings.capacity" in parsed.suql.partition(" WHERE ")[0]
    assert "offerings.enrolled < offerings.capacity" in parsed.test
    assert parsed.denied == denied


def test_where_a_thing_is_can_be_asked_and_can_tell_two_of_a_name_apart():
    assert "location" not in asked("Is Quorum in Palo Alto?", "restaurants").suql.partition("WHERE")[2]
    assert "location = 'Palo Alto'" in asked("Is the Quorum in Palo Alto expensive?", "restaurants").suql


def test_what_a_question_takes_for_granted_can_be_left_out():
    parsed = asked("who teaches CS 140 in summer?")
    assert not parsed.test
    assert "season = 'summer'" in parsed.suql
    assert "season = 'summer'" not in parsed.instead
    assert parsed.beside == ("in summer",)


@pytest.mark.parametrize("message", ["Is Quorum romantic?", "Does Quorum close at 9?", "What does Quorum serve?"])
def test_what_no_column_decides_has_no_test(message):
    assert not asked(message, "restaurants").test


def test_a_name_that_nothing_goes_by_is_told():
    assert asked("What are the prerequisites of CS 777?").unknown == ("CS 777",)
    assert asked("What are the prerequisites of CS 140?").unknown == ()


@pytest.mark.parametrize("message", ["What does Quorum cost per head?", "how much would I pay a person at Quorum?"])
def test_a_sum_for_one_is_looked_for_where_people_wrote_it(message):
    told = asked(message, "restaurants").suql
    assert "per person at this restaurant?" in told
    assert "price" in told


def test_a_class_of_prices_is_enough_for_how_dear_it_is():
    assert "answer(" not in asked("How expensive is Quorum?", "restaurants").suql


def test_what_a_place_has_is_asked_of_guests_where_it_is_not_what_it_is_called():
    parsed = asked("does Quorum have anything vegan?", "restaurants")
    assert parsed.test.endswith("WHERE name = 'Quorum' AND 'vegan' = ANY(cuisines)")
    assert "answer(reviews, 'does this restaurant have anything vegan?')" in parsed.instead
    assert not asked("is Quorum vegan?", "restaurants").instead


def test_a_comparison_of_its_own_rows_is_no_yes():
    assert not asked("is CS 140 rated better in spring than in autumn?").test
