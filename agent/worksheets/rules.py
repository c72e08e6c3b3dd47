"""Predicates, validations and actions of a specification, evaluated against a dialogue state.

A rule that cannot be read or evaluated is never taken for False: `Rules` notes it in `broken`, and whoever asked gets
None. The policy then says so, and the curator sees the line and the reason.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any

from agent.protocols.errors import ExpressionError
from agent.worksheets.certainty import certain
from agent.worksheets.expressions import Nested, Program, Step, holds, parse, run
from agent.worksheets.instances import LIVE, ancestors, children, family, is_confirmed, root_of, worksheet_of
from agent.worksheets.specification import Basic, Field, FieldKind, Specification
from agent.worksheets.state import DialogueState, Entity, Instance, InstanceStatus, Slot, SlotStatus


@dataclass(frozen=True)
class Broken:
    """A rule that does not work: where it was declared, and its error."""

    worksheet: str
    field: str
    part: str  # "predicate", "validation", "actions"
    error: ExpressionError


@dataclass
class Rules:
    """The rules of one specification during one turn.

    `waiting` is the (instance, field) that is still waited for though it need not be filled: the user asked something
    instead of answering, which does not pass it over.
    """

    specification: Specification
    now: datetime.datetime
    waiting: tuple[str, str] | None = None
    broken: dict[tuple[str, str, str], Broken] = field(default_factory=dict)
    _programs: dict[tuple[str, str], Program] = field(default_factory=dict)
    _weighing: set[str] = field(default_factory=set)

    def allows(self, state: DialogueState, instance: Instance) -> bool | None:
        """Return whether the worksheet may be worked on. None: its predicate does not work."""
        worksheet = worksheet_of(self.specification, instance)
        return self._holds(worksheet.predicate, (worksheet.name, "", "predicate"), state, instance)

    def shows(self, state: DialogueState, instance: Instance, field: Field) -> bool | None:
        """Return whether a field may be filled. None: its predicate does not work."""
        where = (instance.worksheet, field.name, "predicate")
        shown = self._holds(field.predicate, where, state, instance)
        nested = self.specification.nested(field)
        if not shown or nested is None or not nested.predicate or field.type.many:
            return shown
        child = next((child for at, child in children(state, instance, self.specification) if at is field), None)
        child = child or Instance(name="", worksheet=nested.name, parent=f"{instance.name}.{field.name}")
        return self._holds(nested.predicate, (nested.name, "", "predicate"), state, child)

    def excludes(self, state: DialogueState, instance: Instance, field: Field) -> bool:
        """Whether a field can no longer be filled, whatever is still to come: what decides it is known, and says no."""
        if not field.predicate.strip():
            return False
        try:
            program = self._program(field.predicate, instance.worksheet)
            return certain(program, StateScope(self, state, instance)) is False
        except ExpressionError as error:
            where = (instance.worksheet, field.name, "predicate")
            self.broken[where] = Broken(*where, error)
            return False

    def accepts(self, state: DialogueState, instance: Instance, field: Field, value: Any) -> bool | None:
        """Return whether a value passes the field's validation. None: the validation does not work."""
        return self._holds(field.validation, (instance.worksheet, field.name, "validation"), state, instance, value)

    def steps(self, text: str, state: DialogueState, instance: Instance, row: Entity | None = None) -> list[Step]:
        """Return what an action amounts to. Raises ExpressionError."""
        scope = StateScope(self, state, instance, row=row)
        return run(self._program(text, instance.worksheet), scope)

    def nearest(self, state: DialogueState, instance: Instance, worksheet: str) -> Instance | None:
        """The instance of a worksheet that an instance's rules mean: itself, above or beside it, else the latest."""
        above = [instance, *ancestors(state, instance)]
        beside = list(family(state, root_of(state, instance), self.specification))
        latest = [item for item in reversed(state.instances) if item.status in LIVE]
        return next((item for item in (*above, *beside, *latest) if item.worksheet == worksheet), None)

    def complete(self, state: DialogueState, instance: Instance) -> bool:
        """Return whether everything that is required of an instance, nested ones too, is known and confirmed.

        An optional field that is asked for counts as missing until it was asked. A worksheet whose rules ask for its
        own completeness is not complete.
        """
        if instance.status is InstanceStatus.DONE:
            return True
        if instance.name in self._weighing:
            return False
        self._weighing.add(instance.name)
        try:
            fields = worksheet_of(self.specification, instance).fields
            missing = any(self.missing(state, instance, field) for field in fields)
            return not missing and is_confirmed(state, instance, self.specification)
        finally:
            self._weighing.discard(instance.name)

    def missing(self, state: DialogueState, instance: Instance, field: Field) -> bool:
        """Return whether a field still has to be known, or asked, before its worksheet is complete."""
        if field.kind is not FieldKind.INPUT or field.type.basic is Basic.CONFIRM:
            return False
        slot = instance.slot(field.name)
        if slot.status is SlotStatus.OPEN or (slot.status is SlotStatus.SET and unconfirmed(field, slot)):
            return True
        optional = not (field.required and field.ask)
        passed_over = slot.asked and self.waiting != (instance.name, field.name)
        if optional and not (field.ask and slot.status is SlotStatus.UNSET and not passed_over):
            inside = slot.status is SlotStatus.SET and self.specification.nested(field) is not None
            return inside and not self._filled(state, instance, field)
        if self.shows(state, instance, field) is False:
            return False
        return not self._filled(state, instance, field)

    def _filled(self, state: DialogueState, instance: Instance, field: Field) -> bool:
        if self.specification.nested(field) is None:
            return instance.slot(field.name).status is SlotStatus.SET
        inside = [child for at, child in children(state, instance, self.specification) if at is field]
        asked_for_more = not field.type.many or instance.slot(field.name).asked >= len(inside)
        return bool(inside) and asked_for_more and all(self._finished(state, child) for child in inside)

    def _finished(self, state: DialogueState, instance: Instance) -> bool:
        """Whether a nested worksheet is complete, and has run where it has something to run."""
        worksheet = worksheet_of(self.specification, instance)
        runs = bool(worksheet.actions.strip() or worksheet.backend.strip())
        return instance.status is InstanceStatus.DONE if runs else self.complete(state, instance)

    def _holds(
        self, text: str, where: tuple[str, str, str], state: DialogueState, instance: Instance, value: Any = None
    ) -> bool | None:
        if not text.strip():
            return True
        try:
            return holds(self._program(text, where[0]), StateScope(self, state, instance, value))
        except ExpressionError as error:
            self.broken[where] = Broken(*where, error)
            return None

    def _program(self, text: str, worksheet: str) -> Program:
        key = (worksheet, text)
        if key not in self._programs:
            self._programs[key] = parse(text, self.specification, worksheet)
        return self._programs[key]


