"""What starting a task implies, and how tasks are opened."""

from __future__ import annotations

import pytest

from agent.worksheets.entailment import Implied, entailed, implied, is_router, opening
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Assign, Start
from tests.agent.worksheets.bench import BOOKING, ENROLLMENT, Bench, field, specification, worksheet

TICKET = specification(
    worksheet(
        "Main",
        field("task", "Leave|Credits"),
        field("leave", "Leave", predicate="self.task == 'Leave'"),
        field("credits", "Credits", predicate="self.task == 'Credits'"),
        field("confirm", "confirm"),
    ),
    worksheet("Leave", field("issue", "Status|Other"), field("form", "Form", predicate="self.issue == 'Status'")),
    worksheet("Form", field("method", "Email|In Person")),
    worksheet("Credits", field("test")),
)


def test_a_gate_is_implied_by_its_task() -> None:
    assert entailed(BOOKING, "BookRestaurant") == (Implied("UserInfo", "user_task", "Book Restaurant"),)


def test_gates_are_implied_all_the_way_up() -> None:
    assert entailed(TICKET, "Form") == (Implied("Main", "task", "Leave"), Implied("Leave", "issue", "Status"))


def test_nothing_is_implied_where_there_are_several_places() -> None:
    assert entailed(ENROLLMENT, "Course") == ()


@pytest.mark.parametrize(
    ("predicate", "value"),
    [
        ("self.b", True),
        ("not self.b", False),
        ("not self.b == False", True),
        ("self.b != False", True),
        ("self.b == True and self.t == 'x'", True),
        ("self.b is not None", None),
        ("self.b == True or self.t == 'x'", None),
        ("self.b ==", None),
    ],
)
def test_only_what_has_to_hold_is_implied(predicate: str, value: bool | None) -> None:
    declared = specification(worksheet("Task", field("b", "bool"), field("t")))
    found = [item.value for item in implied(declared, "Task", predicate) if item.field == "b"]
    assert found == ([] if value is None else [value])


def test_a_router_is_a_worksheet_that_only_tells_the_task() -> None:
    assert is_router(BOOKING, BOOKING.by_name["UserInfo"])
    assert not is_router(BOOKING, BOOKING.by_name["BookRestaurant"])
    assert not is_router(TICKET, TICKET.by_name["Main"])


def test_opening_a_nested_worksheet_opens_what_it_is_in() -> None:
    assert opening(DialogueState(application="test"), TICKET, "Form") == (
        Start(worksheet="Main", instance="main_1"),
        Start(worksheet="Leave", instance="leave_1"),
        Assign(instance="main_1", field="task", value="Leave"),
        Assign(instance="leave_1", field="issue", value="Status"),
        Start(worksheet="Form", instance="form_1"),
    )


@pytest.mark.parametrize("name", ["Form", "Leave", "Credits", "Main"])
async def test_what_is_opened_is_worked_on(name: str) -> None:
    bench = Bench(TICKET)
    await bench.say(*opening(bench.state, TICKET, name))
    assert bench.last.worksheet == name
    assert bench.state.focus == "main_1"


async def test_setting_the_router_starts_its_task() -> None:
    bench = Bench()
    await bench.say(
        Start(worksheet="UserInfo", instance="user_info_1"),
        Assign(instance="user_info_1", field="user_task", value="Book Restaurant"),
    )
    assert (bench.last.worksheet, bench.last.field) == ("BookRestaurant", "restaurant")
