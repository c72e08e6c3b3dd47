"""The samples are corpora like any other: no code outside their own folders knows them by name.

What a file says to people who read its code (comments, docstrings) may take a sample for its example, as may prompts.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.text.wordlists import words
from corpora.catalogue import catalogue

ROOT = Path(__file__).resolve().parents[1]
NOUNS = words(
    """
    restaurant cuisine eatery diner dish bistro course instructor professor syllabus semester student
    enroll enrollment waitlist reservation booking tutor
    """
)
#: Names of tables and columns that are words of the interface, of the code, or of English as well.
COMMON = frozenset(
    words(
        """
    about address article articles audience body capacity category city code contact days description end_time
    end_year enrolled grading id latitude level link location longitude name offering opening_hours picture price
    program programs questions rating ratings reviews room season slug start_time start_year title updated
    """
    )
)
#: The rules and the worksheets of the samples; and lists of what English calls whoever tells of a thing, and the thing.
APART = (
    *("agent/parsing/", "agent/worksheets/applications/", "static/vendor/", "/migrations/"),
    *("agent/backends/builtin/reading/", "agent/backends/prompted/promises.py", "agent/suql/phrases.py"),
    *("agent/text/grammar.py", "agent/text/words.py"),
)


def sample_words() -> set[str]:
    names = {name for table in catalogue() for name in (table.name, *table.noun)}
    names |= {column.name for table in catalogue() for column in table.columns}
    return (names | set(NOUNS)) - COMMON


PATTERN = re.compile(rf"(?<![a-z])(?:{'|'.join(sorted(sample_words(), key=len, reverse=True))})(?:e?s)?(?![a-z])", re.I)
IDIOMS = re.compile(r"of course\b", re.I)


def spoken(path: Path) -> Iterator[tuple[int, str]]:
    """Return the lines of a file with their numbers, without comments and docstrings."""
    text = path.read_text()
    if path.suffix == ".py":
        tree = ast.parse(text)
        described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
        docstrings = {
            node.body[0].lineno for node in ast.walk(tree) if isinstance(node, described) and ast.get_docstring(node)
        }
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type != tokenize.COMMENT and not (token.type == tokenize.STRING and token.start[0] in docstrings):
                yield token.start[0], token.string
    else:
        bare = re.sub(r"/\*.*?\*/|\{#.*?#\}", lambda found: "\n" * found[0].count("\n"), text, flags=re.DOTALL)
        yield from enumerate(bare.splitlines(), 1)


def named(folder: str) -> list[str]:
    found = []
    for path in sorted((ROOT / folder).rglob("*")):
        place = path.relative_to(ROOT).as_posix()
        if path.suffix not in (".py", ".html", ".css", ".js", ".svg") or any(one in place for one in APART):
            continue
        for line, text in spoken(path):
            found += [f"{place}:{line}: {one}" for one in PATTERN.findall(IDIOMS.sub("", text))]
    return found


@pytest.mark.parametrize("folder", ["agent", "hybridchat/chat", "static", "templates"])
def test_no_corpus_is_known_by_name(folder: str) -> None:
    assert not named(folder)


def test_a_sample_named_in_code_is_found(tmp_path: Path) -> None:
    path = tmp_path / "display.py"
    path.write_text('"""Restaurants."""\nREADERS = {"restaurants": None}  # of restaurants\n')
    assert [text for _, text in spoken(path) if PATTERN.search(text)] == ['"restaurants"']
