"""The actions of STAR's tasks: pure functions."""

from __future__ import annotations

from datetime import datetime

import pytest

from agent.worksheets.actions import Call, Refusal
from hybridchat.effects.actions.star import LEGS, QUESTIONS, bank_fraud_report, trip_directions, trivia

CALL = Call("a conversation:main_1:digest", "a conversation", datetime(2026, 11, 20))
TRIP = {"travel_mode": "Walking", "departure_location": "the library", "arrival_location": "the station"}


async def test_a_repeated_report_has_the_same_number_and_another_call_another() -> None:
    report = {"full_name": "Ada Byron", "fraud_report": "A payment that was not mine."}
    first = await bank_fraud_report(CALL, **report)
    assert first == await bank_fraud_report(CALL, **report)
    other = await bank_fraud_report(Call("another", "c", CALL.now), **report)
    assert other.values["report_id"] != first.values["report_id"]
    assert first.values["report_id"] in first.sentence


@pytest.mark.parametrize("missing", ["full_name", "fraud_report"])
async def test_a_report_needs_who_and_what(missing: str) -> None:
    report = {"full_name": "Ada Byron", "fraud_report": "A payment that was not mine.", missing: " "}
    with pytest.raises(Refusal) as refusal:
        await bank_fraud_report(CALL, **report)
    assert refusal.value.field == missing


@pytest.mark.parametrize("mode", LEGS)
async def test_directions_lead_step_by_step_to_the_last(mode: str) -> None:
    step, seen = 1, []
    while True:
        result = await trip_directions(CALL, **TRIP | {"travel_mode": mode}, step=step, next=bool(seen))
        seen.append(result.values["instruction"])
        step = result.values["current_step"]
        if result.values["is_last_step"]:
            break
    assert len(seen) == len(set(seen)) == len(LEGS[mode])
    assert "the station" in seen[-1]
    with pytest.raises(Refusal, match="all the steps to the station"):
        await trip_directions(CALL, **TRIP | {"travel_mode": mode}, step=step, next=True)


async def test_a_step_is_explained_again() -> None:
    first = await trip_directions(CALL, **TRIP, step=1)
    assert (await trip_directions(CALL, **TRIP, step=1, next=False)).values == first.values


async def test_the_first_step_says_when_to_leave() -> None:
    assert "leaving at 08:30" in (await trip_directions(CALL, **TRIP, departure_time="08:30")).sentence


async def test_an_unknown_way_to_travel_is_refused_with_those_there_are() -> None:
    with pytest.raises(Refusal) as refusal:
        await trip_directions(CALL, **TRIP | {"travel_mode": "Teleport"})
    assert refusal.value.alternatives == ("Transit", "Driving", "Walking")


@pytest.mark.parametrize("number", range(1, len(QUESTIONS) + 1))
async def test_every_question_knows_its_answers(number: int) -> None:
    asked = await trivia(CALL, question_number=number)
    assert asked.values["question"] in asked.sentence
    for right in QUESTIONS[number - 1][1]:
        assert (await trivia(CALL, question_number=number, answer=f" {right.upper()}. ")).values["correct"]
    wrong = await trivia(CALL, question_number=number, answer="a teapot")
    assert not wrong.values["correct"]
    assert any(right in wrong.sentence.casefold() for right in QUESTIONS[number - 1][1])


async def test_questions_begin_again_after_the_last_and_count_from_1() -> None:
    again = await trivia(CALL, question_number=len(QUESTIONS) + 1)
    assert again.values["question"] == (await trivia(CALL, question_number=1)).values["question"]
    with pytest.raises(Refusal):
        await trivia(CALL, question_number=0)
