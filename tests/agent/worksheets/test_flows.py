"""The applications from the first word to the action, through the policy, with actions that only note their calls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from agent.worksheets.actions import Call, Registry, Result
from agent.worksheets.acts import ActKind
from agent.worksheets.applications import load
from agent.worksheets.entailment import opening
from agent.worksheets.expressions import parse
from agent.worksheets.state import Entity
from agent.worksheets.statements import Assign, Confirm, Decline, Pick, Statement
from tests.agent.worksheets.bench import Bench

DECLINED = object()
NOPA = Entity(table="restaurants", key="nopa", title="Nopa")
MADE = Entity(table="bookings", key="VYCKM9", title="Nopa on Friday")
MOST_TURNS = 60

ADA = {
    "student_name": "Ada Lovelace",
    "student_id": "05512345",
    "student_email_address": "ada@example.org",
    "is_international_student": False,
}


class Flow(Bench):
    """A conversation with an application. `calls` are its actions' names and arguments, `fields` what was asked."""

    def __init__(self, application: str) -> None:
        super().__init__(load(application))
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.fields: list[str] = []
        self.registry = Registry()
        for worksheet in self.specification.tasks:
            texts = [worksheet.actions, *(field.actions for field in worksheet.fields)]
            for text in texts:
                for call in parse(text, self.specification, worksheet.name).calls:
                    self.registry.actions[call.name] = self._note(call.name)

    def _note(self, name: str) -> Any:
        async def run(call: Call, **arguments: Any) -> Result:
            given = {key: value for key, value in arguments.items() if value is not None}
            self.calls.append((name, given))
            return Result(f"{name} is done.")

        return run

    async def begin(self, worksheet: str, **said: Any) -> None:
        """Begins a task; what is said at once goes to its first instance that is not yet there."""
        statements: list[Statement] = list(opening(self.state, self.specification, worksheet))
        instance = statements[-1].instance  # type: ignore[union-attr]
        statements += [Assign(instance=instance, field=name, value=value) for name, value in said.items()]
        await self.say(*statements)

    async def answer(self, answers: Mapping[str, Any]) -> None:
        """Answers what is asked, by field or worksheet.field, confirming what is shown, until nothing is."""
        for _ in range(MOST_TURNS):
            if not self.acts or self.last.act not in (ActKind.ASK, ActKind.CONFIRM):
                return
            await self.say(self._reply(answers))
        raise AssertionError(f"still asking: {self.last.text}")

    def _reply(self, answers: Mapping[str, Any]) -> Statement:
        act = self.last
        if act.act is ActKind.CONFIRM:
            return Confirm(instance=act.instance, field=act.field, yes=True)
        self.fields.append(act.field)
        key = f"{act.instance}.{act.field}"
        value = answers[key] if key in answers else answers[act.field]
        if value is DECLINED:
            return Decline(instance=act.instance, field=act.field, unknown=True)
        if isinstance(value, Entity):
            return Pick(instance=act.instance, field=act.field, table=value.table, key=value.key, title=value.title)
        return Assign(instance=act.instance, field=act.field, value=value)


# -- restaurants -----------------------------------------------------------------------------------------------------


async def test_a_table_is_booked() -> None:
    flow = Flow("restaurants")
    await flow.begin("BookRestaurant")
    answers = {"restaurant": NOPA, "date": "2026-11-27", "time": "20:00", "number_of_people": 2, "email": DECLINED}
    await flow.answer(answers)
    assert flow.fields == ["restaurant", "date", "time", "number_of_people", "email"]
    del answers["email"]
    assert flow.calls == [("book", answers)]


async def test_a_phone_number_given_at_once_is_enough() -> None:
    flow = Flow("restaurants")
    await flow.begin("BookRestaurant", phone="(650) 555-0100", special_request_info="a window seat")
    await flow.answer({"restaurant": NOPA, "date": "2026-11-27", "time": "20:00", "number_of_people": 2})
    assert "email" not in flow.fields
    ((_, given),) = flow.calls
    assert (given["phone"], given["special_request_info"]) == ("(650) 555-0100", "a window seat")


async def test_what_is_said_of_a_change_is_not_asked() -> None:
    flow = Flow("restaurants")
    await flow.begin("ModifyBooking", time="21:00", number_of_people=5)
    await flow.answer({"booking": MADE})
    assert flow.fields == ["booking"]
    assert flow.calls == [("modify_booking", {"booking": MADE, "time": "21:00", "number_of_people": 5})]


