"""printf('%.2f of %d', a, b), which PostgreSQL has not, put together from to_char() and ||.

SQLite's own differences from C are kept: NULL is 0, or no characters, and a comma groups the digits by three
(https://sqlite.org/printf.html). Padding with spaces has no counterpart here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp

from agent.protocols.errors import NotAllowed, TypeMismatch
from agent.suql.tree import inner, position

_PLACE = re.compile(r"%(?P<flags>[,0]*)(?P<width>\d*)(?:\.(?P<places>\d+))?(?P<kind>[sdif%])")
_DIGITS = 15  # before the point, beyond which a number is not shown by to_char()


def spell_printf(node: exp.Expr, words: exp.Expr, values: list[exp.Expr]) -> None:
    """Put the pieces in the place of the call. Raises `NotAllowed` or `TypeMismatch`."""
    words = inner(words)
    if not isinstance(words, exp.Literal) or not words.is_string:
        raise TypeMismatch("printf() takes a format in single quotes.", "", position(node))
    pieces = list(_pieces(node, words.name, list(values))) or [exp.Literal.string("")]
    whole = pieces[0]
    for piece in pieces[1:]:
        whole = exp.DPipe(this=whole, expression=piece, safe=False)
    node.replace(exp.paren(whole) if len(pieces) > 1 else whole)


def _pieces(node: exp.Expr, words: str, values: list[exp.Expr]) -> Iterator[exp.Expr]:
    at = 0
    for match in _PLACE.finditer(words):
        yield from _plain(node, words[at : match.start()])
        at = match.end()
        if match["kind"] == "%":
            yield exp.Literal.string("%")
        elif not values:
            raise TypeMismatch("printf() has fewer values than places for them.", words, position(node))
        else:
            yield _shown(node, match, values.pop(0).copy())
    yield from _plain(node, words[at:])


def _plain(node: exp.Expr, text: str) -> Iterator[exp.Expr]:
    if "%" in text:
        raise NotAllowed("In printf(), %s, %d, %f, %.2f, %03d, %,d and %% can be used.", text, position(node))
    if text:
        yield exp.Literal.string(text)


def _shown(node: exp.Expr, match: re.Match[str], value: exp.Expr) -> exp.Expr:
    flags, width, kind = match["flags"], int(match["width"] or 0), match["kind"]
    if kind == "s":
        if flags or width or match["places"]:
            raise NotAllowed("In printf(), %s stands alone: texts are not padded or cut.", "", position(node))
        return exp.Coalesce(this=exp.cast(value, "TEXT"), expressions=[exp.Literal.string("")])
    places = int(match["places"] if match["places"] is not None else 6) if kind == "f" else 0
    whole = max(1, width - places - (places > 0)) if "0" in flags else 1
    if (width and "0" not in flags) or whole + places > _DIGITS:
        raise NotAllowed("In printf(), numbers are padded with zeros only, up to 15 digits.", "", position(node))
    digits = "9" * (_DIGITS - whole) + "0" * whole
    if "," in flags:
        digits = ",".join(digits[start : start + 3] for start in range(0, _DIGITS, 3))
    number: exp.Expr = exp.cast(exp.Coalesce(this=value, expressions=[exp.Literal.number(0)]), "DECIMAL")
    if kind != "f":
        number = exp.Trunc(this=number)
    shape = exp.Literal.string(f"FM{digits}" + ("." + "0" * places if places else ""))
    return exp.Anonymous(this="to_char", expressions=[number, shape])
