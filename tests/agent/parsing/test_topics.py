"""What a course is about: its title first, then what its description comes nearest to."""

from __future__ import annotations

import pytest

from agent.parsing.parser import BuiltinParser


def suql(parser: BuiltinParser, utterance: str) -> str:
    return parser.parse(utterance, ("courses",)).suql


def test_the_most_fitting_of_many_come_first(parser: BuiltinParser) -> None:
    written = suql(parser, "classes about astronomy")
    fitting = "ORDER BY similar(description, 'astronomy') + (title ILIKE '%astronomy%')::int DESC LIMIT 3"
    assert written.endswith(fitting)
    assert "similar(" not in suql(parser, "how many courses are about astronomy?")
    assert "similar(" not in suql(parser, "classes about astronomy with the fewest hours per week")


@pytest.mark.parametrize(
    ("utterance", "pattern"),
    [
        ("courses on distributed databases", "'%distributed%database%'"),  # "Distributed and Parallel Databases"
        ("a course about planets", "'%planet%'"),
        ("embedded programming courses", "'%embedded%'"),  # the field is not what tells it apart
        ("networking courses", "'%network%'"),
        ("graphics courses", "'%graphics%'"),  # and not "Graphical Models"
    ],
)
def test_a_title_has_the_words_that_tell_a_topic_apart(parser: BuiltinParser, utterance: str, pattern: str) -> None:
    assert f"title ILIKE {pattern}" in suql(parser, utterance)


def test_a_short_word_that_is_part_of_many_others_is_not_looked_for_in_titles(parser: BuiltinParser) -> None:
    assert "ILIKE" not in suql(parser, "courses about art")
    assert "title ILIKE '%web%'" in suql(parser, "courses about the web")


@pytest.mark.parametrize(
    "utterance", ["classes on robotics, ethics or law", "anything about robotics or ethics or law?"]
)
def test_a_list_that_or_closes_gives_alternatives(parser: BuiltinParser, utterance: str) -> None:
    where = suql(parser, utterance).partition(" WHERE ")[2]
    assert where.count(" OR (title") == 2
    assert ") AND (" not in where


def test_what_a_course_should_not_be_about_need_not_be_denied_by_its_description(parser: BuiltinParser) -> None:
    written = suql(parser, "courses on statistics, but not about finance")
    denied = (
        "(NOT title ILIKE '%finance%' AND answer(description, 'is this course about finance?') IS DISTINCT FROM 'Yes')"
    )
    assert denied in written
    assert "similar(description, 'finance')" not in written


@pytest.mark.parametrize(
    ("utterance", "question"),
    [
        ("courses without quizzes", "is this course free of exams?"),
        ("a class with team projects", "does this course have group work?"),
        ("classes that never make me write any code", "is this course free of programming?"),
        ("classes where you don't program", "is this course free of programming?"),
        ("where the homework is returned within three days", "is feedback in this course fast?"),
        ("courses with prompt grading", "is feedback in this course fast?"),
        ("courses that landed people internships", "is this course useful for jobs?"),
    ],
)
def test_a_fact_of_how_a_course_goes_is_looked_for_in_both_texts(
    parser: BuiltinParser, utterance: str, question: str
) -> None:
    asked = f"(answer(courses.description, '{question}') = 'Yes' OR answer(ratings.reviews, '{question}') = 'Yes')"
    assert asked in suql(parser, utterance)


def test_what_only_students_can_say_is_asked_of_them_alone(parser: BuiltinParser) -> None:
    assert "description" not in suql(parser, "courses with fun lectures")


def test_a_subject_that_is_an_area_of_study_holds_of_what_belongs_to_it(parser: BuiltinParser) -> None:
    assert "breadth_requirement = 'systems'" in suql(parser, "winter systems courses")
    assert "breadth_requirement" not in suql(parser, "winter operating systems courses")
    assert "breadth_requirement" not in suql(parser, "courses about distributed systems")


@pytest.mark.parametrize("often", ["", " a week", " each week", " weekly"])
def test_how_often_hours_are_spent_is_no_subject(parser: BuiltinParser, often: str) -> None:
    written = suql(parser, f"the class that needs the least hours{often}")
    assert written == "SELECT * FROM courses ORDER BY average_hours_spent ASC LIMIT 1"


def test_a_list_that_or_closes_has_alternatives_whatever_they_are_called(parser: BuiltinParser) -> None:
    written = suql(parser, "anything about painting, sound or dance")
    assert "about painting?') = 'Yes') OR (" in written
    assert "about sound?') = 'Yes') OR (" in written


def test_what_is_designed_is_named_and_not_for_whom(parser: BuiltinParser) -> None:
    written = suql(parser, "something about designing for older drivers")
    assert "is this course about designing for older drivers?" in written
    assert "'%for%" not in written


def test_a_long_topic_is_looked_for_in_no_title(parser: BuiltinParser) -> None:
    assert "ILIKE" not in suql(parser, "a course about keeping large bridges safe in storms")


@pytest.mark.parametrize("words", ["proof-y theory courses", "theory courses that are math-heavy"])
def test_what_students_say_of_a_subject_is_not_part_of_it(parser: BuiltinParser, words: str) -> None:
    written = suql(parser, words)
    assert "'does this course involve a lot of math?') = 'Yes'" in written
    assert "'is this course about theoretical computer science?') = 'Yes'" in written


@pytest.mark.parametrize(
    ("words", "column", "value"),
    [
        ("a course that counts for ER", "general_requirements", "WAY-ER"),
        ("a Ways ethics course in spring", "general_requirements", "WAY-ER"),
        ("courses for the ethics way", "general_requirements", "WAY-ER"),
        ("courses in the society breadth area", "breadth_requirement", "people_and_society"),
    ],
)
def test_a_requirement_is_known_by_its_short_names(parser: BuiltinParser, words: str, column: str, value: str) -> None:
    where = suql(parser, words).partition(" WHERE ")[2]
    assert column in where
    assert f"'{value}'" in where
    assert "answer(" not in where
