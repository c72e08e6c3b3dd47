"""Days in words, resolved against today: "Friday", "the 27th", "11/27", "in two weeks", "the day after tomorrow"."""

from __future__ import annotations

import calendar
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from agent.text.dates import calendar_day
from agent.text.readers.numbers import SPELLED, word
from agent.text.readers.reading import Reading, apart

_DAYS = (
    r"mon(?:day)?|tue(?:s(?:day)?)?|wed(?:s|nesday|nsday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|"
    r"sat(?:urday)?|sun(?:day)?"
)
_FULL_DAYS = r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
_MONTHS = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?"
)
_ORDER = {name: number for number, name in enumerate(["mon", "tue", "wed", "thu", "fri", "sat", "sun"])}
_MONTH = {
    name: number
    for number, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], 1
    )
}
_ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
]
_NUMBER = rf"(?:{SPELLED}|\d+|an?|a couple of)"
_NTH = (
    rf"(?:\d{{1,2}}(?:st|nd|rd|th)|(?:twenty|thirty)[ -](?:{'|'.join(_ORDINALS[:9])})|thirtieth|{'|'.join(_ORDINALS)})"
)
_YEAR = r"(?:,? (?P<year>(?:19|20)\d\d|'\d\d(?!\d)))?"


_MONTH_LONG = 7  # characters of "2026-06"
_PEOPLE_AFTER = re.compile(r" ?(?:people|persons?|ppl|guests?|adults?|kids|of us)\b")  # "in May 60 people"
_TIME_BEFORE = re.compile(r"\d[:.]$")  # "at 7:30 February 5"
_PART_OF_DAY = re.compile(r" (?:morning|afternoon|evening|night)\b")


@dataclass(frozen=True, slots=True)
class Calendar:
    """Where "Friday" and "November 3" are looked for: after today, or before it (a day something was done on)."""

    today: date
    past: bool = False

    def weekday(self, number: int) -> date:
        """The nearest such day that is not today."""
        if self.past:
            return self.today - timedelta((self.today.weekday() - number) % 7 or 7)
        return self.today + timedelta((number - self.today.weekday()) % 7 or 7)

    def in_week(self, number: int, weeks: int) -> date:
        """The weekday in the week (Monday to Sunday) so many weeks from this one."""
        return self.today - timedelta(self.today.weekday()) + timedelta(7 * weeks + number)

    def day(self, month: int, day: int, year: int | None = None) -> date | None:
        """The date; without a year its nearest occurrence, today included. None where there is no such day."""
        for candidate in [year] if year else self._years():
            try:
                found = date(candidate, month, day)
            except ValueError:
                continue
            if year or (found <= self.today if self.past else found >= self.today):
                return found
        return None

    def nth(self, day: int) -> date | None:
        """The nearest day of that number in a month."""
        for months in range(3):
            index = self.today.year * 12 + self.today.month - 1 + (-months if self.past else months)
            year, month = divmod(index, 12)
            if 1 <= day <= calendar.monthrange(year, month + 1)[1]:
                found = date(year, month + 1, day)
                if found <= self.today if self.past else found >= self.today:
                    return found
        return None

    def _years(self) -> list[int]:
        step = -1 if self.past else 1
        return [self.today.year + step * ahead for ahead in range(9)]


def read(low: str, today: date, *, past: bool = False) -> list[Reading]:
    """Days in a lower-cased message, as ISO dates. `past`: days without a year lie before today, and a month alone
    ("in June") is one too, without its day ("2026-06")."""
    calendar_, none = Calendar(today, past), impossible(low)
    found: list[Reading] = []
    for pattern, meaning, sure in (*_FORMS, *(_ROUGHLY if past else ())):
        for match in pattern.finditer(low):
            day = meaning(match, calendar_)
            if day is not None:
                part = _PART_OF_DAY.match(low[match.end() :])
                said = day.isoformat()[: _MONTH_LONG if meaning is _month else None]
                found.append(Reading(said, match.start(), match.end() + (part.end() if part else 0), sure))
    return apart(one for one in found if not any(one.overlaps(other) for other in none))


