"""The roles that a gold query gives to columns, tables and words: what the linker learns to say of a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import sqlglot
from sqlglot import exp

from agent.catalogue.tables import Kind
from agent.understanding.linker import SKIPPED
from agent.understanding.moments import clock, moment
from agent.understanding.roles import COMPARED, COUNT, LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded
from agent.understanding.values import NO, SPELLED_OUT, YES, number_in

COMPARISONS: dict[type[exp.Expression], str] = {
    exp.EQ: "=",
    exp.NEQ: "!=",
    exp.GT: ">",
    exp.LT: "<",
    exp.GTE: ">=",
    exp.LTE: "<=",
    exp.Like: "like",
}
TURNED = {">": "<", "<": ">", ">=": "<=", "<=": ">="}
LEAST = 5  # letters of a word that stands for a whole name
_DATED = re.compile(r"%?\d{4}-\d\d(?:-\d\d)?%?(?: 00:00:00)?")
_TIMED = re.compile(r"\d\d:\d\d(?::\d\d)?")
_WORDS = re.compile(r"-?\d[\d,]*(?:\.\d+)?|\w+")


class Unreadable(Exception):
    """The query has a part that no role stands for."""


class Span(NamedTuple):
    """Characters `start:stop` of a question that say a literal."""

    start: int
    stop: int
    literal: Literal


def roles_of(query: str, schema: Schema) -> Roles:
    """Return the roles of a gold query in SQLite's dialect. Raises Unreadable."""
    reader = _Reader(schema)
    try:
        reader.read(sqlglot.parse_one(query.rstrip("; "), read="sqlite"))
    except (sqlglot.errors.ParseError, KeyError, AttributeError, ValueError) as problem:
        raise Unreadable(query) from problem
    if reader.roles.kind == "other":
        raise Unreadable(query)
    return reader.roles


