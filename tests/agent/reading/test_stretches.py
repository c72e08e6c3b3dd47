"""Which stretches of a sentence may answer, what kind of answer a question asks for, and learning to choose."""

from __future__ import annotations

import numpy as np
import pytest

from agent.language.builtin.reading.asked import read_asked
from agent.language.builtin.reading.clues import clues
from agent.language.builtin.reading.stretches import LONGEST, Sentence, Stretch, stretches
from agent.language.builtin.reading.train_stretches import OFTEN, Example, learn, overlap, scored

SENTENCE = Sentence("The old mill on Ferry Lane, built in 1874, holds nine tables and a bar.", 0)


def texts(sentence: Sentence) -> set[str]:
    places = [sentence.characters(stretch) for stretch in stretches(sentence)]
    return {sentence.text[start:stop] for start, stop in places}


@pytest.mark.parametrize(
    "answer", ["on Ferry Lane", "Ferry Lane", "1874", "in 1874", "nine tables", "nine tables and a bar"]
)
def test_a_stretch_that_answers_is_among_them(answer: str) -> None:
    assert answer in texts(SENTENCE)


@pytest.mark.parametrize("broken", ["and a bar", "The old mill on", "built in", "nine tables and a", ", built"])
def test_a_stretch_that_ends_in_the_middle_is_not(broken: str) -> None:
    assert broken not in texts(SENTENCE)


def test_a_stretch_has_at_most_eight_tokens_and_one_comma() -> None:
    for stretch in stretches(SENTENCE):
        assert stretch.last - stretch.first <= LONGEST
        assert SENTENCE.kinds[stretch.first : stretch.last].count("mark") <= 1


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("1874", "year"),
        ("12", "digits"),
        ("nine", "number"),
        ("Ferry", "capital"),
        ("isn't", "auxiliary"),
        ("may", "auxiliary"),
    ],
)
def test_words_are_of_kinds(word: str, kind: str) -> None:
    assert Sentence(f"So {word} it was", 0).kinds[1] == kind


@pytest.mark.parametrize(
    ("question", "kind", "noun"),
    [
        ("who runs the mill?", "who", ""),
        ("In which year was it built?", "when", "year"),
        ("which river does it cross?", "what noun", "river"),
        ("what kind of flour do they use?", "what noun", "flour"),
        ("what is the capacity of the hall?", "what is", "capaciti"),
        ("how many tables are there?", "how many", "tabl"),
        ("what did they drink?", "what do", ""),
        ("how far is it to the sea?", "how far", ""),
        ("is it old?", "other", ""),
    ],
)
def test_a_question_asks_for_a_kind_of_answer(question: str, kind: str, noun: str) -> None:
    asked = read_asked(question)
    assert (asked.kind, asked.noun) == (kind, noun)


def named(question: str, stretch: Stretch) -> set[str]:
    return {name for name, _ in clues(read_asked(question), SENTENCE, stretch, rank=0, shared=0.5, near=0.5)}


def test_clues_tell_what_a_stretch_is_and_what_is_beside_it() -> None:
    words = [token.text for token in SENTENCE.tokens]
    nine = words.index("nine")
    found = named("how many tables does the mill hold?", Stretch(nine, nine + 2))
    assert {"first number", "noun at end", "how many: first number", "question's word next before"} <= found
    assert "repeats all" not in found
    assert "repeats all" in named("how many tables does the mill hold?", Stretch(words.index("tables"), nine + 2))


def test_the_share_of_words_in_common_is_the_worth_of_an_answer() -> None:
    assert overlap("the Ferry Lane", "Ferry Lane") == 1.0
    assert overlap("on Ferry Lane", "Ferry Lane") == pytest.approx(0.8)
    assert overlap("nine", "1874") == 0.0


def test_weights_are_learned_from_what_overlaps() -> None:
    good, bad = 0, 1
    one = Example(np.array([0, 1]), np.array([good, bad]), np.ones(2), np.array([1.0, 0.0]))
    weights = learn([one] * OFTEN, count=2)
    assert weights[good] > 0 > weights[bad]
    assert scored([one], weights) == [1.0]
    assert not learn([one] * (OFTEN - 1), count=2).any(), "a clue seen too seldom gets no weight"
