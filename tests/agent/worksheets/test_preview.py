"""The preview asks what the policy would ask, follows every choice that matters, and runs nothing."""

from __future__ import annotations

import datetime
from collections.abc import Iterable

import pytest

from agent.worksheets.applications import ASSISTANTS, STAR, load
from agent.worksheets.formats import Format, read
from agent.worksheets.preview import Step, preview, previewed
from agent.worksheets.specification import Specification

NOW = datetime.datetime(2026, 11, 20, 14, 0)


def _specification(rows: str) -> Specification:
    headings = "WS Name,Kind,Type,Name,Enum Values,Required,Predicate,Validation,WS Actions\n"
    imported = read((headings + rows).encode(), Format.CSV, "garage")
    assert imported.specification is not None, [str(finding) for finding in imported.findings]
    return imported.specification


def _asked(steps: Iterable[Step]) -> list[str]:
    return [step.field for step in steps if step.act == "ASK"]


async def test_a_booking_is_asked_for_field_by_field_then_confirmed_then_run() -> None:
    steps = await preview(load("restaurants"), "BookRestaurant", NOW)
    assert [(step.act, step.field) for step in steps] == [
        ("ASK", "restaurant"),
        ("ASK", "date"),
        ("ASK", "time"),
        ("ASK", "number_of_people"),
        ("ASK", "email"),
        ("CONFIRM", "confirm"),
        ("RUN", ""),
    ]
    assert [step.field for step in steps if step.optional] == ["email"]
    assert steps[-1].text.startswith("book(restaurant, date, time, number_of_people")


async def test_each_choice_that_rules_look_at_is_followed() -> None:
    (first,) = await preview(load("services"), "Main", NOW)
    assert [option for option, _ in first.branches] == list(
        load("services").by_name["Main"].by_name["student_task"].options
    )
    (trouble, _, credits) = [steps for _, steps in first.branches]
    change, _ = trouble[-1].branches
    assert [option for option, _ in change[1][-1].branches] == [
        "Add a Course, Drop a Course, Change Units",
        "Other Enrollment Issues",
    ], "options that lead to the same questions share a branch"
    assert _asked(credits) == ["specific_issue"]


async def test_a_choice_that_nothing_depends_on_makes_no_branch() -> None:
    specification = _specification("Repair,Task\n,,Enum,what,,TRUE\n,,,,Bike\n,,,,Car\n,,str,plate,,TRUE\n")
    steps = await preview(specification, "Repair", NOW)
    assert [(step.field, step.answer, step.branches) for step in steps[:2]] == [
        ("what", "Bike", ()),
        ("plate", "something", ()),
    ]


async def test_of_a_list_one_is_given_and_then_no_more() -> None:
    specification = _specification(
        "Repair,Task\n,,List[Part],parts,,TRUE\n,,confirm,confirm,,TRUE\nPart,Task\n,,str,name,,TRUE\n"
    )
    steps = await preview(specification, "Repair", NOW)
    assert [(step.act, step.field, step.answer) for step in steps[:3]] == [
        ("ASK", "name", "something"),
        ("PROPOSE", "parts", "no"),
        ("CONFIRM", "confirm", "yes"),
    ]


async def test_made_up_answers_pass_the_validations() -> None:
    specification = _specification(
        "Repair,Task\n,,int,age,,TRUE,,value > 15\n,,date,bought,,TRUE,,value < today\n,,str,mail,,TRUE,,'@' in value\n"
    )
    steps = await preview(specification, "Repair", NOW)
    assert [step.answer for step in steps if step.act == "ASK"] == ["20", "2026-11-13", "name@example.org"]


async def test_a_validation_that_no_made_up_answer_passes_ends_the_preview_and_says_so() -> None:
    specification = _specification("Repair,Task\n,,str,code,,TRUE,,value == 'open sesame'\n")
    steps = await preview(specification, "Repair", NOW)
    assert steps[0].answer == "(no sample value passes)"
    assert all(step.act != "RUN" for step in steps)


async def test_a_rule_that_does_not_work_is_shown() -> None:
    specification = _specification("Repair,Task\n,,str,one,,TRUE\n,,str,two,,TRUE,self.one > 3\n")
    steps = await preview(specification, "Repair", NOW)
    assert any(step.act == "ERROR" for step in steps)


@pytest.mark.parametrize("name", [*ASSISTANTS, *STAR])
async def test_every_task_of_the_applications_ends(name: str) -> None:
    specification = load(name)
    for worksheet in previewed(specification):
        assert _ends(await preview(specification, worksheet.name, NOW)), worksheet.name


def _ends(steps: tuple[Step, ...]) -> bool:
    """Each way through it runs the action; nothing is cut short."""
    if steps[-1].branches:
        return all(_ends(inner) for _, inner in steps[-1].branches)
    return any(step.act in ("RUN", "PROPOSE") for step in steps) or len(steps) == 1 or steps[-1].act == "PROPOSE"
