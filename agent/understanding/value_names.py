"""What a column's description says of its values: "CTY = city or town bike", "pool (swimming pool)"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_TOLD = re.compile(r"(?P<value>[^\W_][\w &'-]*?) *(?P<sign>=|\()")
_END = re.compile(r"[;.=]")
_ASIDE = re.compile(r" ?\(([^()]*)\)")
_EITHER = re.compile(r"(\S+) or (?:an? )?(\S+)((?: .+)?)")
_ARTICLE = re.compile(r"^(?:an?|the) ")
_OF_ANYTHING = frozenset({"good", "bad", "fine", "other"})  # "good for tall people" is no condition


def value_names(description: str, values: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield what a description calls values, each with the value."""
    known = {value: value for value in values}
    known |= {value.lower(): value for value in values if not value.isupper()}
    spots = [(match, value) for match in _TOLD.finditer(description) if (value := _named(match["value"], known))]
    ends = [*(match.start() for match, _ in spots[1:]), len(description)]
    for (match, value), following in zip(spots, ends, strict=False):  # none has an end where there are none
        told = description[match.end() : following]
        said = told.split(")")[0].split(",") if match["sign"] == "(" else _ways(_END.split(told)[0].strip(" ,"))
        plain = (_ARTICLE.sub("", words.strip()) for words in said)
        yield from ((words, value) for words in plain if words and words not in _OF_ANYTHING)


def _named(text: str, known: dict[str, str]) -> str:
    """The value that a stretch ends with: "Brakes: HD" is HD."""
    words = text.split()
    ends = (" ".join(words[first:]) for first in range(len(words)))
    return next((known[end] for end in ends if end in known), known.get(words[-1].lower(), ""))


def _ways(text: str) -> list[str]:
    """What "road bike (racer)", "mechanical (cable) disc", "city or town bike" and "used, good" may be said as."""
    found = [part.strip() for part in _ASIDE.sub("", text).split(",")]
    for aside in _ASIDE.finditer(text):
        after = text[aside.end() :].split(",")[0].strip()
        found.append(f"{aside[1]} {after}".strip())
    for way in tuple(found):
        if either := _EITHER.fullmatch(way):
            found += [f"{either[1]}{either[3]}", f"{either[2]}{either[3]}"]
    return list(dict.fromkeys(filter(None, found)))
