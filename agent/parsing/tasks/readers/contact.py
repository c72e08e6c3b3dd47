"""E-mail addresses, telephone numbers, numbers that identify, sums of money and course codes."""

from __future__ import annotations

import re

from agent.parsing.lexicon import english_rank
from agent.parsing.tasks.readers.reading import Reading, apart

_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_SPOKEN_EMAIL = re.compile(
    r"\b[\w.+-]+ (?:at|\(at\)|\[at\]) [\w-]+ ?(?:dot|\(dot\)|\[dot\]|\.) ?(?:com|edu|org|net|gov|io|co)\b"
)
_PHONE = re.compile(r"(?<![\w-])(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\d{2,4}[ .-])\d{3,4}[ .-]?\d{3,4}(?![\w-])")
_BARE_PHONE = re.compile(r"(?<![\w-])\+?\d{10,11}(?![\w-])")
_IDENTIFIER = re.compile(r"(?<![\w@.$-])#?(?P<id>(?=[a-z-]*\d)[a-z]{0,4}-?\d[\d-]{2,}[a-z]?)(?![\w@:/]|\.\d)")
_SPELLED_DIGITS = re.compile(r"\b(?:(?:zero|oh|one|two|three|four|five|six|seven|eight|nine)(?:[ -]|\b)){3,}")
_MONEY = re.compile(
    r"(?:(?:\$|usd ?|€|£) ?(?P<sum>\d[\d,]*(?:\.\d{1,2})?)|"
    r"(?P<said>\d[\d,]*(?:\.\d{1,2})?) ?(?:dollars?|bucks|usd|euros?|eur|pounds?))"
)
_CODE = re.compile(
    r"(?<![\w.@#-])(?P<department>[a-z]{2,8}(?: ?& ?[a-z])?)[ -]?(?P<number>\d{1,3}[a-z]{0,2})(?![\w@:%/]|"
    r"\.\d| ?[ap]\.?m\b)"
)
_SHORT_CODE = re.compile(r"(?:[,&/+]|\band\b|\bor\b)\s*(?P<number>\d{2,3}[a-z]?)(?![\w:%/])")
_MORE_DIGITS = (
    "units",
    "unit",
    "credits",
    "people",
    "option",
    "number",
    "party",
    "room",
    "table",
    "version",
    "chapter",
)
_PLAIN, _SHORT = 3_000, 5  # an English word that is more frequent or longer is no department, unless in capitals


def emails(low: str) -> list[Reading]:
    found = [Reading(match.group(), match.start(), match.end()) for match in _EMAIL.finditer(low)]
    for match in _SPOKEN_EMAIL.finditer(low):
        address = re.sub(r" ?(?:dot|\(dot\)|\[dot\]) ?", ".", match.group())
        address = re.sub(r" (?:at|\(at\)|\[at\]) ", "@", address).replace(" ", "")
        found.append(Reading(address, match.start(), match.end()))
    return apart(found)


def phones(low: str) -> list[Reading]:
    """Telephone numbers, as written."""
    found = []
    for pattern, sure in ((_PHONE, True), (_BARE_PHONE, False)):
        for match in pattern.finditer(low):
            digits = re.sub(r"\D", "", match.group())
            if 7 <= len(digits) <= 15 and not re.fullmatch(r"(?:19|20)\d\d[-.]\d\d?[-.]\d\d?", match.group()):
                found.append(Reading(match.group().strip(), match.start(), match.end(), sure))
    return apart(found)


def identifiers(text: str) -> list[Reading]:
    """Numbers that identify somebody or something, as written: "05 123 456" is not read, "0051234" and "A-1234" are."""
    low = text.lower()
    found = [
        Reading(text[m.start("id") : m.end("id")], m.start(), m.end(), len(re.sub(r"\D", "", m["id"])) >= 5)
        for m in _IDENTIFIER.finditer(low)
    ]
    digits = {"oh": "0"} | {
        name: str(value)
        for value, name in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
    }
    for match in _SPELLED_DIGITS.finditer(low):
        said = re.split(r"[ -]", match.group().strip())
        found.append(Reading("".join(digits[word] for word in said if word in digits), match.start(), match.end()))
    return apart(found)


def money(low: str) -> list[Reading]:
    """Sums, as numbers without their currency."""
    found = []
    for match in _MONEY.finditer(low):
        number = float((match["sum"] or match["said"]).replace(",", ""))
        found.append(Reading(int(number) if number == int(number) else number, match.start(), match.end()))
    return apart(found)


def codes(text: str) -> list[Reading]:
    """Codes of letters and digits ("CS 161", "math51a"), spelled "CS 161". "CS 107 and 161" gives both."""
    found: list[Reading] = []
    for match in _CODE.finditer(text.lower()):
        letters = text[match.start("department") : match.end("department")]
        if _is_department(letters):
            code = f"{letters.upper()} {match['number'].upper()}"
            found.append(Reading(code, match.start(), match.end()))
    for match in _SHORT_CODE.finditer(text.lower()):
        before = [reading for reading in found if reading.stop <= match.start() and match.start() - reading.stop <= 5]
        if before and not re.match(r" (?:units?|credits?|people|[a-z]*day)", text.lower()[match.end() :]):
            department = str(before[-1].value).rsplit(" ", 1)[0]
            found.append(Reading(f"{department} {match['number'].upper()}", match.start("number"), match.end("number")))
    return apart(found)


def _is_department(letters: str) -> bool:
    low = letters.lower()
    if low in _MONTHS or low in _MORE_DIGITS:
        return False
    if letters.isupper():
        return True
    rank = english_rank().get(low)
    return low not in _WORDS and (rank is None or (rank > _PLAIN and len(low) <= _SHORT))


_MONTHS = frozenset(
    [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ]
)
_WORDS = frozenset(
    [
        "ok",
        "okay",
        "pls",
        "plz",
        "thx",
        "top",
        "plus",
        "room",
        "gate",
        "route",
        "apt",
        "unit",
        "units",
        "bus",
        "floor",
        "level",
        "step",
        "part",
        "page",
        "line",
        "item",
        "age",
        "aged",
    ]
)