class _Reader:
    def __init__(self, schema: Schema) -> None:
        self.schema, self.roles = schema, Roles()
        self.tables = {table.name.lower(): number for number, table in enumerate(schema.tables)}

    def read(self, tree: exp.Expression, *, inner: bool = False) -> None:
        roles = self.roles
        if isinstance(tree, exp.SetOperation):
            roles.kind = type(tree).__name__.lower() if roles.kind == "none" else "other"
            self.read(tree.this, inner=inner)
            self.read(tree.expression, inner=True)
            return
        scope = self._scope(tree, inner=inner)
        if not inner:
            self._shown(tree, scope)
        for part in ("where", "having"):
            if tree.args.get(part):
                self._condition(tree.args[part].this, scope, inner=inner)
        for join in tree.args.get("joins") or ():
            for one in (join.args.get("on") or exp.true()).find_all(exp.EQ):
                sides = (one.this, one.expression)
                if not all(isinstance(side, exp.Column) and not self._literal(side, scope) for side in sides):
                    self._condition(one, scope, inner=inner)
        group, order, limit = (tree.args.get(part) for part in ("group", "order", "limit"))
        roles.group += [self._column(one, scope) for one in group.expressions] if group else []
        for one in order.expressions if order else ():
            if _of_prose(one):
                continue
            direction = "desc" if one.args.get("desc") else "asc"
            column, aggregate = self._aggregated(one.this.unalias(), scope)
            if column == ROWS or aggregate == "count distinct":
                roles.order_count = direction
            else:
                roles.order.append((column, aggregate, direction))
        if limit:
            number = int(limit.expression.this)
            roles.limit = 1 if number == 1 else 2
            if number != 1:
                roles.literals.append(Literal(str(number), LIMIT, "=", inner=False))
        if skipped := tree.args.get("offset"):
            roles.skip = min(int(skipped.expression.this), SKIPPED)

    def _shown(self, tree: exp.Expression, scope: dict[str, int]) -> None:
        self.roles.distinct = bool(tree.args.get("distinct"))
        for item in tree.expressions:
            item = item.unalias()
            if _of_prose(item):
                continue
            if isinstance(item, exp.Star) or (isinstance(item, exp.Column) and isinstance(item.this, exp.Star)):
                self.roles.everything = True
                continue
            one = self._aggregated(item, scope)
            if one not in self.roles.select:
                self.roles.select.append(one)

    def _scope(self, tree: exp.Expression, *, inner: bool) -> dict[str, int]:
        source = tree.args.get("from_") or tree.args.get("from")
        scope = {}
        for one in [source.this] + [join.this for join in tree.args.get("joins") or ()]:
            if not isinstance(one, exp.Table):
                raise Unreadable("derived table")
            table = self.tables[one.name.lower()]
            self.roles.tables[inner].add(table)
            scope[(one.alias or one.name).lower()] = table
        return scope

    def _literal(self, node: exp.Expression, scope: dict[str, int]) -> str | None:
        if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
            return "-" + node.this.name
        if isinstance(node, exp.Literal):
            return str(node.name)
        quoted = isinstance(node, exp.Column) and node.this.quoted and not node.table
        return str(node.name) if quoted and self._place(node, scope) is None else None

    def _place(self, node: exp.Expression, scope: dict[str, int]) -> int | None:
        tables = [scope[node.table.lower()]] if node.table else list(scope.values())
        fields = enumerate(self.schema.fields)
        named = (at for at, one in fields if one.table in tables and one.column.name.lower() == node.name.lower())
        return next(named, None)

    def _column(self, node: exp.Expression, scope: dict[str, int]) -> int:
        if isinstance(node, exp.Distinct):
            node = node.expressions[0]
        place = self._place(node, scope) if isinstance(node, exp.Column) else None
        if place is None:
            raise Unreadable(f"not a column: {node.sql()}")
        return place

    def _aggregated(self, node: exp.Expression, scope: dict[str, int]) -> tuple[int, str]:
        if isinstance(node, exp.Count):
            told_apart = isinstance(node.this, exp.Distinct)
            return (self._column(node.this, scope), "count distinct") if told_apart else (ROWS, "")
        if isinstance(node, exp.Sum | exp.Avg | exp.Min | exp.Max):
            return self._column(node.this, scope), type(node).__name__.lower()
        return self._column(node, scope), ""

    def _condition(self, node: exp.Expression, scope: dict[str, int], *, inner: bool) -> None:
        roles = self.roles
        if isinstance(node, exp.And | exp.Or):
            roles.either |= isinstance(node, exp.Or)
            self._condition(node.this, scope, inner=inner)
            self._condition(node.expression, scope, inner=inner)
        elif isinstance(node, exp.Paren):
            self._condition(node.this, scope, inner=inner)
        elif _of_prose(node):
            pass  # what is asked of prose is told by marks
        elif isinstance(node, exp.Is) and isinstance(node.expression, exp.Null) and not inner:
            roles.filled.append((self._column(node.this, scope), "empty"))
        elif isinstance(node, exp.Not) and isinstance(node.this, exp.Is) and not inner:
            roles.filled.append((self._column(node.this.this, scope), "any"))
        elif (listed := _listed(node)) is not None:
            for value in listed.expressions:
                operator = "=" if listed is node else "!="
                self._compared(listed.this, operator, value, scope, inner=inner)
        elif isinstance(node, exp.Not) and isinstance(node.this, exp.EQ | exp.Like):
            self._compared(node.this.this, "!=", node.this.expression, scope, inner=inner)
        elif isinstance(node, exp.Between):
            for side, operator in (("low", ">="), ("high", "<=")):
                self._compared(node.this, operator, node.args[side], scope, inner=inner)
        elif isinstance(node, exp.Not) and isinstance(node.this, exp.In) and node.this.args.get("query"):
            roles.kind = "not in" if roles.kind == "none" and not inner else "other"
            self.read(node.this.args["query"].this, inner=True)
        elif isinstance(node, exp.In) and node.args.get("query") and not inner:
            self._joined(node.args["query"].this)
        elif type(node) in COMPARISONS:
            self._compared(node.this, COMPARISONS[type(node)], node.expression, scope, inner=inner)
        else:
            raise Unreadable(node.sql())

    def _joined(self, query: exp.Expression) -> None:
        """A plain `IN (SELECT …)` says what a join does."""
        if not isinstance(query, exp.Select) or any(query.args.get(p) for p in ("group", "having", "order", "limit")):
            raise Unreadable("in")
        scope = self._scope(query, inner=False)
        if query.args.get("where"):
            self._condition(query.args["where"].this, scope, inner=False)

    def _compared(
        self, left: exp.Expression, operator: str, right: exp.Expression, scope: dict[str, int], *, inner: bool
    ) -> None:
        roles = self.roles
        if self._literal(left, scope) is not None:
            left, right, operator = right, left, TURNED.get(operator, operator)
        if isinstance(right, exp.Subquery):
            self._with_aggregate(left, operator, right.this, scope)
            return
        literal = self._literal(right, scope)
        column, aggregate = self._aggregated(left, scope)
        if literal is None:
            raise Unreadable("columns compared")
        if column == ROWS or aggregate == "count distinct":
            roles.having_count = "=" if operator == "like" else operator
            roles.literals.append(Literal(literal, COUNT, operator, inner))
            return
        if aggregate:
            roles.having.append((column, aggregate))
        elif self.schema.fields[column].column.kind is Kind.BOOLEAN and folded(literal) in YES | NO:
            denied = (folded(literal) in NO) != (operator == "!=")
            roles.where.append((column, "!=" if denied else "="))
            return  # a yes or no is said by the column's words
        else:
            roles.where.append((column, operator))
        roles.literals.append(Literal(literal, column, operator, inner))

    def _with_aggregate(
        self, left: exp.Expression, operator: str, query: exp.Expression, scope: dict[str, int]
    ) -> None:
        roles = self.roles
        if not isinstance(query, exp.Select) or len(query.expressions) != 1 or roles.kind != "none":
            raise Unreadable("subquery")
        within = self._scope(query, inner=True)
        _, aggregate = self._aggregated(query.expressions[0], within)
        how = f"{operator.removesuffix('=') or '='} {aggregate}"
        if how not in COMPARED or not isinstance(left, exp.Column):
            raise Unreadable(how)
        roles.kind = "compare"
        roles.compare.append((self._column(left, scope), how))
        if query.args.get("where"):
            self._condition(query.args["where"].this, within, inner=True)


