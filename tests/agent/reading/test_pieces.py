"""What of the passages is read: short ones whole, long ones in pieces, of many only the nearest sentences."""

from __future__ import annotations

import pytest

from agent.backends.builtin.reading.pieces import AT_ONCE, FEW, NEAREST, closest, pieces
from agent.backends.builtin.reading.vectors import Vectors
from agent.networks.encoder import Encoder
from agent.protocols.reading import Passage

QUESTION = ["is the soup hot?"]


@pytest.fixture(scope="module")
def vectors() -> Vectors:
    return Vectors(Encoder.load())


def passages(*texts: str) -> list[Passage]:
    return [Passage(text=text, document=number) for number, text in enumerate(texts)]


def test_a_short_passage_is_one_piece_with_the_nearest_sentence_marked(vectors: Vectors) -> None:
    text = "We sat by the door. The soup came steaming, and the bread was warm. Parking was easy."

    (piece,) = pieces(QUESTION, passages(text), vectors)

    assert (piece.text, piece.start) == (text, 0)
    assert piece.nearest.text.startswith("The soup came steaming")


def test_a_long_passage_is_cut_between_sentences_and_nothing_of_it_is_lost(vectors: Vectors) -> None:
    sentences = [f"Sentence number {number} tells of the soup on that day at some length." for number in range(20)]
    text = " ".join(sentences)

    found = pieces(QUESTION, passages(text), vectors)

    assert len(found) > 1
    assert " ".join(piece.text for piece in found) == text
    assert all(len(piece.text) <= AT_ONCE for piece in found)
    assert all(text[piece.start : piece.start + len(piece.text)] == piece.text for piece in found)


def test_a_sentence_longer_than_is_read_at_once_stays_whole(vectors: Vectors) -> None:
    text = "The soup " + "and the soup " * 50 + "was hot."

    assert [piece.text for piece in pieces(QUESTION, passages(text), vectors)] == [text]


def test_of_many_texts_only_the_nearest_sentences_are_read(vectors: Vectors) -> None:
    dull = [f"We came on day {number}. The chairs are blue." for number in range(FEW + 10)]
    telling = "The soup was hot."

    found = pieces(QUESTION, passages(*dull, telling), vectors)

    assert found[0].text == telling
    assert len(found) <= NEAREST
    assert all("chairs" not in piece.text for piece in found)


def test_a_sentence_that_may_not_be_read_is_left_out_of_a_list(vectors: Vectors) -> None:
    texts = ["The soup was hot.", *("The soup was hot on a day." for _ in range(FEW))]

    found = pieces(QUESTION, passages(*texts), vectors, lambda cut, at: "on a day" not in cut[at].text)

    assert [piece.text for piece in found] == ["The soup was hot."]


def test_an_empty_passage_has_no_pieces(vectors: Vectors) -> None:
    assert pieces(QUESTION, passages(""), vectors) == []


def test_where_nothing_answers_the_nearest_piece_is_worth_a_look_if_one_comes_near(vectors: Vectors) -> None:
    texts = passages("We parked by the church.", "They brought the soup lukewarm, twice.", "The staff were kind.")
    read = pieces(QUESTION, texts, vectors)
    (span,) = closest(read, [0.0] * 3)
    assert texts[span.passage].text[span.start : span.stop] == "They brought the soup lukewarm, twice."
    far = pieces(["is there a tax on inherited ships?"], texts, vectors)
    assert closest(far, [0.0] * 3) == ()
    (said,) = closest(far, [0.0, 0.0, 1.0])  # what is likely to say something of it is worth one all the same
    assert said.passage == 2


def test_of_a_long_piece_the_nearest_sentence_is_shown(vectors: Vectors) -> None:
    filler = "We sat by the door and talked for hours of nothing much. " * 5
    (piece,) = pieces(QUESTION, passages(f"{filler}The soup was hot."), vectors)
    (span,) = closest([piece], [0.0])
    assert piece.text[span.start - piece.start : span.stop - piece.start] == "The soup was hot."


def test_nothing_is_worth_a_look_where_nothing_was_read() -> None:
    assert closest([], []) == ()
