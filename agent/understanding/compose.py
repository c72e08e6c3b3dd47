"""A query from the roles of a question, by rules and kinds alone: joins, groups, orders, nestings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from agent.catalogue.tables import Kind
from agent.understanding.conditions import read_conditions
from agent.understanding.joins import both_ways, column_name, comparable, from_clause, identifier, preferred
from agent.understanding.roles import LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded
from agent.understanding.wanted import Condition

_HOW_MANY = re.compile(r"\bhow many ([a-z]+(?: [a-z]+)?)")
_EQUATED = re.compile(r" (?:=|ILIKE|BETWEEN) | = ANY")


@dataclass(frozen=True, slots=True)
class Query:
    """A query and what it is of: the table whose rows are shown, the tables it needs, whether it tells aggregates."""

    sql: str
    main: int
    tables: frozenset[int]
    aggregated: bool
    composer: _Composer

    @property
    def found(self) -> list[Literal]:
        """What the question says that no role tells, as values of columns."""
        return self.composer.asked.found

    @property
    def literals(self) -> list[Literal]:
        """The values that it compares, each of the column and with the operator that it has in the query."""
        read = self.composer.asked.literals
        return [one for one in read if not any(one.touches(f.start, f.stop) for f in self.found)] + self.found

    @property
    def conditions(self) -> list[int]:
        """The columns that its conditions are on."""
        return list(dict.fromkeys(one.column for one in self.composer.asked.outer))

    @property
    def repeats(self) -> bool:
        """Whether it shows rows as often as something in another table is told of them, where nobody says what to show:
        a ferry for each of its calls."""
        roles, schema = self.composer.roles, self.composer.schema
        plain = roles.guessed and roles.kind == "none" and not (self.aggregated or roles.order_count or roles.either)
        titled = schema.title_of(self.main) is not None
        return plain and titled and any(self.main in schema.referred(table) for table in self.composer.main)

    def telling(self, asked: str, columns: Sequence[int], read: Iterable[int] = ()) -> str:
        """Return what tells of the rows that it finds: their title, with an expression on texts of the tables `read`,
        or with columns in place of the conditions on them."""
        return self.composer.telling(self.main, asked, columns, {*read})

    def searching(self, conditions: list[str], limit: int, *, counted: bool = False, read: Iterable[int] = ()) -> str:
        """Return a search for rows of the main table that meet `conditions` as well, which are on texts of the tables
        `read`, at most `limit` (0 for all) where nobody says how many, or their number."""
        return self.composer.searching(self.main, conditions, limit, {*read}, counted=counted)


def compose(roles: Roles, schema: Schema, question: str, year: int) -> Query:
    """Return the query of a question's roles; `year` is the one of a month that is named alone.

    A schema without tables has none: raises ValueError.
    """
    if not schema.tables:
        raise ValueError("There is no table to ask.")
    composer = _Composer(roles, schema, question, year)
    sql = composer.query()
    shown = [schema.fields[column].table for column, _ in roles.select if column != ROWS]
    tables = frozenset(composer.main) | roles.tables[1]
    aggregated = any(aggregate for _, aggregate in roles.select) or bool(roles.group)
    main = shown[0] if shown else next(iter(sorted(composer.main)))
    return Query(sql, main, tables, aggregated, composer)


class _Composer:
    def __init__(self, roles: Roles, schema: Schema, question: str, year: int) -> None:
        told = {one.column for one in roles.literals}
        if roles.kind == "intersect" and told and all(at >= 0 and schema.names_rows(at) for at in told):
            roles = replace(roles, kind="none")  # no row has two names: "CS 110 and CS 161 together"
        if roles.kind == "none":  # there is no inner query
            roles = replace(roles, literals=[one._replace(inner=False) for one in roles.literals])
        self.roles, self.schema = roles, schema
        self._kind, self._table, self._is_list = schema.kind_of, schema.table_of, schema.is_list
        used = {column for column, _ in roles.select + roles.having} | set(roles.group)
        self.said = folded(question)
        self.links = preferred(schema, set(folded(question).split()), used)
        self.asked = read_conditions(roles, schema, question, year)
        self.main = self._main_tables()

    # -- the whole ---------------------------------------------------------------------------------------------------

    def query(self) -> str:
        roles, (left, right) = self.roles, self.asked.sides
        main, kind = self.main, self.roles.kind
        inside = roles.tables[1] | {self._table(one.column) for one in right}
        if kind == "intersect" and self._hold_of_one_row([*left, *right]):
            return self._select(main, left + right)
        if kind in ("intersect", "union"):
            if not right and len(left) > 1:
                left, right = left[:1], left[1:]
            if left and right:
                return f" {kind.upper()} ".join(self._select(main, side, ordered=False) for side in (left, right))
        if kind in ("intersect", "union", "except") and (twins := self._twins(inside - main)):
            other = f"SELECT {', '.join(map(self._name, twins))}{self._from(inside - main)}{self._where(right)}"
            return f"{self._select(main, left, ordered=False)} {kind.upper()} {other}"
        if kind == "except" and (right or inside - main or self.asked.having[1]):
            shown = {self._table(column) for column, _ in roles.select if column != ROWS} or main
            outer = self._select(main, left, ordered=False)
            return f"{outer} EXCEPT {self._select(shown | inside, right, inner=True)}"
        if kind == "not in" and (inside - main or right):
            return self._select(main, [*left, self._missing(main, inside, right)])
        if kind == "compare" and roles.compare:
            return self._select(main, [*left, self._compared(right)])
        return self._select(main, left + right)

    def _hold_of_one_row(self, conditions: list[Condition]) -> bool:
        """Whether conditions on columns of their own are of the rows shown, or of the one that each refers to."""
        shown = {self._table(column) for column, _ in self.roles.select if column != ROWS}
        referred = {self._table(there) for here, there in self.schema.links if self._table(here) in shown}
        columns = [one.column for one in conditions]
        own = len(set(columns)) == len(columns) > 1
        return own and len(shown) == 1 and {self._table(column) for column in columns} <= shown | referred

    def searching(self, main: int, conditions: list[str], limit: int, read: set[int], *, counted: bool) -> str:
        """Rows of one table in full, or their number or totals; what is asked of other tables holds of some row that
        belongs to it, of the same that it is ordered by, and whose texts are read."""
        order = [] if counted else [(column, turn) for column, aggregate, turn in self.roles.order if not aggregate]
        totals = [one for one in self.roles.select if one[0] != ROWS and one[1]] if counted else []
        joined = {main} | {self._table(column) for column, *_ in [*order, *totals]} | read
        joined |= set() if counted else {self._table(column) for column in self._asked_of_rows()}
        here = [one for one in self.asked.outer if self._table(one.column) in joined]
        beside = [one for one in self.asked.outer if self._table(one.column) not in joined]
        if beside:
            key = self._key({main})
            tables = {main} | {self._table(one.column) for one in beside}
            inner = f"SELECT {self._name(key)}{self._from(tables)}{self._where(beside)}"
            here.append(Condition(key, f"{self._name(key)} IN ({inner})"))
        where = self._where(here).removeprefix(" WHERE ")
        said = self._counted() or {0: limit, 1: 1}.get(self.roles.limit, self.asked.limit)
        shown = "count(*)" if counted else self._told(main)
        if counted and len(joined) > 1:
            shown = f"count(DISTINCT {self._name(self._key({main}))})"
        shown = ", ".join(self._shown(*one) for one in totals) or shown
        shown = f"{identifier(self.schema.tables[main].name)}.*" if shown == "*" and len(joined) > 1 else shown
        several = len(joined) > 1 and said != 1  # rows of the other table for each: the best of them counts
        distinct = "DISTINCT " if len(joined) > 1 and not (counted or order) else ""
        conditions = [*([where] if where else []), *conditions]
        text = f"SELECT {distinct}{shown}{self._from(joined, main)}" + (" WHERE " if conditions else "")
        text += " AND ".join(conditions)
        if counted:
            return text
        if several and order:
            names = [] if shown.endswith("*") else shown.split(", ")
            text += " GROUP BY " + ", ".join(dict.fromkeys([self._name(self._key({main})), *names]))
        best = {"asc": "min({})", "desc": "max({})"}
        terms = [
            (best[turn] if several and self._table(column) != main else "{}").format(self._name(column))
            + f" {turn.upper()} NULLS LAST"
            for column, turn in order
        ]
        return text + (f" ORDER BY {', '.join(terms)}" if terms else "") + (f" LIMIT {said}" if said else "")

    def telling(self, main: int, asked: str, columns: Sequence[int], read: set[int]) -> str:
        """The title of each row found, with an expression or columns; those are told, and no conditions."""
        told = [one for one in self.asked.outer if one.column not in columns]
        title = f"{identifier(self.schema.tables[main].name)}.{identifier(self.schema.tables[main].title)}"
        shown = list(dict.fromkeys([title, *map(self._name, columns), *([asked] if asked else [])]))
        tables = {main} | {self._table(one.column) for one in told} | {self._table(at) for at in columns} | read
        terms = [f"{name} {direction.upper()} NULLS LAST" for name, direction in self._order() if "(" not in name]
        order = f" ORDER BY {', '.join(terms)}" if terms else ""
        limit = f" LIMIT {1 if self.roles.limit == 1 else self.asked.limit}" if self.roles.limit and terms else ""
        skip = f" OFFSET {self.roles.skip}" if self.roles.skip and limit else ""
        distinct = "DISTINCT " if read - {main} and not order else ""
        return f"SELECT {distinct}{', '.join(shown)}{self._from(tables, main)}{self._where(told)}{order}{limit}{skip}"

    def _told(self, main: int) -> str:
        """What is told of each row: all of it, or its title with what is asked of it."""
        roles, title = self.roles, self.schema.tables[main].title
        asked = self._asked_of_rows()
        if not asked or not title:
            return "*"
        name = f"{identifier(self.schema.tables[main].name)}.{identifier(title)}"
        of_others = all(self._table(column) != main for column, _ in roles.select)  # "which guides lead quiet walks?"
        return ", ".join(dict.fromkeys([*([] if of_others else [name]), *map(self._name, asked)]))

    def _asked_of_rows(self) -> list[int]:
        """The columns that are told of rows beside their title, of tables near them."""
        shown = [column for column, aggregate in self.roles.select if column != ROWS and not aggregate]
        told = [at for at in shown if not self.schema.is_title(at) and self._may_be_told(at)]
        return [] if self.roles.guessed else told

    def _may_be_told(self, column: int) -> bool:
        """Whether a column is told of a row: of prose only a list that the question names."""
        if self._kind(column) is not Kind.FREE_TEXT:
            return True
        return self._is_list(column) and any(name in self.said for name in self.schema.names[column])

    def _counted(self) -> int | None:
        """How many rows the question says that it wants, None where it does not."""
        return self.asked.limit if any(one.column == LIMIT for one in self.roles.literals) else None

    def _compared(self, conditions: list[Condition]) -> Condition:
        """The condition that a column is above, below or at an aggregate of itself."""
        column, how = self.roles.compare[0]
        operator, aggregate = how.split()
        tables = {self._table(column)} | {self._table(one.column) for one in conditions}
        inner = f"SELECT {aggregate}({self._name(column)}){self._from(tables)}{self._where(conditions)}"
        return Condition(column, f"{self._name(column)} {operator} ({inner})")

    def _missing(self, main: set[int], inside: set[int], conditions: list[Condition]) -> Condition:
        """The condition that no row of the inner tables matches, over the link between outer and inner tables."""
        inner = inside - main or inside
        links = both_ways(self.links)
        over = ((one, other) for one, other in links if self._table(one) in main and self._table(other) in inner)
        link = next(over, None)
        if link is None:
            key = self._key(main)
            link, inner = (key, key), inner | {self._table(key)}
        tables = inner | {self._table(one.column) for one in conditions}
        kept = [*conditions, Condition(link[1], f"{self._name(link[1])} IS NOT NULL")]
        own, other = comparable(self.schema, *link, self._name)
        within = f"SELECT {other}{self._from(tables)}{self._where(kept)}"
        return Condition(link[0], f"{own} NOT IN ({within})")

    def _twins(self, tables: set[int]) -> list[int]:
        """Columns of other tables that are called as those that are shown; empty where one has none."""
        columns = [at for table in sorted(tables) for at in self.schema.of(table)]
        twins = []
        for column, aggregate in self.roles.select:
            words = self.schema.fields[column].words if column != ROWS and not aggregate else ""
            twin = next((at for at in columns if self.schema.fields[at].words == words), None)
            if twin is None:
                return []
            twins.append(twin)
        return twins

    def _key(self, tables: set[int]) -> int:
        columns = [at for table in sorted(tables) for at in self.schema.of(table)]
        return next((at for at in columns if self.schema.fields[at].primary), columns[0])

    # -- clauses -----------------------------------------------------------------------------------------------------

    def _where(self, conditions: list[Condition]) -> str:
        """Values of one column are alternatives of each other; conditions on several columns hold together."""
        groups: dict[tuple[int, int], list[str]] = {}
        for place, one in enumerate(dict.fromkeys(conditions)):
            equated = _EQUATED.search(one.sql) is not None and "NOT " not in one.sql
            groups.setdefault((one.column, -1) if equated else (one.column, place), []).append(one.sql)
        parts = [f"({' OR '.join(texts)})" if len(texts) > 1 else texts[0] for texts in groups.values()]
        either = self.roles.either and all(len(texts) == 1 for texts in groups.values())
        return " WHERE " + (" OR " if either else " AND ").join(parts) if parts else ""

    def _name(self, column: int) -> str:
        return column_name(self.schema, column)

    def _from(self, tables: set[int], first: int | None = None) -> str:
        return from_clause(self.schema, tables, self.links, self._name, first)

    def _main_tables(self) -> set[int]:
        """Tables of the outer query; a column of another table gives way to one that a link makes equal to it."""
        roles, used = self.roles, set(self.roles.tables[0])
        twins = {
            one: other
            for one, other in both_ways(self.links)
            if used and self._table(one) not in used and self._table(other) in used
        }
        roles.select = [(twins.get(column, column), aggregate) for column, aggregate in roles.select]
        roles.group = [twins.get(column, column) for column in roles.group]
        columns = [column for column, _ in roles.select + roles.having + roles.compare if column != ROWS]
        columns += [
            *roles.group,
            *(column for column, _, _ in roles.order),
            *(one.column for one in self.asked.outer),
        ]
        used |= {self._table(column) for column in columns}
        return used or set(roles.tables[1]) or {0}

    # -- the statement -----------------------------------------------------------------------------------------------

    def _select(
        self, tables: set[int], conditions: list[Condition], *, inner: bool = False, ordered: bool = True
    ) -> str:
        roles, having = self.roles, self.asked.having[inner]
        tables = tables | {self._table(one.column) for one in conditions}
        shown = [self._shown(column, aggregate) for column, aggregate in roles.select]
        bare = [self._name(column) for column, aggregate in roles.select if not aggregate and column != ROWS]
        order = self._order() if ordered and not inner else []
        counted = len(bare) < len(shown) or roles.order_count or any(aggregate for _, aggregate, _ in roles.order)
        aggregated = bool(having) or (not inner and bool(counted))
        group = self._group(bare, aggregated=aggregated)
        if shown and not bare and not group:
            order = []  # there is one row
        rows = next((self._table(column) for column, how in roles.select if column != ROWS and not how), None)
        repeated = not inner and rows is not None and self._repeats(rows, tables)
        distinct = (roles.distinct or repeated) and len(bare) == len(shown) and not group
        if distinct and any(name not in bare for name, _ in order):
            group, distinct = bare, False  # what is told apart cannot be ordered by what is not shown
        text = f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(shown) or '*'}"
        lists = [(column, how) for column, how in roles.select if how == "count distinct" and self._is_list(column)]
        each = "".join(f", unnest({self._name(column)}) AS {self._element(column)}" for column, _ in lists)
        text += self._from(tables, rows) + each + self._where(conditions)
        if group:
            text += f" GROUP BY {', '.join(group)}" + (f" HAVING {' AND '.join(having)}" if having else "")
        if inner or not ordered:
            return text
        terms = [f"{_within(name, group, direction)} {direction.upper()} NULLS LAST" for name, direction in order]
        text += f" ORDER BY {', '.join(terms)}" if terms else ""
        limit = self._counted() or (1 if roles.limit == 1 else self.asked.limit)
        text += f" LIMIT {limit}" if self._counted() or (roles.limit and terms) else ""
        return text + (f" OFFSET {roles.skip}" if roles.skip and roles.limit and terms else "")

    def _repeats(self, rows: int, tables: set[int]) -> bool:
        """Whether rows that are shown by their title come once for each row of another table that refers to them."""
        titled = self.schema.title_of(rows) in {column for column, _ in self.roles.select}
        own = all(column != ROWS and self._table(column) == rows for column, _ in self.roles.select)
        return titled and own and any(rows in self.schema.referred(table) for table in tables - {rows})

    def _counts(self) -> str:
        """The number of rows: of those of the table that the question counts, each once."""
        counted = _HOW_MANY.search(self.said)
        nouns = {*counted[1].split(), counted[1]} if counted else set[str]()
        for table in sorted(self.main):
            others = (self.schema.referred(other) for other in self.main - {table})
            if nouns & self.schema.nouns[table] and any(table in some for some in others):
                return f"count(DISTINCT {self._name(self._key({table}))})"
        return "count(*)"

    def _shown(self, column: int, aggregate: str) -> str:
        if column == ROWS:
            return self._counts()
        if aggregate == "count distinct":
            return f"count(DISTINCT {self._element(column) if self._is_list(column) else self._name(column)})"
        if self._kind(column) is Kind.FREE_TEXT and self._is_list(column):
            return f"summary({self._name(column)})"
        return f"{aggregate}({self._name(column)})" if aggregate else self._name(column)

    def _element(self, column: int) -> str:
        """What one value of a list is called where they are counted one by one."""
        return identifier(f"each_{self.schema.fields[column].column.name}")

    def _group(self, bare: list[str], *, aggregated: bool) -> list[str]:
        """The columns to group by: those that are told, and with them all that are shown bare."""
        if not aggregated and not (self.roles.group and bare):
            return []
        return list(dict.fromkeys([*(self._name(column) for column in self.roles.group), *bare]))

    def _order(self) -> list[tuple[str, str]]:
        order = [("count(*)", self.roles.order_count)] if self.roles.order_count else []
        for column, aggregate, direction in self.roles.order:
            name = self._name(column)
            order.append((f"{aggregate}({name})" if aggregate else name, direction))
        return order


def _within(name: str, group: list[str], direction: str) -> str:
    """What orders groups: a column that they are not made by counts with its best value."""
    if not group or "(" in name or name in group:
        return name
    return f"{'max' if direction == 'desc' else 'min'}({name})"
