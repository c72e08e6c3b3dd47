"""What people leave unsaid of courses: which quarter the next one is, and whose number "210" is."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime

SEASONS = ("winter", "spring", "summer", "autumn")
_BEGIN = (1, 4, 7, 9)  # months
_QUARTER = re.compile(
    r"\b(?P<which>this|the current|next|the coming|the upcoming) (?:quarter|term|trimester)\b", re.IGNORECASE
)
_ONE = r"(?<![\d.$])[1-9]\d\d[a-z]?\b(?![.:]\d)"
_SHORT = r"[1-9]\d{1,2}[a-z]?\b(?![.:]\d)"  # after another one: "between 142 and 42"
_JOIN = r"\s*(?:,|\band\b|\bor\b|\bvs\b\.?|\bversus\b|\bthan\b|\bwith\b|/)+\s*(?:(?:and|or)\s+)?"
_NO_MEASURE = (
    r"(?!\s*(?:\+|(?:or (?:more|fewer|less|so)|to|-)?\s*"
    r"(?:students?|people|seats?|spots|places|units?|credits?|hours?|hrs?|minutes?|min|level|reviews?|ratings?|raters|"
    r"courses?|class(?:es)?|others?|am|pm|days?|weeks?|pages|percent|stars?)\b|%|-|o'clock))"
)
_LEAD = (
    r"\b(?:take|took|taking|taken|done|did|finished|finish|completed|passed|had|about|between|compare|like|after|"
    r"before|without|w/o|is|does|need|needs|require|requires|of|for|with|beside|alongside|than|either)"
    r"\s+(?:(?:both|only|just|either|taking|having)\s+)*"
)
_MORE = rf"(?:{_JOIN}{_SHORT}{_NO_MEASURE})"
_NUMBER = re.compile(rf"(?P<lead>{_LEAD})(?P<first>{_ONE})(?P<more>{_MORE}*){_NO_MEASURE}", re.IGNORECASE)
_LISTED = re.compile(rf"(?P<lead>)(?P<first>{_ONE})(?P<more>{_MORE}+){_NO_MEASURE}", re.IGNORECASE)
_AFTER_CODE = re.compile(
    rf"(?P<lead>\b[A-Z]{{2,5}} ?[1-9]\d{{0,2}}[a-z]?{_JOIN})(?P<first>{_SHORT}){_NO_MEASURE}(?P<more>{_MORE}*)",
    re.IGNORECASE,
)
_CODED = re.compile(r"\b[A-Z]{2,5} ?$")
_BOUND = re.compile(  # a number of something else
    r"\b(?:capacity|enrol\w*|sizes?|fewer than|less than|more than|at most|at least|over|under|up to|"
    r"room|class(?:es)?) (?:\w+ ){0,2}$",
    re.IGNORECASE,
)


def with_season(text: str, now: datetime) -> str:
    """The text with the quarters that are meant by the clock: "next quarter" in November is winter."""
    current = sum(now.month >= month for month in _BEGIN) - 1

    def named(match: re.Match[str]) -> str:
        ahead = 0 if match["which"].lower() in ("this", "the current") else 1
        return SEASONS[(current + ahead) % len(SEASONS)]

    return _QUARTER.sub(named, text)


def departments(codes: Collection[str]) -> dict[str, str]:
    """The department of each number: the only one that has it, or the one that has more than half of all codes."""
    owners: dict[str, set[str]] = {}
    for code in codes:
        department, _, number = code.partition(" ")
        owners.setdefault(number.lower(), set()).add(department)
    having = Counter(code.partition(" ")[0] for code in codes)
    main = {department for department, count in having.items() if count > len(codes) / 2}
    meant = {number: those if len(those) == 1 else those & main for number, those in owners.items()}
    return {number: next(iter(those)) for number, those in meant.items() if those}


def with_departments(text: str, owners: Mapping[str, str]) -> str:
    """The text with the department before bare numbers that one department has: "can I take 210 and 221", "CS 101, 102
    and 131"."""

    def coded(match: re.Match[str]) -> str:
        before, said = match["lead"], f"{match['first']}{match['more']}"
        known = {owners.get(number.lower(), "") for number in re.findall(rf"(?<!\w){_SHORT}", said, re.IGNORECASE)}
        if "" in known or (match.re is not _AFTER_CODE and _BOUND.search(text[: match.start("first")])):
            return match.group()
        if match.re is _LISTED and _CODED.search(text[: match.start()]):
            return match.group()
        if match.re is _AFTER_CODE and known != {before.split()[0].rstrip("0123456789").upper()}:
            return match.group()
        return before + re.sub(
            rf"(?<!\w){_SHORT}", lambda one: f"{owners[one[0].lower()]} {one[0]}", said, flags=re.IGNORECASE
        )

    for pattern in (_AFTER_CODE, _NUMBER, _LISTED):
        text = pattern.sub(coded, text)
    return text
