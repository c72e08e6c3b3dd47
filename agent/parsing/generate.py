"""Frame to SUQL.

The style is that of the published work: `SELECT * FROM restaurants WHERE 'thai' = ANY(cuisines) AND location = 'Palo
Alto' AND answer(reviews, 'is this restaurant romantic?') = 'Yes' ORDER BY rating DESC LIMIT 3`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Kind, Table
from agent.language import CLOSENESS, OUT_OF, SO
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
    leaves,
)
from agent.protocols.errors import UnknownName
from agent.suql.phrases import singular

_COMPLAINS = re.compile(r"(?:does anyone|do (?:the )?\w+) complain\b")
_OTHERWISE: dict[str, Comparison] = {">": "<=", ">=": "<", "<": ">=", "<=": ">"}
_TO_ANOTHER = {"same": "=", "under": "<", "over": ">"}
SUMMARY = "what is the summary of this document?"  # the question that `summary(text)` stands for


def to_suql(frame: Frame, catalogue: Catalogue) -> str:
    """The frame as one SELECT. Raises `UnknownName` when it names a table or column the catalogue does not have."""
    return _Writer(frame, catalogue).select()


def belong_together(frame: Frame, catalogue: Catalogue) -> bool:
    """Whether the tables of a frame can be joined: no key leads from a program to when a course is held."""
    try:
        to_suql(frame, catalogue)
    except UnknownName:
        return False
    return True


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
        self.met = self._met()
        self.joined = self._joined()
        self.qualified = bool(self.joined) or any(self._excludes(part) for node in frame.where for part in _parts(node))

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
        self._column(table, column)
        return f"{table}.{column}" if self.qualified else column

    def _met(self) -> set[str]:
        """The tables of whose rows one has to meet conditions, or is shown: what is denied is denied of that row."""
        frame = self.frame
        used = {
            leaf.table for node in frame.where for part in _parts(node) if not _denies(part) for leaf in leaves(part)
        }
        used |= {table for item in frame.projections for table in item.tables} | {table for table, _ in frame.each}
        if frame.aggregate is not None:
            used |= {frame.aggregate.table} | {table for table, _ in self._groups()}
            used |= {leaf.table for node in frame.aggregate.of for leaf in leaves(node)}
        return used

    def _joined(self) -> list[str]:
        """The tables beside the main one that anything in the frame needs, in the order of the catalogue."""
        kept = [part for node in self.frame.where for part in _parts(node) if not self._excludes(part)]
        used = (
            self.met
            | {term.table for term in self.frame.order}
            | {leaf.table for part in kept for leaf in leaves(part)}
        )
        return [table.name for table in self.catalogue if table.name in used and table.name != self.main.name]

    def _excludes(self, node: Node) -> bool:
        """Whether a condition keeps away rows of the main table that have any row like that in another table.

        "Not taught by her": she teaches no offering of the course, rather than somebody else teaching one of them.
        """
        tables = {leaf.table for leaf in leaves(node)}
        return _denies(node) and len(tables) == 1 and not tables & self.met and self._refers(*tables) is not None

    def _refers(self, name: str) -> ForeignKey | None:
        """The key by which many rows of a table may refer to one of the main table."""
        keys = self.catalogue.foreign_keys
        return next((key for key in keys if key.table == name and key.target == self.main.name), None)

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
        present = {self.main.name}
        for name in self.joined:
            text += f" JOIN {name} ON {self._join(name, present)}"
            present.add(name)
        for table, column in self._spread():
            text += f", unnest({self._name(table, column)}) AS {_element(column)}"
        return text

    # -- groups ------------------------------------------------------------------------------------------------------

    def _groups(self) -> tuple[tuple[str, str], ...]:
        """The columns grouped by; of two tables that have one, the table whose numbers are taken has it as well."""
        aggregate = self.frame.aggregate
        if aggregate is None:
            return ()
        home = self._table(aggregate.table) if aggregate.column else None
        return tuple(
            (home.name if home is not None and home.column(column) is not None else table, column)
            for table, column in aggregate.group
        )

    def _grouped(self) -> list[str]:
        if self._best():
            return [self._name(self.main.name, key) for key in self.main.key]
        return [self._value(*name) for name in self._groups()]

    def _spread(self) -> list[tuple[str, str]]:
        """The lists of which single elements are listed, counted or grouped by."""
        aggregate = self.frame.aggregate
        named = [*self.frame.each, *self._groups()]
        if aggregate is not None and aggregate.column and aggregate.function in ("count", "distinct"):
            named.append((aggregate.table, aggregate.column))
        return [name for name in dict.fromkeys(named) if self._column(*name).many]

    def _value(self, table: str, column: str) -> str:
        """A column, or for a list the element that `_from` makes of it."""
        return _element(column) if self._column(table, column).many else self._name(table, column)

    def _join(self, name: str, present: set[str]) -> str:
        """The condition that joins a table to those already there: a foreign key, or a key both refer to."""
        for key in self.catalogue.foreign_keys:
            if key.table == name and key.target in present:
                return f"{name}.{key.column} = {key.target}.{key.target_column}"
            if key.target == name and key.table in present:
                return f"{key.table}.{key.column} = {name}.{key.target_column}"
        for mine in self.catalogue.foreign_keys:
            for theirs in self.catalogue.foreign_keys:
                same = (mine.target, mine.target_column) == (theirs.target, theirs.target_column)
                if same and mine.table == name and theirs.table in present:
                    return f"{name}.{mine.column} = {theirs.table}.{theirs.column}"
        raise UnknownName(f"I do not know how {name} and {', '.join(sorted(present))} belong together.")

    def _selected(self) -> str:
        frame = self.frame
        if frame.aggregate is not None:
            return self._aggregated(frame.aggregate)
        title = [self._name(self.main.name, self.main.title)] if self.main.title else []
        if frame.each:
            values = [self._value(*name) for name in frame.each]
            asked = [*title, *map(self._projected, frame.projections)] if frame.projections else [f"{self.main.name}.*"]
            return f"DISTINCT ON ({', '.join(values)}) " + ", ".join(
                dict.fromkeys([*values, *asked, *self._sorted_by()])
            )
        if frame.projections:
            chosen = [*title, *(self._projected(item) for item in frame.projections)]
            distinct = "DISTINCT " if self.joined else ""
            return distinct + ", ".join(dict.fromkeys(chosen + self._sorted_by() if distinct else chosen))
        if not self.joined:
            return "*"
        distinct = "" if self._best() else "DISTINCT "
        return distinct + ", ".join(dict.fromkeys([f"{self.main.name}.*", *self._sorted_by()]))

    def _best(self) -> bool:
        """Whether rows are put in order by the best of their rows in another table, so that each counts once."""
        frame = self.frame
        if frame.limit == 1 or frame.aggregate is not None or frame.each or frame.projections or self._fitted():
            return False
        return any(term.table != self.main.name for term in frame.order) and not any(term.words for term in frame.order)

    def _sorted_by(self) -> list[str]:
        """What DISTINCT needs to see of the order."""
        near = [self._near(topic) for topic in self._fitted()]
        closeness = dict.fromkeys([*near, self._fitting()] if near else [])
        fitting = [f"{term} AS {CLOSENESS}_{number}" for number, term in enumerate(closeness, 1)]
        told = bool(self.frame.projections)  # instead of all columns of the main table
        shown = [term for term in self.frame.order if told or term.words or term.table != self.main.name]
        terms = [self._term(term) + (" AS seats_left" if term.less else self._called(term)) for term in shown]
        return list(dict.fromkeys([*terms, *fitting]))

    def _projected(self, item: Projection) -> str:
        name = self._name(item.table, item.column)
        if item.question == SUMMARY:
            return f"summary({name}) AS summary"
        asked = [other for other in self.frame.projections if other.question]
        if item not in asked:
            return name
        call = f"answer({name}, {literal(item.question)})"
        if item.otherwise is not None:
            call = f"COALESCE({call}, answer({self._name(*item.otherwise)}, {literal(item.question)}))"
        if len(asked) == 1:
            return f"{call} AS answer"
        return f"{call} AS answer_{asked.index(item) + 1}" if any(other.otherwise for other in asked) else call

    def _aggregated(self, aggregate: Aggregate) -> str:
        group = self._grouped()
        if aggregate.function == "distinct":
            return f"DISTINCT {self._value(aggregate.table, aggregate.column)}"
        if aggregate.function == "count":
            key = f"DISTINCT {self.main.name}.{self.main.key[0]}" if self.joined else "*"
            counted = f"DISTINCT {self._value(aggregate.table, aggregate.column)}" if aggregate.column else key
            return ", ".join([*group, f"COUNT({counted}) AS count"])
        if aggregate.function == "share":
            key = f"DISTINCT {self.main.name}.{self.main.key[0]}" if self.joined else "*"
            holds = " AND ".join(self._node(node) for node in aggregate.of)
            return ", ".join([*group, f"COUNT({key}) FILTER (WHERE {holds}) AS {SO}", f"COUNT({key}) AS {OUT_OF}"])
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
        if first and not self.frame.order and not self.joined:
            return [*first, *(part.strip() for part in self.main.order.split(",") if part.strip())]
        if fitting := self._fitting():
            return [f"{fitting} DESC"]
        return first + [
            self._term(term) + (" DESC" + self._nulls(term) if term.descending else " ASC") for term in self.frame.order
        ]

    def _fitted(self) -> list[Asked]:
        """The topics by which few rows are chosen of all that are about them; none where the rows have an order."""
        frame = self.frame
        if frame.limit is None or frame.order or frame.aggregate is not None or frame.each:
            return []
        return list(_topics(frame.where, self.main.name))

    def _fitting(self) -> str:
        """How well a row fits the topics: those with the words in their titles first, then the nearest texts."""
        terms: list[str] = []
        for topic in self._fitted():
            titled = self._titled(topic)
            terms += [self._near(topic), *([f"({titled})::int"] if titled else [])]
        return " + ".join(dict.fromkeys(terms))

    def _near(self, topic: Asked) -> str:
        about = re.search(r" about (.+)\?", topic.question)
        has = _HAS.fullmatch(topic.question)
        words = about[1] if about else topic.titled or (has["what"] if has else topic.question)
        return f"similar({self._name(topic.table, topic.columns[0])}, {literal(words)})"

    def _nulls(self, term: Order) -> str:
        """PostgreSQL puts nulls first when descending; a table's own order names columns that are never null."""
        safe = term.words or any(part.split()[0] == term.column for part in self.main.order.split(",") if part.strip())
        return "" if safe else " NULLS LAST"

    def _called(self, term: Order) -> str:
        return f" AS {term.column}" if self._best() and term.table != self.main.name else ""

    def _term(self, term: Order) -> str:
        text = self._plain_term(term)
        if not self._best() or term.table == self.main.name:
            return text
        return f"{'max' if term.descending else 'min'}({text})"

    def _plain_term(self, term: Order) -> str:
        name = self._name(term.table, term.column)
        geo = self._table(term.table).geo
        if term.at is not None and geo is not None:
            latitude, longitude = self._name(term.table, geo.latitude), self._name(term.table, geo.longitude)
            shrink = math.cos(math.radians(term.at[0])) ** 2  # degrees of longitude are shorter away from the equator
            north, east = f"power({latitude} - {term.at[0]:g}, 2)", f"power({longitude} - {term.at[1]:g}, 2)"
            return f"{north} + {shrink:.2f} * {east}"
        if term.less:
            return f"{name} - {self._name(term.table, term.less)}"
        if not term.words:
            return name
        return f"similar({name}, {literal(term.words)})"

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
        return self._none(node) if self._excludes(node) else self._of_row(node)

    def _of_row(self, node: Node) -> str:
        if isinstance(node, Either):
            joiner = " OR " if node.mode == "any" else " AND "
            text = "(" + joiner.join(self._node(part) for part in node.parts) + ")"
            return f"NOT {text}" if node.negated else text
        if isinstance(node, Condition) and node.negated and node.op in _OTHERWISE and len(node.values) == 1:
            return self._condition(node.model_copy(update={"op": _OTHERWISE[node.op], "negated": False}))
        if isinstance(node, Condition) and node.negated and self._listed(node):
            return self._condition(node).replace(" IN (", " NOT IN (", 1)
        if isinstance(node, Asked) and node.expected == "No" and not node.negated and _is_so_unsaid(node):
            return self._not_said(node)
        text = self._asked(node) if isinstance(node, Asked) else self._condition(node)
        return f"NOT {text}" if node.negated else text

    def _none(self, node: Node) -> str:
        """That no row of another table that refers to this one is like that."""
        key = self._refers(next(leaves(node)).table)
        assert key is not None
        same = f"{key.table}.{key.column} = {self.main.name}.{key.target_column}"
        like = self._of_row(node.model_copy(update={"negated": False}))
        return f"NOT EXISTS (SELECT 1 FROM {key.table} WHERE {same} AND {like})"

    def _not_said(self, node: Asked) -> str:
        """That a row is not about a topic, or nobody complains: texts seldom say so, and it is enough not to say it."""
        tests = [
            f"{self._name(one.table, one.column)} IS DISTINCT FROM {literal(one.values[0])}"
            for one in node.also
            if isinstance(one, Condition) and one.op == "=" and not self._column(one.table, one.column).many
        ]
        tests += [f"NOT {titled}"] if (titled := self._titled(node)) else []
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
        if node.expected == "Yes" and (titled := self._titled(node)):
            calls.insert(0, titled)
        if node.expected == "Yes":
            calls[:0] = [self._node(condition) for condition in node.also]
        return calls[0] if len(calls) == 1 else "(" + " OR ".join(calls) + ")"

    def _titled(self, node: Asked) -> str:
        """That a title has the words of a topic, in their order, whatever stands between them."""
        title = self._table(node.table).title
        pattern = "%".join(singular(word) for word in node.titled.split())
        return f"{self._name(node.table, title)} ILIKE {literal(f'%{pattern}%')}" if title and pattern else ""

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
        if node.op == "below":
            return f"{name} < {self._name(node.table, str(node.values[0]))}"
        if node.op == "within":
            return f"{name} <@ ARRAY[{', '.join(map(literal, node.values))}]"
        if node.op == "exactly":
            return f"{name} = ARRAY[{', '.join(map(literal, node.values))}]"
        if node.op == "shared":
            entity = self._table(node.table).entity or self._table(node.table).key[0]
            known = f"known.{entity} IN ({', '.join(map(literal, node.values))})"
            lists = f"{node.table} AS known, unnest(known.{node.column}) AS one"
            return f"EXISTS (SELECT 1 FROM {lists} WHERE {known} AND one = ANY({name}))"
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


