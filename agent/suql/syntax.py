"""From text to one SELECT, and back: the only door by which a query's words get in or out.

A query is parsed, everything outside the allow-list (`agent.suql.allowed`) is refused, and from then on only the tree
exists: what PostgreSQL runs is written anew from it, every identifier quoted, every string a plain literal.
"""

from __future__ import annotations

import re

import sqlglot
from sqlglot import exp
from sqlglot.dialects.dialect import Dialect
from sqlglot.dialects.postgres import Postgres
from sqlglot.errors import ParseError, SqlglotError, TokenError

from agent.protocols.errors import NotAllowed, SyntaxProblem
from agent.suql import allowed
from agent.suql.comparing import is_row
from agent.suql.tree import inner, position
from agent.suql.walking import children, every, nodes

LONGEST = 20_000  # characters of a query
DEEPEST = 120  # levels of nesting in a tree
LARGEST = 4_000  # nodes in a tree
LISTED = 200  # rows of VALUES
DIGITS = 300  # of a number
SELECTS = 250  # in a query


class Suql(Postgres):
    """PostgreSQL's SELECT, with NULLs last in every order: the best rated is never the unrated."""

    NULL_ORDERING = "nulls_are_last"


def parse(sql: str) -> exp.Query:
    """The tree of a query that is exactly one SELECT of allowed parts. Raises `SyntaxProblem` or `NotAllowed`."""
    tree = _one_select(_without_values(read_statement(sql)))
    for node in nodes(tree):
        node.pop_comments()
        allowed.check(node)
        if isinstance(node, exp.Literal) and not node.is_string and len(node.name) > DIGITS:
            raise NotAllowed(f"A number has at most {DIGITS} digits.", node.name[:40] + "…", position(node))
    return _one_spelling(tree)


def read_statement(sql: str, dialect: type[Dialect] | str = Suql) -> exp.Expr:
    """Return the tree of one statement, small enough to work on, with nothing checked beyond that.

    Raises `SyntaxProblem`, or `NotAllowed` where the text is too long, too deep, or several statements.
    """
    if len(sql) > LONGEST:
        raise NotAllowed(f"The query is longer than {LONGEST:,} characters.")
    if "\x00" in sql:
        raise NotAllowed("The query contains a NUL character.")
    if any("\ud800" <= character <= "\udfff" for character in sql):
        raise NotAllowed("The query is not valid UTF-8.")
    try:
        statements = [tree for tree in sqlglot.parse(sql, dialect=dialect) if tree is not None]
    except ParseError as error:
        raise _syntax_problem(error, sql) from error
    except (TokenError, SqlglotError) as error:
        raise SyntaxProblem("The query cannot be read: a quote or a bracket may be left open.", str(error)) from error
    except RecursionError as error:
        raise NotAllowed("The query is nested too deeply.") from error
    except (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError) as error:
        # sqlglot's parser fails in its own ways on some texts that are no SQL.
        raise SyntaxProblem("The query does not parse.", repr(error)) from error
    if not statements:
        raise SyntaxProblem("The query is empty.")
    if len(statements) > 1:
        raise NotAllowed("A query is exactly one SELECT; this holds several statements.")
    _limit_size(statements[0])
    return statements[0]


def _without_values(tree: exp.Expr) -> exp.Expr:
    """`(VALUES (1, 'a'), (2, 'b')) AS t(n, w)` in FROM as the SELECTs that it stands for."""
    for values in every(tree, exp.Values):
        rows = [row.expressions for row in values.expressions if isinstance(row, exp.Tuple)]
        if not isinstance(values.parent, exp.From | exp.Join) or len(rows) < len(values.expressions):
            continue
        if len(rows) > LISTED:
            raise NotAllowed(f"VALUES takes at most {LISTED} rows.", "", position(values))
        named = [[exp.alias_(one, f"column{place}") for place, one in enumerate(row, 1)] for row in rows]
        query = _united([exp.Select(expressions=row) for row in named])
        values.replace(exp.Subquery(this=query, alias=values.args.get("alias")))
    return tree


