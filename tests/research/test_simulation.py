"""Simulated users: what they want, how they put it, and what counts as done."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from agent.worksheets import applications
from hybridchat.research.lines import read_lines
from hybridchat.research.management.commands.evaluate import SETS
from hybridchat.research.simulation import SimulatedUser
from hybridchat.research.simulation_goals import STYLES, Goal, achieved, leaves, variations
from hybridchat.research.simulation_wording import Voice

pytestmark = pytest.mark.django_db

RESTAURANTS = applications.load("restaurants")
COURSES = applications.load("courses")
WANTED = {"restaurant": "blue-door", "date": "2026-11-27", "time": "19:00", "number_of_people": 4}
TITLES = {"blue-door": "The Blue Door"}


def goal(**told: Any) -> Goal:
    tasks = [{"worksheet": "BookRestaurant", "values": WANTED}]
    item = {"id": "g", "assistant": "restaurants", "behaviour": "plain", "style": "terse", "tasks": tasks}
    return Goal.of({**item, **told})


def user(**told: Any) -> SimulatedUser:
    return SimulatedUser(goal(**told), RESTAURANTS, TITLES, datetime(2026, 11, 20, 10))


def report(kind: str = "", field: str = "", *, effects: int = 0, **values: Any) -> dict[str, Any]:
    act = {"act": kind, "worksheet": "BookRestaurant", "field": field, "values": values, "text": ""}
    done = {"worksheet": "BookRestaurant", "values": WANTED, "result": {"booking_id": "K7QX4M"}}
    return {"acts": [act] if kind else [], "effects": [done] * effects}


def effect(**changed: Any) -> dict[str, Any]:
    return {"worksheet": "BookRestaurant", "values": WANTED | changed, "result": {}}


def test_every_goal_of_the_set_can_be_had() -> None:
    goals = [Goal.of(item) for item in read_lines(str(SETS / "goals.jsonl"), "id")]
    assert len({one.id for one in goals}) == len(goals) >= 60
    for one in goals:
        specification = applications.load(one.assistant)
        for task in one.tasks:
            assert list(leaves(specification, task.worksheet, task.values)), one.id
        assert one.style in STYLES


def test_a_goal_is_achieved_by_exactly_its_values() -> None:
    assert achieved(goal(), [effect()], RESTAURANTS)
    assert not achieved(goal(), [effect(number_of_people=5)], RESTAURANTS)
    assert not achieved(goal(), [effect(special_request_info="a window seat")], RESTAURANTS)
    assert not achieved(goal(), [], RESTAURANTS)
    assert not achieved(goal(), [effect(), effect()], RESTAURANTS)


def test_a_number_is_no_text_of_it() -> None:
    assert not achieved(goal(), [effect(number_of_people="4")], RESTAURANTS)


def test_a_goal_that_is_given_up_wants_no_effect() -> None:
    given_up = goal(tasks=[{"worksheet": "BookRestaurant", "values": WANTED, "outcome": "none"}])
    assert achieved(given_up, [], RESTAURANTS)
    assert not achieved(given_up, [effect()], RESTAURANTS)


def test_a_yes_that_only_leads_on_does_not_count() -> None:
    course = {"course_name": "CS 101", "grade_type": "Letter", "course_num_units": 3}
    wanted = {"courses_to_take": {"course_0_details": course}}
    got = {"courses_to_take": {"course_0_details": course, "more_courses_2": False}}
    told = goal(assistant="courses", tasks=[{"worksheet": "Main", "values": wanted}])
    assert achieved(told, [{"worksheet": "Main", "values": got, "result": {}}], COURSES)


def test_the_user_says_yes_only_to_what_is_wanted() -> None:
    talking = user(tells=4)
    talking.begin()
    agreed = {"yes", "yes please", "looks good, go ahead", "that's correct", "yep, do it", "all good"}
    assert "5" not in str(talking.reply(report("CONFIRM", "confirm", **WANTED | {"number_of_people": 5})))
    assert talking.reply(report("CONFIRM", "confirm", **WANTED)) in agreed | {"perfect, please confirm"}


def test_the_user_removes_what_was_never_wanted() -> None:
    talking = user(tells=4)
    talking.begin()
    shown = WANTED | {"special_request_info": "no, nothing"}
    assert talking.reply(report("CONFIRM", "confirm", **shown)) == "please remove the special request"


def test_the_user_answers_what_is_asked_and_stops_when_it_is_done() -> None:
    talking = user(tells=0)
    talking.begin()
    assert talking.reply(report("ASK", "restaurant")) == "The Blue Door"
    assert talking.reply(report(effects=1)) is None


def test_what_is_said_first_is_corrected_when_it_is_shown() -> None:
    talking = user(tells=4, first={"number_of_people": 2}, when="confirm")
    talking.begin()
    said = talking.reply(report("CONFIRM", "confirm", **WANTED | {"number_of_people": 2}))
    assert said is not None
    assert "4" in said or "four" in said


def test_the_same_goal_talks_the_same_twice_and_its_variations_do_not() -> None:
    assert user(style="chatty").begin() == user(style="chatty").begin()
    assert [one.id for one in variations(goal(), 3)] == ["g", "g~1", "g~2"]
    assert len({one.style for one in variations(goal(), 3)}) == 3


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("date", "2026-11-21", {"tomorrow", "Saturday"}),
        ("date", "2026-11-20", {"today", "tonight"}),
        ("time", "12:00", {"noon", "12:00", "12 noon"}),
    ],
)
def test_values_are_put_as_people_do(field: str, value: str, words: set[str]) -> None:
    declared = RESTAURANTS.by_name["BookRestaurant"].by_name[field]
    said = {Voice(str(seed), "plain", date(2026, 11, 20)).value(declared, value) for seed in range(30)}
    assert said == words


def test_simulated_users_book_for_real_and_leave_nothing_behind(run: Callable[..., str]) -> None:
    from hybridchat.effects.models import Receipt, Reservation

    printed = json.loads(run("evaluate", "dialogue", "--only=r-two-2", "--json"))
    (held,) = printed["conversations"]
    assert held["completed"], [turn["agent"] for turn in held["said"]]
    assert (printed["summary"]["tasks_completed"], printed["summary"]["effects_without_confirmation"]) == (2, 0)
    assert not Reservation.objects.exists()
    assert not Receipt.objects.exists()


def test_a_conversation_is_said_again(run: Callable[..., str], tmp_path: Path) -> None:
    said = ["Book Proof & Peel for 3 on December 5 at 12:30", "skip that", "yes"]
    item = {"id": "one", "assistant": "restaurants", "turns": [{"user": one, "agent": "…"} for one in said]}
    path = tmp_path / "dialogues.jsonl"
    path.write_text(json.dumps(item), encoding="utf-8")
    printed = json.loads(run("evaluate", "dialogue", source=str(path), json=True))
    assert printed["summary"]["turns"] == 3
    assert printed["summary"]["tasks_completed"] == 1
    assert printed["summary"]["acts"]["CONFIRM"] == 1
