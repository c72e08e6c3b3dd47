"""Questionnaires as data: what may stand in one, and in which order a person gets it."""

from __future__ import annotations

from typing import Any

import pytest

from hybridchat.research.studies.questionnaire import Item, Questionnaire, default_questionnaire, flaw_of, read_answers

FOUR = [{"name": name, "text": name, "shuffle": name != "first"} for name in ("first", "a", "b", "c")]


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ([{"name": "A b", "text": "?"}], "0.name: String should match pattern"),
        ([{"name": "a"}], "0.text: Field required"),
        ([{"name": "a", "text": "?", "kind": "colour"}], "0.kind: Input should be"),
        ([{"name": "a", "text": "?", "kind": "choice", "options": ["x"]}], "at least two different options"),
        ([{"name": "a", "text": "?", "options": ["x", "y"]}], "Only a choice has options"),
        ([{"name": "a", "text": "?"}, {"name": "a", "text": "!"}], "Two items are called 'a'"),
        ([{"name": "a", "text": "?", "asks": 1}], "0.asks: Extra inputs"),
        ({"name": "a"}, "valid tuple"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(data: Any, problem: str) -> None:
    assert problem in flaw_of(data)


def test_the_default_asks_three_things_in_words() -> None:
    assert flaw_of(default_questionnaire()) == ""
    assert [item["name"] for item in default_questionnaire()] == ["liked", "disliked", "problems"]


def test_items_to_be_shuffled_change_places_among_themselves_the_same_way_for_one_person() -> None:
    asked = Questionnaire.model_validate(FOUR)
    orders = {tuple(item.name for item in asked.for_person(f"seed {number}")) for number in range(40)}
    assert {order[0] for order in orders} == {"first"}
    assert len(orders) == 6
    assert asked.for_person("x") == asked.for_person("x")


def test_options_are_shuffled_where_asked() -> None:
    item = {"name": "a", "text": "?", "kind": "choice", "options": ["1", "2", "3"], "shuffle_options": True}
    asked = Questionnaire.model_validate([item])
    assert len({asked.for_person(str(number))[0].options for number in range(40)}) == 6


@pytest.mark.parametrize(
    ("item", "given", "value"),
    [
        ({"kind": "likert", "points": 7}, "7", 7),
        ({"kind": "number"}, " 2.50 ", 2.5),
        ({"kind": "number"}, "3", 3),
        ({"kind": "choice", "options": ("x", "y")}, "y", "y"),
        ({"required": False}, "  ", None),
    ],
)
def test_answers_are_read_as_what_they_are(item: dict[str, Any], given: str, value: object) -> None:
    assert Item(name="a", text="?", **item).value(given) == value


@pytest.mark.parametrize(
    ("item", "given", "problem"),
    [
        ({}, "", "Please answer this one."),
        ({"kind": "likert"}, "6", "a point of the scale"),
        ({"kind": "likert"}, "²", "a point of the scale"),
        ({"kind": "number"}, "nan", "a number"),
        ({"kind": "number", "maximum": 9}, "10", "The most is 9."),
        ({"kind": "choice", "options": ("x", "y")}, "z", "one of these"),
        ({}, "x" * 5_001, "below 5,000"),
    ],
)
def test_what_is_no_answer_is_refused_with_a_sentence(item: dict[str, Any], given: str, problem: str) -> None:
    values, wrong = read_answers([Item(name="a", text="?", **item)], {"a": given})
    assert not values
    assert problem in wrong["a"]


def test_an_attention_check_is_passed_or_failed_and_other_items_are_neither() -> None:
    check = Item(name="a", text="?", kind="choice", options=("x", "y"), expected="y")
    assert (check.attentive("y"), check.attentive("x")) == (True, False)
    assert Item(name="b", text="?").attentive("y") is None
