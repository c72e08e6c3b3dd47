"""Comparing what was shown with what the message names."""

from tests.agent.dialogue.test_interpreter import Talker


def test_what_was_shown_is_compared_with_what_was_not() -> None:
    talk = Talker()
    talk.say("thai in Palo Alto")
    suql = talk.say("compare the second one with Bahar & Fig on price")
    assert "slug = 'kaveri' OR name = 'Bahar & Fig'" in suql
    assert "price" in suql


def test_a_place_in_the_list_and_a_name_in_it_are_two() -> None:
    talk = Talker()
    talk.say("thai in Palo Alto")
    suql = talk.say("compare the second one with Fig & Foghorn on noise")
    assert "kaveri" in suql
    assert "fig" in suql


def test_who_compares_with_a_row_beyond_the_list_is_told_so() -> None:
    talk = Talker()
    talk.say("thai in Palo Alto")
    assert "only 3 restaurants" in talk.understand("compare the fourth one with Bahar & Fig").reply
    assert not talk.understand("what about Bahar & Fig, the second branch?").reply
