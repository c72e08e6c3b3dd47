"""After one course was shown: another that is only described, the other end of an order, what is set aside, seats."""

import pytest

from agent.language import PastQuery, PastTurn
from tests.agent.dialogue.test_interpreter import COURSES, SYSTEMS, Talker

HARDEST = PastQuery(
    question="which course has the most hours",
    suql="SELECT * FROM courses ORDER BY average_hours_spent DESC NULLS LAST LIMIT 1",
    table="courses",
    keys=("CS 140",),
    titles=("Operating Systems",),
    frame={
        "tables": ("courses",),
        "order": ({"table": "courses", "column": "average_hours_spent", "descending": True},),
        "limit": 1,
    },
)
NEEDS = PastQuery(
    question="what does it need",
    suql="SELECT title, prerequisite_course_codes FROM courses WHERE code IN ('CS 140')",
    table="courses",
    keys=("CS 140",),
    titles=("Operating Systems",),
    presentation="detail",
    frame={
        "tables": ("courses",),
        "among": ("CS 140",),
        "projections": ({"table": "courses", "column": "prerequisite_course_codes"},),
        "presentation": "detail",
    },
)
WHO = PastQuery(
    question="who teaches systems",
    suql="SELECT title, instructor_names FROM courses",
    table="courses",
    keys=("CS 140", "CS 152"),
    titles=("Operating Systems", "Machine Learning"),
    rows=({"instructor_names": ["Osric Pemberley"]}, {"instructor_names": ["Aino Lehtovaara"]}),
    presentation="detail",
    frame={
        "tables": ("courses", "offerings"),
        "projections": ({"table": "offerings", "column": "instructor_names"},),
        "presentation": "detail",
    },
)


def after(shown: PastQuery, message: str) -> list[str]:
    """What is asked of the database after a query of courses."""
    talker = Talker("courses", COURSES)
    talker.past = (PastTurn(user=shown.question, agent="", queries=(shown,)),)
    held = talker._conversation()
    return [talker.interpreter.parse(one, held).suql for one in talker.understand(message).questions]


@pytest.mark.parametrize(
    "message",
    [
        "does the rust one have exams?",
        "does the rust one have its exams in class",
        "and are there exams in the practical one?",
    ],
)
def test_a_course_that_is_only_described_need_not_have_been_shown(message: str) -> None:
    (suql,) = after(SYSTEMS, message)
    assert "title = 'Practical Rust'" in suql
    assert "CS 140" not in suql


def test_the_one_shown_is_meant_by_what_its_name_says() -> None:
    (suql,) = after(SYSTEMS, "does the operating one have exams?")
    assert "code IN ('CS 140')" in suql


def test_the_same_is_asked_of_another_by_a_word_of_its_name() -> None:
    (suql,) = after(NEEDS, "ok what about rust then?")
    assert suql == "SELECT title, prerequisite_course_codes FROM courses WHERE title = 'Practical Rust'"
    (other,) = after(NEEDS, "ok what about the exams then?")
    assert "Practical Rust" not in other


@pytest.mark.parametrize("message", ["and the easiest?", "what about the easiest one"])
def test_the_other_end_of_an_order_is_of_the_same_search(message: str) -> None:
    (suql,) = after(HARDEST, message)
    assert suql == "SELECT * FROM courses ORDER BY average_hours_spent ASC LIMIT 1"


@pytest.mark.parametrize("message", ["not counting that full time thing", "apart from that one", "ok, besides that"])
def test_what_is_set_aside_is_what_was_shown(message: str) -> None:
    (suql,) = after(HARDEST, message)
    assert "WHERE code NOT IN ('CS 140') ORDER BY average_hours_spent DESC" in suql
    assert "enrolled" not in suql


def test_seats_are_counted_of_the_one_shown() -> None:
    (suql,) = after(SYSTEMS, "how many seats are left in winter?")
    assert suql.startswith("SELECT DISTINCT courses.title, offerings.capacity, offerings.enrolled FROM")
    assert "code IN ('CS 140') AND offerings.season = 'winter'" in suql
    (other,) = after(SYSTEMS, "how many seats does chemistry have?")
    assert "CS 140" not in other


def test_what_a_person_makes_of_it_is_asked_of_the_rows_told_with_that_person() -> None:
    (suql,) = after(WHO, "is Pemberley's version harder?")
    assert "code IN ('CS 140') AND 'Osric Pemberley' = ANY(ratings.instructor_names)" in suql
    assert "'is this course hard?'" in suql


def test_others_than_one_leave_out_that_one() -> None:
    listed = WHO.model_copy(update={"presentation": "list"})
    (suql,) = after(listed, "what does he teach other than CS 140?")
    assert "NOT IN ('CS 140')" in suql


def test_the_first_of_all_is_no_part_of_what_was_named() -> None:
    first, second = after(SYSTEMS, "how many hours is Machine Learning and which course has the least work of all?")
    assert "title = 'Machine Learning'" in first
    assert second == "SELECT * FROM courses ORDER BY average_hours_spent ASC LIMIT 1"


def test_what_points_to_nothing_is_no_general_knowledge() -> None:
    talker = Talker("courses", COURSES)
    empty = SYSTEMS.model_copy(update={"keys": (), "titles": ()})
    talker.past = (PastTurn(user="courses on tea", agent="", queries=(empty,)),)
    assert talker.understand("when is that").chat != "general"


def test_what_was_asked_of_one_and_of_those_shown_are_two() -> None:
    first, second = after(WHO, "does the rust one need another class first? and which of these is the least work")
    assert first == "SELECT title, prerequisite_course_codes FROM courses WHERE title = 'Practical Rust'"
    assert second == "SELECT * FROM courses WHERE code IN ('CS 140', 'CS 152') ORDER BY average_hours_spent ASC LIMIT 1"


@pytest.mark.parametrize("joint", [", is it hard?", ".. is it hard", " - is it hard?", ": is it hard"])
def test_what_is_described_before_a_question_stands_in_it(joint: str) -> None:
    (suql,) = after(SYSTEMS, "the rust one" + joint)
    assert "title = 'Practical Rust'" in suql
    assert "'is this course hard?'" in suql


def test_seats_in_another_are_counted_by_part_of_its_name() -> None:
    (suql,) = after(SYSTEMS, "any room in machine learning?")
    assert "courses.title = 'Machine Learning'" in suql
    assert "offerings.capacity, offerings.enrolled" in suql


@pytest.mark.parametrize("message", ["and which has the fewest", "the least?", "what about the lowest one"])
def test_the_fewest_is_of_what_the_order_was_by(message: str) -> None:
    (suql,) = after(HARDEST, message)
    assert suql == "SELECT * FROM courses ORDER BY average_hours_spent ASC LIMIT 1"
