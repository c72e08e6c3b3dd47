"""How many people a clause says a place takes, against how many a question asks about."""

from __future__ import annotations

import re

from agent.backends.builtin.reading.clauses import headcounts

LARGE = 12  # what a place must take to be good for large groups of no told size
NEARLY = 0.8  # a company this share as large as the one asked about is as good as it
_LIMIT = re.compile(
    r"\b(?:top(?:s|ped)? out(?: at)?|at (?:the )?most|no more than|not more than|max(?:imum|es)?|up to|the most|"
    r"limit(?:s|ed)?(?: (?:to|at|of))?|capped(?: at)?|cap(?: of)?|only (?:seats|holds|fits|takes)|in all|in total|"
    r"(?:full|filled) to the last|last chair|nobody else|shoulder to shoulder)\b",
    re.IGNORECASE,
)
_COMPANY = re.compile(r"\b(?:part(?:y|ies)|people|guests|of us|seats?|tables?|room|groups?|crew)\b", re.IGNORECASE)
_ASKED = re.compile(r"\b(?:for|of|seat|seats|fit|fits|take|takes|hold|holds|host|hosts)\b", re.IGNORECASE)


def people_asked(claim: str) -> int:
    """Return how many people a question is about ("a group of 20"); 0 if it tells no number."""
    return max(headcounts(claim), default=0) if _ASKED.search(claim) else 0


def weighed(text: str, sign: int, people: int) -> int:
    """Return what a clause that says `sign` of companies says of one of `people` (0: of any large one).

    Where it tells the most that there is room for, that decides. A company that was taken in says nothing of a much
    larger one, and one that was turned away nothing of a smaller.
    """
    told = max(headcounts(text), default=0)
    if not told:
        return sign
    limit = _LIMIT.search(text) if sign or _COMPANY.search(text) else None
    if limit:
        most = (headcounts(text[limit.end() :]) or headcounts(text[: limit.start()])[::-1])[0]
        return 1 if most >= (people or LARGE) else -1
    if not people:
        return sign
    if (sign > 0 and told < NEARLY * people) or (sign < 0 and told > people / NEARLY):
        return 0
    return sign
