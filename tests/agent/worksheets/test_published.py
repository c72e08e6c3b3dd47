"""Worksheets as they were published load, and what would fail after a person's yes is found before."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent.worksheets.formats import document
from agent.worksheets.linter import Level, lint
from agent.worksheets.specification import Specification


def declared(actions: str, **more: Any) -> Specification:
    fields = [
        {"field_name": "a", "field_type": "str", "field_required": True, "enum_values": None},
        {"field_name": "size", "field_type": "str", "enum_values": ["small", "large"]},
        {"field_name": "number", "field_type": "str", "field_kind": "output"},
        {"field_name": "total", "field_type": "int", "field_kind": "internal"},
        {"field_name": "confirm", "field_type": "confirm", "field_required": True},
    ]
    sheet = {"ws_name": "Main", "ws_type": "worksheet", "ws_actions": actions, "fields": fields} | more
    imported = document.read(json.dumps({"worksheets": [sheet, {"ws_name": "Other", "fields": None}]}), "test")
    assert imported.specification is not None, imported.findings
    return imported.specification


def test_a_null_where_values_or_fields_could_be_is_none() -> None:
    main, other = declared("submit(a=self.a)").worksheets
    assert main.by_name["a"].enum_values == ()
    assert other.fields == ()


def test_a_text_with_values_to_choose_from_is_an_enum() -> None:
    field = declared("submit(a=self.a)").worksheets[0].by_name["size"]
    assert (str(field.type), field.options) == ("Enum", ("small", "large"))


@pytest.mark.parametrize(
    "actions",
    [
        "submit(a=self.a)\nsay(self.number)",
        "self.total = 3\nsay(self.total)",
        "say(str(self.total + 1))\nself.total = 3",
    ],
)
def test_an_action_that_uses_what_is_not_known_yet_is_an_error(actions: str) -> None:
    found = [one for one in lint(declared(actions)) if one.level is Level.ERROR and one.column == "WS Actions"]
    assert found


@pytest.mark.parametrize(
    "actions", ["submit(a=self.a)\nsay(self.a)", 'if self.size == "small":\n  say("Small it is.")']
)
def test_an_action_that_runs_to_its_end_is_no_error(actions: str) -> None:
    assert not [one for one in lint(declared(actions)) if one.column == "WS Actions" and one.level is Level.ERROR]


def test_what_the_backend_returned_is_known_to_the_actions_after_it() -> None:
    found = lint(declared("say(self.number)", ws_backend_api="submit(a=self.a)"))
    assert not [one for one in found if one.level is Level.ERROR and one.column == "WS Actions"]
