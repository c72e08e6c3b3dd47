"""Where sentences end."""

from __future__ import annotations

import pytest

from agent.text.sentences import sentences


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
