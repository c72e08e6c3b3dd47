"""Which course does somebody mean? By code, by title, or by a title with typing errors."""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from agent.text.english import listed
from agent.worksheets.actions import Refusal
from corpora.models import Course

LEAST_LIKE = 85  # of 100: below it a title is another one, not a misspelt one
CLEARLY_BETTER = 5  # points by which the best title has to lead
WORTH_NAMING = 60
MOST_NAMED = 3

_CODE = re.compile(r"\b([a-z]{2,6})[\s-]*(\d{1,3}[a-z]?)\b", re.IGNORECASE)


def course_named(words: str, field: str = "course_name") -> Course:
    """Return the course of that code or title. Raises `Refusal` with the courses that come nearest."""
    named = " ".join(words.split())
    courses = list(Course.objects.all())
    codes = coded(named)
    by_code = [one for one in courses if set(codes) & {code.upper() for code in one.course_codes}]
    found = by_code or [one for one in courses if one.title.casefold() == named.casefold()] or _alike(named, courses)
    if len(found) == 1:
        return found[0]
    if found:
        raise Refusal(f"“{named}” could be {_named(found, 'or')}. Which one?", field, _codes(found))
    near = _near(named, codes, courses)
    hint = f" The nearest are {_named(near)}." if near else " Use a code such as CS 101, or the title."
    raise Refusal(f"There is no course “{named}” in the catalogue.{hint}", field, _codes(near))


def coded(words: str) -> list[str]:
    """Return the course codes in some words, as the catalogue writes them: "cs101" is "CS 101"."""
    return [f"{letters.upper()} {number.upper()}" for letters, number in _CODE.findall(words)]


def _alike(named: str, courses: list[Course]) -> list[Course]:
    """The course whose title was meant, or those between which it cannot be told; none for a code or a stray word."""
    if len(named) < 4 or _CODE.fullmatch(named):
        return []
    within = [one for one in courses if named.casefold() in one.title.casefold()]
    scored = _scored(named, courses, fuzz.WRatio if len(named.split()) > 1 else fuzz.ratio)
    best = scored[0][1]
    if best >= LEAST_LIKE and not within:
        return [one for one, score in scored if score > best - CLEARLY_BETTER]
    return within[: MOST_NAMED + 1]


def _near(named: str, codes: list[str], courses: list[Course]) -> list[Course]:
    if codes:
        subject = codes[0].split()[0]
        courses = [one for one in courses if any(code.startswith(f"{subject} ") for code in one.course_codes)]
        named = codes[0]
        key = [(one, fuzz.ratio(named, one.code)) for one in courses]
        return [one for one, score in sorted(key, key=lambda pair: -pair[1])[:MOST_NAMED] if score >= WORTH_NAMING]
    return [one for one, score in _scored(named, courses, fuzz.WRatio)[:MOST_NAMED] if score >= WORTH_NAMING]


def _scored(named: str, courses: list[Course], scorer: object) -> list[tuple[Course, float]]:
    titles = [one.title.casefold() for one in courses]
    ranked = process.extract(named.casefold(), titles, scorer=scorer, limit=8)
    return [(courses[index], score) for _, score, index in ranked] or [(Course(), 0.0)]


def _named(courses: list[Course], last: str = "and") -> str:
    return listed([f"{one.title} ({one.code})" for one in courses], last)


def _codes(courses: list[Course]) -> tuple[str, ...]:
    return tuple(one.code for one in courses)
