"""What the agent does in a turn, formally (Genie Worksheets section 5.2), and the effects its actions had."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class ActKind(StrEnum):
    REPORT = "REPORT"  # what a query or an action gave
    CONFIRM = "CONFIRM"  # ask for a yes to values shown
    SAY = "SAY"
    PROPOSE = "PROPOSE"  # offer a task
    ASK = "ASK"
    CLARIFY = "CLARIFY"  # what was said could not be read; says why, and how to say it
    ERROR = "ERROR"  # an action or a rule failed


class Act(BaseModel):
    """`values` are machine values by field, nested worksheets as nested objects. `text` is the act in words, written
    by code: what a template says, and what a model's wording is checked against. `instance` and `digest` bind a
    CONFIRM or PROPOSE to what is shown. `options` are answers to offer as quick replies."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    act: ActKind
    worksheet: str = ""
    field: str = ""
    values: dict[str, Any] = Field(default_factory=dict)
    text: str = ""
    instance: str = ""
    digest: str = ""
    options: tuple[str, ...] = ()
    query: int | None = None  # for REPORT: which outcome of the turn


class Effect(BaseModel):
    """One action that ran: what it was given and what came of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    worksheet: str
    instance: str
    action: str
    values: dict[str, Any]
    result: dict[str, Any]
    key: str = ""  # the idempotency key it ran under
