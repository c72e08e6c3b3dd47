"""A yes/no question about one thing tells what is so of it, and has a test of whether that is what was asked."""

import pytest

from agent.language import Conversation, Parsed
from tests.agent.dialogue.test_interpreter import Talker


def asked(message: str) -> Parsed:
    talker = Talker()
    conversation: Conversation = talker._conversation()
    (question,) = talker.interpreter.understand(message, conversation).questions
    return talker.interpreter.parse(question, conversation)


def test_what_is_denied_is_looked_for_and_turned_around():
    parsed = asked("is Quorum closed on Sundays?")
    assert "opening_hours = 'open Sunday'" in parsed.test
    assert "NOT" not in parsed.test
    assert parsed.denied


def test_where_a_thing_is_can_be_asked_and_can_tell_two_of_a_name_apart():
    assert "location" not in asked("Is Quorum in Palo Alto?").suql.partition("WHERE")[2]
    assert "location = 'Palo Alto'" in asked("Is the Quorum in Palo Alto expensive?").suql


@pytest.mark.parametrize("message", ["Is Quorum romantic?", "Does Quorum close at 9?", "What does Quorum serve?"])
def test_what_no_column_decides_has_no_test(message):
    assert not asked(message).test


@pytest.mark.parametrize("message", ["What does Quorum cost per head?", "how much would I pay a person at Quorum?"])
def test_a_sum_for_one_is_looked_for_where_people_wrote_it(message):
    told = asked(message).suql
    assert "per person at this restaurant?" in told
    assert "price" in told


def test_a_class_of_prices_is_enough_for_how_dear_it_is():
    assert "answer(" not in asked("How expensive is Quorum?").suql


def test_what_a_place_has_is_asked_of_guests_where_it_is_not_what_it_is_called():
    parsed = asked("does Quorum have anything vegan?")
    assert parsed.test.endswith("WHERE name = 'Quorum' AND 'vegan' = ANY(cuisines)")
    assert "answer(reviews, 'does this restaurant have anything vegan?')" in parsed.instead
    assert not asked("is Quorum vegan?").instead
