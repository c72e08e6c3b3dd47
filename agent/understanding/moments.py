"""Dates, months, years, decades and times of day as people say them, as SQL compares them."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime
from typing import NamedTuple

from agent.protocols.errors import TypeMismatch
from agent.suql.kinds.hours import read_hours
from agent.text.dates import dates_in
from agent.understanding.roles import OPPOSITE

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"{_YEAR}-(?P<month>\d\d?)",
        rf"(?:the )?{_DAY} (?:of )?{_MONTH}(?:,? {_YEAR})?",
        rf"{_MONTH} {_DAY}(?:,? {_YEAR})?",
        rf"{_MONTH}(?: of)?,? {_YEAR}",
        rf"(?:early |late |the year |year )?{_YEAR}",
        _MONTH,
        r"(?:the )?(?P<decade>1[5-9]\d|20\d)0'?s",
        r"(?:the )?'?(?P<short>[2-9])0'?s",
    )
)
_DAY_OF_YEAR = re.compile(
    rf"\b(?:the )?{_DAY} (?:of )?{_MONTH}(?:,? {_YEAR})?\b|\b{_MONTH} {_DAY}(?:,? {_YEAR})?\b".replace("?P<day>", "?:")
    .replace("?P<month>", "?:")
    .replace("?P<year>", "?:"),
    re.IGNORECASE,
)
_DAYS = r"(?:mon|tues?|wed(?:nes)?|thurs?|fri|sat(?:ur)?|sun)(?:day)?s?"
_OF_TIME = (
    rf"{_DAYS}|weekdays?|weekends?|today|tonight|tomorrow|now|late|early|noon|midday|midnight|mornings?|afternoons?|"
    r"evenings?|nights?|24[ -]?(?:hours?|hrs?)|24/7|half past \w+|quarter (?:past|to) \w+|"
    r"(?:after|past|until|till|before|by|from|at) \d{1,2}(?= ?(?:$|[?.!,]|at night|in the|on ))|"
    r"\d{1,2}(?:[:.]\d\d)? ?(?:[ap]\.?m\b\.?|o'?clock)|\d{1,2}[:.]\d\d"
)
_LEADS = r"at|on|in the|after|past|until|till|before|by|from|to|and|around|every|still|-|–"
_TIMES = re.compile(
    rf"\b(?:(?:{_LEADS}) +)*(?:{_OF_TIME})(?:(?: +|, *)(?:(?:{_LEADS}|an?) +)*(?:{_OF_TIME}|\d{{1,2}}\b))*(?!\w)", re.I
)
_HOURS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_HOUR_WORDS = "|".join(_HOURS)
_HALF_PAST = re.compile(rf"half (?:past )?(?P<hour>\d\d?|{_HOUR_WORDS})", re.IGNORECASE)
_LATE = re.compile(r"\b(?:evenings?|nights?|tonight|pm)\b", re.IGNORECASE)
_HALF_OF_DAY = r"(?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night))"
_COMPARED_TIME = re.compile(
    r"\b(?:(?P<lead>no later than|not later than|no earlier than|not before|not after|later than|earlier than|after|"
    r"past|from|since|before|by|until|till|at|around|about) )?"
    rf"(?:(?P<named>noon|midday|midnight)|half(?: past)? (?P<half>\d{{1,2}}|{_HOUR_WORDS})|"
    rf"quarter (?P<side>past|to) (?P<quarter>\d{{1,2}}|{_HOUR_WORDS})|"
    rf"(?P<hour>\d{{1,2}}|{_HOUR_WORDS})(?:(?P<point>[:.h])(?P<minute>[0-5]\d)(?::\d\d)?)?"
    r"(?: ?(?P<sign>[ap])\.?m(?:s?\b\.?)| ?(?P<oclock>o.?clock))?)"
    rf"(?: {_HALF_OF_DAY})?(?P<tail>,? (?:or|and) (?:later|after)|,? onwards?|,? (?:or|and) (?:earlier|before)|"
    r" at the latest| at the earliest)?(?![\w:.]*\w)",
    re.IGNORECASE,
)
_LEADING = {
    **dict.fromkeys(("after", "past", "later than"), ">"),
    **dict.fromkeys(("from", "since", "no earlier than", "not before"), ">="),
    **dict.fromkeys(("before", "earlier than"), "<"),
    **dict.fromkeys(("by", "until", "till", "no later than", "not later than", "not after"), "<="),
}
_FOLLOWING = {"later": ">=", "after": ">=", "onward": ">=", "onwards": ">=", "earliest": ">="} | dict.fromkeys(
    ("earlier", "before", "latest"), "<="
)
_CLOCK = (
    rf"(?:noon|midday|midnight|(?:half past )?(?:\d{{1,2}}|{_HOUR_WORDS})(?:[:.h][0-5]\d)?"
    rf"(?: ?[ap]\.?m\b\.?| ?o.?clock)?(?: {_HALF_OF_DAY.replace('?P<part>', '?:').replace('?P<night>', '?:')})?)"
)
_BETWEEN = re.compile(
    rf"\b(?:between|from) (?P<first>{_CLOCK}) ?(?:and|to|till|until|-|–) ?(?P<last>{_CLOCK})(?![\w:.]*\w)",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"\b(?:not|no|nothing|none|never|neither|nor|n['’]?t|(?:should|do|does|must|can|wo|ca)n['’]?t)"
    r"(?: (?!later|earlier)[a-z]+){0,2} $",
    re.IGNORECASE,
)
_PART_OF_DAY = re.compile(r"\b(?:in the |of an? )?(?P<part>morning|afternoon|evening)s?\b", re.IGNORECASE)
_PARTS_OF_DAY = {"morning": ("<", "12:00"), "afternoon": (">=", "12:00"), "evening": (">=", "17:00")}
_OF_SPEAKER = re.compile(r"\b(?:i|i['’]m|my|we|our|me)\b", re.IGNORECASE)
_MEAL = re.compile(r"(?:(?:for|an?|our|my|over) )*(?P<meal>breakfast|brunch|lunch|dinner|supper)", re.IGNORECASE)
LONGEST = 500  # characters of a question in which times are looked for
EARLIEST = 7  # o'clock: an hour before that, said without its half of the day, is one of the afternoon
_OPEN = re.compile(
    r"\b(?:open(?:s|ed|ing)?|bookable|available)\b(?P<after>(?: (?:till|until|at|from|past|after|before))? \d{1,2}\b)?",
    re.I,
)
_WHEN = re.compile(
    r"\b(?:what time|when|how (?:late|early|long)|until when|what days?)\b[^.?!]*\b(?:open|close|shut|closing|opening)|"
    r"\b(?:opening|closing|business) (?:hours|times?)\b",
    re.IGNORECASE,
)


def times_in(question: str, *, opening: bool) -> str | None:
    """Return the days and times that a question names, None where it names none that can be read; with `opening` only
    where it says that something opens."""
    opens = _OPEN.search(question[:LONGEST])
    if opening and opens is None:
        return None
    question = _HALF_PAST.sub(_in_the_day, question[:LONGEST])
    found = [match[0].strip() for match in _TIMES.finditer(question)]
    if not found and opens and opens["after"]:
        found = [opens["after"].strip()]
    words = " ".join(found)
    return words if words and _readable(words) else None


def meal(text: str) -> str | None:
    """Return the meal that a text is, at the time of which something is open; None where it says anything else."""
    told = _MEAL.fullmatch(text.strip())
    return told["meal"].lower() if told else None


def opens(question: str) -> bool:
    """Return whether a question says that something opens."""
    return _OPEN.search(question[:LONGEST]) is not None


def opening_stretch(question: str) -> tuple[int, int] | None:
    """Return where a question says when something opens: "open on Sundays"; None where it does not."""
    question = question[:LONGEST]
    said = _OPEN.search(question)
    times = _TIMES.match(question, said.end() + 1) if said else None
    return (said.start(), times.end()) if said and times else None


def asks_when(question: str) -> bool:
    """Return whether a question asks when something opens or closes, and does not want it open at some time."""
    return _WHEN.search(question[:LONGEST]) is not None


def stretches_of_time(question: str) -> list[tuple[int, int]]:
    """Return where a question names days and times, and that something opens."""
    forms = (_HALF_PAST, _TIMES, _OPEN)
    return [match.span() for form in forms for match in form.finditer(question[:LONGEST])]


def _in_the_day(match: re.Match[str]) -> str:
    """Nobody asks what is open at half past four in the night."""
    hour = _hour(match["hour"].lower())
    late = hour < EARLIEST or (hour < 12 and _LATE.search(match.string))
    return f"{hour + 12 if late else hour}:30"


def _readable(words: str) -> bool:
    try:
        return bool(read_hours(words, datetime(2026, 1, 5)))
    except TypeMismatch:
        return False


class TimeOfDay(NamedTuple):
    """A time of day that a question compares with: where it stands, how it is compared, as HH:MM; `early` is the same
    time in the other half of the day, where nobody says which is meant; `ends` that something has to be over by it."""

    start: int
    stop: int
    operator: str
    time: str
    early: str = ""
    ends: bool = False

    def among(self, times: tuple[str, str] | None) -> str:
        """Return the time in the half of the day in which a column has times, the later half where it has both."""
        if not self.early or times is None or times[0] <= self.time <= times[1]:
            return self.time
        return self.early if times[0] <= self.early <= times[1] or times[1] < self.time else self.time


def times_of_day(question: str) -> list[TimeOfDay]:
    """Return the times of day that a question names: "at seven o'clock or later", "between 1 and 5 pm", "after 9pm",
    "nothing before noon", "in the afternoon"."""
    question = question[:LONGEST]
    found = [time for match in _BETWEEN.finditer(question) for time in _both_ends(match)]
    for match in _COMPARED_TIME.finditer(question):
        told = _time_of_day(match)
        if told and not any(told.start < one.stop and one.start < told.stop for one in found):
            opposite = OPPOSITE.get(told.operator) if _REFUSED.search(question[: told.start]) else None
            found.append(told._replace(operator=opposite or told.operator))
    for match in () if found else _PART_OF_DAY.finditer(question):
        told = TimeOfDay(*match.span(), *_PARTS_OF_DAY[match["part"].lower()])
        spoken = _OF_SPEAKER.search(re.split(r"[,;.!?]", question[: told.start])[-1])
        if not spoken:
            denied = _REFUSED.search(question[: told.start])
            found.append(told._replace(operator=OPPOSITE[told.operator]) if denied else told)
    return sorted(found)


def _both_ends(match: re.Match[str]) -> list[TimeOfDay]:
    """The first and the last time of a range; the half of the day that is said of the last one holds of both."""
    last = clock(match["last"]) or ""
    half = re.search(r"[ap]\.?m\b|in the \w+", match["last"], re.IGNORECASE)
    first = clock(match["first"]) or clock(f"{match['first']} {half[0] if half else ''}".strip())
    first = first or clock(f"{match['first']}:00")
    if not (last and first) or not (half or clock(match["first"]) or match["last"].lower() in ("noon", "midnight")):
        return []
    if first > last:  # "from 11 to 2 pm"
        first = clock(f"{match['first']}:00") or first
    return [
        TimeOfDay(match.start(), match.end("first"), ">=", first),
        TimeOfDay(match.start("last"), match.end(), "<=", last, ends=True),
    ]


def _time_of_day(match: re.Match[str], *, alone: bool = False) -> TimeOfDay | None:
    """What a match says; `alone` tells that it is a text of its own, and no part of one."""
    said = match.groupdict()
    certain = ("named", "half", "quarter", "minute", "sign", "oclock", "part", "night")
    if not any(said[one] for one in certain) and not said["tail"]:
        return None  # "after 9" may be years, people, anything
    if said["point"] == "." and not (alone or said["lead"] or said["tail"] or said["sign"] or said["oclock"]):
        return None  # "7.30" may be a price
    if said["named"]:
        minutes = 0 if said["named"].lower() == "midnight" else 720
        early = False
    else:
        hour = _hour((said["half"] or said["quarter"] or said["hour"]).lower())
        minutes = 60 * hour + (30 if said["half"] else int(said["minute"] or 0))
        minutes += {"past": 15, "to": -15}.get((said["side"] or "").lower(), 0)
        late = (said["sign"] or "").lower() == "p" or said["night"] or (said["part"] or "morning").lower() != "morning"
        told = late or said["sign"] or said["part"]
        if hour > 24 or (hour > 12 and told):
            return None
        if told:
            minutes = minutes % 720 + (720 if late else 0)
        early = not told and hour < 12 and not (said["hour"] or "").startswith("0")
        minutes = minutes % 720 + 720 if early else minutes % 1440
    ends = (said["tail"] or "").lower().split()
    operator = _FOLLOWING[ends[-1]] if ends else _LEADING.get((said["lead"] or "").lower(), "=")
    written = f"{minutes // 60 % 24:02}:{minutes % 60:02}"
    return TimeOfDay(*match.span(), operator, written, f"{minutes // 60 - 12:02}:{minutes % 60:02}" if early else "")


class Moment(NamedTuple):
    """A day, a month, a year, or a stretch of years; a month or a day whose year nobody says has none."""

    year: int | None
    month: int | None = None
    day: int | None = None
    years: int = 1

    def first(self, year: int) -> date:
        """Return its first day; `year` is the one meant where it has none."""
        return date(self.year or year, self.month or 1, self.day or 1)

    def last(self, year: int) -> date:
        """Return its last day."""
        ends = (self.year or year) + self.years - 1
        month = self.month or 12
        return date(ends, month, self.day or monthrange(ends, month)[1])


def moment(text: str) -> Moment | None:
    """Return the moment that a text is, None where it is none."""
    plain = " ".join(text.split()).strip(" ,")
    if written := next(dates_in(plain), None):
        whole = written.day
        return Moment(whole.year, whole.month, whole.day) if (written.start, written.stop) == (0, len(plain)) else None
    for form in _FORMS:
        if (match := form.fullmatch(plain)) is None:
            continue
        found = match.groupdict()
        if decade := found.get("decade"):
            return Moment(int(decade) * 10, years=10)
        if short := found.get("short"):
            return Moment((1900 if int(short) > 2 else 2000) + int(short) * 10, years=10)
        month = _month(found.get("month"))
        year, day = (int(found[part]) if found.get(part) else None for part in ("year", "day"))
        told = Moment(year, month, day)
        return told if _exists(told) else None
    return None


def days_in(question: str) -> list[tuple[int, int]]:
    """Return where a question names days of a year: "28 march 2027", "the 1st of November"."""
    return [match.span() for match in _DAY_OF_YEAR.finditer(question[:LONGEST])]


def clock(text: str) -> str | None:
    """Return a time of day as HH:MM, None where a text is none; one of the morning where nobody says which half of the
    day is meant."""
    match = _COMPARED_TIME.fullmatch(text.strip())
    told = _time_of_day(match, alone=True) if match and not (match["lead"] or match["tail"]) else None
    return (told.early or told.time) if told else None


def _hour(said: str) -> int:
    return int(said) if said.isdigit() else _HOURS.index(said) + 1


def _month(said: str | None) -> int | None:
    if said is None:
        return None
    return int(said) if said.isdigit() else MONTHS.index(said[:3].lower()) + 1


def _exists(one: Moment) -> bool:
    try:
        one.first(2000)
        one.last(2000)
    except ValueError:
        return False
    return True
