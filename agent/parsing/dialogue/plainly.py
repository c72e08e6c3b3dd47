"""What people leave unsaid since everybody knows it: which quarter the next one is, and whose number "210" is."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from datetime import datetime

SEASONS = ("winter", "spring", "summer", "autumn")
_BEGIN = (1, 4, 7, 9)  # months
_QUARTER = re.compile(
    r"\b(?P<which>this|the current|next|the coming|the upcoming) (?:quarter|term|trimester)\b", re.IGNORECASE
)
_NUMBER = re.compile(
    r"(?P<lead>\b(?:take|took|taking|taken|done|did|finished|finish|completed|passed|had|about|between|compare|like|after|"
    r"before|without|is|does|need|needs|require|requires)\s+(?:both\s+)?)(?P<first>[1-9]\d\d[a-z]?)\b"
    r"(?P<more>(?:\s*(?:,|and|or|vs\.?|than|/)+\s*(?:and\s+)?[1-9]\d\d[a-z]?\b)*)"
    r"(?!\s*(?:\+|students?|people|seats?|units?|hours?|level|reviews?|ratings?|courses?|am\b|pm\b|%|-))",
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
    """The department of each number that only one has."""
    owners: dict[str, set[str]] = {}
    for code in codes:
        department, _, number = code.partition(" ")
        owners.setdefault(number.lower(), set()).add(department)
    return {number: next(iter(those)) for number, those in owners.items() if len(those) == 1}


def with_departments(text: str, owners: Mapping[str, str]) -> str:
    """The text with the department before bare numbers that only one department has: "can I take 210 and 221"."""

    def coded(match: re.Match[str]) -> str:
        numbers = re.findall(r"[1-9]\d\d[a-z]?", f"{match['first']}{match['more']}", re.IGNORECASE)
        known = [owners.get(number.lower(), "") for number in numbers]
        if not all(known):
            return match.group()
        more = match["more"]
        for number, department in zip(numbers[1:], known[1:], strict=True):
            more = more.replace(number, f"{department} {number}", 1)
        return f"{match['lead']}{known[0]} {match['first']}{more}"

    return _NUMBER.sub(coded, text)
