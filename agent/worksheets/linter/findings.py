"""Findings about a worksheet or a field, placed in the row and column it was declared in."""

from __future__ import annotations

from agent.protocols.errors import ExpressionError
from agent.worksheets.findings import Finding, Level
from agent.worksheets.formats.vocabulary import BY_NAME
from agent.worksheets.specification import Field, Worksheet


def about(worksheet: Worksheet, field: Field | None, column: str, message: str, level: Level = Level.ERROR) -> Finding:
    """Return a finding in one column (formats.vocabulary) of a worksheet's or a field's row."""
    heading = {"ws_backend": "Name", "ws_kind": "Kind"}.get(column) or BY_NAME[column].paper
    return Finding(
        message,
        level,
        row=field.row if field else worksheet.row,
        column=heading,
        worksheet=worksheet.name,
        field=field.name if field else "",
    )


def at(place: Finding, error: ExpressionError) -> Finding:
    """Return the finding with the message and the place of an error in a rule."""
    return Finding(
        sentence(error.reason),
        place.level,
        place.row,
        place.column,
        place.path,
        place.worksheet,
        place.field,
        error.line,
        error.column,
    )


def sentence(reason: str) -> str:
    """Return a reason as a sentence of its own."""
    said = f"{reason[:1].upper()}{reason[1:]}"
    return said if said.endswith(("?", ".")) else f"{said}."
