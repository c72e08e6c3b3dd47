"""A restaurant, some courses and conversations to do things with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any
from uuid import uuid4

import pytest
from asgiref.sync import SyncToAsync
from django.db import connections
from django.utils import timezone

from agent.worksheets.actions import Call
from agent.worksheets.state import Entity
from corpora.models import Course, Offering, Restaurant
from hybridchat.chat import services
from hybridchat.chat.models import Conversation
from hybridchat.chat.owners import Owner, key_of
from hybridchat.effects.models import Seating

EVENING = [["17:00", "22:00"]]
NOW = timezone.make_aware(datetime(2026, 11, 20, 10, 0))  # a Friday
FRIDAY = "2026-11-27"


@pytest.fixture(scope="session", autouse=True)
def no_connection_stays(django_db_setup: None) -> Iterator[None]:
    """The thread of Django's own asynchronous queries would keep its connection, and the database could not go."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture
def place(transactional_db: None) -> Restaurant:
    """Open every evening but Mondays, on Fridays and Saturdays until 01:00; ten seats."""
    hours = dict.fromkeys(("tue", "wed", "thu", "sun"), EVENING) | {day: [["17:00", "01:00"]] for day in ("fri", "sat")}
    made = Restaurant.objects.create(
        slug="blue-door", name="The Blue Door", city="Palo Alto", latitude=37.4, longitude=-122.1,
        address="1 Example Street", phone_number="(650) 555-0100", opening_hours=hours,
    )  # fmt: skip
    Seating.objects.create(restaurant=made, seats=10)
    return made


@pytest.fixture
def table() -> dict[str, Any]:
    """What `book` is given for a table for four on a Friday at 19:00."""
    restaurant = Entity(table="restaurants", key="blue-door", title="The Blue Door")
    return {"restaurant": restaurant, "date": FRIDAY, "time": "19:00", "number_of_people": 4}


@pytest.fixture
def owner() -> Owner:
    return Owner(key_of("a session's token"))


@pytest.fixture
def conversation(transactional_db: None, owner: Owner) -> Conversation:
    return services.new_conversation(owner, "restaurants")


@pytest.fixture
def call(conversation: Conversation) -> Callable[..., Call]:
    """A call from that conversation; each with a key of its own unless one is given."""

    def make(key: str = "", now: datetime = NOW, conversation_id: Any = conversation.pk) -> Call:
        return Call(key or f"{conversation_id}:{uuid4()}", str(conversation_id), now)

    return make


def course(code: str, title: str, *meetings: dict[str, Any], **fields: Any) -> Course:
    """A course with its offerings."""
    number = 1000 + int("".join(filter(str.isdigit, code)))
    made = Course.objects.create(
        course_id=number, title=title, course_codes=[code], **{"min_units": 3, "max_units": 5, **fields}
    )
    for meeting in meetings:
        Offering.objects.create(course=made, **meeting)
    return made


def meets(
    season: str = "winter", days: str = "Mon Wed", start: str = "10:00", end: str = "11:00", **fields: Any
) -> dict:
    """An offering, with thirty places of which none is taken."""
    room = {"capacity": 30, "enrolled": 0}
    return {"season": season, "days": days.split(), "start_time": start, "end_time": end, **room, **fields}
