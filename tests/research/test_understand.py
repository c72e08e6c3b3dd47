"""`manage.py understand`: states and messages in, statements in the notation out, by either backend."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError

from agent.backends.openai import ModelSettings, OpenAILanguage
from agent.worksheets import applications
from hybridchat.research.understand import Application, UnknownApplication, application, understood
from tests.agent.language.model_server import ModelServer, Say
from tests.research.conftest import Run, Write

NOW = datetime(2026, 11, 20, 10, 0)
KNOWN = {name: Application(applications.load(name)) for name in (*applications.ASSISTANTS, *applications.STAR)}
KNOWN["restaurants"] = Application(KNOWN["restaurants"].specification, ("restaurants",))
BOOKING = "BookRestaurant(restaurant=Restaurant(id='x', name='X'), date='2026-11-27', time='20:00', number_of_people=2)"


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("restaurants", "restaurants"),
        ("restaurant", "restaurants"),
        ("Restaurant Reservation", "restaurants"),
        ("course_enrollment", "courses"),
        ("CourseEnroll", "courses"),
        ("ticket_submission", "services"),
        ("student_services", "services"),
        ("bank", "bank_fraud_report"),
        ("trip", "trip_directions"),
        ("trivia_game", "trivia"),
    ],
)
def test_an_application_goes_by_words_of_its_name_or_its_worksheets(name: str, slug: str) -> None:
    assert application(name, KNOWN).specification.name == slug


def test_a_name_that_means_no_application_is_an_error_that_lists_them() -> None:
    with pytest.raises(UnknownApplication, match=r"no application 'poetry'.*courses"):
        application("poetry", KNOWN)


# -- with a model -----------------------------------------------------------------------------------------------------

Understands = Callable[..., Any]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    server = ModelServer()
    yield server
    server.close()


@pytest.fixture
def statements(server: ModelServer) -> Understands:
    """What comes of an item, where the model writes the given changes and questions."""

    async def run(item: dict[str, Any], *changes: tuple[Any, ...], questions: tuple[tuple[str, str], ...] = ()) -> Any:
        names = ("words", "do", "instance", "field", "value")
        asked = [{"words": words, "tables": [], "fills": fills} for words, fills in questions]
        reply = {"thought": "", "changes": [dict(zip(names, one, strict=True)) for one in changes]}
        rest = {"chat": None, "reply": "", "ask": ""}
        begins = Say(json.dumps({"thought": "", "begins": ["it"], "questions": []} | rest))
        server.will(*([] if item["state"] else [begins]), Say(json.dumps(reply | {"questions": asked} | rest)))
        async with OpenAILanguage(ModelSettings(model="small-model", base_url=server.base_url)) as language:
            return await understood(item, language, KNOWN, NOW)

    return run


async def test_names_without_counters_stay_without(statements: Understands) -> None:
    item = {
        "app": "course_enrollment",
        "state": "course = Course(course_name='CS 224', grade_type='Letter')",
        "agent_acts": ["AskField(course, course_num_units, int)"],
        "user": "four, and when does it meet?",
    }
    found = await statements(
        item, ("four", "set", "course", "course_num_units", 4), questions=(("When does CS 224 meet?", ""),)
    )
    assert found == ["course.course_num_units = 4", "answer('When does CS 224 meet?')"]


async def test_a_new_instance_is_named_as_those_of_the_state_are(statements: Understands) -> None:
    item = {"app": "ticket_submission", "state": "main = Main()", "user": "I cannot drop CS 140"}
    changes = (
        ("drop", "start", "change_course", "", "ChangeCourse"),
        ("CS 140", "set", "change_course", "course_code", "CS 140"),
    )
    found = await statements(item, *changes)
    assert "change_course = ChangeCourse(course_code='CS 140')" in found
    assert "main.trouble_shoot = trouble_shoot_student_enrollment" in found
    counted = await statements(item | {"state": "main_1 = Main()"}, *changes)
    assert "change_course_1 = ChangeCourse(course_code='CS 140')" in counted


async def test_a_yes_to_everything_is_the_value_of_the_confirmation(statements: Understands) -> None:
    item = {
        "app": "restaurant",
        "state": f"book_restaurant = {BOOKING}",
        "agent_acts": ["AskForConfirmation(book_restaurant, confirm)"],
        "user": "go ahead",
    }
    assert await statements(item, ("go ahead", "yes", "book_restaurant", "confirm", None)) == [
        "book_restaurant.confirm = True"
    ]


async def test_a_row_is_an_answer_to_a_question(statements: Understands) -> None:
    found = await statements(
        {"app": "restaurants", "state": "", "user": "book the best ramen in Palo Alto"},
        ("book", "start", "book_restaurant_1", "", "BookRestaurant"),
        questions=(("the best ramen in Palo Alto", "book_restaurant_1.restaurant"),),
    )
    assert "book_restaurant_1 = BookRestaurant(restaurant=answer('the best ramen in Palo Alto'))" in found
    assert "user_info_1 = UserInfo(user_task='Book Restaurant')" in found


async def test_acts_may_be_objects_of_ours(statements: Understands, server: ModelServer) -> None:
    item = {
        "app": "bank",
        "state": ["main = Main(full_name='Ann')"],
        "agent_acts": [{"act": "ASK", "worksheet": "FirstAuthentication", "field": "pin", "text": "Your PIN?"}],
        "agent": "And your PIN?",
        "user": "1234",
    }
    found = await statements(item, ("1234", "set", "first_authentication_1", "pin", "1234"))
    assert found == ["first_authentication_1.pin = '1234'"]
    prompt = server.requests[0]["messages"][1]["content"]
    assert "And your PIN?" in prompt
    assert "ASK(first_authentication_1, pin): 'Your PIN?'" in prompt


# -- the command ------------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_statements_for_each_line_and_an_error_for_a_bad_one(
    lines_of: Callable[..., list[dict[str, Any]]], write: Write, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(
        {
            "id": "a",
            "app": "bank",
            "state": "main = Main()",
            "agent_acts": "AskField(main, full_name)",
            "user": "Ann Lee",
        },
        {"id": "b", "app": "bank", "state": "main = Main(", "user": "Ann"},
        {"id": "c", "app": "poetry", "user": "a sonnet"},
        {"id": "e", "app": "bank", "state": {"main": {}}, "user": "Ann"},
        {
            "id": "d",
            "app": "restaurant",
            "state": f"book_restaurant = {BOOKING}",
            "agent_acts": ["AskForConfirmation(book_restaurant, confirm)"],
            "user": "yes please",
        },
    )
    with pytest.raises(CommandError, match="3 lines could not be done; the others are written"):
        lines_of("understand", source=source, now="2026-11-20T10:00")
    written = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    first, second, third, untold, fourth = map(json.loads, written)
    assert first == {"id": "a", "statements": ["main.full_name = 'Ann Lee'"]}
    assert second["statements"] == []
    assert "never closed" in second["error"]
    assert "no application 'poetry'" in third["error"]
    assert "has to be a text" in untold["error"]
    assert fourth["statements"] == ["book_restaurant.confirm = True"]
    told = capsys.readouterr().err
    assert "line 2: " in told
    assert "line 3: " in told
    assert "line 4: " in told


@pytest.mark.django_db
def test_a_line_without_a_message_is_named(run: Run, write: Write) -> None:
    with pytest.raises(CommandError, match="line 1: user missing"):
        run("understand", source=write({"id": "a", "app": "bank"}))
