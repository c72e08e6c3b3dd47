"""Dialogue states in the notation: a line for every instance, nested ones by reference."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from agent.worksheets.actions import Refusal
from agent.worksheets.entailment import is_router
from agent.worksheets.instances import children, opened, with_slot, worksheet_of
from agent.worksheets.specification import Basic, Field, Specification, Worksheet
from agent.worksheets.spelling.notation import ANSWERS, REFUSED, Made, Name, SpellingError, lines, written
from agent.worksheets.state import DialogueState, Entity, Instance, InstanceStatus, Slot, SlotStatus
from agent.worksheets.values import is_placeholder, read

_SHOWN = (InstanceStatus.ACTIVE, InstanceStatus.SUSPENDED, InstanceStatus.PROPOSED, InstanceStatus.DONE)


def read_state(text: str | Sequence[str], specification: Specification, today: datetime.date) -> DialogueState:
    """Return the state a text describes. Instances keep the names they have there. Raises SpellingError.

    A value that is not of its field's type is kept as it was written: the state is told, not checked. The last task
    is the one in focus; those before it are done where they are confirmed, else set aside.
    """
    reader = _Reader(specification, today)
    told = lines(text)
    for line in told:
        reader.begin(line.target, line.value)
    for line in told:
        reader.line(line.target, line.value)
    return reader.finished()


class _Reader:
    def __init__(self, specification: Specification, today: datetime.date) -> None:
        self._specification, self._today = specification, today
        self._state = DialogueState(application=specification.name, version=specification.version)
        self._answers: dict[str, list[Entity]] = {}

    def begin(self, target: Name | None, value: Any) -> None:
        """Open the instance that a line makes, so that others may refer to it before."""
        match target, value:
            case Name(name, ""), Made(made) if made in self._specification.by_name:
                self._instance(name, self._specification.by_name[made], {})

    def line(self, target: Name | None, value: Any) -> None:
        match target, value:
            case Name(name, "result"), list(rows) if name not in self._known():
                self._answers[name] = [_row(row) for row in rows]
            case Name(name, ""), Made(made, _, named) if made in self._specification.by_name:
                self._instance(name, self._specification.by_name[made], named)
            case Name(name, at), _ if at and name in self._known():
                self._field(name, at, value)
            case _:
                pass  # answers, and what belongs to no worksheet of this application

    def _known(self) -> set[str]:
        return {item.name for item in self._state.instances}

    def _instance(self, name: str, worksheet: Worksheet, named: dict[str, Any]) -> str:
        if worksheet in self._specification.tasks and name not in self._known():
            self._state, instance = opened(self._state, worksheet, name)
            name = instance.name
        for at, value in named.items():
            self._field(name, at, value)
        return name

    def _field(self, name: str, at: str, value: Any) -> None:
        instance = self._state.instance(name)
        field = worksheet_of(self._specification, instance).by_name.get(at) if instance else None
        if instance is None or field is None:
            raise SpellingError("This state does not fit the worksheets.", f"{name} has no field {at!r}")
        slot = self._slot(name, field, value)
        if slot is not None:
            self._state = with_slot(self._state, name, at, slot)

    def _slot(self, name: str, field: Field, value: Any) -> Slot | None:
        if value == REFUSED:
            return Slot(status=SlotStatus.REFUSED, asked=1)
        if self._specification.nested(field) is not None:
            names = [
                self._nested(f"{name}.{field.name}", item) for item in (value if isinstance(value, list) else [value])
            ]
            held = tuple(item for item in names if item)
            return Slot(status=SlotStatus.SET, value=held if field.type.many else held[0]) if held else None
        if self._specification.knowledge(field) is not None:
            return self._entity(value)
        if is_placeholder(value) or isinstance(value, Name | Made):
            return None
        try:
            value = read(value, field, self._specification, self._today)
        except Refusal:
            value = value if isinstance(value, str | int | float | bool) else str(value)
        return Slot(status=SlotStatus.SET, value=value, confirmed=field.type.basic is Basic.CONFIRM and value is True)

    def _nested(self, parent: str, value: Any) -> str:
        """The name of a nested instance, from a reference to it or its making."""
        match value:
            case Name(name, "") if name in self._known():
                pass
            case Made(made, _, named) if made in self._specification.by_name:
                worksheet = self._specification.by_name[made]
                number = self._state.counters.get(worksheet.variable, 0) + 1
                name = self._instance(f"{worksheet.variable}_{number}", worksheet, named)
            case _:
                return ""
        instance = self._state.instance(name)
        if instance is not None:
            self._state = self._state.with_instance(instance.model_copy(update={"parent": parent}))
        return name

    def _entity(self, value: Any) -> Slot | None:
        """A row of a corpus: by its columns, by its name, or as what a query found."""
        match value:
            case Made(name, _, named) if name not in ANSWERS:
                entity = _row(named, self._specification.by_name.get(name))
                return Slot(status=SlotStatus.SET, value=entity, confirmed=True) if entity.title or entity.key else None
            case Name(name, "result", index) if index is not None and index < len(self._answers.get(name, [])):
                return Slot(status=SlotStatus.SET, value=self._answers[name][index], confirmed=True)
            case Name(name, _) if name in self._answers:
                return _found(self._answers[name])
            case Made() | Name():
                return Slot(status=SlotStatus.OPEN)
            case str() if not is_placeholder(value):
                return Slot(status=SlotStatus.SET, value=Entity(table="", key=value, title=value), confirmed=True)
        return None

    def finished(self) -> DialogueState:
        """Return the state with one task in focus."""
        roots = [item for item in self._state.instances if not item.parent and not self._routes(item)]
        for root in roots:
            field = worksheet_of(self._specification, root).confirmation
            confirmed = field is not None and root.slot(field.name).value is True
            status = InstanceStatus.ACTIVE if root is roots[-1] else InstanceStatus.SUSPENDED
            changed = root.model_copy(update={"status": InstanceStatus.DONE if confirmed else status})
            self._state = self._state.with_instance(changed)
        focus = roots[-1].name if roots else ""
        at = self._state.instance(focus)
        active = at is not None and at.status is InstanceStatus.ACTIVE
        return self._state.model_copy(update={"focus": focus if active else ""})

    def _routes(self, instance: Instance) -> bool:
        return is_router(self._specification, worksheet_of(self._specification, instance))


def _row(columns: Any, worksheet: Worksheet | None = None) -> Entity:
    """A row by its columns: its key is its id, its title its name."""
    if not isinstance(columns, dict):
        return Entity(table="", key=str(columns), title=str(columns))
    title = next((str(columns[name]) for name in ("name", "title") if columns.get(name)), "")
    key = next((str(columns[name]) for name in ("id", "key", "slug") if columns.get(name)), title)
    return Entity(table=worksheet.table if worksheet else "", key=key, title=title)


def _found(entities: list[Entity]) -> Slot:
    if len(entities) == 1:
        return Slot(status=SlotStatus.SET, value=entities[0])
    return Slot(status=SlotStatus.OPEN, candidates=tuple(entities))


def write_state(state: DialogueState, specification: Specification) -> str:
    """The open and finished instances, nested ones before what they are nested in."""
    done: set[str] = set()
    text: list[str] = []

    def write(instance: Instance) -> None:
        if instance.name in done or instance.status not in _SHOWN:
            return
        done.add(instance.name)
        for _, child in children(state, instance, specification):
            write(child)
        text.append(f"{instance.name} = {written(_made(state, instance, specification))}")

    for instance in state.instances:
        write(instance)
    return "\n".join(text)


def _made(state: DialogueState, instance: Instance, specification: Specification) -> Made:
    named: dict[str, Any] = {}
    for field in worksheet_of(specification, instance).fields:
        slot = instance.slot(field.name)
        if slot.status in (SlotStatus.REFUSED, SlotStatus.UNKNOWN):
            named[field.name] = REFUSED
        if slot.status is not SlotStatus.SET:
            continue
        if specification.nested(field) is not None:
            inside = [Name(child.name) for at, child in children(state, instance, specification) if at is field]
            if inside:
                named[field.name] = inside if field.type.many else inside[0]
        else:
            named[field.name] = spelt(slot.value, field, specification)
    return Made(instance.worksheet, (), named)


def spelt(value: Any, field: Field, specification: Specification) -> Any:
    """Return a value of a field in the notation: a row as its type with its id and name."""
    if isinstance(value, Entity):
        type_ = specification.knowledge(field)
        return Made(
            type_.name if type_ else "Row", (), {"id": value.key} | ({"name": value.title} if value.title else {})
        )
    if isinstance(value, tuple | list):
        return [spelt(item, field, specification) for item in value]
    return value
