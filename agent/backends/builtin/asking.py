"""What a message to a long text asks: its parts, in what setting, for what kinds of thing, and what it rules out."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from agent.text.sentences import sentences
from agent.text.words import tokens, words_of

OWN = 2  # words of content: a part with fewer ("and how fast") is understood with what it stands beside

_WH = r"(?:when|what|which|who|whom|where|why|how|whether)"
_AUXILIARY = r"(?:do|does|did|can|could|is|are|am|was|will|would|should|may|must|has|have|might)"
_SUBJECT = r"(?:i|it|they|we|you|he|she|there|that|this|these|those|the|my|our|their|a|an|any|some)"
_BEFORE = r"(?:(?:by|until|till|from|at|for|since|in|on|with|to|after) )?"
_SPLIT = re.compile(
    rf"(?:[,;]? (?:and|or|but|plus|also)(?: (?:also|if so|then))?,? |, )(?={_BEFORE}{_WH}\b)|"
    rf"[,;]? (?:and|or|but) (?:also )?(?={_AUXILIARY} {_SUBJECT}\b)",
    re.IGNORECASE,
)
_ASKS = re.compile(
    rf"\?|(?:^|[,;:] |\b(?:so|and|but|then|now) ){_BEFORE}(?:{_WH}|{_AUXILIARY} {_SUBJECT})\b|"
    r"\b(?:need|want|like|love|wish|have) to (?:know|find out|ask)\b|\bwonder(?:ing)?\b|\btell me\b|\blooking for\b",
    re.IGNORECASE,
)
_BEGINS = r"(?:^|[,;:.!?] |\b(?:so|and|but|then|now) )"
_VERDICT = re.compile(rf"{_BEGINS}{_AUXILIARY}(?:n't)? \w", re.IGNORECASE)
_OPEN = re.compile(rf"{_BEGINS}{_BEFORE}{_WH}\b", re.IGNORECASE)
_BESIDE = re.compile(r"\(about: (?P<about>.*)\)\W*$")
_CLAUSE_ENDS = re.compile(r"[,;.:!?]|\b(?:but|just|only|though|and i\b|so i\b)", re.IGNORECASE)
_THING_ENDS = re.compile(
    r"[,;.:!?]|\b(?:but|and|so|or|because|since|which|that|if|when|how|what|to|it)\b", re.IGNORECASE
)
_POINTS = re.compile(r"\b(?:it|that|this|them|those|these|one)\b", re.IGNORECASE)
_OR = re.compile(r"\b(?:and|or|nor)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing that is asked for: a sum of money, a deadline."""

    name: str
    asked: re.Pattern[str]
    told: re.Pattern[str]
    best: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class Part:
    """One thing asked: its words, what they are read with, and whether it names several things ("a B or a C")."""

    text: str
    read: str
    kind: Kind | None
    several: bool


@dataclass(frozen=True, slots=True)
class Asking:
    """A message taken apart: what it asks, what it tells beside that, what it does not want to know, the words for what
    is not at hand ("no backup codes"), and what the talk was about so far."""

    parts: tuple[Part, ...]
    setting: str
    unwanted: str
    lacking: frozenset[str]
    about: str

    @property
    def text(self) -> str:
        return " ".join(part.text for part in self.parts)


def read_asking(message: str) -> Asking:
    """Take a message to a text apart."""
    beside = _BESIDE.search(message)
    plain = without_courtesies(message[: beside.start()] if beside else message).replace("’", "'")
    wanted, unwanted = _wanted(plain)
    kept, lacking = _at_hand(wanted)
    pieces = [kept[start:stop] for start, stop in sentences(kept)] or [kept]
    asking = [piece for piece in pieces if _ASKS.search(piece)] or pieces
    setting = " ".join(piece for piece in pieces if piece not in asking)
    said = content(" ".join(pieces))
    return Asking(_parts(asking, setting), setting, unwanted, lacking - said, beside["about"] if beside else "")


def _parts(asking: Sequence[str], setting: str) -> tuple[Part, ...]:
    """What the sentences ask, one by one. What only leads up to a question ("my card broke, what do I do") is its."""
    parts: list[Part] = []
    for piece in asking:
        lead = ""
        for text in filter(None, (one.strip(" ,;") for one in _SPLIT.split(piece))):
            if not (_ASKS.search(text) or text == piece or parts or lead):
                lead = f"{text}, "
                continue
            alone = len(content(text)) >= OWN or lead or not parts
            read = f"{lead}{text}" if alone else f"{parts[-1].read.rstrip('?')} {text}"
            if setting and not parts and _POINTS.search(text):
                read = f"{setting} {read}"
            parts.append(Part(f"{lead}{text}", read, kind_of(text), bool(_OR.search(text))))
            lead = ""
    return tuple(parts)