def _parts(node: Node) -> Iterator[Node]:
    """The conditions that a node joins, or the node itself where it denies all of them at once."""
    if isinstance(node, Either) and not node.negated:
        for part in node.parts:
            yield from _parts(part)
    else:
        yield node


def _denies(node: Node) -> bool:
    """Whether a node denies conditions on columns; less than is no denial of more, and prose that is silent is none."""
    return (
        not isinstance(node, Asked)
        and node.negated
        and all(isinstance(leaf, Condition) and leaf.op not in _OTHERWISE for leaf in leaves(node))
    )


_HAS = re.compile(  # what rows shall have: "oral exam" of "does this course have an oral exam?"
    r"(?:does this \w+ (?:have|use|need|involve|offer)|are there|is there|(?:can|do) (?:the )?students|"
    r"does (?=(?:an?|each|every) \w+ \w)) ?(?:an? |any )?"
    r"(?P<what>.+?)(?: (?:in|at|of) this \w+)?\?"
)


def _topics(nodes: Iterable[Node], main: str) -> Iterator[Asked]:
    """What rows are wanted to be about, and what they shall have by a text of the main table or another one."""
    for node in nodes:
        if isinstance(node, Either) and not node.negated:
            yield from _topics(node.parts, main)
        elif isinstance(node, Asked) and node.expected == "Yes" and not node.negated:
            if _topical(node):
                yield node
            elif node.table != main and _HAS.fullmatch(node.question):
                yield from (one for one in node.also if isinstance(one, Asked) and one.table == main)


def _is_so_unsaid(node: Asked) -> bool:
    """Whether a no needs nobody to say it: what a row is about, and what is complained about."""
    return _topical(node) or _COMPLAINS.match(node.question) is not None


def _topical(node: Asked) -> bool:
    """Whether what is asked is what a row is about, which its title may tell as well."""
    return bool(node.titled) or re.match(r"is this \w+ about ", node.question) is not None


def _element(column: str) -> str:
    """What one element of a list is called: a "cuisine" of the cuisines."""
    return column.removesuffix("s") if column.endswith("s") else f"one_{column}"
