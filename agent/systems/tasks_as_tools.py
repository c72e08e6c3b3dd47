"""Worksheets as a model without them is given them: a function for each task, and the policy in prose."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from agent.protocols.tools import Tool
from agent.worksheets.expressions import parse
from agent.worksheets.specification import Basic, Field, FieldKind, Specification, Worksheet

JSON_TYPES = {Basic.INTEGER: "integer", Basic.NUMBER: "number", Basic.BOOLEAN: "boolean"}
FORMATS = {Basic.DATE: "YYYY-MM-DD", Basic.TIME: "HH:MM, 24 hours"}


def actions_of(worksheet: Worksheet, specification: Specification) -> tuple[str, ...]:
    """The registered actions that a completed worksheet runs."""
    texts = filter(str.strip, (worksheet.backend, worksheet.actions))
    return tuple(call.name for text in texts for call in parse(text, specification, worksheet.name).calls)


def tasks_that_act(specification: Specification) -> list[Worksheet]:
    """The tasks that a person can begin and that have an action."""
    return [one for one in specification.roots if actions_of(one, specification)]


def tools(specification: Specification) -> tuple[Tool, ...]:
    """A function for each task that acts; its parameters are the task's fields, nested tasks as objects."""
    return tuple(
        Tool(one.variable, one.description or one.title or one.name, _schema(one, specification))
        for one in tasks_that_act(specification)
    )


def asked_of(worksheet: Worksheet) -> list[Field]:
    """The fields that a person is asked for, or may tell."""
    return [one for one in worksheet.fields if one.kind is FieldKind.INPUT and one.type.basic is not Basic.CONFIRM]


def _schema(worksheet: Worksheet, specification: Specification) -> dict[str, Any]:
    fields = asked_of(worksheet)
    needed = [one.name for one in fields if one.required and not one.predicate]
    described = {one.name: _parameter(one, specification) for one in fields}
    return {"type": "object", "properties": described, "required": needed, "additionalProperties": False}


def _parameter(field: Field, specification: Specification) -> dict[str, Any]:
    one = _value(field, specification)
    return {"type": "array", "items": one, "description": _about(field)} if field.type.many else one


def _value(field: Field, specification: Specification) -> dict[str, Any]:
    nested, row, basic = specification.nested(field), specification.knowledge(field), field.type.basic
    if nested is not None:
        return _schema(nested, specification) | {"description": _about(field)}
    if row is not None:
        how = f"the `key` of a row of {row.table} that `search` returned" if row.table else "in the person's words"
        return {"type": "string", "description": f"{_about(field)} ({how})"}
    if basic is Basic.ENUM:
        return {"type": "string", "enum": list(field.options), "description": _about(field)}
    form = f" ({FORMATS[basic]})" if basic in FORMATS else ""
    kind = JSON_TYPES.get(basic, "string") if basic else "string"
    return {"type": kind, "description": f"{_about(field)}{form}"}


def _about(field: Field) -> str:
    return field.description or field.label


def policy(specification: Specification) -> str:
    """What the worksheets say of how each task is done, as sentences."""
    told = [one.description for one in specification.worksheets if one.table == "" and one.kind == "knowledge"]
    return "\n\n".join([*("\n".join(_task(one, specification)) for one in tasks_that_act(specification)), *told])


def _task(worksheet: Worksheet, specification: Specification) -> Iterator[str]:
    yield f"{worksheet.title or worksheet.name} (function `{worksheet.variable}`). {worksheet.description}"
    yield "Ask for what is missing, one thing at a time, in this order. Never make a value up."
    yield from _fields(worksheet, specification, "- ")
    if worksheet.confirmation is not None:
        yield "When all is known, show every value and ask whether it is right. Call the function only after a yes."


def _fields(worksheet: Worksheet, specification: Specification, bullet: str) -> Iterator[str]:
    for field in asked_of(worksheet):
        notes = [
            "needed" if field.required else "optional" if field.ask else "optional, never asked for",
            f"only if {field.predicate}" if field.predicate else "",
            "to be confirmed by itself" if field.confirm else "",
            f"why: {field.reason}" if field.reason else "",
            f"it has to hold that {field.validation}" if field.validation else "",
        ]
        yield f"{bullet}{field.label}: {_about(field)} ({'; '.join(note for note in notes if note)})"
        nested = specification.nested(field)
        if nested is not None:
            yield from _fields(nested, specification, f"  {bullet}")
