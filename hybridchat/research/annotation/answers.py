"""Answers as a form sends them, checked against the questions of the scheme."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hybridchat.chat.models import Turn
from hybridchat.research.annotation.models import Annotation
from hybridchat.research.annotation.parts import Part, parts
from hybridchat.research.annotation.questions import Question, questions_of

MOST_MISSING = 50
LONGEST = 2_000


class Unanswered(Exception):
    """Answers that do not do; the message says what is wanting."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as it is put about one turn: with the parts to judge, and what was answered."""

    question: Question
    parts: tuple[Part, ...] = ()
    answer: Any = None
    suggestion: Any = None

    @property
    def judged(self) -> list[tuple[Part, Any, Any]]:
        """Each part with its answer, and with what a program suggests."""
        given, told = ((one or {}).get("parts", {}) for one in (self.answer, self.suggestion))
        return [(part, given.get(part.id), told.get(part.id)) for part in self.parts]

    @property
    def missing(self) -> int:
        return int((self.answer or {}).get("missing", 0))


def asked_of(turn: Turn, stored: Any, answers: Mapping[str, Any], suggestion: Mapping[str, Any]) -> list[Asked]:
    """The questions of a scheme that a turn calls for."""
    last = not turn.conversation.turns.filter(position__gt=turn.position).exists()
    found = []
    for question in questions_of(stored):
        if question.asked_of(turn, last=last):
            judged = tuple(parts(turn, question.source)) if question.kind == "judge" else ()
            if question.kind != "judge" or judged or question.missing:
                found.append(Asked(question, judged, answers.get(question.name), suggestion.get(question.name)))
    return found


def said_of(given: Iterable[Annotation]) -> dict[str, list[str]]:
    """Who gave which answer, by the name of the form's field and the value: for adjudicators to see beside it."""
    found: dict[str, list[str]] = defaultdict(list)
    for one in given:
        name = one.annotator.get_username()
        for question, answer in one.answers.items():
            for field, value in _fields(question, answer):
                found[f"{field}={value}"].append(name)
    return dict(found)


def _fields(question: str, answer: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(answer, dict):
        yield from ((f"{question}.{part}", verdict) for part, verdict in answer.get("parts", {}).items())
        yield f"{question}.missing", answer.get("missing", 0)
    elif isinstance(answer, list):
        yield from ((question, value) for value in answer)
    else:
        yield question, answer


def read(asked: list[Asked], form: Any) -> dict[str, Any]:
    """The answers of a form (a QueryDict). Raises Unanswered."""
    given = {one.question.name: _answer(one, form) for one in asked}
    kept = {name: answer for name, answer in given.items() if answer not in (None, "")}
    return kept or {"nothing": True}


def _answer(one: Asked, form: Any) -> Any:
    question, name = one.question, one.question.name
    values = {option.value for option in question.options}
    if question.kind == "judge":
        given = {part.id: form.get(f"{name}.{part.id}", "") for part in one.parts}
        if question.required and not set(given.values()) <= values:
            raise Unanswered(f"{question.text} Please judge every one.")
        return {"parts": given, **({"missing": _count(form.get(f"{name}.missing"))} if question.missing else {})}
    if question.kind == "labels":
        chosen = form.getlist(name)
        if not set(chosen) <= values:
            raise Unanswered(f"{question.text} That is none of the labels.")
        if question.required and not chosen:
            raise Unanswered(f"{question.text} Please choose at least one.")
        return sorted(chosen)
    answer = form.get(name, "").strip()[:LONGEST]
    if question.required and not answer:
        raise Unanswered(f"{question.text} Please answer.")
    if question.kind == "choice" and answer and answer not in values:
        raise Unanswered(f"{question.text} That is none of the answers.")
    return answer


def _count(text: str | None) -> int:
    try:
        count = int(text or 0)
    except ValueError as error:
        raise Unanswered("How many are missing is a number.") from error
    if not 0 <= count <= MOST_MISSING:
        raise Unanswered(f"How many are missing is a number from 0 to {MOST_MISSING}.")
    return count
