"""Questions by their form: however one is joined to what comes before it, it is a sentence of its own."""

import pytest

from agent.parsing.dialogue.clauses import apart


@pytest.mark.parametrize(
    ("message", "cut"),
    [
        ("cheapest ramen in town and is the food any good?", "cheapest ramen in town? And is the food any good?"),
        ("quiet cafe in palo alto - what's the parking like", "quiet cafe in palo alto? And what's the parking like"),
        ("cheap thai. do they deliver", "cheap thai? And do they deliver"),
        ("best thai in town, any dessert places near?", "best thai in town? And are there any dessert places near?"),
        ("where is it? any parking?", "where is it? is there any parking?"),
        (
            "when is it due, also i lost my key, how do i get in",
            "when is it due? i lost my key, how do i get in",
        ),
        (
            "how do i get a permit, how much is it and where do i pick it up?",
            "how do i get a permit? And how much is it? And where do i pick it up?",
        ),
    ],
)
def test_a_joined_question_is_a_sentence(message: str, cut: str) -> None:
    assert apart(message) == cut


@pytest.mark.parametrize(
    "message",
    [
        "a thai place in palo alto, which is open late",
        "cheap thai, can you help me?",
        "I lost my card, what do I do?",
        "if I drop a class, can I get a refund",
        "is it cheap or is it loud",
        "open till 10, is that right?",
        "places that are quiet and have parking",
        "do you know what it costs and where it is",
        "thai for tonight, any ideas?",
        "the second one, is parking free?",
        "ok different thing, where can I get a cake",
    ],
)
def test_what_is_no_question_of_its_own_stays_where_it_is(message: str) -> None:
    assert apart(message) == message
