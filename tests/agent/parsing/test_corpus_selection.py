from __future__ import annotations

import pytest

from agent.catalogue.values import ValueMemory
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
        ("my major is math and I need a course on proofs", "courses"),
        ("my degree is in AI so I'm looking for an easy course", "courses"),
        ("I lost my campus card", "articles"),
        ("how does the waitlist deadline work", "articles"),
        ("I lost my campus card, what does a new one cost", "articles"),
        ("which class has a waitlist deadline", "courses"),
    ],
)
def test_the_words_tell_the_table(selector: CorpusSelector, words: str, table: str) -> None:
    assert selector.choose(words, TABLES) == table


@pytest.mark.parametrize(
    ("words", "table"),
    [
        ("can i take a class pass/fail", "articles"),
        ("is it possible to retake a course", "articles"),
        ("may I audit a class", "articles"),
        ("can I take a class on film", "courses"),
        ("can I take an easy class in spring", "courses"),
        ("how do I find a class", "courses"),
        ("can I take CS 140 pass/fail", "courses"),
        ("can I bring my dog to a restaurant", "restaurants"),
    ],
)
def test_what_may_be_done_with_any_class_is_asked_of_the_articles(words: str, table: str) -> None:
    titles = (*MEMORY.of("articles", "title"), "Withdrawing from a class after the drop deadline", "Repeating a course")
    memory = ValueMemory({**{name: MEMORY.of(*name.split(".")) for name in MEMORY}, "articles.title": titles})
    assert CorpusSelector(catalogue(), memory).choose(words, TABLES) == table


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


@pytest.mark.parametrize(
    ("words", "table"),
    [
        ("which ethics class do I need for the systems degree", "programs"),
        ("what math class must I take for the AI masters?", "programs"),
        ("which courses for my major require programming?", "courses"),
        ("I need an easy class for my degree", "courses"),
        ("do I need a laptop for the robotics class?", "courses"),
    ],
)
def test_what_a_degree_needs_is_asked_of_it(selector: CorpusSelector, words: str, table: str) -> None:
    assert selector.choose(words, ("courses", "offerings", "ratings", "programs")) == table
