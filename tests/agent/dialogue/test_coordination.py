"""Where a message names two sides: both ends of an order, two groups, numbered questions, something else."""

import pytest

from agent.parsing.dialogue import coordination


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("the best and worst place here", ("the best place here", "the worst place here")),
        ("the top 3 by rating and the bottom 3", ("the top 3 by rating", "the bottom 3 by rating")),
        ("a quiet place and a patio", None),
    ],
)
def test_both_ends(text: str, both: tuple[str, str] | None) -> None:
    assert next(coordination.both_ends(text), None) == both


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("which restaurant is cheap and which one is quiet?", None),
    ],
)
def test_two_orders(text: str, both: tuple[str, str] | None) -> None:
    assert next(coordination.two_orders(text), None) == both


@pytest.mark.parametrize(
    ("text", "groups"),
    [
        (
            "the average rating of thai places and of indian ones",
            ("the average rating of thai places", "the average rating of indian places"),
        ),
        ("average price in Cupertino vs Sunnyvale", ("average price in Cupertino", "average price in Sunnyvale")),
    ],
)
def test_two_groups(text: str, groups: tuple[str, str]) -> None:
    assert groups in list(coordination.two_groups(text))


@pytest.mark.parametrize("text", [", vs thai", " than", "?", "and", "1) 2)"])
def test_words_without_sides(text: str) -> None:
    found = (
        coordination.both_ends(text),
        coordination.two_groups(text),
        coordination.enumerated(text),
        coordination.additions(text),
    )
    assert not any(list(one) for one in found)


@pytest.mark.parametrize(
    ("text", "numbered"),
    [
        ("1) how do I pay 2) what does it cost", ("how do I pay", "what does it cost")),
        ("hi! first, is it quiet, and second, does it have parking?", ("is it quiet", "does it have parking?")),
        ("a table for 2 at 1.30", None),
        ("my first and second choice", None),
    ],
)
def test_numbered_questions(text: str, numbered: tuple[str, str] | None) -> None:
    assert next(coordination.enumerated(text), None) == numbered


@pytest.mark.parametrize(
    ("left", "right", "apart"),
    [
        ("find me a ramen place in Cupertino", "a dessert bar nearby", True),
        ("an italian place with a patio", "a full bar", False),
        ("a quiet place", "parking", False),
    ],
)
def test_kinds_of_houses(left: str, right: str, apart: bool) -> None:
    assert coordination.of_a_kind(left, right) is apart


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("a thai place in Cupertino and another one in Sunnyvale", ("a thai place in Cupertino", "in Sunnyvale")),
        ("somewhere thai near the park, and a separate one for Friday", ("somewhere thai near the park", "for Friday")),
        ("thai and another thing", None),
    ],
)
def test_the_same_once_more(text: str, both: tuple[str, str] | None) -> None:
    assert next(coordination.again(text), None) == both


def test_what_is_added_may_be_announced_twice() -> None:
    found = list(coordination.additions("a thai place. Plus, separately, anything with a patio"))
    assert found == [("a thai place", "anything with a patio")]


@pytest.mark.parametrize(
    ("text", "both"),
    [
        (
            "which bakery is best, and also where in Sunnyvale can we eat at 1 am?",
            ("which bakery is best", "where in Sunnyvale can we eat at 1 am?"),
        ),
        (
            "is Alder loud? and do you know a place that does breakfast",
            ("is Alder loud?", "do you know a place that does breakfast"),
        ),
        (
            "who teaches it? what's the class with the fewest hours",
            ("who teaches it?", "what's the class with the fewest hours"),
        ),
        ("is Alder loud? is there anything else", None),
        ("a quiet place and a patio", None),
    ],
)
def test_a_question_that_looks_for_something_of_its_own(text: str, both: tuple[str, str] | None) -> None:
    assert next(coordination.anew(text), None) == both
