"""What the names in an expression stand for, by the specification alone."""

from __future__ import annotations

import ast
import difflib
from collections.abc import Iterable

from agent.worksheets.specification import Field, Specification, Worksheet, WorksheetKind

ROW = ("key", "title", "id", "name")  # what can be read of a row of a corpus: its key, and what people call it


class Unknown(Exception):
    """A name that stands for nothing; says so, with the nearest name there is."""


class Names:
    """The names that rules of `worksheet` may use."""

    def __init__(self, specification: Specification, worksheet: str) -> None:
        self._specification = specification
        self._own = specification.by_name.get(worksheet)

    def owner(self, name: str) -> Worksheet:
        """Return the worksheet of `self` or of a variable."""
        found = self._own if name == "self" else self._specification.by_variable.get(name)
        if found is None:
            known = ("self", "today", "now", "value", *self._specification.by_variable)
            raise Unknown(f"there is no {name!r} here{nearest(name, known)}")
        return found

    def outer(self, field: str) -> Worksheet | None:
        """The worksheet that `self.field` means where this one has no such field: the one that it is nested in."""
        if self._own is None or field in self._own.by_name:
            return None
        parents = self._specification.parents.get(self._own.name, ())
        return next((parent for parent, _ in parents if field in parent.by_name), None)

    def field(self, worksheet: str, name: str) -> Field:
        """Return a field of the worksheet of that name."""
        fields = self._specification.by_name[worksheet].by_name
        if name not in fields:
            raise Unknown(f"{worksheet} has no field {name!r}{nearest(name, fields)}")
        return fields[name]

    def task(self, name: str) -> Worksheet:
        """Return a worksheet that can be proposed."""
        found = self._specification.by_name.get(name)
        if found is None or found.kind is not WorksheetKind.TASK:
            tasks = [worksheet.name for worksheet in self._specification.tasks]
            raise Unknown(f"there is no task worksheet {name!r}{nearest(name, tasks)}")
        return found

    def target(self, owner: str, field: str) -> tuple[str, str]:
        """Return the (worksheet, field) that `owner.field = …` sets."""
        worksheet = self.owner(owner)
        self.field(worksheet.name, field)
        return worksheet.name, field

    def chain(self, node: ast.Attribute) -> list[tuple[str, str]]:
        """Return the (worksheet, field) pairs that `self.courses.course_0.name` reads, outermost first."""
        parts: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            parts.insert(0, inner.attr)
            inner = inner.value
        if not isinstance(inner, ast.Name):
            raise Unknown("only fields of worksheets have attributes here")
        return self._follow(self.owner(inner.id), parts)

    def _follow(self, worksheet: Worksheet, parts: list[str]) -> list[tuple[str, str]]:
        pairs: list[tuple[str, str]] = []
        at: Worksheet | None = worksheet
        for index, part in enumerate(parts):
            if at is None:
                raise Unknown(f"{'.'.join(parts[:index])!r} is not a worksheet, so it has no {part!r}")
            if at.kind is not WorksheetKind.TASK and (index or part not in at.by_name) and part in ROW:
                return pairs
            if at.kind is not WorksheetKind.TASK and index:
                raise Unknown(f"of a row of {at.name}, only {', '.join(ROW)} can be read here")
            field = self.field(at.name, part)
            pairs.append((at.name, part))
            at = None if field.type.many else self._specification.by_name.get(field.type.name)
        return pairs


def nearest(name: str, known: Iterable[str]) -> str:
    """ "; did you mean …?", where something is near."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.6)
    return f"; did you mean {close[0]!r}?" if close else ""
