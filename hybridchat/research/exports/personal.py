"""What is personal in a conversation: found, to be looked at before an export is made, and taken out of it.

E-mail addresses and telephone numbers are found by their shape in what people wrote. Names, student numbers and dates
of birth are found where people gave them to a form, and then wherever else in the conversation they stand. A name that
somebody drops without being asked for one is not found: a preview shows the messages, so that a person can decide.
(A recogniser of names, such as presidio's, needs models that are downloaded when it runs.)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
PHONE = re.compile(
    r"(?<![\w/.,$€£-])\+?\(?\d{1,4}\)?(?:[ ./-]?\(?\d{2,4}\)?){2,5}(?:\s?(?:x|ext\.?)\s?\d{1,6})?(?![\w-])"
)
DIGITS_OF_A_PHONE = range(9, 16)  # E.164 ends at 15; fewer than nine are prices, dates and times
DATE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4}")
SHORTEST = 3  # characters of a form's value that is searched for elsewhere

FIELDS = (
    ("name", re.compile(r"(?:^|_)(?:full|first|last|family|given|student|user|guest|contact|your)_name$|^name$")),
    ("e-mail", re.compile(r"mail")),
    ("telephone", re.compile(r"phone|mobile")),
    ("number", re.compile(r"(?:student|employee|account|card|customer)_(?:id|number)$|^ssn$")),
    ("date of birth", re.compile(r"birth")),
    ("address", re.compile(r"(?:home|street|postal|mailing)_?address")),
)
"""The kinds of what is personal, by the names of fields of worksheets that ask for it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something personal: its kind, the words, and where it was found ("message" or "form")."""

    kind: str
    words: str
    source: str


def findings(conversation: dict[str, Any]) -> list[Finding]:
    """What is personal in an exported conversation, or of who wrote questions, each once, in order."""
    found: dict[tuple[str, str], Finding] = {}
    told: list[Finding] = []
    for turn in conversation.get("turns", ()):
        told += [*_given(turn.get("state") or {}), *in_text(turn["message"])]
        told += in_text((turn.get("feedback") or {}).get("comment", ""))
    taking_part = conversation.get("participation") or conversation
    written = [str(answer["value"] or "") for answer in taking_part.get("answers", ())]
    for text in [*written, *(question["text"] for question in taking_part.get("questions", ()))]:
        told += in_text(text)
    for one in told:
        found.setdefault((one.kind, one.words.casefold()), one)
    return list(found.values())


def in_text(text: str) -> Iterator[Finding]:
    """The e-mail addresses and telephone numbers of a text."""
    for match in EMAIL.finditer(text):
        yield Finding("e-mail", match[0].rstrip("."), "message")
    for match in PHONE.finditer(EMAIL.sub(" ", text)):
        digits = sum(character.isdigit() for character in match[0])
        if digits in DIGITS_OF_A_PHONE and not DATE.search(match[0]):
            yield Finding("telephone", match[0].strip(), "message")


def _given(state: dict[str, Any]) -> Iterator[Finding]:
    """What the forms of a turn hold about a person."""
    dialogue = state.get("dialogue") or {}
    for instance in dialogue.get("instances", ()):
        for field, slot in instance.get("slots", {}).items():
            kind, value = kind_of(field), slot.get("value")
            if kind and isinstance(value, str) and len(value) >= SHORTEST:
                yield Finding(kind, value, "form")
                if slot.get("words", "") not in ("", value) and kind != "name":
                    yield Finding(kind, slot["words"], "form")


def kind_of(field: str) -> str:
    """The kind of personal data that a field of this name asks for, "" for none."""
    return next((kind for kind, names in FIELDS if names.search(field)), "")


class Scrubber:
    """Puts "[e-mail 1]" in the place of each finding, the same wherever it stands in the conversation."""

    def __init__(self, found: Iterable[Finding]) -> None:
        self._places: dict[str, str] = {}
        counts: dict[str, int] = {}
        for one in found:
            if one.words.casefold() not in self._places:
                counts[one.kind] = counts.get(one.kind, 0) + 1
                self._places[one.words.casefold()] = f"[{one.kind} {counts[one.kind]}]"
        longest_first = sorted(self._places, key=len, reverse=True)
        words = "|".join(re.escape(words) for words in longest_first)
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    def __call__(self, text: str) -> str:
        if self._pattern is None:
            return text
        return self._pattern.sub(lambda match: self._places[match[0].casefold()], text)
