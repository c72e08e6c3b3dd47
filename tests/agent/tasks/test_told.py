"""Who tells what is looked for, with a day, a time or a party: all of it is searched for, and kept for the booking."""

from __future__ import annotations

import pytest

from agent.language import Conversation
from tests.agent.tasks.speaking import NOW, Talk, Understander, tables


def searched(understander: Understander, said: str) -> list[str]:
    held = Conversation(assistant="restaurants", tables=tables("restaurants"), past=(), now=NOW)
    return [question.words for question in understander.understand(said, held).questions]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (
            "Thai in Oakland for 12 people, Sunday at noon, quiet enough to talk",
            "Thai in Oakland for 12 people, Sunday at noon, quiet enough to talk",
        ),
        ("party of 15. dim sum, Chinatown. Sunday 11am", "party of 15. dim sum, Chinatown. Sunday 11am"),
        (
            "a place for 18 people near Union Square, seafood, Friday 7pm. one of us is allergic to nuts",
            "a place for 18 people near Union Square, seafood, Friday 7pm.",
        ),
        (
            "I need a reservation for four at an Italian place in San Francisco, Friday at 8pm",
            "for four at an Italian place in San Francisco, Friday at 8pm",
        ),
        (
            "table for 10 in Palo Alto, sushi, Friday at 6pm, 650 555 0133",
            "table for 10 in Palo Alto, sushi, Friday at 6pm",
        ),
    ],
)
def test_what_is_looked_for_is_searched_with_day_time_and_party(
    understander: Understander, said: str, words: str
) -> None:
    assert searched(understander, said) == [words]


@pytest.mark.parametrize(
    "said",
    [
        "Book a table for 15 at a Chinese restaurant in Chinatown, Sunday 11am",
        "please reserve a Chinese restaurant in Chinatown for 15 people on Sunday at 11am",
    ],
)
def test_what_is_to_be_booked_is_searched_by_what_it_is(understander: Understander, said: str) -> None:
    (words,) = searched(understander, said)
    assert "Chinese restaurant in Chinatown" in words
    assert "15" not in words
    assert "11am" not in words


def test_day_time_and_party_go_to_the_booking_as_well(understander: Understander) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("Thai in Oakland for 12 people, Sunday at noon")
    instance = talk.state.instance("book_restaurant_1")
    assert instance is not None
    values = {name: instance.slots[name].value for name in ("date", "time", "number_of_people")}
    assert values == {"date": "2026-11-22", "time": "12:00", "number_of_people": 12}


def test_day_time_and_party_alone_describe_no_place(understander: Understander) -> None:
    assert searched(understander, "table for 2 please, tomorrow at 7pm") == []


def test_a_place_that_is_named_is_found_by_its_name(understander: Understander) -> None:
    said = "table for 10 at Trattoria Sottovoce tomorrow at 7pm"
    assert searched(understander, said) == ["restaurant called Trattoria Sottovoce"]
