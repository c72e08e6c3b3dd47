"""One clause is one wish: what is part of a longer constituent is no condition of its own."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Asked, Condition, leaves
from agent.parsing.parser import BuiltinParser


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
    ("words", "question", "expected"),
    [
        ("spots that smoke their burgers over oak", "does this restaurant smoke its burgers over oak?", "Yes"),
        ("a restaurant with hand-cut sushi", "does this restaurant serve hand cut sushi?", "Yes"),
        ("a cafe where brunch never ends", "does brunch end at this restaurant?", "No"),
        ("places that look after vegetarians", "does this restaurant look after vegetarians?", "Yes"),
        ("a place where you can complain in Italian", "can guests complain in italian at this restaurant?", "Yes"),
        ("a pub with heaters on the patio", "does this restaurant have heaters on the patio?", "Yes"),
        ("a pub with high chairs for toddlers", "does this restaurant have high chairs for toddlers?", "Yes"),
        ("a restaurant with an Italian garden", "does this restaurant have an italian garden?", "Yes"),
        ("a restaurant that knows its wine", "does this restaurant know its wine?", "Yes"),
        ("places that make their own ice cream", "does this restaurant make its own ice cream?", "Yes"),
        ("a pub with plenty for vegetarians", "does this restaurant have plenty for vegetarians?", "Yes"),
        ("restaurants where pets are no problem", "are the pets any problem at this restaurant?", "No"),
        ("restaurants where kids eat free", "do the kids eat free at this restaurant?", "Yes"),
        ("a bistro with nut-free desserts", "does this restaurant serve nut free desserts?", "Yes"),
        ("a pub with a reading corner for kids", "does this restaurant have a reading corner for kids?", "Yes"),
        ("a diner with tables kept clean", "are the tables at this restaurant kept clean?", "Yes"),
        ("a place with a lasagne worth the drive", "is the lasagne at this restaurant worth the drive?", "Yes"),
        ("restaurants where a stroller is no problem", "is a stroller any problem at this restaurant?", "No"),
        ("a restaurant that is run by sisters", "is this restaurant run by sisters?", "Yes"),
        ("somewhere that does a peppery brisket", "does this restaurant serve a peppery brisket?", "Yes"),
        ("places that bake fresh bagels every morning", "does this restaurant bake fresh bagels every morning?", "Yes"),
        (
            "a place where you are not eating off your neighbour's plate",
            "are guests eating off their neighbour's plate at this restaurant?",
            "No",
        ),
    ],
)
def test_a_constituent_is_one_question_that_says_it_whole(
    parser: BuiltinParser, words: str, question: str, expected: str
) -> None:
    assert asked(parser, words) == [(question, expected)]
    assert {column for column, _ in filtered(parser, words)} <= {"cuisines"}
    assert not {"burgers", "sushi", "brunch", "vegetarian", "italian", "dessert"} & {
        value for _, values in filtered(parser, words) for value in values
    }


@pytest.mark.parametrize(
    "words",
    ["a restaurant that cooks Italian", "restaurants with Italian cooking", "places that specialise in Italian food"],
)
def test_a_kind_of_food_alone_is_a_filter_and_leaves_no_question(parser: BuiltinParser, words: str) -> None:
    assert filtered(parser, words) == [("cuisines", ("italian",))]
    assert asked(parser, words) == []


def test_a_phrase_after_a_kind_of_food_is_another_wish(parser: BuiltinParser) -> None:
    words = "a place that serves Italian food with a terrace"
    assert filtered(parser, words) == [("cuisines", ("italian",))]
    assert asked(parser, words) == [("does this restaurant have a terrace?", "Yes")]


def test_who_something_is_good_for_is_no_part_of_what_there_is(parser: BuiltinParser) -> None:
    found = asked(parser, "a restaurant with a reading corner for my son's birthday")
    assert ("does this restaurant have a reading corner?", "Yes") in found


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