def _united(selects: list[exp.Select]) -> exp.Query:
    """Their rows together, halves by halves, so that the tree is not as deep as there are rows."""
    if len(selects) == 1:
        return selects[0]
    half = len(selects) // 2
    return exp.Union(this=_united(selects[:half]), expression=_united(selects[half:]), distinct=False)


def _one_select(tree: exp.Expr) -> exp.Query:
    while isinstance(tree, exp.Subquery) and not tree.alias:
        tree = tree.this
    if not isinstance(tree, exp.Select | exp.SetOperation):
        raise NotAllowed("A query is exactly one SELECT.", f"found {type(tree).__name__}", position(tree))
    if len(every(tree, exp.Select)) > SELECTS:
        raise NotAllowed(f"The query has more than {SELECTS} SELECTs.")
    if not all(select.expressions for select in every(tree, exp.Select)):
        raise SyntaxProblem("A SELECT selects nothing: name columns, or * for all of them.")
    for distinct in every(tree, exp.Distinct):
        if not distinct.expressions and not isinstance(distinct.parent, exp.Select):
            raise SyntaxProblem("DISTINCT inside a function needs an argument.", "", position(distinct))
    for exists in every(tree, exp.Exists):
        if not isinstance(inner(exists.this), exp.Query):
            raise SyntaxProblem("EXISTS takes a subquery: EXISTS (SELECT …).", "", position(exists))
    return tree


def _limit_size(tree: exp.Expr) -> None:
    level, count, depth = [tree], 0, -1
    while level:
        count, depth = count + len(level), depth + 1
        if count > LARGEST:
            raise NotAllowed(f"The query has more than {LARGEST:,} parts.")
        if depth > DEEPEST:
            raise NotAllowed("The query is nested too deeply.")
        level = [child for node in level for child in children(node)]


def _one_spelling(tree: exp.Query) -> exp.Query:
    """`$$text$$` becomes `'text'`, every() bool_and(), `a NOT LIKE b` and its like NOT (a LIKE b), rows their parts."""
    for node in nodes(tree):
        if isinstance(node, exp.RawString):
            node.replace(exp.Literal.string(node.this))
        elif isinstance(node, exp.Anonymous) and str(node.this).lower() == "every" and len(node.expressions) == 1:
            node.replace(exp.LogicalAnd(this=node.expressions[0]))
        elif node.args.get("negate"):
            node.set("negate", None)
            opposite = exp.Not(this=exp.Null())
            node.replace(opposite)
            opposite.set("this", node)
        elif isinstance(node, exp.EQ | exp.NEQ) and _alike(node.this, node.expression):
            node.replace(_part_by_part(node))
    return tree


def _alike(one: exp.Expr, other: exp.Expr) -> bool:
    """Are both rows, `(a, b)` and `('x', 'y')`, of the same length?"""
    return all(is_row(row) and row.expressions and not row.find(exp.Star) for row in (one, other)) and len(
        one.expressions
    ) == len(other.expressions)


def _part_by_part(comparison: exp.EQ | exp.NEQ) -> exp.Expr:
    """`(a, b) = (x, y)` as a = x AND b = y, `<>` as a <> x OR b <> y: a part that is wrong settles the row."""
    kind, parts = type(comparison), []
    for one, other in zip(comparison.this.expressions, comparison.expression.expressions, strict=True):
        part = kind(this=one, expression=other)
        parts.append(_part_by_part(part) if _alike(one, other) else part)
    joined = exp.and_(*parts, copy=False) if kind is exp.EQ else exp.or_(*parts, copy=False)
    return exp.paren(joined, copy=False)


def _syntax_problem(error: ParseError, sql: str) -> SyntaxProblem:
    found = error.errors[0] if error.errors else {}
    highlight = str(found.get("highlight") or "").strip()
    where = f" near “{highlight}”" if highlight else ""
    at = _offset(sql, found.get("line"), found.get("col"), highlight)
    return SyntaxProblem(f"The query does not parse{where}.", str(found.get("description") or error), at)


def _offset(sql: str, line: int | None, column: int | None, highlight: str) -> int | None:
    """sqlglot counts the column to the end of the token."""
    if line is None or column is None:
        return None
    starts = [0, *(match.end() for match in re.finditer("\n", sql))]
    end = starts[min(line, len(starts)) - 1] + column
    return max(0, end - len(highlight))
