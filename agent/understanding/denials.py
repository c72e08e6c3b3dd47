"""What a question denies, and signs that compare: "not in the centre", "no driving", "< 20"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.wordlists import words as listed
from agent.understanding.moments import moment
from agent.understanding.roles import Literal
from agent.understanding.schema import Field, folded

_DENYING = (
    r"(?:not|no|none|nothing|never|nor|neither|without|except(?: for)?|excluding|cannot|other than|apart from|"
    r"instead of|rather than|anything but|any(?:where)? but|(?:leav|skipp?|avoid|exclud|omitt?)(?:e|es|ing)?(?: out)?|"
    r"(?:do|does|is|are|was|were|has|have|must|should|would|ca|wo)n['’]?t)"
)
DENYING = re.compile(rf"\b{_DENYING}\b", re.IGNORECASE)
_DENIED = re.compile(
    rf"\b{_DENYING}"
    r"(?: (?:in|at|by|for|a|an|the|any|anything|anywhere|everything|ones?|all|want|like|from|with|of|be|being|do|does|"
    r"have|doing|used|on|run|meet|meeting|it|that|those|these|which|is|are))*"
    r"(?: (?:too|so|very|that|overly))?\s+$",
    re.IGNORECASE,
)
_SIGN = re.compile(r"([<>]=?|[≤≥])\s*$")
_SIGNS = {"≤": "<=", "≥": ">="}
_PARTED = 6  # letters of a word that may be written as two
_LIGHT = frozenset(listed("has have is are can with whether it a an the takes does there yn yesno flag ind ok"))


def is_denied(question: str, at: int) -> bool:
    """Return whether the words before a place deny what stands there."""
    return _DENIED.search(question[:at]) is not None


_BOUNDS = tuple(
    (operator, re.compile(rf"\b(?:{words})(?: an?| the|[ $£€])*\s*$", re.IGNORECASE))
    for operator, words in (
        ("<=", "(?:no|not) (?:more|longer|later|higher|greater) than|(?:not|nothing) (?:over|above)"),
        ("<=", "at (?:the )?most|up to|max(?:imum)?(?: of)?"),
        (">=", "(?:no|not) (?:less|fewer|lower|earlier) than|(?:not|nothing) (?:under|below)"),
        (">=", "at (?:the )?least|min(?:imum)?(?: of)?"),
        ("<", "(?:less|fewer|lower|cheaper|shorter) than|under|below"),
        (">", "(?:more|higher|greater|longer) than|over|above"),
    )
)
_OR_SO = tuple(
    (operator, re.compile(rf"(?:\s[a-z]+)?\s*(?:or|and) (?:{words})\b", re.IGNORECASE))
    for operator, words in (("<=", "less|fewer|under|below|lower|cheaper"), (">=", "more|better|higher|up|above|over"))
)
_AT_MOST = re.compile(r"(?:\s[a-z]+)?\s*(?:at (?:the )?most|max(?:imum)?|tops)\b", re.IGNORECASE)
_AT_LEAST = re.compile(r"(?:\s[a-z]+)?\s*(?:at (?:the )?least|min(?:imum)?)\b", re.IGNORECASE)
_PLUS = re.compile(r"(?:\s[a-z]+)?\s?\+")
#: Before a month or a year in which something is, and after one from or until when: "built <in 1990>", "or later".
_IN = re.compile(r"\b(?:in|during)(?: the)?\s+$", re.IGNORECASE)
_BEYOND = re.compile(r"\W*(?:(?:or|and) (?:earlier|later|before|after|older|newer|since)|onwards?)\b", re.IGNORECASE)


def compared(literal: Literal, question: str) -> Literal:
    """Return a value with the comparison that a sign or the words beside it make: "< 20", "at most", "or more"."""
    if literal.start == literal.stop:
        return literal  # of a query before
    if sign := _SIGN.search(question[: literal.start]):
        return literal._replace(operator=_SIGNS.get(sign[1], sign[1]))
    if literal.operator != "like":
        for bound, pattern in _BOUNDS:
            if pattern.search(question[: literal.start]):
                return literal._replace(operator=bound)
        for bound, pattern in (*_OR_SO, ("<=", _AT_MOST), (">=", _AT_LEAST), (">=", _PLUS)):
            if so := pattern.match(question, literal.stop):
                return literal._replace(operator=bound, stop=so.end())
    if literal.operator in ("<=", ">=") and _IN.search(question[: literal.start]) and moment(literal.text):
        return literal if _BEYOND.match(question, literal.stop) else literal._replace(operator="=")
    if literal.operator == "=" and literal.column >= 0 and not literal.inner and is_denied(question, literal.start):
        return literal._replace(operator="!=")
    return literal


def flag_names(field: Field) -> Iterator[str]:
    """What a column of yes and no says where it is so: its name without its verb, and what else it is called."""
    for name in (field.words, *field.column.synonyms):
        if words := [word for word in folded(name).split() if word not in _LIGHT]:
            yield " ".join(words)


def said(name: str, question: str) -> re.Match[str] | None:
    """Return where a question says a name, in one or several words: "stepfree" as "step-free", "car park" as
    "carpark"."""
    plain = name[:-1] if name.endswith("s") and not name.endswith("ss") else name  # "dog-friendly" is of dogs
    words = [
        r"[\s-]?".join(map(re.escape, word)) if len(word) >= _PARTED else re.escape(word) for word in plain.split()
    ]
    return re.search(r"\b" + r"\W*".join(words) + r"s?\b", question, re.IGNORECASE) if len(plain) > 2 else None
