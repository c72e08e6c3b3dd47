"""Which of the rows shown so far a message points to: "the second one", "those", "it", or a name."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz import fuzz

from agent.language import PastQuery
from agent.parsing.dialogue.phrases import compiled, said
from agent.parsing.dialogue.pointing import THE_MORE

_ORDINALS = {
    "first": 0, "1st": 0, "second": 1, "2nd": 1, "third": 2, "3rd": 2, "fourth": 3, "4th": 3, "fifth": 4, "5th": 4,
    "sixth": 5, "6th": 5, "seventh": 6, "7th": 6, "eighth": 7, "8th": 7, "last": -1, "top": 0,
    "runner up": 1, "runner-up": 1, "runnerup": 1,
}  # fmt: skip
_COUNTS = {"two": 2, "2": 2, "three": 3, "3": 3, "four": 4, "4": 4, "five": 5, "5": 5}

_BEFORE_IT = (  # "does it need another class first"
    r"(?<!class )(?<!course )(?<!classes )(?<!courses )(?<!take )(?<!taken )(?<!know )"
)
_ORDINAL = compiled(rf"\b{_BEFORE_IT}{{ordinal}}\b(?!{{not_ordinal}})")
_POINTED = compiled(
    rf"(?:\b(?:of|about|at|for|with|from|in) )?\b(?:and )?{_BEFORE_IT}{{ordinal}}"
    r"(?: (?:ones?|place|restaurant|course|class|suggestion|result|spot))?\b(?!{not_ordinal})"
)
_AT_EACH = re.compile(
    r"\b(?:to|at|in|from) (?:either|any|both|each|all|one) of (?:these|those|them)\b(?: (?:places|restaurants))?",
    re.IGNORECASE,
)
_POSSESSIVE = compiled(r"\b(?:his|her(?= \w)|its|their|that (?:one|person|instructor|professor)'s)\b")
_PERSONAL = compiled(
    r"\b(?:(?:he|she)(?: ?/ ?(?:he|she))?|him|her|they|them|it|"
    r"(?:this|that)(?: (?:one|person|instructor|prof(?:essor)?|cuisine|city))?)(?!\w)"
)
_IN_IT = compiled(r"\bthere\b(?=\W*$)")
_SUBJECT_OF = compiled(r"\b(?:do|does|did|is|was|can|could|has|will|would)\s*$")
_DESCRIBED = re.compile(  # "the health one"
    r"\b(?:(?:of|(?<!more )(?<!me )about|at|for|with|from|in) )?the (?P<what>(?:(?!one\b)[a-z][\w'’-]* ){1,3})"
    r"(?:one|place|restaurant|spot|course|class)(?!\w)(?! (?:of|with|that|which)\b)",
    re.IGNORECASE,
)
_STEM = 4  # letters by which a short form is known: "intro" of Introduction
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
    compared = said("compare").search(message) is not None  # "the second one with Quorum" means both
    if named is not None and not compared:
        return named
    if shown is None or not shown.keys:
        return named
    choices = listed(shown, earlier)
    several = tuple(dict.fromkeys(choices.keys))
    keys = tuple(key for position in positions(message, len(several)) for key in several[position : position + 1])
    if named is not None:
        same = named.table == shown.table
        return Reference(tuple(dict.fromkeys((*keys, *named.keys))), named.table) if same else named
    if keys:
        return Reference(keys, shown.table)
    if pointed := described(message, choices):
        return Reference(tuple(dict.fromkeys(pointed.values())), choices.table)
    if said("within").search(message):
        return None  # "mexican places with their phone numbers"
    message = said("existential").sub(" ", message)
    if said("of_several").search(message):
        return Reference(several, choices.table, chooses=bool(said("chooses").search(message)))
    if said("plural").search(message):
        return Reference(tuple(dict.fromkeys(shown.keys)), shown.table, chooses=bool(said("chooses").search(message)))
    if said("singular").search(message) or THE_MORE.search(message):
        return Reference(shown.keys[:1], shown.table)
    return None


def listed(shown: PastQuery, earlier: tuple[PastQuery, ...]) -> PastQuery:
    """The list that places count in: the newest with several rows, if what was shown since was among these."""
    seen: set[str] = set()
    for query in reversed(earlier):
        seen |= set(query.keys)
        if len(set(query.keys)) > 1:
            return query if query.table == shown.table and seen == set(query.keys) else shown
    return shown


def described(message: str, choices: PastQuery) -> dict[tuple[int, int], str]:
    """Where words point to rows by those of their names, "the health one", with the entities of the rows: all of the
    words are in the name of the row, and not all in any other."""
    found: dict[tuple[int, int], str] = {}
    for match in _DESCRIBED.finditer(message):
        words = match["what"].lower().split()
        named = zip(choices.keys, choices.titles, strict=False)
        titles = ((key, re.findall(r"[\w'’]+", title.lower())) for key, title in named)
        meant = {key for key, title in titles if all(any(_begins(word, one) for one in title) for word in words)}
        if len(meant) == 1:
            found[match.span()] = meant.pop()
    return found


def _begins(said: str, word: str) -> bool:
    """Whether a word is said, whole or by its first letters: "intro" of "introduction"."""
    return said == word or (len(said) >= _STEM and word.startswith(said)) or (len(word) > _STEM and said == f"{word}s")


def positions(message: str, length: int) -> tuple[int, ...]:
    """The places in a list of some length that a message names, from 0; one may lie beyond its end."""
    if match := said("slice").search(message):
        which, count = match[1].lower(), _COUNTS[match[2].lower()]
        return tuple(range(max(length - count, 0), length) if which == "last" else range(count))
    found = [_ORDINALS[match[1].lower()] for match in _ORDINAL.finditer(message)]
    found += [int(match[1]) - 1 for match in said("numbered").finditer(message)]
    return tuple(dict.fromkeys(length - 1 if place < 0 else place for place in found))


def without_references(message: str, shown: PastQuery | None = None, earlier: tuple[PastQuery, ...] = ()) -> str:
    """The message without the words that only point to rows ("the second one"), for what it says besides; a subject
    is left its place: "does <it> have parking". A row is only described by its name among those that were shown."""
    pointed = described(message, listed(shown, earlier)) if shown is not None else {}
    for start, stop in sorted(pointed, reverse=True):
        message = f"{message[:start]}{' it ' if _SUBJECT_OF.search(message[:start]) else ' '}{message[stop:]}"
    message = _AT_EACH.sub("there", said("slice").sub(" ", message))
    message = _without(_POINTED, message)
    if shown is not None:
        message = _without(THE_MORE, message)
    return said("numbered").sub(" ", message)


def _without(pattern: re.Pattern[str], message: str) -> str:
    return pattern.sub(lambda match: " it " if _SUBJECT_OF.search(message[: match.start()]) else " ", message)


def with_chosen(message: str, chosen: str) -> str:
    """The message with the value of the group told of in the place of the word that stands for it: "what does <she>
    teach?" after who has the best ratings. `chosen` may be empty."""
    if not chosen:
        return message
    for pattern, value in ((_POSSESSIVE, f"{chosen}'s"), (_IN_IT, f"in {chosen}"), (_PERSONAL, chosen)):
        if pattern.search(message):
            return pattern.sub(value, message, count=1)
    return message


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
