"""Literals of a question as SQL compares them: numbers, stored values as they are spelled, dates, yes and no."""

from __future__ import annotations

import re

from rapidfuzz import fuzz, process

from agent.catalogue.tables import Kind
from agent.suql.tree import literal as quoted
from agent.text.wordlists import words as listed
from agent.understanding.moments import Moment
from agent.understanding.schema import Schema, folded, forms

NEARLY = 80  # of 100: how nearly a value has to be spelled
SHORT = 4  # letters of a word that may stand for the whole name
LONGEST_NAME = 60  # characters of a literal that may be a misspelled name
YES, NO = frozenset({"yes", "y", "true", "t", "1"}), frozenset({"no", "n", "false", "f", "0", "not"})
#: Codes that people never say, with the words they stand for.
SPELLED_OUT = {
    "f": frozenset(["female", "females", "woman", "women", "girl", "girls"]),
    "m": frozenset(["male", "males", "man", "men", "boy", "boys"]),
}
CARDINALS = listed(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
_ORDINALS = listed("zeroth first second third fourth fifth sixth seventh eighth ninth tenth")
_COUNTED = {"once": 1, "twice": 2, "single": 1, "a": 1, "dozen": 12, "hundred": 100, "thousand": 1000, "million": 10**6}
_TENS = listed("twenty thirty forty fifty sixty seventy eighty ninety")
_WORDS = {word: n for words in (CARDINALS, _ORDINALS) for n, word in enumerate(words)} | _COUNTED
_WORDS |= {word: 10 * n for n, word in enumerate(_TENS, 2)}
_FIGURES = re.compile(r"(-?\d{1,18}(?:\.\d{1,9})?) ?(%|st|nd|rd|th|k|m|thousand|million)?")
_SCALE = {"k": 1_000, "thousand": 1_000, "m": 1_000_000, "million": 1_000_000}
_TIMES = {word: _COUNTED[word] for word in ("dozen", "hundred", "thousand", "million")}
_DIGITS = re.compile(r"\d+")
_STARTS = re.compile(r"\b(?:start|begin|prefix|initial|first letter)")
_ENDS = re.compile(r"\b(?:end|ends|ending|suffix|last letter)\b")


def number_in(text: str) -> str | None:
    """Return the number that a word or figures stand for, None where they stand for none."""
    plain = text.strip().lower().replace(",", "").lstrip("$€£¥₹ ").strip()
    if plain in _WORDS:
        return str(_WORDS[plain])
    *told, times = plain.replace("-", " ").replace(" and ", " ").split() or [""]
    if told and times in _TIMES and (first := number_in(" ".join(told))):  # "two hundred"
        return f"{float(first) * _TIMES[times]:.0f}"
    match = _FIGURES.fullmatch(plain)
    if match is None:
        return None
    return f"{float(match[1]) * _SCALE[match[2]]:.0f}" if match[2] in _SCALE else match[1]


def within(name: str, operator: str, told: Moment, kind: Kind, year: int) -> str:
    """Return the condition that a date, or the number of a year, is in, before or after a moment."""
    first, last = told.first(year), told.last(year)
    low, high = (quoted(f"{day:%Y-%m-%d}") for day in (first, last))
    if kind is Kind.NUMBER:
        low, high = str(first.year), str(last.year)
    if operator in ("=", "like", "!="):
        both = f"{name} = {low}" if low == high else f"{name} BETWEEN {low} AND {high}"
        return f"NOT ({both})" if operator == "!=" else both
    return f"{name} {operator} {low if operator in ('<', '>=') else high}"


def pattern(text: str, question: str) -> str:
    """Return the pattern for LIKE: at the beginning, at the end, or anywhere, as the question says."""
    asked = question.lower()
    before = "" if _STARTS.search(asked) else "%"
    after = "" if before and _ENDS.search(asked) else "%"
    return before + text.strip("%") + after


def value_of(schema: Schema, column: int, text: str, operator: str) -> tuple[int, str]:
    """Return the column and the SQL of a literal: as stored in the column, else in another one that stores it exactly,
    else as it was said."""
    kind, number = schema.fields[column].column.kind, number_in(text)
    if kind is Kind.BOOLEAN:
        return column, "FALSE" if folded(text) in NO else "TRUE"
    if kind is Kind.NUMBER and number is not None:
        return column, number
    plain, stored = folded(text), schema.stored[column]
    if text in stored.values():
        return column, quoted(text)
    for form in (*forms(plain), number or plain):
        if form in stored:
            return column, quoted(stored[form])
    if kind is Kind.NUMBER or operator in ("=", "!="):
        reached = schema.reached(schema.fields[column].table)
        for form in forms(plain):
            elsewhere = sorted(
                (at for at, _ in schema.values.get(form, ()) if schema.fields[at].table in reached),
                key=lambda at: schema.fields[at].table != schema.fields[column].table,
            )
            if elsewhere and len(form) > 1:
                return elsewhere[0], quoted(schema.stored[elsewhere[0]][form])
        if near := _nearest(plain, stored):
            return column, quoted(stored[near])
    return column, quoted(text)


def implied(schema: Schema, column: int, question: str) -> str | None:
    """Return the value of a condition that no stretch of the question tells outright, or None."""
    kind = schema.fields[column].column.kind
    if kind in (Kind.BOOLEAN, Kind.NUMBER):
        return "TRUE" if kind is Kind.BOOLEAN else "1"  # a flag
    if found := schema.found(question).get(column):
        return quoted(found[0])
    stored, words = schema.stored[column], folded(question).split()
    for form, value in stored.items():
        stem = form[:5]
        if any((len(form) > 3 and word.startswith(stem)) or word in SPELLED_OUT.get(form, ()) for word in words):
            return quoted(value)
    return next((quoted(value) for form, value in stored.items() if form in YES), None)


def _nearest(plain: str, stored: dict[str, str]) -> str | None:
    """The stored form that is nearly spelled so, begins so, or is a code for it."""
    if not stored or len(plain) > LONGEST_NAME:
        return None
    digits = _DIGITS.findall(plain)
    alike = [form for form in stored if _DIGITS.findall(form) == digits]  # another number is another thing
    best = process.extractOne(plain, alike, scorer=fuzz.ratio, score_cutoff=NEARLY)
    if best:
        return str(best[0])
    words = plain.split()
    whole = [form for form in stored if set(words) <= set(form.split())] if len(plain) >= SHORT else []
    if len(whole) == 1:
        return whole[0]
    begun = (form for form in alike if len(form) > 2 and (plain.startswith(form) or form.startswith(plain)))
    return next(begun, None) or next(
        (code for code, words in SPELLED_OUT.items() if plain in words and code in stored), None
    )
