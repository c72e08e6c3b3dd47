"""What a message does to the dialogue state: the parser's output (Genie Worksheets section 5.1), typed.

The paper's Python statements (`book_restaurant_1.date = "2026-11-27"`) are one spelling of these; `agent.worksheets.
spelling` writes and reads it. Applying them is `agent.worksheets.update`, all or none.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from agent.worksheets.state import Choice


class Said(BaseModel):
    """Base of all statements. `words` is the stretch of the message it was read from, where there is one."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    words: str = ""


class Start(Said):
    """Open a new instance of `worksheet` under the name `instance`, with nothing filled in yet.

    For a nested worksheet `parent` is "main_1.courses_to_take" where that is known, else the policy finds its place.
    `offered`: the words only suggest the task ("my scores never arrived"); it is proposed, and begun after a yes.
    """

    kind: Literal["start"] = "start"
    worksheet: str
    instance: str
    parent: str = ""
    offered: bool = False


class Assign(Said):
    """A value for a field, given or changed. `value` is what was understood, as a machine value where it could be
    read as one ("2026-11-27"), else the user's text, which the check on assignment then refuses with a reason.

    `others` are what the words may mean as well ("10:00" for "22:00"), in order: the first that will do is taken where
    `value` will not.
    """

    kind: Literal["assign"] = "assign"
    instance: str
    field: str
    value: Any
    others: tuple[bool | int | float | str, ...] = ()


class Fill(Said):
    """A field whose value is what a question finds: `question` is an index into `Understanding.questions`.

    One row found, or a superlative: that row. Several: the user picks.
    """

    kind: Literal["fill"] = "fill"
    instance: str
    field: str
    question: int


class Pick(Said):
    """One of the rows shown or of the candidates of a field ("the second one"), by its entity key."""

    kind: Literal["pick"] = "pick"
    instance: str
    field: str
    table: str
    key: str
    title: str = ""


class Decline(Said):
    """The user will not, or cannot, say. `unknown`: does not know."""

    kind: Literal["decline"] = "decline"
    instance: str
    field: str
    unknown: bool = False


class Clear(Said):
    """Takes a value back, with nothing in its place ("not Friday")."""

    kind: Literal["clear"] = "clear"
    instance: str
    field: str


class Confirm(Said):
    """Yes or no to what was asked to be confirmed or proposed. `digest` is set by the confirmation card's button; a
    typed yes leaves it empty and answers what is pending."""

    kind: Literal["confirm"] = "confirm"
    instance: str
    field: str = ""
    yes: bool = True
    digest: str = ""


class Abandon(Said):
    """Give a task up ("forget the booking"); with `aside`, only for now ("let me come back to it later")."""

    kind: Literal["abandon"] = "abandon"
    instance: str
    aside: bool = False


class Resume(Said):
    """Take a suspended or abandoned task up again."""

    kind: Literal["resume"] = "resume"
    instance: str


class Unclear(Said):
    """What could not be read as a value. `why` is a sentence for the user, where known.

    `choices` are the values that it may have meant: of one field ("tomorrow evening"), or of several ("make it 7").
    """

    kind: Literal["unclear"] = "unclear"
    instance: str = ""
    field: str = ""
    why: str = ""
    choices: tuple[Choice, ...] = ()


Statement = Annotated[
    Start | Assign | Fill | Pick | Decline | Clear | Confirm | Abandon | Resume | Unclear, Field(discriminator="kind")
]
