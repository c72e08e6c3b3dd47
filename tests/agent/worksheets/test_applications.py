"""The applications that come with the project: complete, in their canonical form, and meaning what they say."""

from __future__ import annotations

import datetime
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from agent.protocols.errors import SpecificationError
from agent.worksheets.applications import ASSISTANTS, STAR, load, text
from agent.worksheets.expressions import CallAction, Nested, Propose, Say, evaluate, holds, parse, run
from agent.worksheets.formats import document
from agent.worksheets.specification import Basic, FieldKind, WorksheetKind
from agent.worksheets.state import Entity

NAMES = (*ASSISTANTS, *STAR)

# the fields of every task, in order, as the published applications name them
FIELDS = {
    ("restaurants", "UserInfo"): "user_task",
    ("restaurants", "BookRestaurant"): "restaurant date time number_of_people special_request_info confirm",
    ("services", "Main"): "student_task trouble_shoot leave_of_absence external_test_credits extra_details full_name "
    "confirm",
    ("services", "TroubleShootStudentEnrollment"): "trouble_shoot_specific_issue change_course_issues join_waitlist",
    ("services", "ChangeCourse"): "change_type course_code issue_description",
    ("services", "JoinWaitlist"): "course_name issue_description waitlist_confirmation schedule_conflict",
    ("services", "LeaveOfAbsence"): "leave_of_absence_specific_issue form_status issue_description",
    ("services", "FormStatus"): "submission_method submission_date",
    ("services", "ExternalTestCredits"): "specific_issue test_issues test_type time_of_test_score_submission "
    "type_of_international_test subjects_for_unit_awards",
    ("courses", "Main"): "courses_to_take student_info_details confirm_submission",
    ("courses", "StudentInfo"): "student_name student_id student_email_address is_international_student",
    ("courses", "CoursesToTake"): "course_0_details course_1_details more_courses_2 course_2_details more_courses_3 "
    "course_3_details confirm",
    ("courses", "Course"): "course_name grade_type course_num_units",
    ("bank_fraud_report", "Main"): "full_name first_authentication_details second_authentication_details fraud_report",
    ("bank_fraud_report", "FirstAuthentication"): "account_number pin",
    ("bank_fraud_report", "SecondAuthentication"): "date_of_birth security_answer_1 security_answer_2",
    ("trip_directions", "TravelInformation"): "travel_mode departure_location arrival_location departure_time",
    ("trip_directions", "ContinueDetails"): "show_next_step current_step",
    ("trivia", "Main"): "starting_question_number current_question_number correct_answers",
    ("trivia", "QuestionAnswer"): "question user_answer continue_trivia",
}


@dataclass
class Form:
    """The values of instances, by the name that rules know them by."""

    values: Mapping[str, Mapping[str, Any]]
    value: Any = None
    itself: Any = None
    today: datetime.date = datetime.date(2026, 11, 20)
    now: datetime.datetime = field(default_factory=lambda: datetime.datetime(2026, 11, 20, 14, 30))

    def attribute(self, owner: str, field: str) -> Any:
        return self.values.get(owner, {}).get(field)

    def whole(self, owner: str) -> Any:
        return self.itself


def _shows(application: str, worksheet: str, field_name: str, **values: Any) -> bool:
    specification = load(application)
    predicate = specification.by_name[worksheet].by_name[field_name].predicate
    return holds(parse(predicate, specification, worksheet), Form({"self": values}))


def _accepts(application: str, worksheet: str, field_name: str, value: Any, **values: Any) -> bool:
    specification = load(application)
    validation = specification.by_name[worksheet].by_name[field_name].validation
    return holds(parse(validation, specification, worksheet), Form({"self": values}, value))


@pytest.mark.parametrize("name", NAMES)
def test_each_file_is_as_the_exporter_writes_it(name: str) -> None:
    assert document.write(load(name)) == text(name)


def test_an_application_that_is_not_there_is_an_error() -> None:
    with pytest.raises(SpecificationError, match="no application 'hotels'"):
        load("hotels")


@pytest.mark.parametrize(("application", "worksheet"), FIELDS)
def test_the_published_fields_are_there_in_order(application: str, worksheet: str) -> None:
    ours = [field.name for field in load(application).by_name[worksheet].fields]
    published = FIELDS[application, worksheet].split()
    assert [name for name in ours if name in published] == published


