"""Classes that are held online, and those that are not."""

from __future__ import annotations

import pytest

from agent.catalogue.values import ValueMemory
from agent.parsing.parser import BuiltinParser
from agent.parsing.semantics.rooms import RoomFinder
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER

TABLES = ("courses", "offerings", "ratings")
ROOMS = ("Hemlock Hall 305", "Rowan 12", "Online", "Off campus")


@pytest.fixture(scope="module")
def distant() -> BuiltinParser:
    """A parser that knows of classes online."""
    values = {"offerings.room": ROOMS, "courses.title": ("Machine Learning",), "courses.course_codes": ("CS 152",)}
    return BuiltinParser(catalogue(), ValueMemory(values), GAZETTEER)


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("a class taught entirely online", "offerings.room = 'Online'"),
        ("remote courses in spring", "offerings.room = 'Online'"),
        ("spring courses that are not online", "NOT offerings.room = 'Online'"),
        ("spring courses on campus", "NOT offerings.room = 'Online'"),
        ("in person classes on Mondays", "NOT offerings.room = 'Online'"),
    ],
)
def test_where_a_class_is_held_is_told_by_its_room(distant: BuiltinParser, words: str, condition: str) -> None:
    where = distant.parse(words, TABLES).suql.partition(" WHERE ")[2]
    assert condition in where
    assert where.count("NOT ") == condition.count("NOT ")


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("spring courses that meet in Hemlock Hall", "offerings.room ILIKE 'Hemlock Hall%'"),
        ("spring classes held in Rowan", "offerings.room ILIKE 'Rowan%'"),
        ("anything in Hemlock Hall 305 in spring?", "offerings.room ILIKE 'Hemlock Hall 305%'"),
        ("spring courses not in Hemlock Hall", "NOT offerings.room ILIKE 'Hemlock Hall%'"),
    ],
)
def test_a_building_is_told_by_the_rooms_in_it(distant: BuiltinParser, words: str, condition: str) -> None:
    suql = distant.parse(words, TABLES).suql
    assert condition in suql
    assert ("NOT " in suql) == condition.startswith("NOT")


@pytest.mark.parametrize(
    "words",
    [
        "a course with online lectures",
        "a course on online privacy",
        "a course in which the lectures are online",
        "rowan trees",
    ],
)
def test_what_else_is_online_is_no_room(distant: BuiltinParser, words: str) -> None:
    assert "room" not in distant.parse(words, TABLES).suql


def test_rooms_alone_hold_nothing_online() -> None:
    assert not RoomFinder.fits(("Hemlock Hall 305",))
    with pytest.raises(ValueError, match="online"):
        RoomFinder("offerings", "room", ("Hemlock Hall 305",))
