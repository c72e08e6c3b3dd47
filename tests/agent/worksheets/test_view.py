"""The panel: what is open, what is filled in, how far it is, and what waits for a yes."""

from __future__ import annotations

import json

from agent.worksheets.applications import load
from agent.worksheets.statements import Decline, Fill, Pick, Start
from agent.worksheets.update import Found
from agent.worksheets.view import view
from tests.agent.worksheets.bench import BOOK, BOOKING, ENROLLMENT, NOPA, NOW, ZUNI, Bench, assign, yes

B = "book_restaurant_1"
PICKED = Pick(instance=B, field="restaurant", table="restaurants", key="nopa", title="Nopa")


async def test_a_task_is_shown_with_its_fields_in_order() -> None:
    bench = Bench()
    await bench.say(BOOK, assign(f"{B}.date", "2026-11-27"), assign(f"{B}.number_of_people", 0))
    (task,) = view(bench.state, BOOKING, NOW)
    assert (task["title"], task["focus"], task["progress"]) == ("reservation", True, {"done": 1, "left": 3})
    shown = {item["name"]: (item["type"], item["status"], item["value"], item["words"]) for item in task["fields"]}
    assert list(shown) == ["restaurant", "date", "time", "number_of_people", "special_request_info"]
    assert shown["date"] == ("date", "set", "2026-11-27", "Friday, November 27")
    assert shown["number_of_people"] == ("int", "unset", None, "")
    assert shown["restaurant"][0] == "entity"


async def test_routers_are_not_shown_and_finished_tasks_only_when_asked_for() -> None:
    bench = Bench()
    values = (assign(f"{B}.date", "2026-11-27"), assign(f"{B}.time", "19:30"), assign(f"{B}.number_of_people", 2))
    await bench.say(BOOK, PICKED, *values)
    await bench.say(yes(B))
    assert view(bench.state, BOOKING, NOW) == []
    (task,) = view(bench.state, BOOKING, NOW, done=True)
    assert (task["status"], task["sentence"]) == ("done", "It is done.")


async def test_the_confirmation_carries_the_digest_that_a_button_sends() -> None:
    bench = Bench()
    values = (assign(f"{B}.date", "2026-11-27"), assign(f"{B}.time", "19:30"), assign(f"{B}.number_of_people", 2))
    await bench.say(BOOK, PICKED, *values)
    waits = view(bench.state, BOOKING, NOW)[0]["confirmation"]
    assert waits["whole"]
    await bench.say(yes(waits["instance"], field=waits["field"], digest=waits["digest"]))
    assert len(bench.ran) == 1


async def test_nested_worksheets_are_shown_inside_and_count() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"), Start(worksheet="Course", instance="course_1"))
    await bench.say(assign("course_1.course_name", "CS 110"))
    (task,) = view(bench.state, ENROLLMENT, NOW)
    courses = task["fields"][0]["nested"][0]
    course = courses["fields"][0]["nested"][0]
    assert course["instance"] == "course_1"
    assert [item["status"] for item in course["fields"]] == ["set", "unset"]
    assert task["progress"] == {"done": 1, "left": 2}


async def test_a_further_course_is_shown_once_the_one_before_is_finished() -> None:
    bench = Bench(ENROLLMENT)
    await bench.say(Start(worksheet="Main", instance="main_1"), Start(worksheet="Course", instance="course_1"))
    await bench.say(assign("course_1.course_name", "CS 110"))
    assert _courses(bench) == ["course_0_details"]
    await bench.say(assign("course_1.grade_type", "Letter"))
    assert _courses(bench) == ["course_0_details", "more_courses_1", "course_1_details"]


def _courses(bench: Bench) -> list[str]:
    (task,) = view(bench.state, ENROLLMENT, NOW)
    return [item["name"] for item in task["fields"][0]["nested"][0]["fields"]]


async def test_candidates_and_refusals_are_told_apart() -> None:
    bench = Bench()
    await bench.say(
        BOOK,
        Fill(instance=B, field="restaurant", question=0),
        Decline(instance=B, field="special_request_info"),
        found={0: Found((NOPA, ZUNI))},
    )
    shown = {item["name"]: item for item in view(bench.state, BOOKING, NOW)[0]["fields"]}
    assert [item["key"] for item in shown["restaurant"]["candidates"]] == ["nopa", "zuni"]
    assert shown["special_request_info"]["status"] == "refused"


async def test_the_view_is_plain_data() -> None:
    bench = Bench()
    await bench.say(BOOK, PICKED)
    assert json.loads(json.dumps(view(bench.state, BOOKING, NOW))) == view(bench.state, BOOKING, NOW)


async def test_what_is_required_and_not_opened_yet_counts_as_not_done() -> None:
    bench = Bench(load("courses"))
    await bench.say(Start(worksheet="Main", instance="main_1"))
    (task,) = view(bench.state, load("courses"), NOW)
    assert task["progress"] == {"done": 0, "left": 7}  # a course's three values, and four of the student
    await bench.say(Start(worksheet="StudentInfo", instance="student_1"))
    (task,) = view(bench.state, load("courses"), NOW)
    assert task["progress"] == {"done": 0, "left": 7}


async def test_a_confirmation_of_a_part_is_not_taken_for_the_whole() -> None:
    bench = Bench(load("courses"))
    await bench.say(Start(worksheet="Main", instance="main_1"), Start(worksheet="Course", instance="course_1"))
    values = {"course_name": "CS 110", "grade_type": "Letter", "course_num_units": 3}
    await bench.say(*(assign(f"course_1.{name}", value) for name, value in values.items()))
    courses = next(item.name for item in bench.state.instances if item.worksheet == "CoursesToTake")
    await bench.say(Decline(instance=courses, field="course_1_details"))
    (task,) = view(bench.state, load("courses"), NOW)
    assert task["confirmation"]["instance"] == courses
    assert not task["confirmation"]["whole"]
    assert task["progress"] == {"done": 3, "left": 4}
