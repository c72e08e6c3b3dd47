"""Courses by their titles, whole, in part or by a short form; people; and what is asked about them."""

from __future__ import annotations

import pytest

from agent.parsing.frame import Condition, leaves
from agent.parsing.parser import BuiltinParser


def conditions(parser: BuiltinParser, words: str) -> dict[str, tuple[object, ...]]:
    frame = parser.frame(words, ("courses",))
    found = [leaf for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)]
    return {leaf.column: leaf.values for leaf in found}


@pytest.mark.parametrize(
    "words",
    [
        "which quarters is Operating Systems offered",
        "is the operating class any good",
        "what days does OS meet",
        "how much time a week do people put into operating systems",
    ],
)
def test_a_title_is_known_in_a_question_about_it(parser: BuiltinParser, words: str) -> None:
    assert conditions(parser, words) == {"title": ("Operating Systems",)}


def test_a_title_is_a_subject_in_a_search(parser: BuiltinParser) -> None:
    assert "title" not in conditions(parser, "any classes about operating systems")


def test_hours_a_week_are_the_workload(parser: BuiltinParser) -> None:
    frame = parser.frame("how many hours a week does Operating Systems take", ("courses",))
    assert [item.column for item in frame.projections] == ["average_hours_spent"]


def test_codes_named_apart_are_alternatives(parser: BuiltinParser) -> None:
    assert conditions(parser, "is CS 101 harder than CS 140")["course_codes"] == ("CS 101", "CS 140")


@pytest.mark.parametrize("words", ["what comes after CS 101 and CS 102", "a good follow-up to CS 101 and CS 102"])
def test_what_comes_after_courses_has_them_as_prerequisites(parser: BuiltinParser, words: str) -> None:
    frame = parser.frame(words, ("courses",))
    leaf_columns = {leaf.column for node in frame.where for leaf in leaves(node) if isinstance(leaf, Condition)}
    assert leaf_columns == {"prerequisite_course_codes"}


def test_pieces_of_one_question_are_asked_as_one(parser: BuiltinParser) -> None:
    frame = parser.frame("is the midterm in Operating Systems hard?", ("courses",))
    assert [item.question for item in frame.projections] == ["is the midterm in this course hard?"]


@pytest.mark.parametrize(
    ("words", "question"),
    [
        ("which class will teach me to make websites", "is this course about web development?"),
        ("graduate courses on robots", "is this course at the graduate level?"),
        ("a gentle class with friendly TAs", "are the teaching assistants of this course friendly?"),
    ],
)
def test_what_a_course_is_for_is_asked(parser: BuiltinParser, words: str, question: str) -> None:
    assert question in parser.parse(words, ("courses",)).suql


def test_a_course_like_another_is_not_that_one(parser: BuiltinParser) -> None:
    suql = parser.parse("courses similar to Practical Rust", ("courses",)).suql
    assert "NOT title = 'Practical Rust'" in suql
    assert "ORDER BY similar(description, 'Practical Rust') DESC" in suql


def test_whether_people_like_a_course_is_asked_of_it(parser: BuiltinParser) -> None:
    assert "NOT" not in parser.parse("do people like Practical Rust", ("courses",)).suql


def test_the_courses_of_a_person_are_searched_for(parser: BuiltinParser) -> None:
    frame = parser.frame("what are the best rated 2 courses by Osric Pemberley", ("courses",))
    assert (frame.presentation, frame.limit, [term.column for term in frame.order]) == ("list", 2, ["average_rating"])


@pytest.mark.parametrize("words", ["courses taught by Professor Pemberley", "what does Dr. Pemberly teach in spring?"])
def test_a_surname_after_a_title_is_the_whole_name(parser: BuiltinParser, words: str) -> None:
    assert "'Osric Pemberley' = ANY(" in parser.parse(words, ("courses", "offerings", "ratings")).suql


@pytest.mark.parametrize("words", ["how many courses is Professor Pemberley teaching", "how many does Pemberley teach"])
def test_that_somebody_teaches_asks_no_more_of_what_they_teach(parser: BuiltinParser, words: str) -> None:
    suql = parser.parse(words, ("courses", "offerings", "ratings")).suql
    assert "'Osric Pemberley' = ANY(offerings.instructor_names)" in suql
    assert "answer(" not in suql


def test_who_wants_to_find_out_about_a_course_asks(parser: BuiltinParser) -> None:
    suql = parser.parse("I'm trying to figure out how many units CS 140 has", ("courses",)).suql
    assert suql.startswith("SELECT title, min_units, max_units FROM courses WHERE ")


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("are the lectures of the rust class recorded?", "Practical Rust"),
        ("does the practical workshop have exams?", "Practical Rust"),
        ("when does the operating one meet?", "Operating Systems"),
    ],
)
def test_a_word_of_its_title_names_a_course(parser: BuiltinParser, words: str, title: str) -> None:
    suql = parser.parse(words, ("courses", "offerings", "ratings")).suql
    assert f"courses.title = '{title}'" in suql


def test_the_best_of_what_somebody_teaches_is_looked_for(parser: BuiltinParser) -> None:
    suql = parser.parse("what's the best rated class Pemberley teaches", ("courses", "offerings", "ratings")).suql
    assert "'Osric Pemberley' = ANY(ratings.instructor_names)" in suql
    assert suql.endswith("ORDER BY ratings.average_rating DESC NULLS LAST LIMIT 1")


@pytest.mark.parametrize(
    "words",
    ["who's the better teacher for Operating Systems?", "which professor is better for CS 140?"],
)
def test_the_better_of_those_who_teach_is_told_by_their_ratings(parser: BuiltinParser, words: str) -> None:
    frame = parser.frame(words, ("courses", "offerings", "ratings"))
    told = [(item.table, item.column) for item in frame.projections]
    assert told == [("ratings", "instructor_names"), ("ratings", "average_rating")]


def test_how_a_professor_is_is_asked_without_the_title(parser: BuiltinParser) -> None:
    suql = parser.parse("hows prof Pemberley", ("courses", "offerings", "ratings")).suql
    assert "answer(ratings.reviews, 'how is this course''s instructor?')" in suql
