"""The double braces around ingredients: found, checked and taken away.

What is left is SQLite with functions called LLMMap, LLMQA and so on, which a SQL parser reads. Later versions of
BlendSQL write them so, without braces; both are taken, mixed too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.protocols.errors import SyntaxProblem

#: Strings and names in quotes, comments, braces, brackets: whatever decides where a brace is one.
_TOKEN = re.compile(
    r"""'(?:[^']|'')*' | "(?:[^"]|"")*" | `(?:[^`]|``)*` | --[^\n]* | /\*.*?\*/ | \{\{ | \}\} | [()]""",
    re.DOTALL | re.VERBOSE,
)
_CALL = re.compile(r"\s*[A-Za-z_]\w*\s*\(")


def unwrapped(query: str) -> str:
    """Return the query without its double braces, every other character in its place. Raises `SyntaxProblem`."""
    text = list(query)
    opened: list[tuple[int, int]] = []  # where, and how many round brackets were open there
    depth = 0
    for mark, at in _tokens(query):
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
        elif mark == "{{":
            if not _CALL.match(query, at + 2):
                raise SyntaxProblem(
                    "After {{ comes an ingredient, as in {{LLMMap('question', 'table::column')}}.", "", at
                )
            opened.append((at, depth))
            text[at : at + 2] = "  "
        else:
            if not opened:
                raise SyntaxProblem("There is a }} without its {{.", "", at)
            if opened.pop()[1] != depth:
                raise SyntaxProblem("The round brackets between {{ and }} do not match.", "", at)
            text[at : at + 2] = "  "
    if opened:
        raise SyntaxProblem("There is a {{ without its }}.", "", opened[-1][0])
    return "".join(text)


def _tokens(query: str) -> Iterator[tuple[str, int]]:
    """The brackets and braces outside of quotes and comments, with their places."""
    for match in _TOKEN.finditer(query):
        if match.group() in ("(", ")", "{{", "}}"):
            yield match.group(), match.start()
