"""Where sentences end."""

from __future__ import annotations

import time

import pytest

from agent.text.sentences import MOST, sentences


@pytest.mark.parametrize(
    "text",
    [
        "Share Date for Fall 2026 is Sept. 4, 2026.",
        "The office is open Mon. to Fri. from 9 a.m. to 5 p.m. except on holidays.",
        "Ask Prof. Lind or Dr. Ames in Bldg. 4, Rm. 2 before class.",
        "It stands at No. 4 St. Anne St. near the park.",
        "Bring ID, e.g. a passport, i.e. a document with a picture.",
        "Call tel. 555 or ext. 12 for help.",
    ],
)
def test_an_abbreviation_ends_no_sentence(text: str) -> None:
    assert sentences(text) == [(0, len(text))]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("No. You cannot drop a course after week eight.", 2),
        ("It closes at 9 p.m. The bar stays open.", 2),
        ("They moved in Dec. The new place is larger.", 2),
        ("Doors open at five. Come early.", 2),
        ("Was it good? No. 3 was better.", 2),
    ],
)
def test_a_sentence_ends_where_another_begins(text: str, count: int) -> None:
    assert len(sentences(text)) == count


@pytest.mark.parametrize("part", [".", "7 p.m. ", "a", "but ", "a.b", '."', "!? ", "wait... "])
def test_no_sentence_is_long_and_a_long_text_is_cut_in_time(part: str) -> None:
    text = (part * 60_000)[:60_000] + "x"
    began = time.process_time()
    found = sentences(text)
    assert time.process_time() - began < 1.0
    assert max(stop - start for start, stop in found) <= MOST
    assert found[-1][1] == len(text)


def test_a_sentence_that_is_cut_is_cut_between_words() -> None:
    text = "word " * 400
    assert all(text[start:stop].startswith("word") for start, stop in sentences(text))
