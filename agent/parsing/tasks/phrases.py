"""The cues of `phrases.toml` as compiled patterns."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files

from agent.text.patterns import rows_bounded

_LISTS: dict[str, list[str]] = {
    name: phrases
    for lists in tomllib.loads(files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8")).values()
    for name, phrases in lists.items()
}


_APOSTROPHE = re.compile(r"(?<=[a-z:])'(?=(?:s|m|t|ve)\b)")
"""Where people leave it out and nothing else is meant: "thats", "dont", "im"; not "we're", "I'll"."""


def alternatives(name: str) -> str:
    """A list as an alternation, with the lists it names filled in."""
    joined = _APOSTROPHE.sub("'?", f"(?:{'|'.join(_LISTS[name])})")
    return re.sub(r"\{([a-z]+)\}", lambda match: alternatives(match[1]) if match[1] in _LISTS else match[0], joined)


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern over lower-case text in which `{name}` stands for a list."""
    return re.compile(rows_bounded(re.sub(r"\{([a-z]+)\}", lambda match: alternatives(match[1]), pattern)))


def said(name: str, low: str) -> re.Match[str] | None:
    """The cue anywhere in lower-case text, as whole words."""
    return compiled(rf"(?<![\w'])(?:{{{name}}})(?![\w'])").search(low)


THE_ONE = re.compile(
    r"\b(?:most|least|best|worst|top|(?!interest|request|honest|modest|forest|suggest|contest|guest|harvest|protest|invest)"
    r"[a-z]{3,}est)\b",
    re.IGNORECASE,
)
"""What asks for the one row that comes first: "the cheapest", "the most …"."""
