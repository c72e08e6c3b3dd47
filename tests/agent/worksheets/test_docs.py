"""docs/worksheets.md: its forms are read, checked and run; its lists are complete."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.worksheets.actions import Registry
from agent.worksheets.acts import Act, ActKind
from agent.worksheets.expressions import FUNCTIONS
from agent.worksheets.expressions.grammar import METHODS
from agent.worksheets.expressions.published import BUILTINS
from agent.worksheets.formats import Format, read
from agent.worksheets.formats.vocabulary import BY_KEY, HEADINGS
from agent.worksheets.linter import lint
from agent.worksheets.policy import Context, Decision, decide
from agent.worksheets.preview import Step, preview
from agent.worksheets.specification import Basic, Specification
from agent.worksheets.state import DialogueState
from agent.worksheets.statements import Assign, Confirm, Start, Statement
from agent.worksheets.update import apply

PAGE = Path("docs/worksheets.md").read_text(encoding="utf-8")
FRIDAY = datetime.datetime(2026, 11, 20, 14, 0)


def _blocks(kind: str) -> list[str]:
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, re.DOTALL)


def _read(table: str) -> Specification:
    imported = read(table.encode(), Format.CSV, "rooms")
    assert imported.specification is not None, [str(finding) for finding in imported.findings]
    assert not imported.findings
    return imported.specification


@pytest.fixture
def rooms() -> Specification:
    return _read(_blocks("csv")[1])


@pytest.fixture
def registry() -> Registry:
    (code,) = _blocks("python")
    names: dict[str, Any] = {}
    exec(code, names)  # the page's own words
    made: Registry = names["registry"]
    return made


class Talk:
    """A conversation with the form, by statements."""

    def __init__(self, specification: Specification, registry: Registry) -> None:
        self._specification, self._registry = specification, registry
        self.state = DialogueState(application=specification.name)

    async def say(self, *statements: Statement) -> Decision:
        updated = await apply(self.state, statements, {}, self._specification, self._registry, FRIDAY)
        context = Context("page", FRIDAY, self._specification.name)
        decision = await decide(updated, (), self._specification, self._registry, context)
        self.state = decision.state
        return decision

    async def give(self, field: str, value: Any) -> Act:
        return (await self.say(Assign(instance="reserve_room_1", field=field, value=value))).acts[-1]


def test_three_columns_are_enough() -> None:
    (sheet,) = _read(_blocks("csv")[0]).worksheets
    assert [(field.name, str(field.type)) for field in sheet.fields] == [("day", "date"), ("hours", "int")]


def test_the_form_is_clean(rooms: Specification, registry: Registry) -> None:
    assert lint(rooms, registry) == []


async def test_the_preview_is_the_one_shown(rooms: Specification) -> None:
    shown = "".join(f"{line}\n" for line in _lines(await preview(rooms, "ReserveRoom", FRIDAY)))
    assert shown == _blocks("preview")[0]


def _lines(steps: tuple[Step, ...], indent: str = "") -> Iterator[str]:
    for step in steps:
        name = f"{step.worksheet}.{step.field}" if step.field else step.text
        yield f"{indent}{step.act} {name}"
        for option, inner in step.branches:
            yield f"{indent}  {option}"
            yield from _lines(inner, f"{indent}    ")


async def test_the_form_runs(rooms: Specification, registry: Registry) -> None:
    talk = Talk(rooms, registry)
    began = await talk.say(Start(worksheet="ReserveRoom", instance="reserve_room_1"))
    assert (began.acts[-1].act, began.acts[-1].field) == (ActKind.ASK, "day")
    assert "For which day?" in began.acts[-1].text
    assert "For how many hours?" in (await talk.give("day", "2026-11-27")).text
    assert (await talk.give("hours", 3)).field == "equipment"
    assert (await talk.give("equipment", "Projector")).field == "cable"
    shown = await talk.give("cable", "HDMI")
    assert shown.act is ActKind.CONFIRM
    assert shown.values["hours"] == 3
    done = await talk.say(Confirm(instance="reserve_room_1", field="confirm", yes=True))
    assert [effect.action for effect in done.effects] == ["reserve_room"]
    assert any("Room 12 is yours for 3 hours on Friday." in act.text for act in done.acts)


async def test_what_does_not_pass_is_told_and_asked_again(rooms: Specification, registry: Registry) -> None:
    talk = Talk(rooms, registry)
    await talk.say(Start(worksheet="ReserveRoom", instance="reserve_room_1"))
    decision = await talk.say(Assign(instance="reserve_room_1", field="day", value="2027-11-27"))
    assert any("Rooms are given out for the next two weeks." in act.text for act in decision.acts)
    assert talk.state.pending is not None
    assert talk.state.pending.field == "day"


async def test_a_refused_action_asks_again_for_what_is_in_the_way(rooms: Specification, registry: Registry) -> None:
    talk = Talk(rooms, registry)
    await talk.say(Start(worksheet="ReserveRoom", instance="reserve_room_1"))
    for field, value in (("day", "2026-11-21"), ("hours", 3), ("equipment", "Whiteboard")):
        await talk.give(field, value)
    refused = await talk.say(Confirm(instance="reserve_room_1", field="confirm", yes=True))
    assert refused.effects == ()
    assert any("two hours at most" in act.text for act in refused.acts)
    assert refused.acts[-1].field == "hours"


def test_the_linter_finds_what_the_page_says() -> None:
    imported = read(_blocks("csv wrong")[0].encode(), Format.CSV, "feedback")
    assert imported.specification is not None
    assert [str(finding) for finding in lint(imported.specification)] == _blocks("findings")[0].splitlines()


@pytest.mark.parametrize("column", HEADINGS, ids=lambda column: column.name)
def test_every_column_has_its_row(column: Any) -> None:
    assert f"| {column.paper} | {column.published} |" in PAGE


@pytest.mark.parametrize("key", [*BY_KEY, "fields"])
def test_every_key_of_the_json_is_named(key: str) -> None:
    assert f"`{key}`" in PAGE


def test_every_type_function_and_action_of_the_language_is_named() -> None:
    assert [basic.value for basic in Basic if f"`{basic.value}`" not in PAGE] == []
    assert [name for name in FUNCTIONS if f"`{name}(…)`" not in PAGE] == []
    assert [name for name in METHODS if f".{name}(" not in PAGE] == []
    assert [name for name in BUILTINS if f"| `{name}(" not in PAGE] == []


def test_every_column_of_the_guide_exists() -> None:
    guide = PAGE.split("## From nothing to running")[1].split("The whole form")[0]
    known = {column.paper for column in HEADINGS}
    assert set(re.findall(r"\*(?!\*)([A-Z][^*]+)\*", guide)) <= known
