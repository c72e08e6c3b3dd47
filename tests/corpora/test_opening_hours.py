"""Opening hours become minutes of the week in the database itself."""

from __future__ import annotations

import pytest
from django.db import connection
from psycopg.types.json import Jsonb

pytestmark = pytest.mark.django_db


def open_minutes(hours: dict[str, list[list[str]]] | None) -> list[tuple[int, int]] | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT corpora_open_minutes(%s)", [Jsonb(hours) if hours is not None else None])
        (found,) = cursor.fetchone()
    return None if found is None else [(part.lower, part.upper) for part in found]


def test_monday_midnight_is_minute_0() -> None:
    assert open_minutes({"mon": [["00:00", "01:30"]]}) == [(0, 90)]


def test_each_day_is_1440_minutes_later() -> None:
    assert open_minutes({"sun": [["12:00", "24:00"]]}) == [(6 * 1440 + 720, 7 * 1440)]


def test_two_stretches_of_a_day_stay_apart() -> None:
    assert open_minutes({"tue": [["11:00", "14:00"], ["17:00", "22:00"]]}) == [(2100, 2280), (2460, 2760)]


def test_a_stretch_past_midnight_runs_into_the_next_day() -> None:
    assert open_minutes({"fri": [["18:00", "02:00"]]}) == [(4 * 1440 + 1080, 5 * 1440 + 120)]


def test_past_midnight_written_as_two_days_is_one_stretch() -> None:
    assert open_minutes({"fri": [["18:00", "24:00"]], "sat": [["00:00", "02:00"]]}) == [(6840, 7320)]


def test_past_sunday_midnight_wraps_to_monday() -> None:
    assert open_minutes({"sun": [["22:00", "01:00"]]}) == [(0, 60), (6 * 1440 + 1320, 7 * 1440)]


def test_no_days_means_never_open_and_null_means_unknown() -> None:
    assert open_minutes({}) == []
    assert open_minutes(None) is None
