"""Quarters by the clock, and course numbers without their department."""

from datetime import datetime

import pytest

from agent.parsing.dialogue.codes import departments, with_departments, with_season

CODES = ("CS 131", "CS 210", "CS 42", "MATH 221", "EE 221", "CS 101", "CS 152", "PHIL 152", "CS 9")


@pytest.mark.parametrize(
    ("month", "words", "said"),
    [
        (11, "what is offered next quarter?", "what is offered winter?"),
        (11, "courses this term", "courses autumn"),
        (1, "next quarter", "spring"),
        (12, "next term", "winter"),
        (6, "the upcoming quarter", "summer"),
        (8, "next quarter", "autumn"),
        (11, "a quarter of the students", "a quarter of the students"),
    ],
)
def test_the_clock_tells_which_quarter_is_meant(month: int, words: str, said: str) -> None:
    assert with_season(words, datetime(2026, month, 20)) == said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("can I take 210 and 131 together?", "can I take CS 210 and CS 131 together?"),
        ("I've done 101, 131 and 210", "I've done CS 101, CS 131 and CS 210"),
        ("I've taken 221", "I've taken 221"),  # two departments have one
        ("take 999", "take 999"),
        ("it had 210 students", "it had 210 students"),
        ("I've taken 152", "I've taken CS 152"),  # nearly all are of one department
        ("I have CS 101, 131 and 210 behind me", "I have CS 101, CS 131 and CS 210 behind me"),
        ("is cs 210 gentler than 131?", "is cs 210 gentler than CS 131?"),
        ("210 or 131 for spring?", "CS 210 or CS 131 for spring?"),
        ("between 210 and 42", "between CS 210 and CS 42"),
        ("only 101 so far", "only 101 so far"),
        ("after only 101", "after only CS 101"),
        ("CS 101 and 42 hours", "CS 101 and 42 hours"),
        ("MATH 221 and 131", "MATH 221 and 131"),
        ("a capacity of 131, 210", "a capacity of 131, 210"),
        ("does 210 have a lab?", "does CS 210 have a lab?"),
    ],
)
def test_a_number_that_one_department_has_is_its_own(words: str, said: str) -> None:
    assert with_departments(words, departments(CODES)) == said