@pytest.mark.parametrize(
    ("chosen", "field", "value"),
    [
        ("Date", "date", "2026-12-04"),
        ("Time", "time", "18:30"),
        ("Number of People", "number_of_people", 3),
        ("Special Request", "special_request_info", "a high chair"),
    ],
)
async def test_a_change_that_is_not_said_is_asked(chosen: str, field: str, value: Any) -> None:
    flow = Flow("restaurants")
    await flow.begin("ModifyBooking")
    await flow.answer({"booking": MADE, "what_to_change": chosen, field: value})
    assert flow.fields == ["booking", "what_to_change", field]
    assert flow.calls == [("modify_booking", {"booking": MADE, field: value})]


async def test_a_booking_is_cancelled_after_a_yes() -> None:
    flow = Flow("restaurants")
    await flow.begin("CancelBooking")
    await flow.answer({"booking": MADE})
    assert flow.calls == [("cancel_booking", {"booking": MADE})]


# -- courses ---------------------------------------------------------------------------------------------------------


def _course(number: int) -> dict[str, Any]:
    return {"course_name": f"CS {number}", "grade_type": "Letter", "course_num_units": 3}


@pytest.mark.parametrize("count", [2, 3, 4])
async def test_two_to_four_courses_are_taken(count: int) -> None:
    flow = Flow("courses")
    await flow.begin("Main")
    answers = {f"course_{n}.{name}": value for n in range(1, count + 1) for name, value in _course(n).items()}
    await flow.answer(answers | ADA | {"more_courses_2": count > 2, "more_courses_3": count > 3})
    ((name, given),) = flow.calls
    assert name == "enroll"
    assert given["student"] == ADA
    taken = [given["courses"].get(f"course_{n}_details") for n in range(4)]
    assert taken == [_course(n + 1) if n < count else None for n in range(4)]
    assert [item.worksheet for item in flow.state.instances].count("Course") == count


async def test_one_course_is_enough() -> None:
    flow = Flow("courses")
    await flow.begin("Main")
    answers: dict[str, Any] = {f"course_1.{name}": value for name, value in _course(1).items()}
    await flow.answer(answers | ADA | {"course_2.course_name": DECLINED})
    ((_, given),) = flow.calls
    assert given["courses"]["course_0_details"] == _course(1)
    assert "course_1_details" not in given["courses"]


# -- services --------------------------------------------------------------------------------------------------------

ENDS = {"extra_details": "It is urgent.", "full_name": "Ada Lovelace"}
TICKETS: dict[str, dict[str, Any]] = {
    "Troubleshoot Student Enrollment": {
        "trouble_shoot": {
            "trouble_shoot_specific_issue": "Change Course",
            "change_course_issues": {
                "change_type": "Drop a Course",
                "course_code": "CS 101",
                "issue_description": "The button is grey.",
            },
        }
    },
    "Leave of Absence": {
        "leave_of_absence": {
            "leave_of_absence_specific_issue": "Status of Leave of Absence form",
            "form_status": {"submission_method": "Email", "submission_date": "2026-11-02"},
            "issue_description": "Has it arrived?",
        }
    },
    "External Test Credits": {
        "external_test_credits": {
            "specific_issue": "Missing or Incorrect Record",
            "test_issues": "Incorrect Units",
            "test_type": "International Baccalaureate (IB) Scores",
            "time_of_test_score_submission": "2026-09-01",
        }
    },
}
OTHERS: list[tuple[str, dict[str, Any]]] = [
    *TICKETS.items(),
    (
        "Troubleshoot Student Enrollment",
        {
            "trouble_shoot": {
                "trouble_shoot_specific_issue": "Join Waitlist",
                "join_waitlist": {
                    "course_name": "CS 101",
                    "issue_description": "I am not moving up.",
                    "waitlist_confirmation": True,
                    "schedule_conflict": False,
                },
            }
        },
    ),
    (
        "Troubleshoot Student Enrollment",
        {
            "trouble_shoot": {
                "trouble_shoot_specific_issue": "Change Course",
                "change_course_issues": {
                    "change_type": "Other Enrollment Issues",
                    "issue_description": "I cannot log in.",
                },
            }
        },
    ),
    (
        "Leave of Absence",
        {"leave_of_absence": {"leave_of_absence_specific_issue": "Others", "issue_description": "May I extend it?"}},
    ),
    (
        "External Test Credits",
        {
            "external_test_credits": {
                "specific_issue": "Submit International Test Scores For Unit Award",
                "type_of_international_test": "German Abitur",
                "subjects_for_unit_awards": "Physics",
            }
        },
    ),
]


def _flat(ticket: Mapping[str, Any]) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in ticket.items():
        flat |= _flat(value) if isinstance(value, Mapping) else {name: value}
    return flat


@pytest.mark.parametrize(("task", "ticket"), OTHERS)
async def test_each_kind_of_ticket_asks_for_exactly_its_fields(task: str, ticket: dict[str, Any]) -> None:
    flow = Flow("services")
    await flow.begin("Main")
    said = {"student_task": task, **ticket, **ENDS}
    await flow.answer(_flat(said))
    assert flow.calls == [("submit_ticket", {"ticket": said})]
    assert sorted(flow.fields) == sorted(_flat(said))


