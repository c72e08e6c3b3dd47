"""Frame to SUQL.

The style is that of the published work: `SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND location = 'Palo
Alto' AND answer(reviews, 'is this restaurant romantic?') = 'Yes' ORDER BY rating DESC LIMIT 3`.
"""

from __future__ import annotations

import math
import re

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.language import OUT_OF, SO
from agent.parsing.frame import (
    Aggregate,
    Asked,
    Comparison,
    Condition,
    Either,
    Frame,
    Node,
    Order,
    Projection,
    Value,
)
from agent.protocols.errors import UnknownName

_COMPLAINS = re.compile(r"(?:does anyone|do (?:the )?\w+) complain\b")
_OTHERWISE: dict[str, Comparison] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_TO_ANOTHER = {"same": "=", "under": "<", "over": ">"}
SUMMARY = "what is the summary of this document?"  # the question that `summary(text)` stands for


def to_suql(frame: Frame, catalogue: Catalogue) -> str:
    """The frame as one SELECT. Raises `UnknownName` when it names a table or column the catalogue does not have."""
    return _Writer(frame, catalogue).select()


def literal(value: Value) -> str:
    """A value as a SQL literal."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return f"{value:g}" if abs(value) < 1e6 else str(value)
    return "'" + value.replace("'", "''") + "'"


class _Writer:
    def __init__(self, frame: Frame, catalogue: Catalogue) -> None:
        self.frame = frame
        self.catalogue = catalogue
        self.main = self._table(frame.table)

    # -- names -------------------------------------------------------------------------------------------------------

    def _table(self, name: str) -> Table:
        table = self.catalogue.table(name)
        if table is None:
            raise UnknownName(f"There is no table called {name}.", f"tables: {[t.name for t in self.catalogue]}")
        return table

    def _column(self, table: str, name: str) -> Column:
        column = self._table(table).column(name)
        if column is None:
            raise UnknownName(f"There is no column called {name} in {table}.")
        return column

    def _name(self, table: str, column: str) -> str:
        return self._column(table, column).name

    # -- the statement -----------------------------------------------------------------------------------------------

    def select(self) -> str:
        frame = self.frame
        parts = [f"SELECT {self._selected()}", f"FROM {self._from()}"]
        if conditions := self._conditions():
            parts.append("WHERE " + " AND ".join(conditions))
        if groups := self._grouped():
            parts.append("GROUP BY " + ", ".join(groups))
        if order := self._order():
            parts.append("ORDER BY " + ", ".join(order))
        if frame.limit is not None and (frame.aggregate is None or frame.aggregate.group):
            parts.append(f"LIMIT {frame.limit}")
        if frame.offset:
            parts.append(f"OFFSET {frame.offset}")
        return " ".join(parts)

    def _from(self) -> str:
        text = self.main.name
        for table, column in self._spread():
            text += f", unnest({self._name(table, column)}) AS {_element(column)}"
        return text

    # -- groups ------------------------------------------------------------------------------------------------------

    def _grouped(self) -> list[str]:
        aggregate = self.frame.aggregate
        return [self._value(*name) for name in (aggregate.group if aggregate is not None else ())]

    def _spread(self) -> list[tuple[str, str]]:
        """The lists of which single elements are listed, counted or grouped by."""
        aggregate = self.frame.aggregate
        named = [*self.frame.each, *(aggregate.group if aggregate is not None else ())]
        if aggregate is not None and aggregate.column and aggregate.function in ("count", "distinct"):
            named.append((aggregate.table, aggregate.column))
        return [name for name in dict.fromkeys(named) if self._column(*name).many]

    def _value(self, table: str, column: str) -> str:
        """A column, or for a list the element that `_from` makes of it."""
        return _element(column) if self._column(table, column).many else self._name(table, column)

    def _selected(self) -> str:
        frame = self.frame
        if frame.aggregate is not None:
            return self._aggregated(frame.aggregate)
        title = [self._name(self.main.name, self.main.title)] if self.main.title else []
        if frame.each:
            values = [self._value(*name) for name in frame.each]
            asked = [*title, *map(self._projected, frame.projections)] if frame.projections else [f"{self.main.name}.*"]
            ordered = map(self._term, frame.order) if frame.projections else ()
            return f"DISTINCT ON ({', '.join(values)}) " + ", ".join(dict.fromkeys([*values, *asked, *ordered]))
        if frame.projections:
            return ", ".join(dict.fromkeys([*title, *(self._projected(item) for item in frame.projections)]))
        return "*"

    def _projected(self, item: Projection) -> str:
        name = self._name(item.table, item.column)
        if item.question == SUMMARY:
            return f"summary({name}) AS summary"
        asked = [other for other in self.frame.projections if other.question]
        if item not in asked:
            return name
        call = f"answer({name}, {literal(item.question)})"
        return f"{call} AS answer" if len(asked) == 1 else call

    def _aggregated(self, aggregate: Aggregate) -> str:
        group = self._grouped()
        if aggregate.function == "distinct":
            return f"DISTINCT {self._value(aggregate.table, aggregate.column)}"
        if aggregate.function == "count":
            counted = f"DISTINCT {self._value(aggregate.table, aggregate.column)}" if aggregate.column else "*"
            return ", ".join([*group, f"COUNT({counted}) AS count"])
        if aggregate.function == "share":
            holds = " AND ".join(self._node(node) for node in aggregate.of)
            return ", ".join([*group, f"COUNT(*) FILTER (WHERE {holds}) AS {SO}", f"COUNT(*) AS {OUT_OF}"])
        name = self._name(aggregate.table, aggregate.column)
        if aggregate.function == "median":
            return ", ".join([*group, f"percentile_cont(0.5) WITHIN GROUP (ORDER BY {name}) AS median"])
        return ", ".join([*group, f"{aggregate.function.upper()}({name}) AS {aggregate.function}"])

    def _order(self) -> list[str]:
        aggregate = self.frame.aggregate
        if aggregate is not None:
            if aggregate.best_first:
                return [f"{aggregate.function} {'ASC' if aggregate.worst_first else 'DESC'}"]
            return self._grouped()
        first = [self._value(*name) for name in self.frame.each]
        if first and not self.frame.order:
            return [*first, *(part.strip() for part in self.main.order.split(",") if part.strip())]
        return first + [
            self._term(term) + (" DESC" + self._nulls(term) if term.descending else " ASC") for term in self.frame.order
        ]

    def _nulls(self, term: Order) -> str:
        """PostgreSQL puts nulls first when descending; a table's own order names columns that are never null."""
        safe = any(part.split()[0] == term.column for part in self.main.order.split(",") if part.strip())
        return "" if safe else " NULLS LAST"

    def _term(self, term: Order) -> str:
        name = self._name(term.table, term.column)
        geo = self._table(term.table).geo
        if term.at is not None and geo is not None:
            latitude, longitude = self._name(term.table, geo.latitude), self._name(term.table, geo.longitude)
            shrink = math.cos(math.radians(term.at[0])) ** 2  # degrees of longitude are shorter away from the equator
            north, east = f"power({latitude} - {term.at[0]:g}, 2)", f"power({longitude} - {term.at[1]:g}, 2)"
            return f"{north} + {shrink:.2f} * {east}"
        return name

    # -- conditions --------------------------------------------------------------------------------------------------

    def _conditions(self) -> list[str]:
        frame, found = self.frame, []
        if frame.among:
            found.append(f"{self._entity()} IN ({', '.join(map(literal, frame.among))})")
        found.extend(self._node(node) for node in frame.where)
        if frame.exclude:
            found.append(f"{self._entity()} NOT IN ({', '.join(map(literal, frame.exclude))})")
        return found

    def _entity(self) -> str:
        return self._name(self.main.name, self.main.entity or self.main.key[0])

    def _node(self, node: Node) -> str:
        if isinstance(node, Either):
            joiner = " OR " if node.mode == "any" else " AND "
            text = "(" + joiner.join(self._node(part) for part in node.parts) + ")"
            return f"NOT {text}" if node.negated else text
        if isinstance(node, Condition) and node.negated and node.op in _OTHERWISE and len(node.values) == 1:
            return self._condition(node.model_copy(update={"op": _OTHERWISE[node.op], "negated": False}))
        if isinstance(node, Condition) and node.negated and self._listed(node):
            return self._condition(node).replace(" IN (", " NOT IN (", 1)
        if isinstance(node, Asked) and node.expected == "No" and not node.negated and _COMPLAINS.match(node.question):
            return self._not_said(node)
        text = self._asked(node) if isinstance(node, Asked) else self._condition(node)
        return f"NOT {text}" if node.negated else text

    def _not_said(self, node: Asked) -> str:
        """That nobody complains: texts seldom say so, and it is enough not to say it."""
        tests = [
            f"{self._name(one.table, one.column)} IS DISTINCT FROM {literal(one.values[0])}"
            for one in node.also
            if one.op == "=" and not self._column(one.table, one.column).many
        ]
        for column in node.columns:
            question = node.questions.get(column, node.question)
            tests.append(f"answer({self._name(node.table, column)}, {literal(question)}) IS DISTINCT FROM 'Yes'")
        return tests[0] if len(tests) == 1 else "(" + " AND ".join(tests) + ")"

    def _asked(self, node: Asked) -> str:
        calls = [
            f"answer({self._name(node.table, column)}, {literal(node.questions.get(column, node.question))})"
            f" = {literal(node.expected)}"
            for column in node.columns
        ]
        if node.expected == "Yes":
            calls[:0] = [self._node(condition) for condition in node.also]
        return calls[0] if len(calls) == 1 else "(" + " OR ".join(calls) + ")"

    def _of_another(self, node: Condition) -> str:
        """What a column is of the entity that is named."""
        named = f"{self._table(node.table).title} = {literal(node.values[0])}"
        return f"(SELECT {node.column} FROM {node.table} WHERE {named} LIMIT 1)"

    def _listed(self, node: Condition) -> bool:
        """Whether a condition is written with IN: several values of a plain column, whose `=` means nothing more."""
        column = self._column(node.table, node.column)
        plain = column.kind in (Kind.TEXT, Kind.ENUM) and not column.many
        return plain and node.op == "=" and len(node.values) > 1

    def _condition(self, node: Condition) -> str:
        column, name = self._column(node.table, node.column), self._name(node.table, node.column)
        if node.op == "empty":
            return f"cardinality({name}) = 0" if column.many else f"{name} IS NULL"
        if node.op in _TO_ANOTHER:
            return f"{name} {'&&' if column.many else _TO_ANOTHER[node.op]} {self._of_another(node)}"
        if node.op == "like":
            likes = [f"{name} ILIKE {literal(value)}" for value in node.values]
            return likes[0] if len(likes) == 1 else "(" + " OR ".join(likes) + ")"
        if self._listed(node):
            return f"{name} IN ({', '.join(map(literal, node.values))})"
        if column.many:
            tests = [f"{literal(value)} = ANY({name})" for value in node.values]
        else:
            tests = [f"{name} {node.op} {literal(value)}" for value in node.values]
        return tests[0] if len(tests) == 1 else "(" + " OR ".join(tests) + ")"


def _element(column: str) -> str:
    """What one element of a list is called: a "cuisine" of the cuisines."""
    return column.removesuffix("s") if column.endswith("s") else f"one_{column}"
