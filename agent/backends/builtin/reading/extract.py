"""Short answers: the number, time, date, option or stretch of text that a question asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from dateutil import parser as dates

from agent.backends.builtin.reading.numbers import Quantity, quantities
from agent.backends.builtin.reading.pieces import closest, pieces
from agent.backends.builtin.reading.questions import Question
from agent.backends.builtin.reading.readings import Pair, Readings
from agent.backends.builtin.reading.units import units
from agent.backends.builtin.reading.vectors import Vectors
from agent.protocols.reading import AnswerReply, AnswerRequest, Passage, Span
from agent.text.dates import dates_in
from agent.text.values import AnswerType
from agent.text.words import tokens

NEAREST = 0.22  # below this closeness nothing in the passages answers the question
WORDS_WEIGHT = 0.5  # what sharing all of the question's words is worth beside closeness in meaning
LENGTH_PENALTY = 0.002  # a word
OPTION_NEAR = 0.42
_EDGES = " ,;:.–—"
ANSWERED = 0.3  # the probability that a stretch answers at all from which it is given

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


_YEAR = re.compile(r"\b(?:1[5-9]|20)\d\d\b")
_TITLE = re.compile(r"\b(?:Prof(?:essor)?|Dr|Mr|Mrs|Ms)\.? $")
_ASKS_YEAR = re.compile(r"\b(?:what|which) year\b", re.IGNORECASE)
_COUNTED = frozenset({"how many", "how much", "how old", "how far", "how long"})  # answered with a number
_HEADS = r"(?:person|head|guest|diner|adult|pax)"
_ASKS_PER_HEAD = re.compile(rf"\b(?:per|a|each|every) {_HEADS}\b", re.IGNORECASE)
_PER_HEAD = re.compile(
    rf"\s*+(?:(?:dollars?|bucks?|euros?)\s*+)?(?:(?:per|a|each|every) {_HEADS}|pp|p\.p\.)\b", re.IGNORECASE
)
_NOTHING = AnswerReply(value=None, confidence=0.0)


@dataclass(frozen=True, slots=True)
class _Candidate:
    passage: int
    start: int
    stop: int
    text: str
    score: float


def texts_to_cut(question: Question, request: AnswerRequest) -> list[str]:
    """Return every text that `extract` will need the vector of."""
    return [question.text, *request.options, *(unit.text for one in request.passages for unit in units(one.text))]


def pairs_to_cut(question: Question, passages: Sequence[Passage], vectors: Vectors) -> list[Pair]:
    """Return what `extract` will need the cross-encoder to read; `vectors` know the texts of `texts_to_cut`."""
    return [(question.text, piece.text) for piece in pieces([question.text], passages, vectors)]


def extract(
    question: Question,
    passages: Sequence[Passage],
    type_: AnswerType,
    options: Sequence[str],
    vectors: Vectors,
    readings: Readings,
) -> AnswerReply:
    """Return the answer of the type asked for, or no info (value None) where nothing near enough answers."""
    if type_ is AnswerType.TEXT and _ASKS_PER_HEAD.search(question.text):
        return _per_head(passages)
    ranked = _ranked(question, passages, vectors)
    if not ranked or ranked[0].score < NEAREST:
        return _NOTHING
    if type_ is AnswerType.OPTION:
        return _option(ranked, options, vectors)
    stretch = _stretch(question, passages, vectors, readings)
    if type_ is AnswerType.TEXT:
        if stretch is None:
            return _NOTHING.model_copy(update={"spans": _worth_a_look(question, passages, vectors, readings)})
        return _reply(stretch, stretch.text, 0, len(stretch.text))
    for candidate in [*([stretch] if stretch else []), *ranked[:4]]:
        found = _pick(question, candidate.text, type_, passages[candidate.passage].text)
        if found is not None:
            return _reply(candidate, *found)
    return _NOTHING


def _worth_a_look(
    question: Question, passages: Sequence[Passage], vectors: Vectors, readings: Readings
) -> tuple[Span, ...]:
    """Where to look when nothing answers, if anything comes near."""
    read = pieces([question.text], passages, vectors)
    found = readings.stretches([(question.text, piece.text) for piece in read])
    return closest(read, [one.probability for one in found])


def _per_head(passages: Sequence[Passage]) -> AnswerReply:
    """What each guest paid: a sum that is said to be for one, and no other sum of money."""
    for number, passage in enumerate(passages):
        for one in quantities(passage.text):
            each = _PER_HEAD.match(passage.text, one.stop)
            if each is not None and one.unit != "minutes" and one.unit != "clock":
                span = Span(passage=number, start=one.start, stop=each.end())
                return AnswerReply(value=passage.text[one.start : each.end()].strip(), spans=(span,), confidence=1.0)
    return _NOTHING


def _reply(candidate: _Candidate, value: str, start: int, stop: int) -> AnswerReply:
    """A value that stands at characters `start:stop` of the candidate."""
    span = Span(passage=candidate.passage, start=candidate.start + start, stop=candidate.start + stop)
    return AnswerReply(value=value, spans=(span,), confidence=round(min(candidate.score, 1.0), 3))


def _stretch(
    question: Question, passages: Sequence[Passage], vectors: Vectors, readings: Readings
) -> _Candidate | None:
    """The stretch of text that answers best, its score a probability; None if what was asked for is not there."""
    read = pieces([question.text], passages, vectors)
    found = readings.stretches([(question.text, piece.text) for piece in read])
    candidates = []
    for piece, one in zip(read, found, strict=True):
        start = one.start
        if title := _TITLE.search(piece.text[:start]):
            start = title.start()
        marked = piece.text[start : one.stop]
        text = _part_asked_for(question, marked)
        if text and one.probability >= ANSWERED and _may_answer(question, text):
            start += piece.start + marked.index(text)
            candidates.append(_Candidate(piece.number, start, start + len(text), text, one.probability))
    return max(candidates, key=lambda one: one.score, default=None)


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


def _part_asked_for(question: Question, marked: str) -> str:
    """Of a date whose year is asked for, the year; of anything else all, without the marks around it."""
    year = _YEAR.search(marked) if _ASKS_YEAR.search(question.text) else None
    return year[0] if year else marked.strip(_EDGES)


def _may_answer(question: Question, text: str) -> bool:
    """An amount is told by a number."""
    return question.form not in _COUNTED or bool(quantities(text))


def _pick(question: Question, text: str, type_: AnswerType, context: str) -> tuple[str, int, int] | None:
    """(value, start, stop) within `text`, a part of `context`, or None if it holds nothing of the kind asked for."""
    if type_ is AnswerType.NUMBER:
        number = _number(question, text)
        return (f"{number.value:g}", number.start, number.stop) if number else None
    if type_ is AnswerType.DATE:
        return _date(text, context)
    if type_ is AnswerType.TIME:
        return _time(text)
    raise ValueError(f"{type_} is not picked from a text.")


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


def _date(text: str, context: str) -> tuple[str, int, int] | None:
    match, figures = _DATE.search(text), next(dates_in(text, context), None)
    if figures is not None and (match is None or figures.start <= match.start()):
        return figures.day.isoformat(), figures.start, figures.stop
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
        for line, candidate in enumerate(top):
            if wanted <= {token.stem for token in tokens(candidate.text)}:
                near[line, column] += 1.0
    weights = np.array([0.5 + candidate.score for candidate in top])
    row, choice = divmod(int(np.argmax(near * weights[:, None])), near.shape[1])
    if near[row, choice] < OPTION_NEAR:
        return _NOTHING
    chosen = top[row]
    span = Span(passage=chosen.passage, start=chosen.start, stop=chosen.stop)
    return AnswerReply(value=options[choice], spans=(span,), confidence=round(min(1.0, float(near[row, choice])), 3))
