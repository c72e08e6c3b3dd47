"""What a question denies, and signs that compare: "not in the centre", "no driving", "< 20"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.wordlists import words as listed
from agent.understanding.roles import Literal
from agent.understanding.schema import Field, folded

_DENIED = re.compile(
    r"\b(?:not|no|never|without|except|excluding|(?:do|does|is|are|was|were|has|have|must)n['’]?t|cannot|other than)"
    r"(?: (?:in|at|by|for|a|an|the|any|from|with|of|be|being|do|does|have|doing|used|on|run))*\s+$",
    re.IGNORECASE,
)
_SIGN = re.compile(r"([<>]=?|[≤≥])\s*$")
_SIGNS = {"≤": "<=", "≥": ">="}
_LIGHT = frozenset(listed("has have is are can with whether it a an the takes does there"))


def is_denied(question: str, at: int) -> bool:
    """Return whether the words before a place deny what stands there."""
    return _DENIED.search(question[:at]) is not None


def compared(literal: Literal, question: str) -> Literal:
    """Return a value with the comparison that a sign or a denial right before it makes."""
    if literal.start == literal.stop:
        return literal  # of a query before
    if sign := _SIGN.search(question[: literal.start]):
        return literal._replace(operator=_SIGNS.get(sign[1], sign[1]))
    if literal.operator == "=" and literal.column >= 0 and not literal.inner and is_denied(question, literal.start):
        return literal._replace(operator="!=")
    return literal


def flag_names(field: Field) -> Iterator[str]:
    """What a column of yes and no says where it is so: its name without its verb, and what else it is called."""
    for name in (field.words, *field.column.synonyms):
        if words := [word for word in folded(name).split() if word not in _LIGHT]:
            yield " ".join(words)


def said(name: str, question: str) -> re.Match[str] | None:
    """Return where a question says a name, in one or several words."""
    words = [re.escape(word) for word in name.split()]
    return re.search(r"\b" + r"\W+".join(words) + r"s?\b", question, re.IGNORECASE) if len(name) > 2 else None
