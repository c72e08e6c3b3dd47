"""Which of the rows shown so far a message points to: "the second one", "those", "it", or a name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz import fuzz

from agent.language.tasks import PastQuery
from agent.parsing.dialogue.phrases import compiled, said

_ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
    "sixth": 5, "6th": 5, "seventh": 6, "7th": 6, "eighth": 7, "8th": 7, "last": -1, "top": 0,
    "runner up": 1, "runner-up": 1, "runnerup": 1,
}  # fmt: skip
_COUNTS = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5}

_ORDINAL = compiled(r"\b{ordinal}\b(?!{not_ordinal})")
_POINTED = compiled(
    r"\b(?:and )?{ordinal}(?: (?:ones?|place|restaurant|course|class|suggestion|result|spot))?\b(?!{not_ordinal})"
)
_NAMED = 88  # least similarity, out of 100, for a shown title to count as named


@dataclass(frozen=True, slots=True)
class Reference:
    """The rows pointed to, by their entities. `chooses` where the message picks among them ("which of these")."""

    keys: tuple[str, ...]
    table: str
    chooses: bool = False


def referred(message: str, shown: PastQuery | None, earlier: tuple[PastQuery, ...] = ()) -> Reference | None:
    """The rows a message points to: among the ones shown last, or by name among all shown earlier; else None."""
    named = _named(message, earlier)
    if named is not None:
        return named
    if shown is None or not shown.keys:
        return None
    keys = _by_position(message, shown.keys)
    if keys:
        return Reference(keys, shown.table)
    message = said("existential").sub(" ", message)
    if said("plural").search(message):
        return Reference(shown.keys, shown.table, chooses=bool(said("chooses").search(message)))
    if said("singular").search(message):
        return Reference(shown.keys[:1], shown.table)
    return None


def without_references(message: str) -> str:
    """The message without the words that only point to rows ("the second one"), for what it says besides."""
    for pattern in (said("slice"), _POINTED, said("numbered")):
        message = pattern.sub(" ", message)
    return message


def _by_position(message: str, keys: tuple[str, ...]) -> tuple[str, ...]:
    if match := said("slice").search(message):
        which, count = match[1].lower(), _COUNTS[match[2].lower()]
        return keys[-count:] if which == "last" else keys[:count]
    positions = [_ORDINALS[match[1].lower()] for match in _ORDINAL.finditer(message)]
    positions += [int(match[1]) - 1 for match in said("numbered").finditer(message)]
    return tuple(dict.fromkeys(keys[position] for position in positions if position < len(keys)))


def _named(message: str, earlier: tuple[PastQuery, ...]) -> Reference | None:
    """Shown titles that the message names, whole or by their first distinctive words."""
    found: dict[str, str] = {}
    text = message.lower()
    for query in reversed(earlier):
        for key, title in zip(query.keys, query.titles, strict=False):
            if title and key not in found and _names(text, title.lower()):
                found[key] = query.table
    if not found:
        return None
    table = next(iter(found.values()))
    return Reference(tuple(key for key, of in found.items() if of == table), table)


def _names(text: str, title: str) -> bool:
    if len(title) < 4:
        return re.search(rf"\b{re.escape(title)}\b", text) is not None
    return fuzz.partial_ratio(title, text, score_cutoff=_NAMED) > 0 if len(text) >= len(title) else False