@pytest.mark.parametrize("name", NAMES)
def test_everything_a_user_meets_has_its_words(name: str) -> None:
    for worksheet in load(name).worksheets:
        assert worksheet.description, worksheet.name
        for one in worksheet.fields:
            asked = one.kind is FieldKind.INPUT and one.ask and one.type.basic is not Basic.CONFIRM
            if asked:
                assert one.question.endswith("?") or one.question.endswith("."), (worksheet.name, one.name)
                assert one.description, (worksheet.name, one.name)
                assert one.reason.endswith("."), (worksheet.name, one.name)
            assert not one.validation or one.refusal, (worksheet.name, one.name)


@pytest.mark.parametrize("name", ASSISTANTS)
def test_no_task_that_acts_goes_without_a_confirmation(name: str) -> None:
    for worksheet in load(name).tasks:
        if worksheet.actions:
            assert worksheet.confirmation is not None, worksheet.name
            assert worksheet.confirmation.required
            assert worksheet.title
            assert worksheet.verb


@pytest.mark.parametrize("name", ASSISTANTS)
def test_knowledge_worksheets_name_tables_of_the_catalogue(name: str) -> None:
    tables = {worksheet.table for worksheet in load(name).worksheets if worksheet.kind is WorksheetKind.KNOWLEDGE}
    assert (
        tables - {""}
        == {
            "restaurants": {"restaurants"},
            "courses": {"courses", "offerings", "ratings", "programs"},
            "services": {"articles"},
        }[name]
    )


def test_a_table_is_booked_from_now_on_for_one_to_twenty() -> None:
    def accepts(field_name: str, value: Any, **values: Any) -> bool:
        return _accepts("restaurants", "BookRestaurant", field_name, value, **values)

    assert [accepts("number_of_people", count) for count in (0, 1, 20, 21, -3)] == [False, True, True, False, False]
    assert [accepts("date", day) for day in ("2026-11-19", "2026-11-20", "2027-01-01")] == [False, True, True]
    assert not accepts("date", "2026-11-20", time="14:00"), "that time is over"
    assert accepts("date", "2026-11-21", time="14:00")
    assert [accepts("time", time, date="2026-11-20") for time in ("14:00", "19:00")] == [False, True]
    assert accepts("time", "14:00", date="2026-11-21")
    assert accepts("time", "14:00"), "of a day that is not known yet"
    assert [accepts("email", text) for text in ("ada@example.org", "ada", "a b@c.d")] == [True, False, False]
    assert [accepts("phone", text) for text in ("(650) 555-0100", "12")] == [True, False]


def test_one_way_to_be_reached_is_enough() -> None:
    assert _shows("restaurants", "BookRestaurant", "email")
    assert not _shows("restaurants", "BookRestaurant", "email", phone="(650) 555-0100")


def test_what_changes_in_a_booking_is_asked_only_where_it_is_not_said() -> None:
    def shown(**values: Any) -> list[str]:
        names = ("what_to_change", "date", "time", "number_of_people", "special_request_info")
        return [name for name in names if _shows("restaurants", "ModifyBooking", name, **values)]

    assert shown() == ["what_to_change"]
    assert shown(what_to_change="Time") == ["what_to_change", "time"]
    assert shown(what_to_change="Time", time="20:00") == ["time"]
    assert shown(time="20:00", number_of_people=4) == ["time", "number_of_people"]


@pytest.mark.parametrize(
    ("chosen", "shown"),
    [
        (None, []),
        ("Troubleshoot Student Enrollment", ["trouble_shoot"]),
        ("Leave of Absence", ["leave_of_absence"]),
        ("External Test Credits", ["external_test_credits"]),
    ],
)
def test_a_ticket_asks_only_for_what_was_chosen(chosen: str | None, shown: list[str]) -> None:
    parts = ("trouble_shoot", "leave_of_absence", "external_test_credits")
    assert [name for name in parts if _shows("services", "Main", name, student_task=chosen)] == shown


def test_more_details_are_asked_once_the_chosen_part_is_complete() -> None:
    assert not _shows("services", "Main", "extra_details", trouble_shoot=Nested("t_1"))
    assert _shows("services", "Main", "extra_details", trouble_shoot=Nested("t_1", complete=True))


def test_test_credits_ask_either_about_the_record_or_about_the_scores() -> None:
    sheet = load("services").by_name["ExternalTestCredits"]
    names = [field.name for field in sheet.fields]

    def shown(issue: str) -> list[str]:
        return [name for name in names if _shows("services", "ExternalTestCredits", name, specific_issue=issue)]

    record, scores = (option for option in reversed(sheet.fields[0].options))
    assert shown(record) == ["specific_issue", "test_issues", "test_type", "time_of_test_score_submission"]
    assert shown(scores) == ["specific_issue", "type_of_international_test", "subjects_for_unit_awards"]