def without_courtesies(message: str) -> str:
    """Return the message without greetings, thanks and small talk; as it is where there is nothing else in it."""
    kept = message
    while (less := _courtesy().sub("", kept, count=1).lstrip(" ,.;:!-–—")) != kept:
        kept = less
    pieces = [kept[start:stop] for start, stop in sentences(kept)]
    kept = " ".join(piece for piece in pieces if not _courtesy(whole=True).fullmatch(piece))
    kept = _thanks().sub("", kept)
    return kept.strip() if re.search(r"\w", kept) else message.strip()


def content(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning, and of a word with its number ("week 4") also both as one."""
    said = [token for token in tokens(text) if token.stem[:1].isalnum()]
    pairs = {f"{word.stem} {number.stem}" for word, number in pairwise(said) if number.stem.isdigit()}
    return words_of(text) | pairs


def asks_verdict(text: str) -> bool:
    """Return the words ask for a yes or a no, and for nothing else."""
    return _VERDICT.search(text) is not None and _OPEN.search(text) is None


def kind_of(text: str) -> Kind | None:
    """Return the kind of thing asked for: the one named first ("by when ... so that I pay nothing" asks for a date)."""
    found = [(match.start(), at, kind) for at, kind in enumerate(_kinds()) if (match := kind.asked.search(text))]
    return min(found, key=lambda one: one[:2])[2] if found else None


def _wanted(message: str) -> tuple[str, str]:
    """The message without the clauses that say what is not wanted, and these."""
    kept, unwanted = message, ""
    while (match := _any("ruled_out").search(kept)) is not None:
        stop = _end(_CLAUSE_ENDS, kept, match.end())
        rest = f"{kept[: match.start()].rstrip(' ,;:')} {kept[stop:].lstrip(' ,;:.!')}".strip()
        if not content(rest):
            return message, ""
        unwanted = f"{unwanted} {kept[match.end() : stop].strip()}".strip()
        kept = rest
    return kept, unwanted


def _at_hand(message: str) -> tuple[str, frozenset[str]]:
    """The message without what it says is lacking, and the words of that."""
    words: set[str] = set()
    kept = message
    for match in _any("lacking").finditer(message):
        stop = _end(_THING_ENDS, message, match.end())
        words |= content(message[match.end() : stop])
        kept = kept.replace(message[match.start() : stop], " ")
    kept = re.sub(r"(?<=[.,;!?])\s*[.,;]+|^[\s,.;]+|,(?=\s*[.?!])", "", " ".join(kept.split()))
    return (kept, frozenset(words)) if content(kept) else (message, frozenset())


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    match = pattern.search(text, start)
    return match.start() if match else len(text)


@cache
def _resource() -> dict[str, Any]:
    return tomllib.loads((files(__package__) / "asking.toml").read_text(encoding="utf-8"))


@cache
def _kinds() -> tuple[Kind, ...]:
    return tuple(
        Kind(
            one["name"],
            _compiled(one["asked"]),
            _compiled(one["told"]),
            _compiled(one["best"]) if "best" in one else None,
        )
        for one in _resource()["kinds"]
    )


@cache
def _any(name: str) -> re.Pattern[str]:
    return _compiled("|".join(_grouped(_resource()["talk"][name])))


@cache
def _courtesy(*, whole: bool = False) -> re.Pattern[str]:
    """A courtesy that opens a message, or one that is all of a sentence."""
    one = "|".join(_grouped(_resource()["talk"]["courtesies"]))
    return _compiled(
        rf"(?:(?:{one})[\s,.!?;:…-]*)+" if whole else rf"^(?:{one})(?=[,.!?;:]|\s*$| (?:i|my|so)\b)[\s,.!?;:-]*"
    )


@cache
def _thanks() -> re.Pattern[str]:
    return _compiled(r"[\s,.!]*\b(?:please|thanks(?: a lot| so much| in advance)?|thank you)(?=[\s.!?]*$)")


def _grouped(patterns: Iterable[str]) -> list[str]:
    return [f"(?:{pattern})" for pattern in patterns]


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
