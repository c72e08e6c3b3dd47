"""Values are checked when they are given, by what the application knows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agent.worksheets.actions import Call, Refusal
from agent.worksheets.state import Entity
from corpora.models import Restaurant
from hybridchat.chat.models import Conversation
from hybridchat.effects.registry import registry_for
from tests.effects.conftest import FRIDAY, NOW, course

DOOR = Entity(table="restaurants", key="blue-door", title="The Blue Door")


async def assigned(assistant: str, worksheet: str, field: str, value: Any, conversation: str = "", **known: Any) -> Any:
    """What a field holds after it was assigned."""
    return await registry_for(assistant, conversation).checks[worksheet, field](value, known, NOW)


async def refused(assistant: str, worksheet: str, field: str, value: Any, **known: Any) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await assigned(assistant, worksheet, field, value, **known)
    return refusal.value


async def table(field: str, value: Any, **known: Any) -> Any:
    return await assigned("restaurants", "BookRestaurant", field, value, **known)


async def no_table(field: str, value: Any, **known: Any) -> Refusal:
    return await refused("restaurants", "BookRestaurant", field, value, **known)


@pytest.mark.parametrize("number", [1, 20, "6"])
async def test_a_party_of_1_to_20_is_taken(number: Any) -> None:
    assert await table("number_of_people", number) == int(number)


@pytest.mark.parametrize("number", [0, -1, 21, 2.5, "lots", True])
async def test_another_party_is_not(number: Any) -> None:
    assert (await no_table("number_of_people", number)).field == "number_of_people"


async def test_a_time_is_taken_before_the_day_is_known(place: Restaurant) -> None:
    assert await table("time", "09:00", restaurant=DOOR) == "09:00"


async def test_a_time_at_which_the_restaurant_is_closed_is_refused_with_others(place: Restaurant) -> None:
    refusal = await no_table("time", "16:00", restaurant=DOOR, date=FRIDAY)
    assert refusal.alternatives == ("17:00", "17:30")


async def test_a_day_on_which_it_is_closed_is_refused_whichever_is_said_first(place: Restaurant) -> None:
    assert (await no_table("date", "2026-11-23", restaurant=DOOR)).field == "date"
    assert (await no_table("restaurant", DOOR, date="2026-11-23")).field == "date"
    assert (await no_table("restaurant", DOOR, date=FRIDAY, time="12:00")).field == "time"


async def test_an_hour_of_today_that_is_over_is_refused(place: Restaurant) -> None:
    assert (await no_table("time", "09:30", date="2026-11-20")).field == "time"
    assert await table("time", "19:00", date="2026-11-20") == "19:00"


async def test_a_restaurant_that_is_not_listed_is_refused(place: Restaurant) -> None:
    unknown = Entity(table="restaurants", key="nowhere")
    assert (await no_table("restaurant", unknown)).sentence == "That restaurant is not listed."


@pytest.mark.parametrize("address", ["ada@example.org", "a.b+c@mail.example.co.uk"])
async def test_an_address_is_kept_as_it_is(address: str) -> None:
    assert await table("email", f" {address} ") == address


@pytest.mark.parametrize("address", ["ada", "ada@", "@example.org", "a b@example.org", "ada@example"])
async def test_what_is_no_address_is_refused(address: str) -> None:
    assert (await no_table("email", address)).field == "email"


@pytest.mark.parametrize("number", ["(650) 555-0100", "+44 20 7946 0958", "6505550100", "650.555.0100 ext 3"])
async def test_a_telephone_number_may_be_spelt_in_any_way(number: str) -> None:
    assert await table("phone", number) == number


@pytest.mark.parametrize("number", ["555", "call me", "12345678901234567", "650-555-010x"])
async def test_what_is_no_telephone_number_is_refused(number: str) -> None:
    assert (await no_table("phone", number)).field == "phone"


@pytest.fixture
def courses(transactional_db: None) -> None:
    course("CS 131", "Proof, Logic and Computation", max_units=3)
    course("CS 160", "Design and Analysis of Algorithms")
    course("CS 261", "Advanced Algorithms")
    course("STATS 118", "Probability for Computing")


@pytest.mark.usefixtures("courses")
@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("CS 160", "CS 160"),
        ("cs160", "CS 160"),
        ("Cs-160", "CS 160"),
        ("Advanced Algorithms", "CS 261"),
        ("advanced algoritms", "CS 261"),
        ("design and analisys of algorithms", "CS 160"),
        ("STATS 118: Probability for Computing", "STATS 118"),
    ],
)
async def test_a_course_is_known_by_code_title_and_misspelt_title(said: str, code: str) -> None:
    assert await assigned("courses", "Course", "course_name", said) == code


@pytest.mark.usefixtures("courses")
async def test_a_name_that_fits_two_courses_is_asked_about() -> None:
    refusal = await refused("courses", "Course", "course_name", "algorithms")
    assert refusal.alternatives == ("CS 160", "CS 261")
    assert "Advanced Algorithms (CS 261)" in refusal.sentence


@pytest.mark.usefixtures("courses")
@pytest.mark.parametrize("said", ["Underwater Basket Weaving", "CS 999", "x"])
async def test_an_unknown_course_is_refused(said: str) -> None:
    refusal = await refused("courses", "Course", "course_name", said)
    assert f"There is no course “{said}”" in refusal.sentence


@pytest.mark.usefixtures("courses")
async def test_units_are_held_against_the_course_whichever_is_said_first() -> None:
    refusal = await refused("courses", "Course", "course_num_units", 5, course_name="CS 131")
    assert refusal.sentence == "CS 131 can be taken for 3 units, not for 5."
    assert (await refused("courses", "Course", "course_name", "CS 131", course_num_units=5)).field == "course_num_units"
    assert await assigned("courses", "Course", "course_num_units", 3, course_name="CS 131") == 3


@pytest.mark.parametrize(
    ("said", "kept"), [("05512345", "05512345"), ("# 0551 2345", "05512345"), ("AB-1234", "AB-1234")]
)
async def test_a_student_id_has_digits(said: str, kept: str) -> None:
    assert await assigned("courses", "StudentInfo", "student_id", said) == kept


@pytest.mark.parametrize("said", ["123", "none", "my id is secret", "ada@example.org"])
async def test_what_is_no_student_id_is_refused(said: str) -> None:
    assert (await refused("courses", "StudentInfo", "student_id", said)).field == "student_id"


@pytest.mark.parametrize("said", ["Ada Byron", "José", "李小龍", "O'Neill-Smith"])
async def test_a_name_is_kept(said: str) -> None:
    assert await assigned("courses", "StudentInfo", "student_name", said) == said


@pytest.mark.parametrize("said", ["12345", "ada@example.org", "---"])
async def test_what_is_no_name_is_refused(said: str) -> None:
    assert (await refused("courses", "StudentInfo", "student_name", said)).field == "student_name"


async def test_a_form_was_submitted_in_the_past() -> None:
    assert await assigned("services", "FormStatus", "submission_date", "2026-11-20") == "2026-11-20"
    assert (await refused("services", "FormStatus", "submission_date", "2026-11-21")).field == "submission_date"


async def test_a_date_of_birth_is_one_of_somebody_alive() -> None:
    born = ("bank_fraud_report", "SecondAuthentication", "date_of_birth")
    assert await assigned(*born, "1990-02-03") == "1990-02-03"
    assert "must be in the past" in (await refused(*born, "2030-01-01")).sentence
    assert "too long ago" in (await refused(*born, "1870-01-01")).sentence


async def test_a_booking_is_found_among_ones_own(
    place: Restaurant, table: dict[str, Any], call: Callable[..., Call], conversation: Conversation
) -> None:
    registry = registry_for("restaurants", str(conversation.pk))
    made = await registry.actions["book"](call(), **table)
    found = await registry.checks["CancelBooking", "booking"]("my booking on friday", {}, NOW)
    assert found.key == made.values["booking_id"]
    assert "The Blue Door for 4 people on Friday, November 27 at 7:00 pm" in found.title
    with pytest.raises(Refusal, match="You have no upcoming booking"):
        await registry_for("restaurants", "elsewhere").checks["CancelBooking", "booking"]("it", {}, NOW)


def test_an_assistant_without_actions_has_an_empty_registry() -> None:
    assert registry_for("poetry").actions == {}