@pytest.mark.parametrize(
    ("known", "shown"),
    [
        ({}, []),
        ({"more_courses_2": False}, ["more_courses_2"]),
        ({"more_courses_2": True}, ["more_courses_2", "course_2_details", "more_courses_3", "course_3_details"]),
        (
            {"more_courses_2": True, "more_courses_3": False},
            ["more_courses_2", "course_2_details", "more_courses_3"],
        ),
    ],
)
def test_further_courses_are_asked_until_there_are_enough(known: dict[str, Any], shown: list[str]) -> None:
    names = ("more_courses_2", "course_2_details", "more_courses_3", "course_3_details")
    second = {"course_1_details": Nested("course_2")} if known else {}
    assert [name for name in names if _shows("courses", "CoursesToTake", name, **second, **known)] == shown


def test_the_bank_asks_security_questions_only_where_the_account_is_not_known() -> None:
    specification = load("bank_fraud_report")
    main = specification.by_name["Main"]

    def shows(name: str, first: dict[str, Any], second: dict[str, Any], *, complete: bool = True) -> bool:
        values = {
            "self": {
                "first_authentication_details": Nested("one", complete),
                "second_authentication_details": Nested("two", complete),
            },
            "one": first,
            "two": second,
        }
        return holds(parse(main.by_name[name].predicate, specification, "Main"), Form(values))

    known = {"account_number": "123", "pin": "4567"}
    answers = {"date_of_birth": "1990-01-02", "security_answer_1": "Lovelace", "security_answer_2": "Rex"}
    assert not shows("second_authentication_details", {}, {}, complete=False), "the account comes first"
    assert not shows("second_authentication_details", known, {})
    assert shows("second_authentication_details", {"account_number": "123"}, {})
    assert shows("fraud_report", known, {})
    assert shows("fraud_report", {"account_number": "123"}, answers)
    assert not shows("fraud_report", {"account_number": "123"}, answers | {"security_answer_2": None})


def test_a_missing_security_answer_is_told() -> None:
    specification = load("bank_fraud_report")
    program = parse(specification.by_name["SecondAuthentication"].actions, specification, "SecondAuthentication")
    answers = {"date_of_birth": "1990-01-02", "security_answer_1": "Lovelace", "security_answer_2": "Rex"}
    assert run(program, Form({"self": answers})) == []
    (said,) = run(program, Form({"self": answers | {"security_answer_1": None}}))
    assert isinstance(said, Say)
    assert "cannot authenticate your identity" in said.text


def test_the_actions_are_called_with_what_was_said() -> None:
    specification = load("restaurants")
    place = Entity(table="restaurants", key="blue-door", title="The Blue Door")
    booking = {"restaurant": place, "date": "2026-11-27", "time": "20:00", "number_of_people": 2}
    program = parse(specification.by_name["BookRestaurant"].actions, specification, "BookRestaurant")
    (called,) = run(program, Form({"self": booking}))
    assert isinstance(called, CallAction)
    assert called.name == "book"
    assert {name: value for name, value in called.arguments.items() if value is not None} == booking


def test_a_restaurant_that_was_found_is_offered_to_be_booked() -> None:
    specification = load("restaurants")
    place = Entity(table="restaurants", key="blue-door", title="The Blue Door")
    program = parse(specification.by_name["Restaurant"].actions, specification, "Restaurant")
    assert run(program, Form({}, itself=place)) == [Propose("BookRestaurant", {"restaurant": place})]


def test_directions_go_on_from_the_step_that_was_told_until_the_last() -> None:
    specification = load("trip_directions")
    details = specification.by_name["ContinueDetails"]
    trip = {"travel_mode": "Walking", "departure_location": "A", "arrival_location": "B", "departure_time": "09:00"}
    told = parse(details.by_name["show_next_step"].actions, specification, "ContinueDetails")
    then = parse(details.actions, specification, "ContinueDetails")
    for more in (True, False):
        form = Form({"self": {"show_next_step": more, "current_step": 2}, "travel_information": trip})
        (called,) = run(told, form)
        assert called == CallAction("trip_directions", {**trip, "step": 2, "next": more})
    offered = run(then, Form({"self": {"current_step": 3, "is_last_step": False}}))
    assert offered == [Propose("ContinueDetails", {"current_step": 3})]
    (said,) = run(then, Form({"self": {"current_step": 4, "is_last_step": True}}))
    assert isinstance(said, Say)


@pytest.mark.parametrize("name", NAMES)
def test_every_predicate_can_be_asked_of_an_empty_form(name: str) -> None:
    specification = load(name)
    for worksheet in specification.worksheets:
        for one in worksheet.fields:
            assert evaluate(parse(one.predicate, specification, worksheet.name), Form({})) in (True, False, None)
