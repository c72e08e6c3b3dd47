"""The names of columns and keys in the specifications people write.

Two vocabularies are in use: the paper's (WS Predicate, Kind: Task) and that of the published code (Form Predicate,
Type: worksheet). Both are read, matched by name whatever the order, the case and the punctuation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from agent.worksheets.specification import Basic, WorksheetKind


class Vocabulary(StrEnum):
    """In whose words a table is written."""

    PAPER = "paper"
    PUBLISHED = "published"


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading in the paper's words and in those of the published code, and its key in JSON.

    `key` is None where JSON says it otherwise; `others` are more ways to write the heading.
    """

    name: str
    paper: str
    published: str
    key: str | None = None
    others: tuple[str, ...] = ()

    def heading(self, vocabulary: Vocabulary) -> str:
        return self.paper if vocabulary is Vocabulary.PAPER else self.published


WORKSHEET = (
    Column("ws_predicate", "WS Predicate", "Form Predicate", "ws_predicate"),
    Column("ws_name", "WS Name", "Form Name", "ws_name"),
    Column("ws_kind", "", "", "ws_type"),
    Column("ws_backend", "", "", "ws_backend_api"),
    Column("ws_description", "", "", "ws_description"),
    Column("ws_title", "WS Title", "Form Title", "ws_title"),
    Column("ws_verb", "WS Verb", "Form Verb", "ws_verb"),
    Column("ws_table", "WS Table", "Form Table", "ws_table"),
    Column("ws_actions", "WS Actions", "Form Actions", "ws_actions"),
)
FIELD = (
    Column("predicate", "Predicate", "Predicate", "field_predicate"),
    Column("kind", "Kind", "Kind", "field_kind"),
    Column("type", "Type", "Type", "field_type"),
    Column("name", "Name", "Name", "field_name"),
    Column("title", "Title", "Title", "field_title"),
    Column("enum_value", "Enum Values", "Enum Values", "enum_values", ("Enum Value",)),
    Column("description", "Description", "Description", "field_description"),
    Column("dont_ask", "Don't Ask", "Don't Ask", "field_dont_ask", ("Dont Ask", "Don’t Ask")),
    Column("required", "Required", "Required", "field_required"),
    Column("confirm", "Confirmation", "Confirm", "field_confirm"),
    Column("actions", "Actions", "Actions", "field_actions"),
    Column("validation", "Validation", "Validation", "field_validation"),
    Column("refusal", "Validation Message", "Validation Message", "field_validation_message"),
    Column("question", "Question", "Question", "field_question"),
    Column("reason", "Reason", "Reason", "field_reason"),
)
HEADINGS = (*WORKSHEET[:2], *FIELD, *WORKSHEET[5:])  # the columns of a table, in the order they are written
NEEDED = ("ws_name", "type", "name")

BY_KEY = {column.key: column for column in (*WORKSHEET, *FIELD) if column.key}
BY_NAME = {column.name: column for column in (*WORKSHEET, *FIELD)}

WORKSHEET_KINDS = {
    "task": WorksheetKind.TASK,
    "worksheet": WorksheetKind.TASK,
    "kb": WorksheetKind.KNOWLEDGE,
    "db": WorksheetKind.KNOWLEDGE,
    "knowledge": WorksheetKind.KNOWLEDGE,
    "type": WorksheetKind.TYPE,
}
KIND_WORDS = {
    Vocabulary.PAPER: {WorksheetKind.TASK: "Task", WorksheetKind.KNOWLEDGE: "KB", WorksheetKind.TYPE: "Type"},
    Vocabulary.PUBLISHED: {
        WorksheetKind.TASK: "worksheet",
        WorksheetKind.KNOWLEDGE: "db",
        WorksheetKind.TYPE: "type",
    },
}
TYPE_WORDS = {basic.value.lower(): basic.value for basic in Basic} | {
    "string": Basic.TEXT.value,
    "text": Basic.TEXT.value,
    "integer": Basic.INTEGER.value,
    "number": Basic.NUMBER.value,
    "boolean": Basic.BOOLEAN.value,
}
TRUE_WORDS = ("true", "yes", "y", "x", "1")
FALSE_WORDS = ("false", "no", "n", "", "0")


def by_heading() -> dict[str, Column]:
    """Return the columns of a table by every heading they go by, folded."""
    known = {}
    for column in HEADINGS:
        for heading in (column.paper, column.published, column.name, *column.others):
            known[folded(heading)] = column
    return known


def folded(heading: str) -> str:
    """Return a heading without case, spaces and punctuation: "Don't Ask" is "dontask"."""
    return re.sub(r"[^a-z0-9]", "", heading.casefold())
