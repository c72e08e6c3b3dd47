"""Numbers, times, dates, options and stretches, with the place they stand in."""

from __future__ import annotations

import pytest

from agent.text.values import AnswerType

from .conftest import Ask

RULES = (
    "A lost card is replaced at the desk in Birch Hall. The replacement costs 15 dollars. "
    "Requests must arrive by 12 March 2026 and the office closes at 4:30 p.m. Dr. Amadi decides within ten days."
)


@pytest.mark.parametrize(
    ("question", "type_", "value"),
    [
        ("how much does a replacement cost?", AnswerType.TEXT, "15 dollars"),
        ("how much does a replacement cost?", AnswerType.NUMBER, "15"),
        ("when does the office close?", AnswerType.TIME, "16:30"),
        ("what is the date by which requests must arrive?", AnswerType.DATE, "2026-03-12"),
        ("who decides?", AnswerType.TEXT, "Dr. Amadi"),
        ("in which year do requests arrive?", AnswerType.TEXT, "2026"),
        ("how long does the decision take?", AnswerType.TEXT, "within ten days"),
        ("where is a lost card replaced?", AnswerType.TEXT, "Birch Hall"),
    ],
)
def test_the_kind_of_thing_asked_for_is_picked_out(ask: Ask, question: str, type_: AnswerType, value: str) -> None:
    reply = ask(question, RULES, type_=type_)
    assert reply.value is not None
    assert value in reply.value
    span = reply.spans[0]
    assert RULES[span.start : span.stop]


def test_a_text_without_a_number_has_no_number(ask: Ask) -> None:
    assert ask("how many seats are there?", "It is a small room with a view.", type_=AnswerType.NUMBER).value is None


def test_the_option_that_the_text_names_is_chosen(ask: Ask) -> None:
    reply = ask(
        "what is the main ingredient?",
        "The broth is made of mushrooms only.",
        type_=AnswerType.OPTION,
        options=("beef", "mushrooms", "fish"),
    )
    assert reply.value == "mushrooms"


def test_what_happens_is_told(ask: Ask) -> None:
    reply = ask("what happens to a lost card?", RULES)
    assert reply.value is not None
    assert "replaced" in reply.value


@pytest.mark.parametrize(
    ("text", "sum_"),
    [
        ("Parking was $12. The set lunch came to $41 a head with tea.", "$41 a head"),
        ("About eleven dollars per person, which is a steal.", "eleven dollars per person"),
        ("The soup is $17 and dumplings are six dollars each.", None),
    ],
)
def test_a_sum_for_one_is_said_to_be_for_one(ask: Ask, text: str, sum_: str | None) -> None:
    assert ask("how much does it cost per person at this restaurant?", text, type_=AnswerType.TEXT).value == sum_