def unconfirmed(field: Field, slot: Slot) -> bool:
    """Return whether the value has to be confirmed by itself and was not."""
    return (field.confirm or slot.doubted) and not slot.confirmed


@dataclass(frozen=True)
class StateScope:
    """A dialogue state as an expression sees it, from one instance (or `row`, for the actions of a corpus)."""

    rules: Rules
    state: DialogueState
    instance: Instance
    value: Any = None
    row: Entity | None = None

    @property
    def today(self) -> datetime.date:
        return self.rules.now.date()

    @property
    def now(self) -> datetime.datetime:
        return self.rules.now

    def whole(self, owner: str) -> Any:
        if owner == "self" and self.row is not None:
            return self.row
        found = self.found(owner)
        return Nested(found.name, self.rules.complete(self.state, found)) if found else None

    def attribute(self, owner: str, field: str) -> Any:
        found = None if owner == "self" and self.row is not None else self.found(owner)
        if found is None:
            return None
        slot = found.slot(field)
        declared = worksheet_of(self.rules.specification, found).by_name.get(field)
        if slot.status is not SlotStatus.SET or declared is None:
            return None
        if self.rules.specification.nested(declared) is None:
            return slot.value
        inside = [child for at, child in children(self.state, found, self.rules.specification) if at is declared]
        nested = tuple(Nested(child.name, self.rules.complete(self.state, child)) for child in inside)
        return nested if declared.type.many else next(iter(nested), None)

    def found(self, owner: str) -> Instance | None:
        """Return the instance that "self", the name of an instance or the variable of a worksheet means."""
        if owner == "self":
            return self.state.instance(self.instance.name) or self.instance
        if (named := self.state.instance(owner)) is not None:
            return named
        worksheet = self.rules.specification.by_variable.get(owner)
        return self.rules.nearest(self.state, self.instance, worksheet.name) if worksheet else None
