from __future__ import annotations

import pytest

from agent.parsing.corpus_selection import CorpusSelector
from corpora.catalogue import catalogue
from tests.agent.parsing.world import MEMORY

TABLES = ("restaurants", "courses", "offerings", "ratings", "programs", "articles")


@pytest.fixture(scope="module")
def selector() -> CorpusSelector:
    return CorpusSelector(catalogue(), MEMORY)


@pytest.mark.parametrize(
    ("words", "table"),
    [
        ("somewhere with good ramen", "restaurants"),
        ("is CS 140 a lot of work?", "courses"),
        ("which classes does Pemberley teach in winter", "courses"),
        ("my degree is in AI so I'm looking for an easy course", "courses"),
        ("I lost my campus card", "articles"),
        ("how does the waitlist deadline work", "articles"),
        ("I lost my campus card, what does a new one cost", "articles"),
    ],
)
def test_the_words_tell_the_table(selector: CorpusSelector, words: str, table: str) -> None:
    assert selector.choose(words, TABLES) == table


def test_words_that_tell_nothing_leave_the_first_table(selector: CorpusSelector) -> None:
    assert selector.choose("hmm", ("courses", "restaurants")) == "courses"


def test_only_offered_tables_are_chosen(selector: CorpusSelector) -> None:
    assert selector.choose("somewhere with good ramen", ("courses", "articles")) in {"courses", "articles"}


@pytest.mark.parametrize("words", ["machine learning", "graphics", "anything on security"])
def test_a_subject_is_asked_of_courses_though_programs_specialise_in_it(selector: CorpusSelector, words: str) -> None:
    assert selector.choose(words, ("courses", "offerings", "ratings", "programs")) == "courses"


def test_a_degree_is_asked_of_programs(selector: CorpusSelector) -> None:
    tables = ("courses", "offerings", "ratings", "programs")
    assert selector.choose("what does a BS in machine learning require", tables) == "programs"
    assert selector.choose("which classes are on the list for the BS program", tables) == "programs"
