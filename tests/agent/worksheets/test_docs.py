"""docs/worksheets.md: its forms are read, checked and run; its lists are complete."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.worksheets.actions import Registry
from agent.worksheets.acts import ActKind
from agent.worksheets.expressions import FUNCTIONS
from agent.worksheets.expressions.grammar import METHODS
from agent.worksheets.expressions.published import BUILTINS
from agent.worksheets.formats import Format, read
from agent.worksheets.formats.vocabulary import BY_KEY, HEADINGS
from agent.worksheets.linter import lint
from agent.worksheets.preview import Step, preview
from agent.worksheets.specification import Basic, Specification
from agent.worksheets.statements import Start
from tests.agent.worksheets.bench import Bench, assign, yes

PAGE = Path("docs/worksheets.md").read_text(encoding="utf-8")
START = Start(worksheet="ReserveRoom", instance="reserve_room_1")
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


@pytest.fixture
def bench(rooms: Specification, registry: Registry) -> Bench:
    made = Bench(rooms)
    made.registry = registry
    return made


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


async def test_the_form_runs(bench: Bench) -> None:
    await bench.say(START)
    assert (bench.last.act, bench.last.field) == (ActKind.ASK, "day")
    assert "For which day?" in bench.last.text
    await bench.say(assign("reserve_room_1.day", "2026-11-27"))
    assert "For how many hours?" in bench.last.text
    for field, value, then in (("hours", 3, "equipment"), ("equipment", "Projector", "cable")):
        await bench.say(assign(f"reserve_room_1.{field}", value))
        assert bench.last.field == then
    await bench.say(assign("reserve_room_1.cable", "HDMI"))
    assert bench.last.act is ActKind.CONFIRM
    assert bench.last.values["hours"] == 3
    done = await bench.say(yes("reserve_room_1"))
    assert [effect.action for effect in done.effects] == ["reserve_room"]
    assert any("Room 12 is yours for 3 hours on Friday." in act.text for act in done.acts)


async def test_what_does_not_pass_is_told_and_asked_again(bench: Bench) -> None:
    await bench.say(START)
    decision = await bench.say(assign("reserve_room_1.day", "2027-11-27"))
    assert any("Rooms are given out for the next two weeks." in act.text for act in decision.acts)
    assert bench.state.pending is not None
    assert bench.state.pending.field == "day"


async def test_a_refused_action_asks_again_for_what_is_in_the_way(bench: Bench) -> None:
    await bench.say(START)
    given = {"day": "2026-11-21", "hours": 3, "equipment": "Whiteboard"}
    await bench.say(*(assign(f"reserve_room_1.{field}", value) for field, value in given.items()))
    refused = await bench.say(yes("reserve_room_1"))
    assert refused.effects == ()
    assert any("two hours at most" in act.text for act in refused.acts)
    assert bench.last.field == "hours"


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
    guide = PAGE.split("## A first form")[1].split("The complete form")[0]
    known = {column.paper for column in HEADINGS}
    assert set(re.findall(r"\*(?!\*)([A-Z][^*]+)\*", guide)) <= known
