"""What a curator declares: worksheets, their fields, and when each may be asked, confirmed and run.

After Genie Worksheets (sections 4 and 5, appendix B). A `Specification` is immutable and versioned; it holds the text
of predicates and actions, which `agent.worksheets.expressions` parses. Nothing here knows a conversation.
"""

from __future__ import annotations

import re
from enum import StrEnum
from functools import cached_property
from typing import Any

from pydantic import BaseModel, ConfigDict


class Declared(BaseModel):
    """Base of everything a specification is made of."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class WorksheetKind(StrEnum):
    TASK = "task"  # has fields to fill and actions to run
    KNOWLEDGE = "knowledge"  # a corpus to be asked; its fields are query parameters
    TYPE = "type"  # the shape of a knowledge worksheet's row, as the value of a field


class FieldKind(StrEnum):
    INPUT = "input"  # from the user
    OUTPUT = "output"  # from an action's or a query's result
    INTERNAL = "internal"  # from the worksheet's own actions


class Basic(StrEnum):
    """The types that are no worksheet. Machine values: str, int, float, bool, "2026-11-27", "19:00", an enum's text."""

    TEXT = "str"
    INTEGER = "int"
    NUMBER = "float"
    BOOLEAN = "bool"
    DATE = "date"
    TIME = "time"
    CONFIRM = "confirm"  # true only by the confirmation that was asked (agent.worksheets.policy)
    ENUM = "Enum"


class EnumValue(Declared):
    value: str
    description: str = ""


class FieldType(Declared):
    """`List[Course]` is FieldType(name="Course", many=True). `name` is a `Basic` or the name of a worksheet."""

    name: str
    many: bool = False

    @property
    def basic(self) -> Basic | None:
        return Basic(self.name) if self.name in Basic._value2member_map_ else None

    def __str__(self) -> str:
        return f"List[{self.name}]" if self.many else self.name


class Field(Declared):
    """One thing to know. `row` is where it was read from, for messages to the curator.

    `ask` False: recorded if volunteered, never asked for. `required` False: asked once, and may be refused.
    `validation` is an expression over `value`, `self` and `today`, true of a value that may be assigned.
    `refusal` is what to say of a value that fails it. `question` is how to ask (a sentence); `reason` says why it is
    needed, for those who hesitate. `title` is what the user calls it, where the name does not say ("units").
    """

    name: str
    type: FieldType
    kind: FieldKind = FieldKind.INPUT
    primary: bool = False
    predicate: str = ""
    title: str = ""
    description: str = ""
    question: str = ""
    reason: str = ""
    enum_values: tuple[EnumValue, ...] = ()
    ask: bool = True
    required: bool = False
    confirm: bool = False
    validation: str = ""
    refusal: str = ""
    actions: str = ""
    row: int = 0

    @property
    def label(self) -> str:
        """What it is called in words: its title, else its name ("number of people")."""
        return self.title or self.name.replace("_", " ").strip()

    @property
    def options(self) -> tuple[str, ...]:
        return tuple(item.value for item in self.enum_values)


class Worksheet(Declared):
    """`backend` is the published code's call on the worksheet row (`book(restaurant=self.restaurant)`).

    `table` names the table of the catalogue that a knowledge worksheet or a type stands for ("" if none).
    `title` is what the user calls it ("reservation"); `verb` what confirming does ("book").
    """

    name: str
    kind: WorksheetKind = WorksheetKind.TASK
    predicate: str = ""
    description: str = ""
    title: str = ""
    verb: str = ""
    table: str = ""
    backend: str = ""
    actions: str = ""
    fields: tuple[Field, ...] = ()
    row: int = 0

    @cached_property
    def by_name(self) -> dict[str, Field]:
        return {field.name: field for field in self.fields}

    @property
    def variable(self) -> str:
        """The snake-case name that predicates and instances use: BookRestaurant is `book_restaurant` (appendix D)."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", self.name).lower()

    @property
    def confirmation(self) -> Field | None:
        """The field of type confirm that stands before this worksheet's actions."""
        return next((field for field in self.fields if field.type.basic is Basic.CONFIRM), None)


class Specification(Declared):
    """One application. `name` is the assistant's slug; `version` counts its editions."""

    name: str
    title: str = ""
    version: int = 1
    worksheets: tuple[Worksheet, ...] = ()

    @cached_property
    def by_name(self) -> dict[str, Worksheet]:
        return {worksheet.name: worksheet for worksheet in self.worksheets}

    @cached_property
    def by_variable(self) -> dict[str, Worksheet]:
        return {worksheet.variable: worksheet for worksheet in self.worksheets}

    @property
    def tasks(self) -> tuple[Worksheet, ...]:
        return tuple(worksheet for worksheet in self.worksheets if worksheet.kind is WorksheetKind.TASK)

    def nested(self, field: Field) -> Worksheet | None:
        """Return the task worksheet that is the field's value, if it is one."""
        worksheet = self.by_name.get(field.type.name)
        return worksheet if worksheet is not None and worksheet.kind is WorksheetKind.TASK else None

    def knowledge(self, field: Field) -> Worksheet | None:
        """Return the knowledge worksheet or type whose row is the field's value, if it is one."""
        worksheet = self.by_name.get(field.type.name)
        return worksheet if worksheet is not None and worksheet.kind is not WorksheetKind.TASK else None

    @cached_property
    def parents(self) -> dict[str, tuple[tuple[Worksheet, Field], ...]]:
        """For each nested task worksheet: the (worksheet, field) pairs it is the value of."""
        found: dict[str, list[tuple[Worksheet, Field]]] = {}
        for worksheet in self.tasks:
            for field in worksheet.fields:
                if self.nested(field) is not None:
                    found.setdefault(field.type.name, []).append((worksheet, field))
        return {name: tuple(pairs) for name, pairs in found.items()}

    @property
    def roots(self) -> tuple[Worksheet, ...]:
        """Task worksheets that a person can start by themselves: those that are no other's field."""
        return tuple(worksheet for worksheet in self.tasks if worksheet.name not in self.parents)


Value = Any  # a machine value: None, bool, int, float, str, a list of them, an Entity or a Reference as dicts
