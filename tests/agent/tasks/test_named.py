"""A place that is named with a day, a time or a party; two of them; a question in the middle; yes in other words."""

from __future__ import annotations

import pytest

from agent.worksheets.state import InstanceStatus
from tests.agent.tasks.speaking import Talk, Understander

PLACE, OTHER = "Kaveri Tiffin Room", "Trattoria Sottovoce"


@pytest.fixture
def talk(understander: Understander) -> Talk:
    return Talk(understander, "restaurants")


def known(talk: Talk, name: str) -> dict[str, object]:
    instance = talk.state.instance(name)
    assert instance is not None
    return {field: slot.value for field, slot in instance.slots.items() if slot.value is not None}


@pytest.mark.parametrize(
    "said",
    [
        f"{PLACE} for 2, tomorrow at 7 pm please",
        f"we are 2 and would love {PLACE} tomorrow 7pm",
        f"taking my sister to {PLACE.lower()} tomorrow at 7pm, the 2 of us",
    ],
)
def test_a_place_with_a_day_a_time_and_a_party_is_to_be_booked(talk: Talk, said: str) -> None:
    talk.say(said)
    values = known(talk, "book_restaurant_1")
    assert (values["date"], values["time"], values["number_of_people"]) == ("2026-11-21", "19:00", 2)
    assert values["restaurant"].key == PLACE.lower()


@pytest.mark.parametrize("said", [f"is {PLACE} open tomorrow at 7 pm?", f"opening hours of {PLACE} tomorrow"])
def test_who_asks_of_a_place_books_nothing(talk: Talk, said: str) -> None:
    talk.say(said)
    assert not any(one.status is InstanceStatus.ACTIVE for one in talk.state.instances)


@pytest.mark.parametrize(
    "said",
    [
        f"lunch at {PLACE} saturday at noon and then dinner at {OTHER} at 8 pm, both for 2",
        f"for saturday I need two tables for 2: {PLACE.lower()} at 12:00, {OTHER.lower()} at 8pm",
    ],
)
def test_two_places_with_a_time_each_are_two_bookings(talk: Talk, said: str) -> None:
    talk.say(said)
    for name, place, time in (("book_restaurant_1", PLACE, "12:00"), ("book_restaurant_2", OTHER, "20:00")):
        values = known(talk, name)
        assert (values["time"], values["date"], values["number_of_people"]) == (time, "2026-11-21", 2)
        assert values["restaurant"].key == place.lower()


def test_two_places_to_choose_from_are_one_booking(talk: Talk) -> None:
    talk.say(f"book {PLACE} at 7pm or {OTHER} at 8pm tomorrow for 2")
    assert talk.state.instance("book_restaurant_2") is None


def test_a_question_in_the_middle_puts_no_other_place_forward(talk: Talk) -> None:
    talk.say(f"book {PLACE} tomorrow at 8", "for 4. actually, any nice bakeries?")
    assert known(talk, "book_restaurant_1")["restaurant"].key == PLACE.lower()


@pytest.mark.parametrize(
    "answer", ["yep thats it", "yes thats the one", "looks good to me", "yep that's all of it", "sure, all good"]
)
def test_yes_in_other_words(talk: Talk, answer: str) -> None:
    talk.say(f"book {PLACE} for 2 tomorrow at 8", "no thanks", answer)
    assert [action for action, _ in talk.done] == ["book"]


@pytest.mark.parametrize("answer", ["nothing else", "hmm", "im good", "not yet"])
def test_what_is_no_yes_books_nothing(talk: Talk, answer: str) -> None:
    talk.say(f"book {PLACE} for 2 tomorrow at 8", "no thanks", answer)
    assert talk.done == []


@pytest.mark.parametrize(
    ("said", "begun"),
    [
        ("I just finished CS 101 and 102. I'd like an ethics course in spring.", False),
        ("could I get into CS 140 with only CS 101", False),
        ("please put me in CS 101 and CS 102", True),
        ("I took CS 101. Put me in CS 102.", True),
    ],
)
def test_what_was_taken_before_is_not_enrolled_in(understander: Understander, said: str, begun: bool) -> None:
    talk = Talk(understander, "courses")
    talk.say(said)
    assert any(one.status is InstanceStatus.ACTIVE for one in talk.state.instances) == begun


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("which courses have lectures that are recorded, so that I can skip some?", True),
        ("how do I drop a course?", False),
    ],
)
def test_which_rows_there_are_is_searched_for(understander: Understander, said: str, asks: bool) -> None:
    talk = Talk(understander, "courses")
    talk.say(said)
    assert bool(talk.asked) == asks


@pytest.mark.parametrize(
    "said",
    [
        "indian or thai in Sunnyvale that can take 12 of us past midnight on a Friday",
        "somewhere indian for 12 of us on friday at 8",
    ],
)
def test_who_looks_for_a_place_changes_no_booking_and_begins_none(talk: Talk, said: str) -> None:
    talk.say(said)
    assert not any(one.status is InstanceStatus.ACTIVE for one in talk.state.instances)
    assert talk.asked


@pytest.mark.parametrize("said", ["sign me up for operating systems next quarter", "put me in Operating Systems"])
def test_a_title_is_enough_to_enroll(understander: Understander, said: str) -> None:
    talk = Talk(understander, "courses")
    talk.say(said)
    assert any(one.status is InstanceStatus.ACTIVE for one in talk.state.instances)
    assert not talk.asked
