"""One clause is one wish: what is part of a longer constituent is no condition of its own."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Asked, Condition, leaves
from agent.parsing.parser import BuiltinParser
from tests.agent.parsing.marks import asked as questions
from tests.agent.parsing.marks import read


def asked(parser: BuiltinParser, words: str) -> list[tuple[str, str]]:
    """All questions of a message, with the answers it expects."""
    frame = parser.frame(words, ("restaurants",))
    return [(leaf.question, leaf.expected) for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked)]


def filtered(parser: BuiltinParser, words: str) -> list[tuple[str, tuple[object, ...]]]:
    """All conditions of a message on structured columns."""
    frame = parser.frame(words, ("restaurants",))
    found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    return [(leaf.column, leaf.values) for leaf in found]


@pytest.mark.parametrize(
    ("line", "question", "expected"),
    [
        ("spots that {w:smoke their burgers over oak}", "does this restaurant smoke its burgers over oak?", "Yes"),
        ("a restaurant with {w:hand-cut sushi}", "does this restaurant serve hand cut sushi?", "Yes"),
        ("a cafe where {w:brunch never ends}", "does brunch end at this restaurant?", "No"),
        ("places that {w:look after vegetarians}", "does this restaurant look after vegetarians?", "Yes"),
        ("a place where you can {w:complain in Italian}", "can guests complain in italian at this restaurant?", "Yes"),
        ("a pub with {w:heaters on the patio}", "does this restaurant have heaters on the patio?", "Yes"),
        ("a pub with {w:high chairs for toddlers}", "does this restaurant have high chairs for toddlers?", "Yes"),
        ("a restaurant that {w:knows its wine}", "does this restaurant know its wine?", "Yes"),
        ("places that {w:make their own ice cream}", "does this restaurant make its own ice cream?", "Yes"),
        ("restaurants where {w:pets are no problem}", "are the pets any problem at this restaurant?", "No"),
        ("restaurants where {w:kids eat free}", "do the kids eat free at this restaurant?", "Yes"),
        ("a pub with a {w:reading corner for kids}", "does this restaurant have a reading corner for kids?", "Yes"),
        ("a diner with {w:tables kept clean}", "does this restaurant have tables kept clean?", "Yes"),
        ("a place with a {w:lasagne worth the drive}", "does this restaurant serve a lasagne worth the drive?", "Yes"),
        ("restaurants where {w:a stroller is no problem}", "is a stroller any problem at this restaurant?", "No"),
        ("a restaurant that is {w:run by sisters}", "is this restaurant run by sisters?", "Yes"),
        ("somewhere that {w:does a peppery brisket}", "does this restaurant serve a peppery brisket?", "Yes"),
        ("places that {w:bake fresh bagels daily}", "does this restaurant bake fresh bagels daily?", "Yes"),
        (
            "a place where you are not {n:eating off your neighbour's plate}",
            "are guests eating off their neighbour's plate at this restaurant?",
            "No",
        ),
    ],
)
def test_a_constituent_is_one_question_that_says_it_whole(line: str, question: str, expected: str) -> None:
    frame = read(line)
    found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    assert questions(frame) == [(question, expected)]
    assert all(set(leaf.values) <= {"cafe", "pub", "bar"} for leaf in found if leaf.column == "cuisines")


@pytest.mark.parametrize(
    "words",
    ["a restaurant that cooks Italian", "restaurants with Italian cooking", "places that specialise in Italian food"],
)
def test_a_kind_of_food_alone_is_a_filter_and_leaves_no_question(parser: BuiltinParser, words: str) -> None:
    assert filtered(parser, words) == [("cuisines", ("italian",))]
    assert asked(parser, words) == []


def test_a_phrase_after_a_kind_of_food_is_another_wish() -> None:
    frame = read("a place that serves {s:Italian} food with a {w:terrace}")
    assert [leaf.values for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)] == [
        ("italian",)
    ]
    assert questions(frame) == [("does this restaurant have a terrace?", "Yes")]


@pytest.mark.parametrize(
    ("words", "column", "values"),
    [
        ("a restaurant in a moderate price bracket", "price", ("moderate",)),
        ("restaurants that do not cost an arm and a leg", "price", ("cheap", "moderate")),
        ("places that charge a fortune", "price", ("expensive", "luxury")),
        ("a restaurant a nurse can afford", "price", ("cheap", "moderate")),
        ("a restaurant with steep prices", "price", ("expensive", "luxury")),
        ("restaurants with rock-bottom prices", "price", ("cheap",)),
        ("a restaurant reviewed at least two hundred times", "num_reviews", (200,)),
        ("a place that stays open until midnight.", "opening_hours", ("open until 00:00",)),
        ("a place that opens both days of the weekend", "opening_hours", ("open on the weekend",)),
    ],
)
def test_idioms_of_columns_leave_no_question(
    parser: BuiltinParser, words: str, column: str, values: tuple[object, ...]
) -> None:
    assert filtered(parser, words) == [(column, values)]
    assert asked(parser, words) == []


@pytest.mark.parametrize(
    "words", ["a restaurant for a business lunch", "a place that keeps your table if you run late"]
)
def test_words_of_time_inside_another_wish_say_no_hours(parser: BuiltinParser, words: str) -> None:
    assert filtered(parser, words) == []
    assert len(asked(parser, words)) == 1


def test_each_part_of_a_list_is_a_constituent(parser: BuiltinParser) -> None:
    assert asked(parser, "an italian place with a terrace and fresh pasta") == [
        ("does this restaurant have a terrace?", "Yes"),
        ("does this restaurant serve fresh pasta?", "Yes"),
    ]


def test_capitals_inside_a_compound_are_no_name(parser: BuiltinParser) -> None:
    assert asked(parser, "a restaurant with GMO-free produce in Sunnyvale")
    assert [column for column, _ in filtered(parser, "a restaurant with GMO-free produce in Sunnyvale")] == ["location"]