def impossible(low: str) -> list[Reading]:
    """The days in a lower-cased message that no calendar has: "31 February", "2027-02-30"."""
    leap = Calendar(date(2024, 1, 1))
    written = [(pattern, meaning) for pattern, meaning, _ in _FORMS if meaning in (_iso, _named, _slashed)]
    return apart(
        Reading("", *match.span())
        for pattern, meaning in written
        for match in pattern.finditer(low)
        if _is_day(match, low) and meaning(match, leap) is None
    )


def _is_day(match: re.Match[str], low: str) -> bool:
    """Whether the number of what looks like a date is that of a day: not of minutes, of people, or a part of a sum."""
    dated = "month" in match.groupdict() or match["y"] is not None
    return dated and not _TIME_BEFORE.search(low[: match.start("d")]) and not _PEOPLE_AFTER.match(low, match.end())


# -- what each form means --------------------------------------------------------------------------------------------

Meaning = Callable[[re.Match[str], Calendar], "date | None"]


def _iso(match: re.Match[str], at: Calendar) -> date | None:
    return calendar_day(int(match["y"]), int(match["m"]), int(match["d"]))


def _slashed(match: re.Match[str], at: Calendar) -> date | None:
    month, day = int(match["m"]), int(match["d"])
    if month > 12 >= day:
        month, day = day, month
    year = match["y"]
    return at.day(month, day, (int(year) if len(year) == 4 else _century(int(year), at)) if year else None)


def _named(match: re.Match[str], at: Calendar) -> date | None:
    year = match["year"]
    return at.day(_MONTH[match["month"][:3]], _ordinal(match["d"]), _in_full(year, at) if year else None)


def _nth(match: re.Match[str], at: Calendar) -> date | None:
    return at.nth(_ordinal(match["d"]))


def _relative(match: re.Match[str], at: Calendar) -> date | None:
    said = match.group().split()[-1] if "after" not in match.group() and "before" not in match.group() else "beyond"
    days = {"yesterday": -1, "beyond": 2 if "tom" in match.group() else -2}.get(said, 0)
    return at.today + timedelta(1 if said.startswith(("tom", "tmr", "tmw", "2mo")) else days)


def _weekday(match: re.Match[str], at: Calendar) -> date | None:
    number = _ORDER[match["day"][:3]]
    before, after = (match["before"] or "").strip(), (match["after"] or "").strip()
    if before == "last" or after == "ago":
        return Calendar(at.today, past=True).weekday(number)
    if "after next" in after:
        return at.in_week(number, 2)
    if after == "week" or "week from" in before:
        return Calendar(at.today).weekday(number) + timedelta(7)
    if before in ("next", "next week", "next week on") or after == "next week":
        return at.in_week(number, 1)
    if before.startswith("this") and number > at.today.weekday():
        return at.in_week(number, 0)
    return at.weekday(number)


def _ahead(match: re.Match[str], at: Calendar) -> date | None:
    amount = _amount(match["n"]) * (-1 if (match["ago"] or "").strip() == "ago" else 1)
    unit = match["unit"]
    if unit == "month":
        index = at.today.year * 12 + at.today.month - 1 + amount
        year, month = divmod(index, 12)
        return date(year, month + 1, min(at.today.day, calendar.monthrange(year, month + 1)[1]))
    return at.today + timedelta(amount * {"day": 1, "week": 7, "fortnight": 14}[unit])


