"""The schemes of the papers, to begin with."""

from __future__ import annotations

from typing import Any

from hybridchat.research.annotation.models import Scheme
from hybridchat.research.annotation.questions import questions_of


def _options(*told: str) -> list[dict[str, str]]:
    """Options, each written "value: label (key)"; the key may be left out."""
    found = []
    for one in told:
        value, _, label = one.partition(": ")
        label, _, key = label.partition(" (")
        found.append({"value": value, "label": label, "key": key.rstrip(")")})
    return found


JUDGED = _options("right: right (r)", "wrong: wrong (w)")
POSITIVE = _options("true_positive: true positive (r)", "false_positive: false positive (w)")

SUQL: dict[str, Any] = {
    "slug": "suql",
    "title": "Rows of a search (SUQL, section 6.2)",
    "guidelines": """\
**Rows.** A row is a *true positive* if it satisfies everything that the person asked for, and what is said about it is
right and relevant. Otherwise it is a *false positive*. Each row is judged where it comes up first in a conversation.

**Nothing found.** Where no row came back: is there truly none (*true negative*), or was one missed (*false negative*)?

**What was needed.** *Structured only*: columns alone answer it. *Combination*: texts have to be read as well. *No
search*: the message does not ask for anything in the data.""",
    "questions": [
        {
            "name": "search",
            "text": "What does the message need?",
            "kind": "choice",
            "options": _options(
                "structured: structured only (1)", "combination: combination (2)", "none: no search (3)"
            ),
        },
        {"name": "entities", "text": "Is each row right?", "kind": "judge", "source": "entities", "options": POSITIVE},
        {
            "name": "empty",
            "text": "Nothing was found. Is that right?",
            "kind": "choice",
            "only": "empty",
            "options": _options("true_negative: true negative (4)", "false_negative: false negative (5)"),
        },
    ],
}

GENIE: dict[str, Any] = {
    "slug": "genie",
    "title": "Task-oriented turns (Genie Worksheets, appendix J)",
    "guidelines": """\
**Parsing.** Judge each statement and query that the parser wrote, and count those that the message called for and that
are missing. Accuracy is right / (right + wrong + missing).

**Execution.** Judge each call of the database or of an action: *true positive* if it was the right one with the right
values. Accuracy is true / (true + false).

**Acts.** Judge each act by the policy that the worksheets describe, and count those that are missing. Accuracy is
right / (right + wrong + missing).

**Goal.** At the end of the conversation: did the person get done what they wanted?""",
    "questions": [
        {"name": "parsing", "text": "Was the message parsed right?", "kind": "judge", "source": "statements",
         "options": JUDGED, "missing": True},
        {"name": "execution", "text": "Was each call right?", "kind": "judge", "source": "executions",
         "options": POSITIVE},
        {"name": "acts", "text": "Does each act follow the policy?", "kind": "judge", "source": "acts",
         "options": JUDGED, "missing": True},
        {"name": "goal", "text": "Was the goal reached?", "kind": "choice", "only": "last",
         "options": _options("reached: reached (1)", "missed: not reached (2)")},
    ],
}  # fmt: skip

ERRORS: dict[str, Any] = {
    "slug": "errors",
    "title": "Categories of errors (SUQL, BlendSQL, relational databases as memory)",
    "guidelines": """\
Choose every category that made the answer wrong; none if it is right.

**Not an error of the system**: *format* (the same answer in other words or units), *lengthy* (the answer with more
around it), *gold wrong*, *gold incomplete* (several answers are right), *gold missing* (the data do not hold it).

**Errors**: *parsing* (the query does not ask what the message asks), *reading* (a text, or the values of a column, were
read wrongly), *types* (a value was converted wrongly), *syntax* (the query cannot be run), *text to table* and *table
to text* (a step from one to the other was missed), *selection* (the wrong tables were asked), *values* (the words for a
value differ from those stored), *arithmetic* (right rows, wrong calculation).""",
    "questions": [
        {
            "name": "categories",
            "text": "What was wrong?",
            "kind": "labels",
            "required": False,
            "options": _options(
                "format: format (1)", "lengthy: lengthy (2)", "gold_wrong: gold wrong (3)",
                "gold_incomplete: gold incomplete (4)", "gold_missing: gold missing (5)", "parsing: parsing (6)",
                "reading: reading (7)", "types: types (8)", "syntax: syntax (9)", "text_to_table: text to table (a)",
                "table_to_text: table to text (b)", "selection: selection (c)", "values: values (d)",
                "arithmetic: arithmetic (e)",
            ),
        },
        {"name": "comment", "text": "In words", "kind": "text", "required": False},
    ],
}  # fmt: skip

FREE: dict[str, Any] = {
    "slug": "free",
    "title": "Free labels",
    "guidelines": "Write labels that fit the turn, separated by commas. Use a label that is there already if it fits.",
    "questions": [{"name": "labels", "text": "Labels", "kind": "text"}],
}

SHIPPED = (SUQL, GENIE, ERRORS, FREE)


def add_missing_schemes() -> int:
    """Store the schemes that the site does not have yet; returns how many."""
    added = 0
    for scheme in SHIPPED:
        questions_of(scheme["questions"])
        _, new = Scheme.objects.get_or_create(slug=scheme["slug"], version=1, defaults=scheme)
        added += new
    return added