def _of_prose(node: exp.Expression) -> bool:
    """Whether an expression asks prose."""
    return any(one.name.lower() in ("answer", "summary") for one in node.find_all(exp.Anonymous))


def _listed(node: exp.Expression) -> exp.In | None:
    """The list of values that a column is, or is not, among."""
    one = node.this if isinstance(node, exp.Not) else node
    return one if isinstance(one, exp.In) and not one.args.get("query") else None


def spans_of(question: str, literals: Sequence[Literal]) -> list[Span]:
    """Return where the question says each literal, longest first; those that it does not say are left out."""
    words = [match.span() for match in _WORDS.finditer(question)]
    found: list[Span] = []
    for literal in sorted(literals, key=lambda one: -len(one.text)):
        size = len(re.findall(r"\w+", literal.text))
        lengths = sorted({max(1, size), size + 1, max(1, size - 1)}, key=lambda length: abs(length - size))
        if _DATED.fullmatch(literal.text) or _TIMED.fullmatch(literal.text):
            lengths = [4, 3, 2, 1]
        spot = next((spot for n in lengths if (spot := _spot(question, words, literal.text, n, size, found))), None)
        if spot:
            found.append(Span(*spot, literal))
    said = [span.literal for span in found]
    for literal in literals:
        if literal not in said and literal.operator in ("=", "!=", "like"):
            spot = _part(question, words, literal.text, found)
            if spot:
                found.append(Span(*spot, literal))
    return found


def _part(question: str, words: list[tuple[int, int]], text: str, taken: list[Span]) -> tuple[int, int] | None:
    """Where a question says part of a name: "Los Angeles" of "Los Angeles, CA", "democrats" of "Democratic"."""
    named = folded(text).split()
    for length in range(len(named), 0, -1):
        parts = {" ".join(named[first : first + length]) for first in range(len(named) - length + 1)}
        for first in range(len(words) - length + 1):
            start, stop = words[first][0], words[first + length - 1][1]
            said = folded(question[start:stop])
            if len(said) < LEAST or any(start < one.stop and stop > one.start for one in taken):
                continue
            begun = length == len(named) == 1 and _single(said) and named[0].startswith(_single(said))
            if begun or ({said, _single(said)} & parts and length < len(named)):
                return start, stop
    return None


def _spot(
    question: str, words: list[tuple[int, int]], text: str, length: int, size: int, taken: list[Span]
) -> tuple[int, int] | None:
    for first in range(len(words) - length + 1):
        start, stop = words[first][0], words[first + length - 1][1]
        if any(start < one.stop and stop > one.start for one in taken):
            continue
        if _says(question[start:stop], text.strip("%"), length, size):
            return start, stop
    return None


def _says(piece: str, text: str, length: int, size: int) -> bool:
    if _TIMED.fullmatch(text):
        return clock(piece) == text[:5]
    if _DATED.fullmatch(text):
        told, meant = moment(piece), moment(text.strip("%-"))
        if told is None or meant is None:
            return False
        ends = meant.day and meant.first(2000) in (
            told.first(meant.year or 2000),
            told.last(meant.year or 2000),
        )  # "after 2015"
        return told.year in (meant.year, None) and (ends or told[1:3] == meant[1:3]) and told.years == 1
    said, wanted = folded(piece), folded(text)
    number, meant = number_in(piece) if length <= 2 else None, number_in(text)
    if number is not None and meant is not None:
        return float(number) == float(meant)
    same = said == wanted or (length == size and _single(said) == _single(wanted) != "")
    if length == 1 and len(wanted) > 2:  # "Australian" for Australia, "March" for Mar
        return same or said.startswith(wanted)
    return same or (length == 1 and said in SPELLED_OUT.get(wanted, ()))


def _single(words: str) -> str:
    return words[:-3] + "y" if words.endswith("ies") else words.removesuffix("s")
