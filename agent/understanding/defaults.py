"""What English says of a column where no curator does: words for the ends of its scale, by its unit, its name or its
description, and other words for values that are days of the week."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.catalogue.tables import Column, Kind
from agent.text import grammar

Ends = tuple[tuple[str, ...], tuple[str, ...]]

#: What English calls the ends of scales, by a word in the column's name: the low end, the high end.
ENDS: tuple[tuple[str, Ends], ...] = (
    (r"price|cost|fee|fare|rent|toll", (("cheap", "cheapest"), ("expensive", "dearest"))),
    (r"rating|score|stars|grade|quality", (("worst", "lowest rated"), ("best", "top rated"))),
    (r"year|founded|built|opened|published|released", (("oldest", "earliest"), ("newest", "latest"))),
    (r"date|time|day", (("earliest", "first"), ("latest", "last"))),
    (r"^age$|_age$", (("youngest",), ("oldest",))),
    (r"height|altitude|elevation", (("lowest", "shortest"), ("highest", "tallest"))),
    (r"length|duration|minutes|hours|pages", (("shortest",), ("longest",))),
    (r"weight|mass", (("lightest",), ("heaviest",))),
    (r"distance", (("nearest", "closest"), ("farthest",))),
    (r"speed", (("slowest",), ("fastest",))),
    (r"depth", (("shallowest",), ("deepest",))),
    (r"temperature", (("coldest",), ("warmest", "hottest"))),
    (r"size|area|capacity|population|rooms|seats|volume", (("smallest",), ("largest", "biggest"))),
    (r"count|number|num|total|quantity|visitors|votes|reviews", (("fewest",), ("most",))),
)
_MONEY: Ends = (("cheap", "cheapest"), ("expensive", "dearest", "priciest"))
_SPAN: Ends = (("shortest",), ("longest",))
_BY_UNIT: dict[str, Ends] = {
    **dict.fromkeys(("$", "usd", "dollars", "€", "eur", "euro", "euros", "£", "gbp", "pounds"), _MONEY),
    **dict.fromkeys(("s", "min", "minutes", "h", "hours", "days", "weeks", "months"), _SPAN),
    **dict.fromkeys(("g", "kg", "t", "lb", "lbs"), (("lightest",), ("heaviest",))),
    **dict.fromkeys(("km/h", "mph", "knots"), (("slowest",), ("fastest",))),
}
_TOLD = (
    re.compile(r"\blow\w* (?:is|means) ([^.]+?)[;,] (?:and )?high\w* (?:(?:is|means) )?([^;.]*)", re.IGNORECASE),
    re.compile(r"\bsmall number is ([^;.,]+), a large (?:number|one) ([^;.]+)", re.IGNORECASE),
    re.compile(r"\bfrom (\w+)(?: \([^)]*\))? to (\w+)", re.IGNORECASE),
    re.compile(r"\b\d+ \(([^)]+)\)(?:,)? to \d+ \(([^)]+)\)", re.IGNORECASE),
)
_WORD = re.compile(r"[a-z]+")
_IRREGULAR = frozenset({"best", "worst", "far", "near"})
_OF_ANYTHING = frozenset({"good", "bad", "very", "one"})  # "I am bad at maths"
_SAME = (
    frozenset({"near", "close"}),
    frozenset({"large", "big"}),
    frozenset({"small", "little", "tiny"}),
    frozenset({"cheap", "inexpensive"}),
    frozenset({"dear", "expensive", "pricey", "costly"}),
    frozenset({"new", "recent"}),
)
_SINCE = re.compile(r"\b(?:year|founded|built|opened|published|released|established)\b", re.IGNORECASE)
_YEARS: Ends = (("oldest", "earliest"), ("newest", "latest"))
SCALES = (Kind.NUMBER, Kind.DATE, Kind.TIME)
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = {"tues": 1, "weds": 2, "thur": 3, "thurs": 3}
_SEVERAL = {
    **dict.fromkeys(("weekend", "weekends"), (5, 6)),
    **dict.fromkeys(("weekday", "weekdays"), (0, 1, 2, 3, 4)),
    "mwf": (0, 2, 4),
    "mw": (0, 2),
    **dict.fromkeys(("tth", "tuth", "tr"), (1, 3)),
}
_LEAST = 2  # letters of a day that its abbreviation has


def ends_by_name(column: Column) -> Ends:
    """Return what the ends of a column's scale are called by a word in its name; nothing where it has none."""
    if column.kind in SCALES:
        for pattern, ends in ENDS:
            if re.search(pattern, column.name):
                return ends
    return (), ()


def with_ends(column: Column) -> Column:
    """Return a column with words for the ends of its scale, where nobody has told any."""
    if column.low_words or column.high_words or column.kind not in SCALES:
        return column
    ends = _BY_UNIT.get(column.unit.lower().split(maxsplit=1)[0]) if column.unit.strip() else None
    if ends is None and column.kind is Kind.NUMBER and _SINCE.search(column.description):
        ends = _YEARS
    low, high = ends or ends_by_name(column)
    told = _described(column.description)
    return replace(column, low_words=_alike((*low, *told[0])), high_words=_alike((*high, *told[1])))


def _described(text: str) -> Ends:
    """What a description says of the ends of a scale: "low is cheap; high is dear", "from light to heavy"."""
    for form in _TOLD:
        if said := form.search(text):
            low, high = (tuple(dict.fromkeys(filter(_is_end, _WORD.findall(part.lower())))) for part in said.groups())
            return low, high
    return (), ()


def _is_end(word: str) -> bool:
    return word in _IRREGULAR or (
        word not in _OF_ANYTHING and grammar.is_adjective(word) and not grammar.is_finite(grammar.tags(("it", word))[1])
    )


def _alike(words: Sequence[str]) -> tuple[str, ...]:
    """Words for one end with others that mean the same."""
    return tuple(dict.fromkeys([*words, *(other for group in _SAME if group & {*words} for other in sorted(group))]))


def words_for_days(values: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield other words for values that are days of the week, each with the value: "thurs", "weekend", "MWF"."""
    for value, day in ((value, _day(value)) for value in values if are_days(values)):
        if day is not None:
            yield _DAYS[day], value
            yield from ((short, value) for short, at in _SHORT.items() if at == day)
            yield from ((several, value) for several, each in _SEVERAL.items() if day in each)


def are_days(values: Sequence[str]) -> bool:
    """Return whether values are days of the week."""
    return _LEAST <= len(values) <= len(_DAYS) and None not in map(_day, values)


def _day(value: str) -> int | None:
    plain = value.lower().rstrip(".")
    return next((at for at, day in enumerate(_DAYS) if len(plain) >= _LEAST and day.startswith(plain)), None)