def _holiday(match: re.Match[str], at: Calendar) -> date | None:
    said = re.sub(r"[^a-z]", "", match.group())
    for start, (month, day) in _HOLIDAYS.items():
        if said.startswith(start):
            return at.day(month, day)
    years = [at.today.year, at.today.year + (-1 if at.past else 1)]
    fourth_thursdays = [Calendar(date(year, 11, 21), past=False).in_week(3, 0) for year in years]
    fourth_thursdays = [day if day.day >= 22 else day + timedelta(7) for day in fourth_thursdays]
    return next((day for day in fourth_thursdays if (day <= at.today if at.past else day >= at.today)), None)


_HOLIDAYS = {
    "christmaseve": (12, 24), "christmas": (12, 25), "xmaseve": (12, 24), "xmas": (12, 25), "boxing": (12, 26),
    "newyearseve": (12, 31), "newyear": (1, 1), "valentine": (2, 14), "halloween": (10, 31), "july": (7, 4),
    "fourthofjuly": (7, 4), "thofjuly": (7, 4),
}  # fmt: skip


def _forms() -> Iterator[tuple[str, Meaning, bool]]:
    yield r"\b(?P<y>(?:19|20)\d\d)-(?P<m>\d{1,2})-(?P<d>\d{1,2})\b", _iso, True
    yield r"(?<![\d/.])(?P<m>\d{1,2})/(?P<d>\d{1,2})(?:/(?P<y>\d{4}|\d{2}))?(?![\d/])", _slashed, True
    yield r"(?<![\d.-])(?P<m>\d{1,2})[-.](?P<d>\d{1,2})[-.](?P<y>\d{4})\b", _slashed, True
    weekday = rf"(?:(?:{_DAYS}),? (?:the )?)?"
    yield rf"\b{weekday}(?:the )?(?P<month>{_MONTHS})\.? (?:the )?(?P<d>{_NTH}|\d{{1,2}})\b(?!:){_YEAR}", _named, True
    yield rf"\b{weekday}(?:the )?(?P<d>{_NTH}|\d{{1,2}})(?: of)? (?P<month>{_MONTHS})\b\.?{_YEAR}", _named, True
    yield rf"\b(?:{_DAYS}),? (?:the )?(?P<d>{_NTH})\b(?! (?:one|of))", _nth, True
    yield (
        r"\bthe (?P<d>\d{1,2}(?:st|nd|rd|th))\b(?! (?:one|course|class|option|restaurant|place|person|street|ave))",
        _nth,
        True,
    )
    yield (
        r"(?<![\w])(?P<d>\d{1,2}(?:st|nd|rd|th))\b(?! (?:one|course|class|option|street|ave|floor|birthday))",
        _nth,
        False,
    )
    yield (
        rf"\bthe (?P<d>(?:twenty|thirty)[ -](?:{'|'.join(_ORDINALS[:9])})|thirtieth|{'|'.join(_ORDINALS[9:])})\b",
        _nth,
        False,
    )
    yield (
        r"\b(?:(?:the )?day (?:after tom+or+ow|before yesterday)|today|tonight|tonite|this (?:evening|afternoon|"
        r"morning)|tom+or+ow|tmrw?|tmw|2morrow|yesterday)\b",
        _relative,
        True,
    )
    yield (
        rf"\b(?P<before>(?:this|this coming|coming|next week on|next week|next|last|a week from|one week from) )?"
        r"(?<!\ba )(?<!\bany )(?<!\bevery )(?<!\beach )"
        rf"(?P<day>{_FULL_DAYS})\b(?P<after> after next| next week| week\b)?",
        _weekday,
        True,
    )
    yield (
        r"\b(?P<before>(?:this|next week on|next|last) )?(?P<day>mon|tues?|weds?|thurs?|thu|thur|fri)\b\.?"
        r"(?P<after> next week)?",
        _weekday,
        True,
    )
    yield r"\b(?P<before>(?:this|next|last) |on )(?P<day>sat|sun)\b\.?(?P<after> next week)?", _weekday, True
    yield r"^\W*(?P<before>)(?P<day>sat|sun)\b\.?(?P<after>)", _weekday, True
    yield rf"\b(?:in )(?P<n>{_NUMBER}) (?P<unit>day|week|fortnight|month)s?(?:'?s? time)?\b(?P<ago>)", _ahead, True
    yield (
        rf"\b(?P<n>{_NUMBER}) (?P<unit>day|week|fortnight|month)s?(?P<ago> ago| from (?:now|today)| later)\b",
        _ahead,
        True,
    )
    yield (
        r"\b(?:christmas eve|christmas(?: day)?|xmas(?: eve| day)?|boxing day|new year'?s? (?:eve|day)|"
        r"valentine'?s(?: day)?|halloween|(?:the )?(?:4th|fourth) of july|thanksgiving(?: day)?)\b",
        _holiday,
        True,
    )


