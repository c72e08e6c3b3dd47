"""The worksheets a message can be about: those open, and those inside them that could be opened by a value."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from agent.parsing.tasks.gates import verdict
from agent.parsing.tasks.shapes import Shape, fillable, shape
from agent.worksheets.entailment import is_router
from agent.worksheets.specification import Field, Specification, Worksheet
from agent.worksheets.state import DialogueState, Instance, InstanceStatus, Slot, SlotStatus

_DEEPEST = 6  # worksheets inside worksheets that are looked into
SETTLES = ("confirm", "clarify", "which")  # what waits once all is told
_LIVE = (InstanceStatus.ACTIVE, InstanceStatus.SUSPENDED, InstanceStatus.PROPOSED)


@dataclass(eq=False)
class Sheet:
    """A worksheet with its instance, or one that could be opened (`instance` None, `name` empty until it is)."""

    worksheet: Worksheet
    instance: Instance | None = None
    parent: Sheet | None = None
    held_by: Field | None = None  # the parent's field that it is the value of
    name: str = ""
    values: dict[str, Any] = field(default_factory=dict)  # given in this message
    children: list[Sheet] = field(default_factory=list)

    @property
    def root(self) -> Sheet:
        return self if self.parent is None else self.parent.root

    @property
    def path(self) -> tuple[Sheet, ...]:
        """From the root to this one."""
        return (self,) if self.parent is None else (*self.parent.path, self)

    @property
    def context(self) -> str:
        """The words that say no more than that one is inside the sheet: what opens it, and what it is called."""
        return " ".join(
            f"{one.held_by.predicate} {one.worksheet.title}" for one in self.path if one.held_by is not None
        )

    def slot(self, name: str) -> Slot:
        return self.instance.slot(name) if self.instance else Slot()

    def value(self, name: str) -> Any:
        """What is known of a field, this message included; None where nothing is."""
        if name in self.values:
            return self.values[name]
        slot = self.slot(name)
        return slot.value if slot.status is SlotStatus.SET else None

    @property
    def optional(self) -> bool:
        """Whether it may be left out, and nothing is known of it yet."""
        needed = self.held_by is None or self.held_by.required
        return not needed and all(self.value(field.name) is None for field in self.worksheet.fields)

    def tree(self) -> Iterator[Sheet]:
        """This sheet and all inside it, in order of the fields."""
        yield self
        for child in self.children:
            yield from child.tree()


@dataclass(frozen=True)
class Place:
    """A field that a value could belong to."""

    sheet: Sheet
    field: Field
    shape: Shape

    @property
    def known(self) -> bool:
        return self.sheet.value(self.field.name) is not None

    @property
    def opened(self) -> bool:
        return bool(self.sheet.name)


class Workspace:
    """The sheets of one dialogue state: `focus` is the root that is worked on, `asked` what the agent waits for."""

    def __init__(self, specification: Specification, state: DialogueState, now: datetime) -> None:
        self.specification = specification
        self.state = state
        self.now = now
        self.roots: list[Sheet] = []
        for instance in state.instances:
            if instance.status in _LIVE and not instance.parent:
                self.roots.append(
                    self._grown(Sheet(specification.by_name[instance.worksheet], instance, name=instance.name))
                )
        self.focus = self._focus()
        self.asked = self._asked()

    def overlook(self) -> None:
        """Goes on as though nothing were waited for."""
        self.state = self.state.model_copy(update={"pending": None})
        self.focus, self.asked = self._focus(), None

    def sheet(self, name: str) -> Sheet | None:
        """The sheet of an instance."""
        return next((sheet for root in self.roots for sheet in root.tree() if name and sheet.name == name), None)

    def nearest(self, sheet: Sheet, variable: str) -> Sheet | None:
        """The sheet that a worksheet's variable means: one above, one beside, else the latest open one."""
        for above in reversed(sheet.path):
            if above.worksheet.variable == variable:
                return above
        for root in (sheet.root, *reversed(self.roots)):
            for found in root.tree():
                if found.worksheet.variable == variable and (found.name or root is sheet.root):
                    return found
        return None

    def new_root(self, worksheet: Worksheet) -> Sheet:
        """A sheet for a task not begun yet."""
        sheet = self._grown(Sheet(worksheet))
        self.roots.append(sheet)
        return sheet

    def finished(self) -> list[Sheet]:
        """The tasks that were done, the latest first."""
        done = [item for item in self.state.instances if item.status is InstanceStatus.DONE and not item.parent]
        return [Sheet(self.specification.by_name[item.worksheet], item, name=item.name) for item in reversed(done)]

    def places(self, root: Sheet | None = None) -> list[Place]:
        """Every field that words can fill and whose predicate is not known to be false, in order."""
        root = root or self.focus
        found: list[Place] = []
        for sheet in root.tree() if root else ():
            if all(self._may(one) for one in sheet.path):
                for one in sheet.worksheet.fields:
                    kind = shape(one, self.specification)
                    if fillable(one) and kind is not Shape.SHEET and verdict(self, sheet, one.predicate) is not False:
                        found.append(Place(sheet, one, kind))
        return found

    def own(self, sheet: Sheet) -> list[Place]:
        """The fields of one sheet that words can fill."""
        return [place for place in self.places(sheet.root) if place.sheet is sheet]

    def place(self, sheet: Sheet, name: str) -> Place | None:
        one = sheet.worksheet.by_name.get(name)
        return Place(sheet, one, shape(one, self.specification)) if one is not None else None

    def row(self, root: Sheet | None = None, asked: Place | None = None) -> Place | None:
        """The field that holds a row of a corpus: the one that was asked for, else the first of a task."""
        if asked is not None and asked.shape is Shape.ROW:
            return asked
        return next((place for place in self.places(root) if place.shape is Shape.ROW), None)

    def _may(self, sheet: Sheet) -> bool:
        """Whether a nested sheet may be worked on: its field's predicate is not known to be false."""
        if sheet.parent is None or sheet.held_by is None:
            return True
        return verdict(self, sheet.parent, sheet.held_by.predicate) is not False

    def _focus(self) -> Sheet | None:
        pending = self.state.pending
        asked = self.sheet(pending.instance) if pending else None
        chosen = asked or self.sheet(self.state.focus)
        if chosen is None:
            active = [
                sheet for sheet in self.roots if sheet.instance and sheet.instance.status is InstanceStatus.ACTIVE
            ]
            chosen = next((sheet for sheet in reversed(active) if self.is_task(sheet.worksheet)), None)
        return chosen.root if chosen else None

    def is_task(self, worksheet: Worksheet) -> bool:
        """Whether people work on it: a router that only opens others is no task."""
        return not is_router(self.specification, worksheet)

    def _asked(self) -> Place | None:
        pending = self.state.pending
        sheet = self.sheet(pending.instance) if pending else None
        return self.place(sheet, pending.field) if pending and sheet else None

    def _grown(self, sheet: Sheet) -> Sheet:
        """The sheet with its nested ones, opened or not."""
        if len(sheet.path) > _DEEPEST:
            return sheet
        for one in sheet.worksheet.fields:
            nested = self.specification.nested(one)
            if nested is None or any(above.worksheet.name == nested.name for above in sheet.path):
                continue
            opened = self._opened(sheet, one)
            for instance in opened:
                sheet.children.append(self._grown(Sheet(nested, instance, sheet, one, instance.name)))
            if not opened or one.type.many:
                sheet.children.append(self._grown(Sheet(nested, None, sheet, one)))
        return sheet

    def _opened(self, sheet: Sheet, one: Field) -> list[Instance]:
        if not sheet.name:
            return []
        place = f"{sheet.name}.{one.name}"
        return [
            item
            for item in self.state.instances
            if item.parent == place and item.status is not InstanceStatus.ABANDONED
        ]
