"""Leftover words become a question only where the question is English."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Asked, leaves
from agent.parsing.parser import BuiltinParser
from agent.parsing.semantics.soundness import sound


@pytest.mark.parametrize(
    "question",
    [
        "does this restaurant have a fish tank?",
        "does this restaurant have caffeine?",
        "is this restaurant near the water?",
        "is this restaurant good for people watching?",
        "is this restaurant a good place to watch the game?",
        "does this restaurant make noodles in front of you?",
        "has this restaurant been around for decades?",
        "are the portions at this restaurant generous?",
        "is this restaurant easy to get into?",
    ],
)
def test_english(question: str) -> None:
    assert sound(question)


@pytest.mark.parametrize(
    "question",
    [
        "does this restaurant have can the he sit?",
        "does this restaurant have s?",
        "does this restaurant have nearer and?",
        "does this restaurant have quieter?",
        "does this restaurant have forget?",
        "does this restaurant have listen to me?",
        "does this restaurant have wear a tie?",
        "does this restaurant have closes later?",
        "does this restaurant have the largest?",
        "does this restaurant have full?",
        "does this restaurant have rave about?",
        "is this restaurant decades?",
        "does this restaurant have brought?",
        "is this restaurant stay?",
        "is this restaurant close to where i am?",
        "is this restaurant that is?",
        "is this restaurant good for someone?",
        "is this restaurant a good place to the harbour?",
        "does this restaurant have a patio , heaters?",
        "can the our group sit at this restaurant?",
    ],
)
def test_no_english(question: str) -> None:
    assert not sound(question)


def test_words_that_make_no_question_are_left_over(parser: BuiltinParser) -> None:
    frame = parser.frame("thai place, quieter, can the he sit safely", ("restaurants",))
    assert not any(isinstance(leaf, Asked) and "sit" in leaf.question for node in frame.where for leaf in leaves(node))
