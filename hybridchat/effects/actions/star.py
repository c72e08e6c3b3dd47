"""What the worksheets of STAR's tasks call: pure functions, without a trace in the database."""

from __future__ import annotations

import hashlib

from agent.worksheets.actions import Call, Refusal, Registry, Result
from hybridchat.effects.values import text

registry = Registry()

QUESTIONS = (
    ("How many sides does a hexagon have?", ("6", "six")),
    ("Which planet of the solar system is the largest?", ("jupiter",)),
    ("What is the chemical symbol of gold?", ("au",)),
    ("Which ocean lies between Africa and Australia?", ("indian", "indian ocean", "the indian ocean")),
    ("How many strings does a violin have?", ("4", "four")),
    ("Which metal is liquid at room temperature?", ("mercury", "quicksilver")),
    ("What is the square root of 144?", ("12", "twelve")),
    ("Which bird is the largest that lives today?", ("ostrich", "the ostrich")),
)  # fmt: skip

LEGS = {
    "Transit": (
        "Walk to the stop nearest to {start}",
        "Take the next line towards {goal}",
        "Get off at the stop nearest to {goal}",
        "Walk from the stop to {goal}",
    ),
    "Driving": (
        "Leave {start} by the main road",
        "Follow the signs towards {goal}",
        "Turn off the main road for {goal}",
        "Park near {goal}",
    ),
    "Walking": (
        "Leave {start} by its main entrance",
        "Follow the footpath towards {goal}",
        "Cross at the last lights before {goal}",
        "Arrive at {goal}",
    ),
}


@registry.action("bank_fraud_report")
async def bank_fraud_report(call: Call, *, full_name: str, fraud_report: str) -> Result:
    """Take a report of fraud down; its number is made from the confirmation, so a repeated call gives the same."""
    name, report = text(full_name), text(fraud_report)
    if not name:
        raise Refusal("A report needs a name.", "full_name")
    if not report:
        raise Refusal("A report needs to say what happened.", "fraud_report")
    number = hashlib.sha256(call.key.encode()).hexdigest()[:8].upper()
    return Result(
        f"Thank you, {name}. Your report of fraud has been recorded under number {number}.",
        {"report_id": number, "full_name": name, "fraud_report": report},
    )


@registry.action("trip_directions")
async def trip_directions(
    call: Call,
    *,
    travel_mode: str,
    departure_location: str,
    arrival_location: str,
    departure_time: str | None = None,
    step: int = 1,
    next: bool | None = None,
) -> Result:
    """Return a step of the directions: `step` itself, or with `next` the one after it; refused after the last."""
    start, goal = text(departure_location), text(arrival_location)
    legs = LEGS.get(text(travel_mode))
    if legs is None:
        raise Refusal("I give directions by transit, driving or walking.", "travel_mode", tuple(LEGS))
    shown = step + 1 if next else step
    if not 1 <= shown <= len(legs):
        raise Refusal(f"Those were all the steps to {goal}.", "show_next_step")
    words = legs[shown - 1].format(start=start, goal=goal)
    leaving = f", leaving at {text(departure_time)}" if shown == 1 and departure_time is not None else ""
    return Result(
        f"Step {shown} of {len(legs)}: {words}{leaving}.",
        {"current_step": shown, "instruction": words, "is_last_step": shown == len(legs)},
    )


@registry.action("trivia")
async def trivia(call: Call, *, question_number: int | None, answer: str | None = None) -> Result:
    """Question `question_number` (they begin again after the last), or what an answer to it is worth."""
    if question_number is None or question_number < 1:
        raise Refusal("The questions count from 1.", "starting_question_number")
    question, answers = QUESTIONS[(question_number - 1) % len(QUESTIONS)]
    if answer is None:
        return Result(
            f"Question {question_number}: {question}",
            {"question": question, "current_question_number": question_number},
        )
    correct = text(answer).casefold().rstrip(".!") in answers
    verdict = "That is right." if correct else f"No: it is {answers[-1] if answers[-1].isalpha() else answers[0]}."
    return Result(verdict, {"correct": correct, "current_question_number": question_number})
