"""The statements of a message while they are being found: instances get their names, gates are opened, none twice."""

from __future__ import annotations

from typing import Any

from agent.parsing.tasks.gates import implied
from agent.parsing.tasks.workspace import Place, Sheet, Workspace
from agent.worksheets.statements import Assign, Clear, Start, Statement


class Draft:
    """Collects statements. A value for a sheet that is not open yet opens it, its parents and its gates first."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.statements: list[Statement] = []
        self.restated = False  # a value that is there already was said again
        self._counters = dict(workspace.state.counters)

    def __bool__(self) -> bool:
        return bool(self.statements)

    def add(self, statement: Statement) -> None:
        if statement not in self.statements:
            self.statements.append(statement)

    def open(self, sheet: Sheet, words: str = "") -> str:
        """The name of a sheet's instance, started if it has none yet."""
        if sheet.name:
            return sheet.name
        if sheet.parent is not None:
            self.open(sheet.parent, words)
            if sheet.held_by is not None:
                self._satisfy(sheet.parent, sheet.held_by.predicate, words)
        self._satisfy(sheet, sheet.worksheet.predicate, words)
        variable = sheet.worksheet.variable
        self._counters[variable] = self._counters.get(variable, 0) + 1
        sheet.name = f"{variable}_{self._counters[variable]}"
        parent = f"{sheet.parent.name}.{sheet.held_by.name}" if sheet.parent and sheet.held_by else ""
        self.add(Start(worksheet=sheet.worksheet.name, instance=sheet.name, parent=parent, words=words))
        if sheet.parent and sheet.held_by and not sheet.held_by.type.many:
            sheet.parent.values[sheet.held_by.name] = sheet.name
        return sheet.name

    def offer(self, sheet: Sheet, words: str = "") -> None:
        """Opens a task that is only proposed."""
        name = self.open(sheet, words)
        self.statements = [
            item.model_copy(update={"offered": True}) if isinstance(item, Start) and item.instance == name else item
            for item in self.statements
        ]

    def assign(self, place: Place, value: Any, words: str = "", others: tuple[str, ...] = ()) -> None:
        """A value for a field; what its predicates ask of other fields is said as well. A value that is there already
        is not said again."""
        sheet, name = place.sheet, place.field.name
        if sheet.name and sheet.value(name) == value and name not in sheet.values:
            sheet.values[name] = value
            self.restated = True
            return
        self.reach(place, words)
        sheet.values[name] = value
        self._replace(Assign(instance=sheet.name, field=name, value=value, words=words, others=others))

    def reach(self, place: Place, words: str = "") -> str:
        """Opens the way to a field: the name of its sheet's instance."""
        self.open(place.sheet, words)
        self._satisfy(place.sheet, place.field.predicate, words)
        return place.sheet.name

    def assigned(self, place: Place) -> bool:
        """Whether this message gave the field a value."""
        return place.field.name in place.sheet.values

    def _replace(self, statement: Assign) -> None:
        """A later value of a field takes the place of an earlier one of the same message, or its being emptied."""
        self.statements = [
            item
            for item in self.statements
            if not (
                isinstance(item, Assign | Clear)
                and (item.instance, item.field) == (statement.instance, statement.field)
            )
        ]
        self.statements.append(statement)

    def _satisfy(self, sheet: Sheet, predicate: str, words: str) -> None:
        """Says what a predicate asks to be said, where it is not known to be so."""
        for item in implied(self.workspace.specification, sheet.worksheet.name, predicate):
            owner = self._owner(sheet, item.worksheet)
            place = self.workspace.place(owner, item.field) if owner else None
            if place is not None and place.sheet.value(item.field) != item.value:
                self.assign(place, item.value, words)

    def _owner(self, sheet: Sheet, name: str) -> Sheet | None:
        """The sheet that a worksheet's name means, seen from another: the nearest, or a new one."""
        worksheet = self.workspace.specification.by_name[name]
        found = self.workspace.nearest(sheet, worksheet.variable)
        if found is None and worksheet in self.workspace.specification.roots:
            return self.workspace.new_root(worksheet)
        return found
