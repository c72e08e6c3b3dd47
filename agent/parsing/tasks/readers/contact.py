"""E-mail addresses, telephone numbers, numbers that identify, sums of money and course codes."""

from __future__ import annotations

import re

from agent.parsing.tasks.phrases import compiled
from agent.text.frequencies import english_rank
from agent.text.readers.reading import Reading, apart, led_by

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")
_AT_SIGN = r"(?:at|@|\(at\)|\[at\])"
_DOT = r"(?: ?(?:\(dot\)|\[dot\]|\.) ?| (?:dot|point|period) )"
_JOINT = rf"(?:{_DOT}| ?(?:_|-) ?| (?:underscore|dash|hyphen|minus|plus) )"
_ENDING = r"(?:com|edu|org|net|gov|io|co|info|me|biz|app|dev|uk|de|fr|ch|es|it|nl|be|at|se|no|dk|pl|ca|au|nz|jp|us|eu)"
_PART = r"(?:[^\W_]|\+)++"
_SPELT = rf"(?:(?:\b\w ){{1,40}}\w\b|{_PART})"  # letter by letter, or a word
_SPOKEN_EMAIL = re.compile(
    rf"(?<![\w@.'])(?P<local>{_SPELT}(?:{_JOINT}{_SPELT}){{0,8}}) ?{_AT_SIGN} "
    rf"?(?P<domain>[a-z0-9-]+(?:{_DOT}[a-z0-9-]+)*?{_DOT}{_ENDING})\b(?!{_DOT}\w)"
)
_SPOKEN_SIGNS = (
    (re.compile(r" ?(?:\(dot\)|\[dot\]) ?| (?:dot|point|period) "), "."),
    (re.compile(r" underscore "), "_"),
    (re.compile(r" (?:dash|hyphen|minus) "), "-"),
    (re.compile(r" plus "), "+"),
    (re.compile(r" "), ""),
)
# What may stand before an address; any other word may be a part of it, and then it is not read at all.
_BEFORE_EMAIL = re.compile(
    r"(?:^|[,;:.!?(]|\b(?:is|it's|its|was|be|e-?mail|mail|address|to|me|us|under|use|with|and|or|at|by|via|it|contact|reach|"
    r"write|send|try|that's|yes|ok|sure|please|so|well|um+|uh+))\s*$"
)
_PHONE = re.compile(r"(?<![\w-])(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,4}\)[ .-]?|\d{2,4}[ .-])\d{3,4}[ .-]?\d{3,4}(?![\w-])")
_BARE_PHONE = re.compile(r"(?<![\w-])\+?\d{10,11}(?![\w-])")
_IDENTIFIER = re.compile(r"(?<![\w@.$-])#?(?P<id>(?=[a-z-]*\d)[a-z]{0,4}-?\d[\d-]{2,}[a-z]?)(?![\w@:/]|\.\d)")
_GROUPED = re.compile(r"(?<![\w@.$:/+-])#?(?P<id>[a-z]{0,2}-?\d{1,5}(?:[ -]\d{1,6})+)(?![\w@:/]|\.\d|-)")
_DIGITS = {"oh": "0", "o": "0", "nought": "0"} | {
    name: str(value)
    for value, name in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"])
}
_SAID_DIGIT = rf"(?:(?:double|triple)[ -])?(?:{'|'.join(_DIGITS)}|\d)"
_SPELLED_DIGITS = re.compile(rf"\b{_SAID_DIGIT}(?:[ ,-]+{_SAID_DIGIT})+\b")
_FEWEST, _SURE, _FEWEST_OF_PHONE = 3, 6, 7  # digits of what identifies, of what can be nothing else, of a telephone
_CODE = re.compile(
    r"(?<![\w.@#-])(?P<department>[a-z]{2,8}(?: ?& ?[a-z])?)[ -]?(?P<number>\d{1,3}[a-z]{0,2})(?![\w@%/]|:\d|"
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
_COURTESY = compiled(r"(?:{filler}|{yes}|{no})")  # "hmm 9"
_PLAIN, _SHORT = 3_000, 5  # an English word that is more frequent or longer is no department, unless in capitals


def emails(low: str) -> list[Reading]:
    """Addresses, as written or as spelled out: "jo dot doe at example dot com"."""
    found = [Reading(match.group(), match.start(), match.end()) for match in _EMAIL.finditer(low)]
    for match in _SPOKEN_EMAIL.finditer(low):
        if led_by(_BEFORE_EMAIL, low, match.start()):
            address = f"{_signs(match['local'])}@{_signs(match['domain'])}"
            found.append(Reading(address, match.start(), match.end()))
    return apart(found)


def _signs(spoken: str) -> str:
    """A part of an address with its dots and dashes as signs."""
    for pattern, sign in _SPOKEN_SIGNS:
        spoken = pattern.sub(sign, spoken)
    return spoken


def phones(low: str) -> list[Reading]:
    """Telephone numbers, as written; spelled out ones in digits."""
    found = []
    for pattern, sure in ((_PHONE, True), (_BARE_PHONE, False)):
        for match in pattern.finditer(low):
            digits = re.sub(r"\D", "", match.group())
            if 7 <= len(digits) <= 15 and not re.fullmatch(r"(?:19|20)\d\d[-.]\d\d?[-.]\d\d?", match.group()):
                found.append(Reading(match.group().strip(), match.start(), match.end(), sure))
    found += [one for one in _spelled(low) if len(str(one.value)) >= _FEWEST_OF_PHONE]
    return apart(found)


def identifiers(text: str) -> list[Reading]:
    """Numbers that identify somebody or something, as written ("0051234", "A-1234"), or put together from groups
    ("1234 5678 90") and digits that are spelled out ("double oh seven")."""
    low = text.lower()
    found = [
        Reading(text[m.start("id") : m.end("id")], m.start(), m.end(), len(re.sub(r"\D", "", m["id"])) >= 5)
        for m in _IDENTIFIER.finditer(low)
    ]
    for match in _GROUPED.finditer(low):
        written = text[match.start("id") : match.end("id")]
        digits = re.sub(r"\D", "", written)
        if len(digits) > _FEWEST:
            joined = written if "-" in written and " " not in written else re.sub(r"[ ]", "", written)
            found.append(Reading(joined, match.start(), match.end(), len(digits) >= _SURE))
    return apart([*found, *_spelled(low)])


def _spelled(low: str) -> list[Reading]:
    """Digits that are said one by one."""
    found = []
    for match in _SPELLED_DIGITS.finditer(low):
        times, digits = 1, ""
        for word in re.split(r"[ ,-]+", match.group()):
            if word in ("double", "triple"):
                times = 2 if word == "double" else 3
                continue
            digits += (_DIGITS.get(word) or word) * times
            times = 1
        if len(digits) >= _FEWEST and re.search(r"[a-z]", match.group()):
            found.append(Reading(digits, match.start(), match.end()))
    return found


def bare_code(code: object) -> str:
    """A code as it is compared, in any spacing and capitals."""
    return str(code).replace(" ", "").lower()


def codes(text: str, departments: frozenset[str] = frozenset()) -> list[Reading]:
    """Codes of letters and digits ("CS 161", "math51a"), spelled "CS 161". "CS 107 and 161" gives both.

    Where the `departments` of a corpus are known, other letters are one only where they can be nothing else.
    """
    found: list[Reading] = []
    shouted = text.isupper()
    for match in _CODE.finditer(text.lower()):
        letters = text[match.start("department") : match.end("department")]
        letters = letters.lower() if shouted else letters
        known = letters.upper() in departments
        if known or (_is_department(letters) and (not departments or _may_be_code(letters, match["number"]))):
            code = f"{letters.upper()} {match['number'].upper()}"
            found.append(Reading(code, match.start(), match.end()))
    for match in _SHORT_CODE.finditer(text.lower()):
        before = [reading for reading in found if reading.stop <= match.start() and match.start() - reading.stop <= 5]
        if before and not re.match(r" (?:units?|credits?|people|[a-z]*day)", text.lower()[match.end() :]):
            department = str(before[-1].value).rsplit(" ", 1)[0]
            found.append(Reading(f"{department} {match['number'].upper()}", match.start("number"), match.end("number")))
    return apart(found)


def _may_be_code(letters: str, number: str) -> bool:
    """Whether letters that no department of the corpus has are one all the same: in capitals, or no English word
    before a number that nobody counts with ("chem 31a")."""
    rank = english_rank().get(letters.lower())
    return letters.isupper() or (rank is None and len(number) > 1)


def _is_department(letters: str) -> bool:
    low = letters.lower()
    if low in _MONTHS or low in _MORE_DIGITS or _COURTESY.fullmatch(low):
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
