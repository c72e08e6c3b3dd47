"""What is a plain yes to a question, a plain no, or neither: only the first lets anything happen."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from agent.parsing.tasks.consent import Asked, Consent, held, reading, stretches
from agent.worksheets.statements import Confirm, Start, Unclear
from tests.agent.language.stay import ROOM, STAY, state
from tests.agent.tasks.speaking import Talk, Understander

BOOKING = Asked("book", "reservation", stretches("Quorum") | stretches("Friday, November 27") | stretches("7:00 pm"))
TODAY = datetime.date(2026, 11, 20)


def _ways() -> dict[str, list[str]]:
    text = Path(__file__).with_name("consent.txt").read_text(encoding="utf-8")
    sections = [section.splitlines() for section in text.strip().split("\n\n")]
    return {name.strip("[]"): said for name, *said in sections}


WAYS = _ways()


def read_as(consent: Consent, name: str, *, abroad: bool = False) -> list[str]:
    """The ways of a section that are read so."""
    return [said for said in WAYS[name] if reading(said, BOOKING, abroad=abroad) is consent]


def test_a_plain_yes_is_read_as_one() -> None:
    assert read_as(Consent.YES, "yes") == WAYS["yes"]
    assert read_as(Consent.YES, "yes", abroad=True) == WAYS["yes"]


def test_a_plain_no_is_read_as_one() -> None:
    assert read_as(Consent.NO, "no") == WAYS["no"]


def test_what_is_no_plain_yes_lets_nothing_happen() -> None:
    assert read_as(Consent.YES, "neither") == []
    assert read_as(Consent.YES, "neither", abroad=True) == []


def test_a_plain_yes_of_another_language_counts_only_beside_a_model() -> None:
    assert read_as(Consent.YES, "abroad yes", abroad=True) == WAYS["abroad yes"]
    assert read_as(Consent.YES, "abroad yes") == []


def test_no_other_words_of_another_language_are_a_yes() -> None:
    assert read_as(Consent.YES, "abroad neither", abroad=True) == []


def test_over_three_hundred_ways_are_held() -> None:
    assert len({way for ways in WAYS.values() for way in ways}) > 300


@pytest.mark.parametrize("said", ["ok whatever", "yes, what is the cancellation policy?", "I guess", "send the ticket"])
def test_a_yes_of_the_model_alone_is_asked_once_more(said: str) -> None:
    before = state("confirm book_room_1.confirm", ROOM)
    yes = Confirm(instance="book_room_1", field="confirm", words=said)
    (asked,) = held([yes], said, before, STAY, TODAY)
    assert isinstance(asked, Unclear)
    assert "nothing has been done" in asked.why


def test_a_plain_yes_of_the_model_counts() -> None:
    before = state("confirm book_room_1.confirm", ROOM)
    yes = Confirm(instance="book_room_1", field="confirm", words="yes please")
    assert held([yes], "yes please", before, STAY, TODAY) == (yes,)


def test_a_yes_beside_a_question_waits_for_the_answer() -> None:
    before = state("confirm book_room_1.confirm", ROOM)
    assert held([Confirm(instance="book_room_1", words="yes")], "yes", before, STAY, TODAY, asks=True) == ()


def test_what_another_task_is_told_takes_nothing_of_a_yes() -> None:
    before = state("confirm book_room_1.confirm", ROOM)
    yes = Confirm(instance="book_room_1", field="confirm", words="yes")
    other = Start(worksheet="BookRoom", instance="book_room_2", words="another room for my mother")
    said = "yes, and another room for my mother"
    assert held([yes, other], said, before, STAY, TODAY) == (yes, other)
    unsaid = Start(worksheet="BookRoom", instance="book_room_2", words="another room")
    assert held([yes, unsaid], said, before, STAY, TODAY) == (unsaid,)


@pytest.mark.parametrize("said", ["ok whatever", "I guess so", "20 % off and I'll confirm", "yes, later"])
def test_without_a_model_a_shrug_sends_nothing(understander: Understander, said: str) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("book Quorum for 2 on Friday at 7pm", "no thanks", said)
    assert talk.done == []
