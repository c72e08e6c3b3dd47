"""Every pattern that the engine makes is tried with what would be slow, taken from the pattern itself."""

from __future__ import annotations

import importlib
import pkgutil
import re
import re._constants as constants  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

import agent
from agent.parsing.dialogue import phrases as talk
from agent.parsing.tasks import phrases as tasks
from agent.text.bounds import bounded
from agent.text.patterns import ROW, rows_bounded

SIZE = 300  # characters: what is quadratic takes a few milliseconds, what is cubic a second, and the rest for ever
SLOW = 0.1  # seconds of this process
CANDIDATES = 40
PUMPS = ("a", " ", "a ", "a, ", "-", "1", "a-", ". ", "\n", "the ", "and ", "not ", "1 ")
SAMPLES = "a 1,.-'x;\n&é!?(\"_/:$+@"
"""Characters to stand for a set."""


def test_row_of_words_is_read_up_to_a_length() -> None:
    row = re.compile(rows_bounded(r"^(?:(?:and|so)\W+)*x"))
    assert row.match("and, so " * (ROW // 2) + "x")
    assert not row.match("and, so " * ROW + "x")


def test_repeats_that_are_no_rows_of_words_stay() -> None:
    assert rows_bounded(r"(?:\w+ )*?x\d+(?:ab)*") == r"(?:\w+ )*?x\d+(?:ab)*"


@pytest.mark.timeout(300)
def test_no_pattern_takes_long_over_what_fits_it_almost() -> None:
    slow = [f"{where}: {pattern.pattern[:120]}" for pattern, where in made().items() if worst(pattern) > SLOW]
    assert not slow


def made() -> dict[re.Pattern[str], str]:
    """The patterns that the modules of the engine make, and those of its lists, with where they are made."""
    found: dict[re.Pattern[str], str] = {}
    compile_ = re._compile  # type: ignore[attr-defined]

    def noted(pattern: Any, flags: int) -> Any:
        compiled = compile_(pattern, flags)
        caller = sys._getframe(2)
        if isinstance(pattern, str) and "/agent/" in caller.f_code.co_filename:
            found.setdefault(compiled, f"{caller.f_code.co_filename.rpartition('/agent/')[2]}:{caller.f_lineno}")
        return compiled

    names = [one.name for one in pkgutil.walk_packages(agent.__path__, "agent.")]
    kept = {name: sys.modules.pop(name) for name in list(sys.modules) if name == "agent" or name.startswith("agent.")}
    re._compile = noted  # type: ignore[attr-defined]
    try:
        for name in names:
            importlib.import_module(name)
        for name in tasks._LISTS:
            sys.modules["agent.parsing.tasks.phrases"].said(name, "")
        for name in talk._ALTERNATIVES:
            sys.modules["agent.parsing.dialogue.phrases"].said(name)
    finally:
        re._compile = compile_  # type: ignore[attr-defined]
        for name in [name for name in sys.modules if name == "agent" or name.startswith("agent.")]:
            del sys.modules[name]
        sys.modules.update(kept)
    return found


def worst(pattern: re.Pattern[str]) -> float:
    """The longest that a search takes in texts made of the pattern's own repeats, as messages are read."""
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE)
    repeats = list(dict.fromkeys(repeats_of(tree, "")))[:CANDIDATES]
    if not repeats:
        return 0.0
    leads = dict.fromkeys(("", *(lead for lead, _ in repeats[:4])))
    tried = [(lead, body + gap) for lead, body in repeats for gap in ("", " ", ", ")]
    tried += [(lead, pump) for lead in leads for pump in PUMPS]
    longest = 0.0
    for lead, pump in tried:
        if pump and longest <= SLOW:
            text = bounded((lead + pump * SIZE)[:SIZE]).text
            longest = max(longest, *(seconds(pattern, text + tail) for tail in ("\0", " q!")))
    return longest


def seconds(pattern: re.Pattern[str], text: str) -> float:
    began = time.process_time()
    pattern.search(text)
    return time.process_time() - began


def repeats_of(tree: Any, lead: str) -> Iterator[tuple[str, str]]:
    """What may stand over and over in a match, each with what stands before it."""
    for kind, value in tree:
        if kind in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
            if value[1] >= 4:
                yield lead, sample(value[2])
            yield from repeats_of(value[2], lead)
        elif kind is constants.SUBPATTERN:
            yield from repeats_of(value[3], lead)
        elif kind is constants.ATOMIC_GROUP:
            yield from repeats_of(value, lead)
        elif kind is constants.BRANCH:
            for branch in value[1]:
                yield from repeats_of(branch, lead)
        lead += sample([(kind, value)])


def sample(tree: Any) -> str:
    """A text that a part of a pattern matches, but for what it looks ahead or back at."""
    said = ""
    for kind, value in tree:
        if kind is constants.LITERAL:
            said += chr(value)
        elif kind is constants.NOT_LITERAL:
            said += "a" if value != ord("a") else "b"
        elif kind is constants.ANY:
            said += "a"
        elif kind is constants.IN:
            said += one_of(value)
        elif kind is constants.BRANCH:
            said += sample(value[1][0])
        elif kind is constants.SUBPATTERN:
            said += sample(value[3])
        elif kind is constants.ATOMIC_GROUP:
            said += sample(value)
        elif kind in (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT):
            said += sample(value[2]) * value[0]
    return said


def one_of(members: Any) -> str:
    """A character of a set."""
    negated = members[0][0] is constants.NEGATE
    fits = (character for character in SAMPLES if any(holds(*one, character) for one in members) != negated)
    literal = (
        chr(value if kind is constants.LITERAL else value[0]) for kind, value in members if kind != constants.NEGATE
    )
    return next(fits, None) or next(literal)


def holds(kind: Any, value: Any, character: str) -> bool:
    """Whether a member of a set is or includes a character."""
    if kind is constants.LITERAL:
        return ord(character) == value
    if kind is constants.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if kind is not constants.CATEGORY:
        return False
    name = str(value)
    inside = {
        "WORD": character.isalnum() or character == "_",
        "SPACE": character.isspace(),
        "DIGIT": character.isdigit(),
    }
    return inside[name.rpartition("_")[2]] != ("NOT" in name)
