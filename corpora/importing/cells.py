"""Cells as people keep them, to values: numbers with units, dates of several forms, "n/a", yes and no.

What a single cell leaves open (is 1.200 more than a thousand? is 03/04 in March or in April?) is settled by the other
cells of its column, and refused where they do not settle it.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

MISSING = frozenset(("", "n/a", "#n/a", "null", "nan", "-", "--", "–", "—", "?", "\\n"))
UNKNOWN = MISSING | {"na", "none", "nil", "unknown", "not known", "tbd", "tba", "#value!", "#ref!", "#div/0!"}
LONGEST_UNKNOWN = 40  # characters, with the blanks around it
YES = frozenset(("yes", "y", "true", "t", "1", "x", "✓", "✔", "ja", "oui", "si", "sí", "on"))
NO = frozenset(("no", "n", "false", "f", "0", "✗", "✘", "nein", "non", "off"))
SCALES = {"k": 1e3, "K": 1e3, "thousand": 1e3, "M": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")

LARGEST = 2**53  # what a double holds to the digit

_NUMBER = re.compile(
    r"(?P<before>[^\d+\-−.,]*)(?P<sign>[+\-−]?)(?P<digits>\d[\d.,'’ \u00a0\u202f]*|[.,]\d+)(?P<after>.*)", re.DOTALL
)
_NUMERIC_DATE = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_MONTH = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b",
    re.I,
)
_TIME = re.compile(r"(\d{1,2})(?:[:.h](\d{2}))?(?::(\d{2})(?:\.\d+)?)?\s*(?:([ap])\.?\s*m\.?)?", re.I)


class Refused(Exception):
    """A cell that is not what its column holds; the message says what is expected."""


@dataclass(frozen=True, slots=True)
class Conventions:
    """What the cells of a column say of its numbers and dates: which signs and orders occur beyond doubt."""

    decimals: frozenset[str] = frozenset()  # of "." and ","
    orders: frozenset[str] = frozenset()  # of "DMY" and "MDY"


def conventions(cells: Iterable[Any], order: str | None = None) -> Conventions:
    """Of all cells of a column."""
    decimals: set[str] = set()
    orders: set[str] = {order} if order else set()
    for cell in cells:
        if isinstance(cell, str) and any(map(str.isdigit, cell)):
            if (match := _NUMBER.fullmatch(cell.strip())) and (sign := _decimal(match["digits"])):
                decimals.add(sign)
            if not order and (match := _NUMERIC_DATE.search(cell)):
                first, second = int(match[1]), int(match[3])
                if first > 12 >= second:
                    orders.add("DMY")
                elif second > 12 >= first:
                    orders.add("MDY")
    return Conventions(frozenset(decimals), frozenset(orders))


def _decimal(digits: str) -> str:
    """Which sign is the decimal one in "1.200,50" or "12,5", beyond doubt; empty where none is or it is open."""
    signs = [sign for sign in digits.strip() if sign in ".,"]
    if len(set(signs)) == 2:
        return signs[-1] if signs.count(signs[-1]) == 1 else ""
    if len(signs) == 1:
        whole, _, fraction = digits.strip().partition(signs[0])
        return signs[0] if len(fraction) != 3 or not whole or len(whole) > 3 or whole[0] == "0" else ""
    return "" if not signs else {".": ",", ",": "."}[signs[0]]  # 1.200.300: the other one would be


def text(cell: Any) -> str:
    """Composed characters; as it is otherwise. Raises Refused for what no database keeps."""
    said = cell if isinstance(cell, str) else _shown(cell)
    if "\0" in said:
        raise Refused("a text without NUL characters")
    try:
        said.encode()
    except UnicodeEncodeError:
        raise Refused("a text of whole characters") from None
    return unicodedata.normalize("NFC", said)


def words(cell: Any) -> str | None:
    """One line with single spaces; None where the cell says that there is nothing."""
    said = " ".join(text(cell).split())
    return None if said.casefold() in MISSING else said


def _shown(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    if isinstance(cell, dt.datetime) and cell.time() == dt.time():
        return cell.date().isoformat()
    if isinstance(cell, bytes):
        raise Refused("a text, not bytes")
    return str(cell)


def missing(cell: Any) -> bool:
    """Whether a cell of a number, date or choice says that nothing is known."""
    if isinstance(cell, str):
        return len(cell) < LONGEST_UNKNOWN and " ".join(cell.split()).casefold() in UNKNOWN
    return cell is None or cell != cell


def number(cell: Any, known: Conventions, unit: str = "") -> float | int | None:
    """A number: with a currency or unit around it, thousands parted, "1.2k". Raises Refused."""
    if missing(cell):
        return None
    if isinstance(cell, bool) or not isinstance(cell, str):
        return _plain_number(cell)
    match = _NUMBER.fullmatch(cell.strip())
    if match is None:
        raise Refused("a number")
    before, after = match["before"].strip(), match["after"].strip()
    if _MONTH.search(before) or _MONTH.search(after):
        raise Refused("a number, not a day of a month")
    if re.search(r"\d", after) or before.endswith("("):
        raise Refused("one number")
    scale = SCALES.get(after.split()[0], 1) if after and after != unit else 1  # "5 m" is metres, "5 M" millions
    value = _value(match["digits"], known) * scale
    if abs(value) > LARGEST:
        raise Refused(f"a number up to {LARGEST:,} (is it a code? then its column is TEXT)")
    return -value if match["sign"] in ("-", "−") else value


def words_around(cell: str) -> str:
    """The letters around a number, without a scale: its unit, or what it numbers."""
    match = _NUMBER.fullmatch(cell.strip())
    words = re.findall(r"[^\W\d_]+", f"{match['before']} {match['after']}") if match else []
    return " ".join(word.casefold() for word in words if word not in SCALES)


def _plain_number(cell: Any) -> float | int:
    if isinstance(cell, bool | dt.date | dt.time | list | dict | bytes):
        raise Refused("a number")
    value = cell if isinstance(cell, int) else float(cell)
    if abs(value) > LARGEST:
        raise Refused(f"a number up to {LARGEST:,}")
    return value


def _value(digits: str, known: Conventions) -> float | int:
    plain = re.sub(r"(?<=\d)['’ \u00a0\u202f](?=\d{3})", "", digits.strip())
    if re.search(r"[^\d.,]", plain):
        raise Refused("one number")
    signs = {sign for sign in plain if sign in ".,"}
    if not signs:
        return int(plain) if len(plain) < 400 else _too_long()
    decimal = _decimal(plain)
    if not decimal:
        if len(known.decimals) > 1:
            raise Refused("a number that can be read one way only: this column has both 1,200.50 and 1.200,50")
        decimal = next(iter(known.decimals), ".")
    thousands = "," if decimal == "." else "."
    whole, _, fraction = plain.partition(decimal)
    if thousands in fraction or not re.fullmatch(rf"\d*|\d{{1,3}}(\{thousands}\d{{3}})+", whole):
        raise Refused("a number whose digits are parted in threes")
    whole = whole.replace(thousands, "")
    return float(f"{whole or 0}.{fraction}") if fraction else int(whole)


def _too_long() -> int:
    raise Refused("a number of fewer digits")


def boolean(cell: Any) -> bool | None:
    """Yes or no. Raises Refused."""
    if missing(cell):
        return None
    said = str(cell).strip().casefold().removesuffix(".0")
    if said in YES or said in NO:
        return said in YES
    raise Refused("yes or no")


def date(cell: Any, known: Conventions) -> dt.date | None:
    """A date: 2024-05-12, 12 May 2024, May 12th 2024, 12.05.2024, 5/12/2024. Raises Refused."""
    if missing(cell):
        return None
    if isinstance(cell, dt.datetime):
        return cell.date()
    if isinstance(cell, dt.date):
        return cell
    said = " ".join(str(cell).split())
    try:
        if match := re.match(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\d{1,2}:\d{2}\S*.*)?$", said):
            return dt.date(int(match[1]), int(match[2]), int(match[3]))
        if match := re.match(_NUMERIC_DATE.pattern + r"(?: \d{1,2}:\d{2}.*)?$", said):
            return _numeric(int(match[1]), int(match[3]), int(match[4]), match[2], known)
        return _in_words(said)
    except ValueError:
        raise Refused("a day there is") from None


def _numeric(first: int, second: int, year: int, sign: str, known: Conventions) -> dt.date:
    if first > 12 or first == second or (sign == "." and second <= 12):
        return dt.date(year, second, first)
    if second > 12:
        return dt.date(year, first, second)
    if len(known.orders) != 1:
        raise Refused('a date that can be read one way only (2024-05-12), or "order": "DMY" or "MDY" for the column')
    return dt.date(year, second, first) if "DMY" in known.orders else dt.date(year, first, second)


def _in_words(said: str) -> dt.date:
    plain = re.sub(r"^(mon|tues?|wednes|wed|thurs?|thu|fri|satur|sat|sun)(day)?\.?,? ", "", said.casefold())
    plain = re.sub(r"(?<=\d)(st|nd|rd|th)\b|\bof\b|[.,]", " ", plain)
    parts = plain.replace("-", " ").split()
    if len(parts) == 3 and parts[2].isdecimal() and len(parts[2]) == 4:
        day, month = (parts[0], parts[1]) if parts[0].isdecimal() else (parts[1], parts[0])
        if day.isdecimal() and month[:3] in MONTHS and len(month) >= 3 and month.isalpha():
            return dt.date(int(parts[2]), MONTHS.index(month[:3]) + 1, int(day))
    raise Refused("a date such as 2024-05-12 or 12 May 2024")


def time(cell: Any) -> dt.time | None:
    """A time of day: 14:30, 2:30 pm, 9am. Raises Refused."""
    if missing(cell):
        return None
    if isinstance(cell, dt.datetime):
        return cell.time()
    if isinstance(cell, dt.time):
        return cell
    if not isinstance(cell, str):
        raise Refused("a time such as 14:30 or 2:30 pm")
    said = str(cell).strip().casefold()
    if said in ("noon", "midnight"):
        return dt.time(12 if said == "noon" else 0)
    match = _TIME.fullmatch(said)
    if match is None or not (match[2] or match[4]):
        raise Refused("a time such as 14:30 or 2:30 pm")
    hour, minute, second = int(match[1]), int(match[2] or 0), int(match[3] or 0)
    if match[4]:
        if not 1 <= hour <= 12:
            raise Refused("an hour from 1 to 12 before am or pm")
        hour = hour % 12 + (12 if match[4] == "p" else 0)
    try:
        return dt.time(hour, minute, second)
    except ValueError:
        raise Refused("a time there is") from None
