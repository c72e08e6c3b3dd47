"""What "it" stands for in a question after one to the articles."""

import pytest

from agent.parsing.dialogue.articles import with_name
from agent.parsing.frame import Condition, Frame

DEGREE = Frame(
    tables=("programs",),
    where=(
        Condition(table="programs", column="level", values=("BS",), words="for the BS"),
        Condition(table="programs", column="specialization", values=("AI",), words="in AI"),
    ),
    presentation="article",
)
ASKED = "how many units for the BS in AI"


@pytest.mark.parametrize(
    ("first", "said"),
    [
        (DEGREE, "is CS 140 required for the BS in AI?"),
        (DEGREE.model_copy(update={"presentation": "list"}), "is CS 140 required for it?"),
        (DEGREE.model_copy(update={"where": ()}), "is CS 140 required for it?"),
    ],
)
def test_the_name_takes_the_place_of_the_word_for_it(first: Frame, said: str) -> None:
    assert with_name(ASKED, "is CS 140 required for it?", first) == said