def _month(match: re.Match[str], at: Calendar) -> date | None:
    """Some day of a month: its first, of which only the month is kept."""
    return at.day(_MONTH[match["month"][:3]], 1, _in_full(match["year"], at) if match["year"] else None)


def _ago(match: re.Match[str], at: Calendar) -> date | None:
    """ "last week", "a few weeks ago": that long before today, the same day of the week."""
    amount = {"few": 3, "several": 4}.get(match["some"] or "", 1)
    return at.today - timedelta(amount * {"day": 1, "week": 7, "month": 28}[match["unit"]])


# How people speak of days gone by that they do not remember exactly.
_ROUGHLY: list[tuple[re.Pattern[str], Meaning, bool]] = [
    (
        re.compile(
            rf"\b(?:in|from|back in|around|early|late|since|during|last)(?: early| late| mid)? "
            rf"(?P<month>{_MONTHS})\b\.?{_YEAR}(?! \d)"
        ),
        _month,
        True,
    ),
    (re.compile(rf"\b(?P<month>{_MONTHS})\b\.?{_YEAR}(?! \d)"), _month, False),
    (re.compile(r"\b(?:a |some )?(?P<some>few|several) (?P<unit>day|week|month)s (?:ago|back)\b"), _ago, True),
    (re.compile(r"\b(?P<some>)last (?P<unit>week|month)\b"), _ago, True),
]


_DAY_OF = re.compile(
    rf"^\W*(?:(?:on|it was|i think|maybe|about|around) )*(?:the )?(?P<d>{_NTH}|\d{{1,2}})\b(?! ?[:/.-]?\d)"
)


def is_month(value: str) -> bool:
    """Whether a value that was read is a month without its day."""
    return len(value) == _MONTH_LONG


def day_of(low: str, month: str) -> Reading | None:
    """The day of a month told before ("2026-06") that a message is: "the 12th"."""
    match = _DAY_OF.match(low)
    day = calendar_day(int(month[:4]), int(month[5:]), _ordinal(match["d"])) if match else None
    return Reading(day.isoformat(), match.start("d"), match.end("d")) if match and day else None


_FORMS = [(re.compile(pattern), meaning, sure) for pattern, meaning, sure in _forms()]


def _ordinal(said: str) -> int:
    digits = re.match(r"\d+", said)
    if digits:
        return int(digits[0])
    if said in _ORDINALS:
        return _ORDINALS.index(said) + 1
    if said == "thirtieth":
        return 30
    tens, ones = re.split(r"[ -]", said)
    return {"twenty": 20, "thirty": 30}[tens] + _ORDINALS.index(ones) + 1


def _amount(said: str) -> int:
    return 1 if said in ("a", "an") else 2 if said == "a couple of" else word(said) or 0


def _in_full(year: str, at: Calendar) -> int:
    """ "1975" or "'75"."""
    return _century(int(year[1:]), at) if year.startswith("'") else int(year)


def _century(year: int, at: Calendar) -> int:
    """ "90" is 1990 for a day in the past, 2026 for "26"."""
    return 2000 + year if not at.past or 2000 + year <= at.today.year else 1900 + year
