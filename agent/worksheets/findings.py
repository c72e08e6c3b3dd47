"""What is found wrong with a specification, and where: while it is imported, and by the linter."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Level(StrEnum):
    ERROR = "error"  # it cannot be used like this
    WARNING = "warning"  # it can be used, but probably does not do what is meant


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong.

    `row` is the row of the sheet (from 1; 0 if there are no rows), `column` the column's heading, `path` the place
    in a JSON document. `line` and `position` (from 1) are a place inside the cell, for rules.
    """

    message: str
    level: Level = Level.ERROR
    row: int = 0
    column: str = ""
    path: str = ""
    worksheet: str = ""
    field: str = ""
    line: int = 0
    position: int = 0

    @property
    def where(self) -> str:
        """ "row 7, column Predicate (BookRestaurant.date), line 1, character 12", as much of it as is known."""
        name = ".".join(part for part in (self.worksheet, self.field) if part)
        cell = ", ".join(
            part
            for part in (f"row {self.row}" if self.row else self.path, self.column and f"column {self.column}")
            if part
        )
        named = f"{cell} ({name})" if cell and name else cell or name
        inside = f"line {self.line}, character {self.position}" if self.line else ""
        return ", ".join(part for part in (named, inside) if part)

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message
