"""Short answers: the number, time, date, option or stretch of text that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from dateutil import parser as dates

from agent.language.builtin.reading.numbers import Quantity, quantities
from agent.language.builtin.reading.questions import Question
from agent.language.builtin.reading.units import units
from agent.language.builtin.reading.vectors import Vectors
from agent.language.builtin.reading.words import tokens
from agent.language.tasks import AnswerReply, AnswerType, Passage, Span

NEAREST = 0.22  # below this closeness nothing in the passages answers the question
WORDS_WEIGHT = 0.5  # what sharing all of the question's words is worth beside closeness in meaning
LENGTH_PENALTY = 0.002  # a word
OPTION_NEAR = 0.42

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\b"
)
_DATE = re.compile(
    rf"\b(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH}\.?(?:,? \d{{4}})?|"
    rf"{_MONTH}\.? \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(\d{1,2})(?:[:.](\d\d))?\s?([ap])\.?m\b\.?|\b(\d{1,2})[:.](\d\d)\b|\b(noon|midnight)\b", re.IGNORECASE
)
_HOUR = r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\d{1,2})"
_CLOCK = (
    rf"(?:half (?:past )?{_HOUR}|(?:a )?quarter (?:to|past) {_HOUR}|"
    rf"(?:by|before|after|until|till|from|at) {_HOUR}(?! \w+s\b))"
)
_PERIOD = (
    r"(?:mornings?|afternoons?|evenings?|nights?|spring|summer|autumn|winter|week|month|year|term|christmas|easter)"
)
_WHEN = re.compile(
    rf"(?:\b(?:by|before|after|until|till|from|on|in|at|every|during|within|since|between) )?(?:{_DATE.pattern}|"
    rf"{_TIME.pattern}|"
    rf"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b(?: {_PERIOD})?(?: at {_HOUR}\b|at (?:noon|midnight))?|"
    rf"\b{_CLOCK}\b|"
    rf"\b(?:week|month|year) (?:\d+|{_HOUR})\b|\b(?:last|next|this|the|every|each) {_PERIOD}\b|\b{_MONTH}|"
    rf"\b(?:weekends?|weekdays?)\b)",
    re.IGNORECASE,
)
_CALENDAR = re.compile(rf"(?:{_MONTH}|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|I|I'[a-z]+)", re.IGNORECASE)
_NAME = re.compile(r"\b(?:(?:Prof(?:essor)?|Dr|Mr|Mrs|Ms)\.? )?[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*")
_ROLE = re.compile(
    r"\b(?:the|my|our|your|his|her|their|an?) (?:[\w'’-]+ )?(?:\w+(?:er|or|ist|ant|ent|man|woman)|owner|chef|"
    r"dean|registrar|staff|wife|"
    r"husband|mother|father|sister|brother|son|daughter|uncle|aunt|cousin|friend|boss|mum|mom|dad|team|committee)\b"
)
_WHERE = re.compile(
    r"\b(?:at|in|on|behind|beside|next to|near|by|opposite|under|above|inside|outside|from|to) (?:the |a |an |"
    r"our |my |their )?[\w'’-]+(?: [\w'’-]+){0,3}"
)
_IN_WORDS = frozenset({"who", "whose", "whom", "when", "what time", "where"})  # answered by a clause if need be


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage: int
    start: int
    stop: int
    text: str
    score: float


def extract(
    question: Question, passages: Sequence[Passage], type_: AnswerType, options: Sequence[str], vectors: Vectors
) -> AnswerReply:
    """The answer of the type asked for, or no info (value None) where nothing near enough answers."""
    ranked = _ranked(question, passages, vectors)
    if not ranked or ranked[0].score < NEAREST:
        return AnswerReply(value=None, confidence=0.0)
    if type_ is AnswerType.OPTION:
        return _option(ranked, options, vectors)
    for candidate in ranked[:4]:
        found = _pick(question, candidate.text, type_)
        if found is not None:
            value, start, stop = found
            span = Span(passage=candidate.passage, start=candidate.start + start, stop=candidate.start + stop)
            return AnswerReply(value=value, spans=(span,), confidence=round(min(candidate.score, 1.0), 3))
    if type_ is AnswerType.TEXT and question.form in _IN_WORDS:
        best = ranked[0]
        span = Span(passage=best.passage, start=best.start, stop=best.stop)
        return AnswerReply(value=best.text, spans=(span,), confidence=round(min(best.score, 1.0) / 2, 3))
    return AnswerReply(value=None, confidence=0.0)


def _ranked(question: Question, passages: Sequence[Passage], vectors: Vectors) -> list[_Candidate]:
    """Sentences and clauses, those that answer best first; a clause before the sentence it is part of if as near."""
    asked = vectors.of([question.text])[0]
    wanted = {token.stem for token in tokens(question.text) if token.content}
    found = []
    for number, passage in enumerate(passages):
        cut = units(passage.text)
        if not cut:
            continue
        near = vectors.of([unit.text for unit in cut]) @ asked
        for unit, closeness in zip(cut, near, strict=True):
            words = tokens(unit.text)
            shared = len(wanted & {token.stem for token in words}) / max(len(wanted), 1)
            score = float(closeness) + WORDS_WEIGHT * shared - LENGTH_PENALTY * len(words)
            found.append(_Candidate(number, unit.start, unit.stop, unit.text, score))
    return sorted(found, key=lambda candidate: -candidate.score)


def _pick(question: Question, text: str, type_: AnswerType) -> tuple[str, int, int] | None:
    """(value, start, stop) within `text`, or None where it holds nothing of the kind asked for."""
    if type_ is AnswerType.NUMBER:
        number = _number(question, text)
        return (f"{number.value:g}", number.start, number.stop) if number else None
    if type_ is AnswerType.DATE:
        return _date(text)
    if type_ is AnswerType.TIME:
        return _time(text)
    return _stretch(question, text)


def _stretch(question: Question, text: str) -> tuple[str, int, int] | None:
    lowered = question.text.lower()
    if question.form in {"how many", "how much", "how long", "how often", "how far", "how old"}:
        number = _number(question, text)
        return (text[number.start : number.stop], number.start, number.stop) if number else None
    pattern = None
    if question.form in {"when", "what time"} or lowered.startswith(
        ("what day", "which day", "what date", "which month")
    ):
        pattern = _WHEN
    elif question.form in {"who", "whose", "whom"}:
        return _someone(lowered, text)
    elif question.form == "where":
        pattern = _WHERE
    if pattern is None:
        return text, 0, len(text)
    match = pattern.search(text)
    return (match.group(0), match.start(), match.end()) if match else None


def _someone(question: str, text: str) -> tuple[str, int, int] | None:
    for pattern in (_NAME, _ROLE):
        for match in pattern.finditer(text):
            first = match.group(0).split()[0].lower()
            if pattern is _NAME and match.start() == 0 and " " not in match.group(0) and first != "professor":
                continue
            if _CALENDAR.fullmatch(match.group(0)):
                continue
            if match.group(0).lower() not in question:
                return match.group(0), match.start(), match.end()
    return None


def _number(question: Question, text: str) -> Quantity | None:
    """The number that counts what the question asks for, else the only one there is."""
    lowered = question.text.lower()
    found = list(quantities(text))
    if question.form == "how much" or re.search(r"\b(?:cost|price|fee|charge|pay)\b", lowered):
        money = [one for one in found if one.unit in {"money", "percent"}]
        return money[0] if money else None
    if question.form == "how long":
        spans = [one for one in found if one.unit == "minutes"]
        return spans[0] if spans else None
    counted = {token.stem for token in tokens(question.text) if token.content}
    named = [one for one in found if one.unit in counted]
    if named:
        return named[0]
    if re.search(r"\bhow many (?:hours|minutes|days|weeks|months|years)\b", lowered):
        found = [one for one in found if one.unit == "minutes"]
    return found[0] if found else None


def _date(text: str) -> tuple[str, int, int] | None:
    match = _DATE.search(text)
    if match is None:
        return None
    try:
        return dates.parse(match.group(0)).date().isoformat(), match.start(), match.end()
    except (ValueError, OverflowError):
        return None


def _time(text: str) -> tuple[str, int, int] | None:
    match = _TIME.search(text)
    if match is None:
        return None
    if match[6]:
        return ("12:00" if match[6].lower() == "noon" else "00:00"), match.start(), match.end()
    hour, minute = int(match[1] or match[4]), int(match[2] or match[5] or 0)
    if match[3]:
        hour = hour % 12 + (12 if match[3].lower() == "p" else 0)
    return (f"{hour:02d}:{minute:02d}", match.start(), match.end()) if hour < 24 and minute < 60 else None


def _option(ranked: list[_Candidate], options: Sequence[str], vectors: Vectors) -> AnswerReply:
    """The option that the nearest clauses name, or mean; none where they do neither."""
    top = ranked[:5]
    rows = vectors.of([candidate.text for candidate in top])
    near = rows @ vectors.of(list(options)).T
    for column, option in enumerate(options):
        wanted = {token.stem for token in tokens(option)}
        for row, candidate in enumerate(top):
            if wanted <= {token.stem for token in tokens(candidate.text)}:
                near[row, column] += 1.0
    weights = np.array([0.5 + candidate.score for candidate in top])
    best, choice = divmod(int(np.argmax(near * weights[:, None])), near.shape[1])
    if near[best, choice] < OPTION_NEAR:
        return AnswerReply(value=None, confidence=0.0)
    chosen = top[best]
    span = Span(passage=chosen.passage, start=chosen.start, stop=chosen.stop)
    return AnswerReply(value=options[choice], spans=(span,), confidence=round(min(1.0, float(near[best, choice])), 3))
