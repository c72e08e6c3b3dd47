"""What has to be open for the tasks that a message begins."""

from __future__ import annotations

import pytest

from agent.backends.prompted.openings import Beginning, Openings
from agent.worksheets.applications import load
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Start


@pytest.fixture
def openings() -> Openings:
    specification = load("courses")
    return Openings(DialogueState(application="courses", version=1), specification)


def test_what_several_tasks_are_nested_in_is_opened_once_for_all(openings):
    opened = openings.open(
        [
            Beginning("course_1", "Course", "courses_to_take_1.course_0_details", "CS 11"),
            Beginning("course_2", "Course", "courses_to_take_1.course_1_details", "CS 13"),
        ]
    )
    assert [(item.instance, item.parent) for item in opened if isinstance(item, Start)] == [
        ("main_1", ""),
        ("courses_to_take_1", "main_1.courses_to_take"),
        ("course_1", "courses_to_take_1.course_0_details"),
        ("course_2", "courses_to_take_1.course_1_details"),
    ]


def test_a_place_in_nothing_that_is_known_is_refused(openings):
    with pytest.raises(ValueError, match="there is no instance 'shopping_list_1'"):
        openings.open([Beginning("course_1", "Course", "shopping_list_1.course_0_details", "CS 11")])
