"""Predicates as the understanding needs them: which fields are known to be closed, and what opens one."""

from __future__ import annotations

import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agent.protocols.errors import ExpressionError
from agent.worksheets import entailment
from agent.worksheets.certainty import certain
from agent.worksheets.entailment import Implied
from agent.worksheets.expressions import Nested, Program, parse
from agent.worksheets.specification import Specification

if TYPE_CHECKING:
    from agent.parsing.tasks.workspace import Sheet, Workspace


@lru_cache(maxsize=2_000)
def implied(specification: Specification, worksheet: str, predicate: str) -> tuple[Implied, ...]:
    """The values without which a predicate of a worksheet cannot hold."""
    return entailment.implied(specification, worksheet, predicate)


@lru_cache(maxsize=2_000)
def _program(predicate: str, specification: Specification, worksheet: str) -> Program | None:
    """The parsed predicate; None for one that cannot be parsed, which the policy reports where it is to be held."""
    try:
        return parse(predicate, specification, worksheet)
    except ExpressionError:
        return None


def verdict(workspace: Workspace, sheet: Sheet, predicate: str) -> bool | None:
    """Whether a predicate of a sheet holds; None where it rests on something not known yet, or cannot be evaluated."""
    if not predicate.strip():
        return True
    program = _program(predicate, workspace.specification, sheet.worksheet.name)
    try:
        return certain(program, _Scope(workspace, sheet)) if program is not None else None
    except ExpressionError:
        return None


class _Scope:
    """What is known of the sheets, this message included, for the interpreter of expressions.

    Nested sheets count as not complete: whether they are is for the policy to say.
    """

    value = None

    def __init__(self, workspace: Workspace, sheet: Sheet) -> None:
        self._workspace, self._sheet = workspace, sheet
        self.now = workspace.now

    @property
    def today(self) -> datetime.date:
        return self.now.date()

    def attribute(self, owner: str, field: str) -> Any:
        sheet = self._of(owner)
        value = sheet.value(field) if sheet else None
        nested = self._workspace.sheet(value) if isinstance(value, str) else None
        return Nested(nested.name) if nested else value

    def whole(self, owner: str) -> Any:
        sheet = self._of(owner)
        return Nested(sheet.name) if sheet and sheet.name else None

    def _of(self, owner: str) -> Sheet | None:
        if owner == "self":
            return self._sheet
        return self._workspace.nearest(self._sheet, owner) or self._workspace.sheet(owner)
