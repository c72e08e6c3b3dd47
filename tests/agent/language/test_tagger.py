"""The tagger on messages: what it marks, how it puts labels together, and how it reads what is long."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from agent.networks.tagger import KINDS, LABELS, Mark, Tagger, _likeliest


@pytest.fixture(scope="module")
def tagger() -> Tagger:
    return Tagger.load()


def marked(tagger: Tagger, message: str) -> list[tuple[str, str]]:
    return [(message[mark.start : mark.stop], mark.kind) for mark in tagger.marks(message).marks]


def test_wishes_and_columns_are_told_apart(tagger: Tagger) -> None:
    found = marked(tagger, "a thai place in Fresno where the portions are enormous")
    assert ("thai", "column") in found
    assert ("Fresno", "column") in found
    assert ("portions are enormous", "wish") in [(words.removeprefix("the "), kind) for words, kind in found]


def test_what_is_told_is_not_marked(tagger: Tagger) -> None:
    message = "My cousin from Osaka plays the drums and we had ramen on Monday. Find us a vegan bakery."
    marks = tagger.marks(message)
    assert marks.likely(0, message.index("Find")) < 0.5 < marks.likely(message.index("vegan"), len(message) - 1)


def test_what_is_denied_is_unwanted(tagger: Tagger) -> None:
    assert ("televisions", "unwanted") in marked(tagger, "a pub in Leeds without televisions")


def test_subject_matter_is_a_kind_of_its_own(tagger: Tagger) -> None:
    assert ("compilers", "topic") in marked(tagger, "a spring course on compilers with no final exam")


def test_small_letters_and_missing_signs_are_read(tagger: Tagger) -> None:
    assert "cushions" in " ".join(words for words, _ in marked(tagger, "cafe in leeds chairs need cushions pls"))


@pytest.mark.parametrize("message", ["", " ", "?!", "\n"])
def test_nothing_is_marked_in_nothing(tagger: Tagger, message: str) -> None:
    assert tagger.marks(message).marks == ()


def test_a_long_message_is_read_to_its_end(tagger: Tagger) -> None:
    story = "We drove for hours and the radio only had sports. " * 20
    message = f"{story}Please find us a bakery with a walled garden."
    assert "walled garden" in [words for words, _ in marked(tagger, message)]
    assert len(tagger.marks(message).marked) == len(message)


def test_a_sentence_without_an_end_is_read_to_its_end(tagger: Tagger) -> None:
    message = f"{'we drove for hours on the old road ' * 30}please find us a bakery with a walled garden"
    assert "walled garden" in [words for words, _ in marked(tagger, message)]


def test_marks_lie_inside_the_message_and_follow_each_other(tagger: Tagger) -> None:
    marks = tagger.marks("Cheap tacos, no mariachi band, and a patio with shade near Balboa Park please!").marks
    assert all(0 <= mark.start < mark.stop and mark.kind in KINDS and 0 < mark.probability <= 1 for mark in marks)
    assert all(isinstance(one, Mark) and one.stop <= other.start for one, other in pairwise(marks))


def test_nothing_goes_on_that_has_not_begun() -> None:
    likely = np.full((2, len(LABELS)), 1e-3, np.float32)
    likely[0, LABELS.index("begin wish")] = 0.6
    likely[0, 0] = 0.3
    likely[1, LABELS.index("inside question")] = 0.6
    likely[1, LABELS.index("inside wish")] = 0.3

    path = [LABELS[label] for label in _likeliest(np.log(likely))]

    assert path == ["begin wish", "inside wish"]
