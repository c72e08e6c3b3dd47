"""The comparisons of columns with words in a query, in whichever of SQL's spellings, brought to one form.

location = 'Palo Alto'            cuisines = 'thai'               'thai' = ANY (cuisines)
location ILIKE '%palo alto%'      price IN ('cheap', 'moderate')  cuisines @> ARRAY['thai', 'vegan']
price <= 'moderate'               opening_hours = 'open now'      cuisines && ARRAY['thai', 'lao']
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlglot import exp

from agent.catalogue.tables import Column, Kind, Table
from agent.protocols.errors import TypeMismatch
from agent.suql.kinds.hours import read_hours
from agent.suql.names import Names
from agent.suql.tree import inner, position
from agent.suql.walking import nodes
from agent.text.values import read_date, read_number, read_time

_ORDER: dict[type[exp.Expr], str] = {exp.GT: ">", exp.GTE: ">=", exp.LT: "<", exp.LTE: "<="}
_MIRRORED = {">": "<", ">=": "<=", "<": ">", "<=": ">=", "=": "="}


@dataclass(frozen=True, slots=True)
class Comparison:
    """`column op words`. With several words any of them will do, or `every` one is needed; `negated` turns it round."""

    node: exp.Expr
    reference: exp.Column
    table: Table
    column: Column
    words: tuple[str, ...]
    op: str = "="
    every: bool = False
    negated: bool = False
    many: bool = False  # the reference is an array (not an element of one)
    pattern: bool = False  # written with LIKE or ILIKE


def comparisons(names: Names, root: exp.Expr | None = None) -> Iterator[Comparison]:
    """Yield every comparison of a catalogue column with constant words below a node (the whole query by default)."""
    for node in nodes(root or names.tree):
        found = read_comparison(node, names)
        if found is not None:
            yield found


def read_comparison(node: exp.Expr, names: Names) -> Comparison | None:
    """The comparison a node is, if it is one."""
    shape = _shape(node)
    if shape is None:
        return None
    reference, words, op, every, negated, pattern = shape
    origin = names.origin(reference)
    if origin is None or origin.column is None or origin.table is None:
        return None
    many = origin.column.many and not origin.element
    if many and any(word.startswith("{") for word in words):
        return None  # a whole array, written as PostgreSQL writes it
    column = inner(reference)
    assert isinstance(column, exp.Column)
    return Comparison(node, column, origin.table, origin.column, words, op, every, negated, many, pattern)


_Shape = tuple[exp.Expr, tuple[str, ...], str, bool, bool, bool]


def _shape(node: exp.Expr) -> _Shape | None:
    if isinstance(node, exp.EQ | exp.NEQ):
        return _equality(node)
    if type(node) in _ORDER:
        return _ordering(node)
    if isinstance(node, exp.In) and not node.args.get("query"):
        words = _words(node.expressions)
        return (node.this, words, "=", False, False, False) if words and _is_column(node.this) else None
    if isinstance(node, exp.Like | exp.ILike):
        return _pattern(node)
    if isinstance(node, exp.ArrayContainsAll | exp.ArrayOverlaps) and _is_column(node.this):
        items = inner(node.expression)
        words = _words(items.expressions) if isinstance(items, exp.Array) else ()
        return (node.this, words, "=", isinstance(node, exp.ArrayContainsAll), False, False) if words else None
    return None


def _equality(node: exp.EQ | exp.NEQ) -> _Shape | None:
    """`c = 'x'`, `'x' = c`, `'x' = ANY (c)`, `c = ANY (ARRAY['x', 'y'])`, and `<>`, `<> ALL`.

    `c = ARRAY['x']` compares a whole list, as in SQL, and is none of these.
    """
    negated = isinstance(node, exp.NEQ)
    if any(_quantifier(side) == ("any" if negated else "all") for side in (node.this, node.expression)):
        return None  # `= ALL` and `<> ANY` ask for other lists than one that holds the words, or does not
    for side, whole in ((node.this, node.expression), (node.expression, node.this)):
        side, other = _unquantified(side), _unquantified(whole)
        if _is_column(side):
            ranged = isinstance(other, exp.Array) and other is not inner(whole)
            words = _words([other]) or (_words(other.expressions) if ranged else ())
            if words:
                return side, words, "=", False, negated, False
    return None


def _ordering(node: exp.Expr) -> _Shape | None:
    op = _ORDER[type(node)]
    for side, other, sign in ((node.this, node.expression, op), (node.expression, node.this, _MIRRORED[op])):
        words = _words([other])
        if _is_column(side) and words:
            return side, words, sign, False, False, False
    return None


def _pattern(node: exp.Like | exp.ILike) -> _Shape | None:
    for side, other in ((node.this, node.expression), (node.expression, node.this)):
        side, other = _unquantified(side), _unquantified(other)
        words = tuple(word.strip("%").strip() for word in _words([other]))
        if _is_column(side) and words and words[0]:
            return side, words, "=", False, False, True
    return None


def _unquantified(node: exp.Expr) -> exp.Expr:
    """What ANY (…) or ALL (…) ranges over."""
    node = inner(node)
    if not _quantifier(node):
        return node
    return inner(node.expressions[0] if isinstance(node, exp.Anonymous) else node.this)


def _quantifier(node: exp.Expr) -> str:
    node = inner(node)
    if isinstance(node, exp.Any | exp.All):
        return "any" if isinstance(node, exp.Any) else "all"
    name = str(node.this).lower() if isinstance(node, exp.Anonymous) and len(node.expressions) == 1 else ""
    return name if name in ("any", "all") else ""


def _is_column(node: exp.Expr) -> bool:
    return isinstance(inner(node), exp.Column)


def _words(nodes: list[exp.Expr]) -> tuple[str, ...]:
    """The strings, if the nodes are all constant strings."""
    plain = [_constant(inner(node)) for node in nodes]
    return tuple(word for word in plain if word is not None) if None not in plain else ()


def _constant(node: exp.Expr) -> str | None:
    if isinstance(node, exp.Cast) and node.to.this is exp.DataType.Type.TEXT:
        node = inner(node.this)
    return node.name if isinstance(node, exp.Literal) and node.is_string else None


# -- checks that need no database ----------------------------------------------------------------------------------


def check_comparisons(names: Names) -> None:
    """Raise `TypeMismatch` for a comparison that cannot mean anything: a number with a word, free text with `=`."""
    for found in comparisons(names):
        problem = _problem(found)
        if problem:
            raise TypeMismatch(problem, found.node.sql(dialect="postgres")[:200], position(found.node))


def _problem(found: Comparison) -> str:
    kind, name = found.column.kind, found.column.name
    if kind is Kind.FREE_TEXT and not found.pattern:
        question = "does it mention " + found.words[0] + "?"
        return f"{name} is free text and has no exact values: ask it, as in answer({name}, '{question}') = 'Yes'."
    if kind in (Kind.LOCATION, Kind.OPENING_HOURS) and found.op != "=":
        return f"{name} has no order; compare it with =."
    if kind is Kind.OPENING_HOURS:
        for word in found.words:
            read_hours(word, datetime(2000, 1, 3))
    readers = {Kind.NUMBER: read_number, Kind.DATE: read_date, Kind.TIME: read_time}
    if kind in readers and not found.pattern:
        unread = next((word for word in found.words if not _readable(kind, word)), None)
        if unread is not None:
            return f"{name} is a {kind.value.lower()}; “{unread}” is not."
    if kind is Kind.BOOLEAN and any(
        word.lower() not in ("yes", "no", "true", "false", "t", "f") for word in found.words
    ):
        return f"{name} is true or false; compare it with TRUE or FALSE."
    if found.op != "=" and kind is Kind.ENUM and not found.column.values:
        return f"The values of {name} have no order; compare it with = or IN."
    return ""


def _readable(kind: Kind, word: str) -> bool:
    if kind is Kind.NUMBER:
        return read_number(word) is not None
    if kind is Kind.DATE:
        return read_date(word, datetime(2000, 1, 3).date()) is not None
    return read_time(word) is not None
