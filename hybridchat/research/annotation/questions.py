"""What a scheme can ask about a turn.

A question is about the turn as a whole (a choice, labels, a text), or about each thing of a kind that the turn made
(its entities, executions, parsed statements, acts): then every one is judged, and those that are missing are counted.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from hybridchat.research.annotation.parts import SOURCES, parts

RESERVED = frozenset("fsu")  # flag, skip, undo


class Option(BaseModel):
    """One answer. `value` is stored, `label` is shown, `key` is pressed."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    value: str
    label: str
    key: str = Field(default="", max_length=1)


class Question(BaseModel):
    """`only` says of which turns it is asked: all, those that returned nothing, or the last of a conversation.

    `scale` is how far apart answers are, for agreement.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str = Field(pattern=r"^[a-z][a-z0-9_]*$")
    text: str
    help: str = ""
    kind: Literal["choice", "labels", "judge", "text"]
    options: tuple[Option, ...] = ()
    source: Literal["", "entities", "executions", "statements", "acts"] = ""
    missing: bool = False
    only: Literal["all", "empty", "last"] = "all"
    required: bool = True
    scale: Literal["nominal", "ordinal", "interval"] = "nominal"

    @model_validator(mode="after")
    def _is_whole(self) -> Question:
        if self.kind != "text" and len(self.options) < 2:
            raise ValueError(f"{self.name}: a question needs at least two options to choose from.")
        if (self.kind == "judge") != (self.source in SOURCES):
            raise ValueError(f"{self.name}: only a question of kind judge has a source, and it needs one.")
        if len({option.value for option in self.options}) < len(self.options):
            raise ValueError(f"{self.name}: two options have the same value.")
        return self

    def asked_of(self, turn: Any, *, last: bool) -> bool:
        """Whether it is asked of a turn, which is or is not the last of its conversation."""
        if self.only == "empty":
            return parts(turn, "executions") != [] and parts(turn, "entities", repeated=True) == []
        return last if self.only == "last" else True


def questions_of(stored: Any) -> tuple[Question, ...]:
    """The questions of a scheme, checked. Raises ValueError."""
    found = tuple(Question.model_validate(one) for one in stored)
    if len({one.name for one in found}) < len(found):
        raise ValueError("Two questions have the same name.")
    keys = [option.key for one in found if one.kind in ("choice", "labels") for option in one.options if option.key]
    if len(set(keys)) < len(keys):
        raise ValueError("Two answers have the same key.")
    if taken := RESERVED & {option.key for one in found for option in one.options}:
        raise ValueError(f"The keys {', '.join(sorted(taken))} are the page's own.")
    return found
