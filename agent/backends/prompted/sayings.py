"""Whether a model's wording of an act says the act: all of it, and nothing else (Genie Worksheets section 5.3)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from agent.backends.prompted.grounding import unsupported
from agent.backends.prompted.promises import unfounded
from agent.worksheets.acts import Act, ActKind

ASKING = (ActKind.ASK, ActKind.CONFIRM, ActKind.PROPOSE)
WORDED = 1 / 3
"""The part of an act's words that its wording has to share; a paraphrase keeps at least its nouns."""

_COUNTS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
           "ten": "10", "eleven": "11", "twelve": "12"}  # fmt: skip
_EXAMPLES = re.compile(r"“[^”]*”")
_LINE = re.compile(r"^\s*- (.+)$", re.MULTILINE)
_MONTH = re.compile(r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d")
_COMMON = {"would", "could", "should", "shall", "will", "have", "that", "this", "with", "your", "what", "which", "when",
           "where", "there", "them", "then", "they", "from", "please", "like", "does", "been", "for", "you", "the",
           "and", "are", "can", "say", "also", "more", "many", "much", "how", "who", "may", "need"}  # fmt: skip


def told(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Return the acts to be put into words: those about a question are its answer, but for what it still lacks."""
    return tuple(act for act in acts if act.text and (act.query is None or act.act is ActKind.ASK))


def faults(act: Act, text: str, known: str, names: str) -> list[str]:
    """Return what is wrong with a wording of an act, in words for who wrote it; empty where it will do.

    `known` is what may be said in this turn, `names` where names may come from besides.
    """
    if not text.strip():
        return ["it says nothing"]
    if text.split() == act.text.split():
        return []
    left_out = list(_left_out(act, text))
    counted = f"{_in_digits(known)}\n{len(act.options)}"  # "which of the three"
    added = [f"“{one}” (it is not given)" for one in unsupported(_in_digits(text), counted, small=0)]
    added += unfounded(text, known, names)
    return [*(f"it leaves out {one}" for one in left_out), *(f"it adds {one}" for one in added)]


def values_missing(act: Act, text: str) -> list[str]:
    """Return the values of a confirmation that a text does not show."""
    said, meant = _tokens(text), _tokens(act.text)
    lines = [line for line in _LINE.findall(act.text) if not line.endswith(":")]
    missing = [line for line in lines if " ".join(_tokens(line)) not in " ".join(said)]
    for value in _leaves(act.values):
        wanted = [token for token in _tokens(value) if token in meant]
        if not set(wanted) <= set(said):
            missing.append(value)
    missing += [month for month in _MONTH.findall(act.text) if not re.search(rf"\b{month}", text)]
    return missing


def _left_out(act: Act, text: str) -> Iterator[str]:
    meant = act.text if act.act is not ActKind.ASK else _EXAMPLES.sub("", act.text)
    plain = meant.replace("**", "").replace("*", "")
    yield from unsupported(_in_digits(plain), _in_digits(text), small=0)
    yield from (f"the choice {option}" for option in _choices_missing(act, plain, text))
    if act.act in ASKING and "?" not in text and ("?" in act.text or act.act is ActKind.CONFIRM):
        yield "the question"
    if act.act is ActKind.CONFIRM:
        yield from values_missing(act, text)
    if act.act is ActKind.REPORT and bool(_NOT.search(act.text)) != bool(_NOT.search(text)):
        yield "whether it was done"
    words = _stems(plain)
    if words and len(words & _stems(text)) < WORDED * len(words) and not _names_field(act, text):
        yield f"what it says: “{plain}”"
    if act.act is ActKind.ASK and not _asks_the_same(act, text):
        yield f"the question: “{_question(act.text)}”"


_NOT = re.compile(r"\b(?:not|no|never|nothing|none|cannot|without|fail\w*|unable)\b|n['’]t\b", re.IGNORECASE)


def _choices_missing(act: Act, meant: str, text: str) -> Iterator[str]:
    """Choices that the act names and its wording does not. A yes or no needs no naming."""
    named, said = set(_tokens(meant)), set(_tokens(_in_digits(text)))
    for option in act.options:
        wanted = {token for token in _tokens(option) if not token.isdigit()} - {"yes", "no", "am", "pm"}
        if wanted and wanted <= named and not wanted <= said:
            yield option


def _asks_the_same(act: Act, text: str) -> bool:
    """Whether the question of a wording has a word of the act's question, its choices or its field."""
    meant = _stems(" ".join([_question(act.text), act.field.replace("_", " "), *act.options]))
    return not meant or bool(meant & _stems(_question(text)))


def _question(text: str) -> str:
    """The sentences that ask, or the last one where none has a question mark; of "back to the room: how many nights?"
    what is asked, and of "how many units: 3 or 4?" all of it."""
    sentences = re.split(r"(?<=[.!?])\s+", text.strip())
    asking = [(one, one.rpartition(": ")[2]) for one in sentences if one.endswith("?")]
    return " ".join(last if _stems(last) else whole for whole, last in asking) or sentences[-1]


def _names_field(act: Act, text: str) -> bool:
    """Whether a question asks for its field by name, whatever its other words."""
    field = _stems(act.field.replace("_", " "))
    return act.act is ActKind.ASK and bool(field) and field <= _stems(text)


def _leaves(value: Any) -> Iterator[str]:
    """The values that can be looked for as words: texts and names, the figures being looked for by themselves."""
    if isinstance(value, dict):
        for item in value.values():
            yield from _leaves(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _leaves(item)
    elif isinstance(value, str) and not re.fullmatch(r"\d{4}-\d\d-\d\d|\d\d:\d\d", value):
        yield value


def _in_digits(text: str) -> str:
    return re.sub(r"[A-Za-z]+", lambda found: _COUNTS.get(found[0].lower(), found[0]), text)


def _tokens(text: str) -> list[str]:
    return re.findall(r"[^\W_]+", text.casefold())


def _stems(text: str) -> set[str]:
    """The first letters of the words that carry meaning."""
    return {word[:5] for word in _tokens(text) if len(word) > 2 and word not in _COMMON and not word.isdigit()}
