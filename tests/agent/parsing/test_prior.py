"""Courses that have to come first, by their titles; and the days and times that somebody cannot come."""

import pytest

from agent.parsing.parser import BuiltinParser
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY

NEEDS_OS, NEEDS_ML = ("'CS 140' = ANY(prerequisite_course_codes)", "'CS 152' = ANY(prerequisite_course_codes)")


@pytest.fixture(scope="module")
def parser() -> BuiltinParser:
    return BuiltinParser(catalogue(), MEMORY, GAZETTEER)


def conditions(parser: BuiltinParser, question: str) -> str:
    """What comes after WHERE, without the names of tables."""
    suql = parser.parse(question, ("courses",)).suql.replace("courses.", "").replace("offerings.", "")
    return suql.partition(" WHERE ")[2].partition(" ORDER ")[0].partition(" LIMIT ")[0]


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("which courses don't list machine learning as a prereq?", f"NOT {NEEDS_ML}"),
        ("courses open to someone who hasn't taken operating systems yet", f"NOT {NEEDS_OS}"),
        ("which courses are there without having done operating systems first?", f"NOT {NEEDS_OS}"),
        ("courses that require ML", NEEDS_ML),
        ("courses not requiring ML", f"NOT {NEEDS_ML}"),
        ("what can I take after finishing operating systems?", NEEDS_OS),
        ("I've never taken OS or machine learning, what can I take?", f"(NOT {NEEDS_OS} AND NOT {NEEDS_ML})"),
        ("courses that don't list CS 140 as a prerequisite", f"NOT {NEEDS_OS}"),
    ],
)
def test_a_title_is_a_prerequisite(parser: BuiltinParser, question: str, where: str) -> None:
    assert conditions(parser, question) == where


@pytest.mark.parametrize(
    "question",
    [
        "I've only done CS 101 and machine learning, what can I take next?",
        "so far I have taken CS 101 and the machine learning course. What may I take?",
    ],
)
def test_a_title_goes_on_with_a_list_of_codes(parser: BuiltinParser, question: str) -> None:
    taken = "ARRAY['CS 101', 'CS 152']"
    assert conditions(parser, question).startswith(f"(prerequisite_course_codes <@ {taken} AND NOT")


def test_a_subject_wanted_beside_a_code_is_no_prerequisite(parser: BuiltinParser) -> None:
    assert "CS 152" not in conditions(parser, "I took CS 101 and want something about machine learning")


def test_what_somebody_only_did_is_all_that_may_be_needed(parser: BuiltinParser) -> None:
    within = "(prerequisite_course_codes <@ ARRAY['CS 152'] AND NOT 'CS 152' = ANY(course_codes))"
    assert conditions(parser, "I only did machine learning so far, what can I take?") == within


@pytest.mark.parametrize(
    "question",
    [
        "a course that does not require much reading",
        "courses after 1 pm",
        "I took machine learning and loved it, anything similar?",
        "a 4 unit course without machine learning",
    ],
)
def test_other_things_are_no_prerequisites(parser: BuiltinParser, question: str) -> None:
    assert "prerequisite" not in conditions(parser, question)


def test_what_a_course_needs_is_told_whatever_was_taken(parser: BuiltinParser) -> None:
    suql = parser.parse("what do I need to take before operating systems? I've only done CS 101", ("courses",)).suql
    assert suql == "SELECT title, prerequisite_course_codes FROM courses WHERE title = 'Operating Systems'"


@pytest.mark.parametrize(
    ("question", "where"),
    [
        ("I work fridays, any 4 unit course?", "course_id = course_id AND 'Fri' = ANY(days)"),
        ("I can't do evenings. courses in spring", "start_time < '17:00'"),
        ("I'm busy on Mondays and Wednesdays. courses in spring", "NOT 'Mon' = ANY(days)"),
        ("I'm busy on Mondays and Wednesdays. courses in spring", "NOT 'Wed' = ANY(days)"),
        ("I can do Fridays. courses in spring", "'Fri' = ANY(days)"),
    ],
)
def test_when_somebody_cannot_come(parser: BuiltinParser, question: str, where: str) -> None:
    found = conditions(parser, question)
    assert where in found
    assert ("NOT " in found) == ("NOT " in where or "EXISTS" in found)


def test_an_area_is_left_out_with_what_is_about_it(parser: BuiltinParser) -> None:
    found = conditions(parser, "4 unit courses in winter, not theory")
    assert "breadth_requirement IS DISTINCT FROM 'formal_foundations'" in found
    assert "NOT title ILIKE '%theory%'" in found


@pytest.mark.parametrize(
    ("question", "titles"),
    [
        ("is machine learning or operating systems better rated?", ("Machine Learning", "Operating Systems")),
        ("which is harder, CS 140 or practical rust?", ("Practical Rust",)),
    ],
)
def test_both_that_are_compared_are_named(parser: BuiltinParser, question: str, titles: tuple[str, ...]) -> None:
    assert all(f"'{title}'" in conditions(parser, question) for title in titles)


def test_a_weekend_is_its_days(parser: BuiltinParser) -> None:
    either = "('Sat' = ANY(days) OR 'Sun' = ANY(days))"
    assert f"NOT {either}" in conditions(parser, "courses in winter that are not on a weekend")
    assert conditions(parser, "courses on weekends").startswith(either)


def test_what_goes_on_with_whatever_are_alternatives(parser: BuiltinParser) -> None:
    found = conditions(parser, "a course about robotics, graphics or whatever")
    assert " OR " in found.replace("title ILIKE '%robot%' OR", "").replace("title ILIKE '%graphics%' OR", "")


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("show me the bottom 3 courses by rating", "ORDER BY min(ratings.average_rating) ASC"),
        ("show me the top 3 courses by rating", "ORDER BY max(ratings.average_rating) DESC"),
    ],
)
def test_the_bottom_of_an_order_comes_last(parser: BuiltinParser, question: str, order: str) -> None:
    assert order in parser.parse(question, ("courses",)).suql


def test_what_is_told_of_the_first_of_an_order_names_what_orders_it(parser: BuiltinParser) -> None:
    suql = parser.parse("who teaches the course with the fewest hours?", ("courses",)).suql
    assert suql.startswith("SELECT DISTINCT courses.title, offerings.instructor_names, courses.average_hours_spent")
    assert suql.endswith("ORDER BY courses.average_hours_spent ASC LIMIT 1")


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("the quietest place in Cupertino", "is this restaurant quiet?"),
        ("a really good bowl of pho in Cupertino", "does this restaurant serve pho?"),
    ],
)
def test_what_is_wished_for_is_asked_plainly(parser: BuiltinParser, question: str, asked: str) -> None:
    assert f"'{asked}') = 'Yes'" in parser.parse(question, ("restaurants",)).suql