async def test_a_second_ticket_starts_empty_and_is_confirmed_on_its_own() -> None:
    flow = Flow("services")
    for task in ("Leave of Absence", "External Test Credits"):
        await flow.begin("Main")
        await flow.answer(_flat({"student_task": task, **TICKETS[task], **ENDS}))
    assert [given["ticket"] for _, given in flow.calls] == [
        {"student_task": task, **TICKETS[task], **ENDS} for task in ("Leave of Absence", "External Test Credits")
    ]
    assert flow.fields.count("full_name") == 2


async def test_a_ticket_may_leave_out_what_is_not_needed() -> None:
    flow = Flow("services")
    await flow.begin("Main")
    task = "Leave of Absence"
    unsaid = {"issue_description": DECLINED, "extra_details": DECLINED}
    await flow.answer(_flat({"student_task": task, **TICKETS[task], **ENDS}) | unsaid)
    ((_, given),) = flow.calls
    assert "issue_description" not in given["ticket"]["leave_of_absence"]
    assert "extra_details" not in given["ticket"]


# -- STAR ------------------------------------------------------------------------------------------------------------

SECRETS = {"date_of_birth": "1990-02-03", "security_answer_1": "Byron", "security_answer_2": "Rex"}
CUSTOMER = {"full_name": "Ada Lovelace", "fraud_report": "Somebody paid abroad."}


async def test_a_customer_who_knows_the_account_is_asked_nothing_else() -> None:
    flow = Flow("bank_fraud_report")
    await flow.begin("Main")
    await flow.answer(CUSTOMER | {"account_number": "123", "pin": "4567"})
    assert flow.fields == ["full_name", "account_number", "pin", "fraud_report"]
    assert flow.calls == [("bank_fraud_report", CUSTOMER)]


@pytest.mark.parametrize("forgotten", ["account_number", "pin"])
async def test_a_customer_who_forgot_the_account_answers_security_questions(forgotten: str) -> None:
    flow = Flow("bank_fraud_report")
    await flow.begin("Main")
    await flow.answer(CUSTOMER | SECRETS | {"account_number": "123", "pin": "4567", forgotten: DECLINED})
    assert flow.fields == ["full_name", "account_number", "pin", *SECRETS, "fraud_report"]
    assert flow.calls == [("bank_fraud_report", CUSTOMER)]


@pytest.mark.parametrize("unknown", SECRETS)
async def test_a_customer_who_cannot_be_authenticated_files_no_report(unknown: str) -> None:
    flow = Flow("bank_fraud_report")
    await flow.begin("Main")
    await flow.answer(CUSTOMER | SECRETS | {"account_number": "123", "pin": DECLINED, unknown: DECLINED})
    assert flow.calls == []
    assert any("cannot authenticate your identity" in act.text for act in flow.acts)


async def test_a_report_told_before_the_customer_is_known_waits_for_that() -> None:
    flow = Flow("bank_fraud_report")
    await flow.begin("Main", fraud_report=CUSTOMER["fraud_report"])
    refused = dict.fromkeys(("account_number", "pin", *SECRETS), DECLINED)
    await flow.answer({"full_name": CUSTOMER["full_name"], **refused})
    assert flow.calls == []


async def test_directions_are_looked_up_and_the_next_step_is_offered() -> None:
    flow = Flow("trip_directions")
    await flow.begin("TravelInformation")
    trip = {"travel_mode": "Walking", "departure_location": "A", "arrival_location": "B", "departure_time": "15:00"}
    await flow.answer(trip)
    assert flow.calls == [("trip_directions", trip)]
    assert (flow.last.act, flow.last.worksheet) == (ActKind.PROPOSE, "ContinueDetails")


async def test_an_answer_is_judged_at_once_and_the_next_question_follows_a_yes() -> None:
    flow = Flow("trivia")
    await flow.begin("Main", starting_question_number=3)
    await flow.say(Confirm(instance=flow.last.instance, yes=True))
    await flow.answer({"user_answer": "gold", "continue_trivia": True})
    assert flow.calls == [
        ("trivia", {"question_number": 3}),
        ("trivia", {"question_number": 3, "answer": "gold"}),
        ("trivia", {"question_number": 4}),
    ]
    await flow.say(Confirm(instance=flow.last.instance, yes=True))
    await flow.answer({"user_answer": "silver", "continue_trivia": False})
    assert flow.calls[3:] == [("trivia", {"question_number": 4, "answer": "silver"})]
    assert flow.last.text == "Thank you for playing."
