"""Questions to articles: students' words beside the office's, and what a follow-up leans on."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Frame, Order
from agent.parsing.generate import to_suql
from agent.parsing.semantics.articles import in_office_words
from corpora.catalogue import catalogue


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("can I see a therapist", "can I see a therapist (counsellor)"),
        ("my GPA", "my GPA (grade average)"),
        ("is the counsellor a therapist", "is the counsellor a therapist"),
        ("how do I drop a class", "how do I drop a class"),
    ],
)
def test_the_offices_word_stands_beside_the_students(said: str, read: str) -> None:
    assert in_office_words(said) == read


def test_what_was_talked_about_counts_half() -> None:
    order = Order(table="articles", column="body", words="and in winter", context="Dropping: and in winter")
    suql = to_suql(Frame(tables=("articles",), order=(order,), limit=1), catalogue())
    assert "similar(body, 'and in winter') + 0.5 * similar(body, 'Dropping: and in winter') DESC" in suql
