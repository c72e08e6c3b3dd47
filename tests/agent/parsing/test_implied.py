"""A wish that another one implies is asked once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from agent.networks.layers import Array
from agent.parsing.frame import Asked, Condition, leaves
from agent.parsing.parser import BuiltinParser
from agent.parsing.semantics.implied import without_implied


class Judge:
    """Says yes to the questions it was given, of any sentence, and remembers what it was shown."""

    def __init__(self, *follows: str) -> None:
        self.follows, self.shown = follows, list[tuple[str, str]]()

    def __call__(self, pairs: Sequence[tuple[str, str]]) -> Array:
        self.shown.extend(pairs)
        return np.array([[0.9, 0, 0.1] if question in self.follows else [0.1, 0, 0.9] for question, _ in pairs])


def asked(question: str, *, expected: str = "Yes", soft: bool = False) -> Asked:
    return Asked(table="restaurants", columns=("reviews",), question=question, expected=expected, soft=soft)


QUIET, CALM = asked("is this restaurant quiet?"), asked("is this restaurant calm?")


def test_what_follows_from_another_wish_is_left_out() -> None:
    judge = Judge(QUIET.question)
    assert without_implied((QUIET, CALM), judge, "restaurant", "") == (CALM,)
    assert ("is this restaurant quiet?", "It is calm.") in judge.shown


def test_of_two_that_imply_each_other_one_stays() -> None:
    assert without_implied((QUIET, CALM), Judge(QUIET.question, CALM.question), "restaurant", "") == (CALM,)


def test_a_yes_implies_no_wish_for_a_no() -> None:
    noisy = asked("is this restaurant noisy?", expected="No")
    assert without_implied((noisy, CALM), Judge(noisy.question), "restaurant", "") == (noisy, CALM)


def test_what_is_only_preferred_implies_nothing_that_is_insisted_on() -> None:
    soft = asked("is this restaurant calm?", soft=True)
    assert without_implied((QUIET, soft), Judge(QUIET.question), "restaurant", "") == (QUIET, soft)


def test_what_is_enumerated_is_all_wanted() -> None:
    judge = Judge(QUIET.question, CALM.question)
    quiet, calm = (one.model_copy(update={"words": words}) for one, words in ((QUIET, "quiet"), (CALM, "calm")))
    assert without_implied((quiet, calm), judge, "restaurant", "somewhere quiet and calm") == (quiet, calm)
    assert without_implied((quiet, calm), judge, "restaurant", "a quiet place. It must be calm.") == (calm,)


def test_that_a_dish_is_served_says_nothing_of_how_it_is() -> None:
    served = asked("does this restaurant serve falafel?").model_copy(update={"columns": ("popular_dishes", "reviews")})
    assert without_implied((served, CALM), Judge(CALM.question), "restaurant", "") == (served, CALM)


def test_conditions_on_columns_are_not_judged() -> None:
    thai = Condition(table="restaurants", column="cuisines", values=("thai",))
    judge = Judge(QUIET.question)
    assert without_implied((thai, QUIET), judge, "restaurant", "") == (thai, QUIET)
    assert not judge.shown


@pytest.mark.parametrize(
    ("words", "questions"),
    [
        ("I hate standing in line. korean in Sunnyvale, no long wait", 1),
        ("thai in Sunnyvale without circling the block, I mean where parking is easy", 1),
        ("a quiet restaurant in Sunnyvale with a patio", 2),
        ("a romantic italian place in Palo Alto with a view of the bay", 2),
    ],
)
def test_what_is_said_twice_is_asked_once(parser: BuiltinParser, words: str, questions: int) -> None:
    frame = parser.frame(words, ("restaurants",))
    found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Asked)]
    assert len(found) == questions
