"""A query from the roles of a question, by rules and kinds alone: conditions, joins, groups, orders, nestings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agent.catalogue.tables import Kind
from agent.understanding.denials import compared, flag_names, is_denied, said
from agent.understanding.joins import both_ways, column_name, comparable, from_clause, identifier, preferred
from agent.understanding.measures import measured
from agent.understanding.moments import clock, moment, times_in
from agent.understanding.roles import COUNT, LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import Schema, folded
from agent.understanding.values import implied, number_in, pattern, quoted, value_of, within

_EQUATED = re.compile(r" (?:=|ILIKE) | = ANY")
_EITHER_WAY = re.compile(r"\s*,?\s*or not\b", re.IGNORECASE)
WORDS = frozenset({Kind.TEXT, Kind.ENUM})  # kinds that LIKE compares as they are
UNTOLD = frozenset({Kind.FREE_TEXT, Kind.OPENING_HOURS, Kind.DATE, Kind.TIME, Kind.LOCATION})  # said by a value alone
LEAST = 4  # letters of a value that is one wherever it is named
MOST_ROWS = 10**6


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a column, as SQL."""

    column: int
    sql: str


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
        return self.composer.found

    @property
    def conditions(self) -> list[int]:
        """The columns that its conditions are on."""
        return list(dict.fromkeys(one.column for one in self.composer.conditions[0]))

    def telling(self, asked: str, columns: Sequence[int]) -> str:
        """Return what tells of the rows that it finds: their title, with an expression, or with columns in place of
        the conditions on them."""
        return self.composer.telling(self.main, asked, columns)

    def searching(self, conditions: list[str], limit: int, *, counted: bool) -> str:
        """Return a search for rows of the main table that meet `conditions` as well, at most `limit` where nobody says
        how many, or their number."""
        return self.composer.searching(self.main, conditions, limit, counted=counted)


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
        if roles.kind == "none":  # there is no inner query
            roles = replace(roles, literals=[one._replace(inner=False) for one in roles.literals])
        self.roles, self.schema, self.question, self.year = roles, schema, question, year
        used = {column for column, _ in roles.select + roles.having} | set(roles.group)
        self.links = preferred(schema, set(folded(question).split()), used)
        self.conditions: tuple[list[Condition], list[Condition]] = ([], [])  # of the outer query, of the inner one
        self.having: tuple[list[str], list[str]] = ([], [])
        self.limit = 1
        self.found: list[Literal] = []  # what the question says that no role tells
        self._read_literals()
        self._read_implied()
        self._read_filled()
        self._read_hours()
        self._read_unclaimed()
        self._read_flags()
        self.main = self._main_tables()

    # -- the whole ---------------------------------------------------------------------------------------------------

    def query(self) -> str:
        roles, (left, right) = self.roles, self.conditions
        main, kind = self.main, self.roles.kind
        inside = roles.tables[1] | {self._table(one.column) for one in right}
        if kind in ("intersect", "union"):
            if not right and len(left) > 1:
                left, right = left[:1], left[1:]
            if left and right:
                sides = (self._select(main | {self._table(one.column) for one in side}, side) for side in (left, right))
                return f" {kind.upper()} ".join(sides)
        if kind in ("intersect", "union", "except") and (twins := self._twins(inside - main)):
            other = f"SELECT {', '.join(map(self._name, twins))}{self._from(inside - main)}{self._where(right)}"
            return f"{self._select(main, left)} {kind.upper()} {other}"
        if kind == "except" and (right or inside - main or self.having[1]):
            shown = {self._table(column) for column, _ in roles.select if column != ROWS} or main
            return f"{self._select(main, left)} EXCEPT {self._select(shown | inside, right, inner=True)}"
        if kind == "not in" and (inside - main or right):
            return self._select(main, [*left, self._missing(main, inside, right)])
        if kind == "compare" and roles.compare:
            return self._select(main, [*left, self._compared(right)])
        return self._select(main, left + right)

    def searching(self, main: int, conditions: list[str], limit: int, *, counted: bool) -> str:
        """Rows of one table, in full or counted; what is asked of other tables holds of some row that belongs to it."""
        here = [one for one in self.conditions[0] if self._table(one.column) == main]
        beside = [one for one in self.conditions[0] if self._table(one.column) != main]
        if beside:
            key = self._key({main})
            tables = {main} | {self._table(one.column) for one in beside}
            inner = f"SELECT {self._name(key)}{self._from(tables)}{self._where(beside)}"
            here.append(Condition(key, f"{self._name(key)} IN ({inner})"))
        where = self._where(here).removeprefix(" WHERE ")
        text = f"SELECT {'count(*)' if counted else '*'}{self._from({main})}"
        text += " WHERE " + " AND ".join([*([where] if where else []), *conditions])
        if counted:
            return text
        terms = [
            f"{self._name(column)} {direction.upper()} NULLS LAST"
            for column, aggregate, direction in self.roles.order
            if not aggregate and self._table(column) == main
        ]
        text += f" ORDER BY {', '.join(terms)}" if terms else ""
        said = {0: limit, 1: 1}.get(self.roles.limit, self.limit)
        return f"{text} LIMIT {said}"

    def telling(self, main: int, asked: str, columns: Sequence[int]) -> str:
        """The title of each row found, with an expression or columns; those are told, and no conditions."""
        told = [one for one in self.conditions[0] if one.column not in columns]
        title = f"{identifier(self.schema.tables[main].name)}.{identifier(self.schema.tables[main].title)}"
        shown = list(dict.fromkeys([title, *map(self._name, columns), *([asked] if asked else [])]))
        tables = {main} | {self._table(one.column) for one in told} | {self._table(column) for column in columns}
        terms = [f"{name} {direction.upper()} NULLS LAST" for name, direction in self._order() if "(" not in name]
        order = f" ORDER BY {', '.join(terms)}" if terms else ""
        limit = f" LIMIT {1 if self.roles.limit == 1 else self.limit}" if self.roles.limit and terms else ""
        skip = f" OFFSET {self.roles.skip}" if self.roles.skip and limit else ""
        return f"SELECT {', '.join(shown)}{self._from(tables)}{self._where(told)}{order}{limit}{skip}"

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

    # -- conditions --------------------------------------------------------------------------------------------------

    def _read_literals(self) -> None:
        aggregated = dict(self.roles.having)
        counts = sum(one.column == COUNT for one in self.roles.literals)
        literals = [compared(measured(one, self.schema, self.question), self.question) for one in self.roles.literals]
        for one in [part for literal in literals for part in self._parted(literal)]:
            number = number_in(one.text)
            if one.column >= 0 and self._kind(one.column) is Kind.OPENING_HOURS:
                continue  # read as a whole
            if one.column == LIMIT:
                self.limit = min(int(float(number)), MOST_ROWS) if number else 1
            elif one.column == COUNT:
                told = self.roles.having_count
                operator = one.operator if counts > 1 or not told else told
                self.having[one.inner].append(f"count(*) {_comparison(operator)} {number or 1}")
            elif one.column in aggregated:
                name = f"{aggregated[one.column]}({self._name(one.column)})"
                self.having[one.inner].append(f"{name} {_comparison(one.operator)} {number or 0}")
            elif condition := self._condition(one):
                self.conditions[one.inner].append(condition)
        if self.roles.having_count and not any(self.having):
            self.having[0].append(f"count(*) {self.roles.having_count} 1")

    def _read_implied(self) -> None:
        """Conditions that the question holds without a stretch that tells their value."""
        told = {one.column for side in self.conditions for one in side} | {one.column for one in self.roles.literals}
        aggregated = {column for column, _ in self.roles.having}
        for column, operator in dict.fromkeys(self.roles.where):
            if column in told or column in aggregated or self._kind(column) in UNTOLD:
                continue
            if self._kind(column) is Kind.NUMBER and operator not in ("=", "!="):
                continue
            if value := implied(self.schema, column, self.question):
                flag = self._kind(column) is Kind.BOOLEAN and operator == "=" and value == "TRUE"
                spots = [said(name, self.question) for name in flag_names(self.schema.fields[column])] if flag else []
                if any(spot and is_denied(self.question, spot.start()) for spot in spots):
                    operator = "!="
                self.conditions[0].append(self._holds(column, operator, value))

    def _read_filled(self) -> None:
        for column, filled in self.roles.filled:
            known = f"{self._name(column)} IS {'NOT ' if filled == 'any' else ''}NULL"
            self.conditions[0].append(Condition(column, known))

    def _read_hours(self) -> None:
        """When something has to be open: the times that the question names."""
        columns = [at for at in range(len(self.schema.fields)) if self._kind(at) is Kind.OPENING_HOURS]
        said = [one for one in self.roles.literals if one.column in columns]
        told = [one.text for one in said if one.start == one.stop]  # of a query before
        asked = said or any(column in columns for column, _ in self.roles.where)
        dated = any(
            (self._kind(one.column) is Kind.DATE and moment(one.text))
            or (self._kind(one.column) is Kind.TIME and clock(one.text))
            for one in self.roles.literals
            if one.column >= 0
        )
        words = times_in(self.question, opening=not asked) if not dated or asked else None
        table = {self._table(column) for column, _ in self.roles.select if column != ROWS} | self.roles.tables[0]
        own = [at for at in columns if self._table(at) in table] or columns
        for text in dict.fromkeys([*told, *([words] if words else [])]) if own else ():
            self.conditions[0].append(Condition(own[0], f"{self._name(own[0])} = {quoted(text)}"))
            self.found += [Literal(text, own[0], "=", False)] if text not in told else []

    def _read_unclaimed(self) -> None:
        """Values of a vocabulary that the question names and that nothing has claimed."""
        taken = [(one.start, one.stop) for one in self.roles.literals]
        taken += [(one.start, one.stop) for one in self.roles.marks]
        told = {one.column for side in self.conditions for one in side}
        names = {word for field in self.schema.fields for word in field.words.split()}
        names |= {word for words in self.schema.words for word in words.split()}
        for column, values in self.schema.found(self.question).items():
            if self._kind(column) is not Kind.ENUM or column in told or self._table(column) not in self._near():
                continue
            for value in values:
                words = folded(value).split()
                spot = re.search(r"\b" + r"\W+".join(map(re.escape, words)) + r"s?\b", self.question, re.IGNORECASE)
                if spot is None or len(value) < LEAST or set(words) <= names | {word + "s" for word in names}:
                    continue
                if any(start < spot.end() and stop > spot.start() for start, stop in taken):
                    continue
                taken.append(spot.span())
                operator = "!=" if is_denied(self.question, spot.start()) else "="
                self.conditions[0].append(self._holds(column, operator, quoted(value)))
                self.found.append(Literal(spot[0], column, operator, False, *spot.span()))

    def _read_flags(self) -> None:
        """Yes or no of a column that the question names: "with a sauna", "not for sale"."""
        told = {one.column for side in self.conditions for one in side} | set(self.roles.group)
        told |= {column for column, _ in self.roles.select}
        names = [one.words for one in self.schema.fields if one.column.kind is not Kind.BOOLEAN]
        for column, one in enumerate(self.schema.fields):
            if one.column.kind is not Kind.BOOLEAN or self._table(column) not in self._near():
                continue
            spots = (said(name, self.question) for name in flag_names(one) if name not in names)
            spot = next(filter(None, spots), None)
            if spot is None:
                continue
            if _EITHER_WAY.match(self.question, spot.end()):
                self.conditions[0][:] = [held for held in self.conditions[0] if held.column != column]
            elif column not in told:
                operator = "!=" if is_denied(self.question, spot.start()) else "="
                self.conditions[0].append(self._holds(column, operator, "TRUE"))
                self.found.append(Literal("yes", column, operator, False, *spot.span()))

    def _near(self) -> set[int]:
        """The tables of the query and those one link away."""
        used = {self._table(column) for column, _ in self.roles.select if column != ROWS} | self.roles.tables[0]
        used |= {self._table(one.column) for side in self.conditions for one in side}
        pairs = ((self._table(one), self._table(other)) for one, other in both_ways(self.links))
        return used | {there for here, there in pairs if here in used}

    def _parted(self, literal: Literal) -> list[Literal]:
        """A name of several words that no column stores whole, as its parts: "Ada Byron" in first and last name."""
        words = literal.text.split()
        known = literal.column >= 0 and literal.operator == "=" and len(words) > 1
        if not known or folded(literal.text) in self.schema.values:
            return [literal]
        table = self._table(literal.column)
        homes = [
            next((at for at, _ in self.schema.values.get(folded(word), ()) if self._table(at) == table), None)
            for word in words
        ]
        if None in homes or len(set(homes)) < len(homes):
            return [literal]
        return [literal._replace(text=word, column=at) for word, at in zip(words, homes, strict=True) if at is not None]

    def _condition(self, literal: Literal) -> Condition | None:
        column, many, kind = literal.column, self.schema.fields[literal.column].column.many, self._kind(literal.column)
        if kind is Kind.TIME and (time := clock(literal.text) or clock(f"{literal.text}:00")):
            return Condition(column, f"{self._name(column)} {_comparison(literal.operator)} {quoted(time)}")
        dated = kind is Kind.DATE or (kind is Kind.NUMBER and number_in(literal.text) is None)
        if dated and (told := moment(literal.text)):
            return Condition(column, within(self._name(column), literal.operator, told, kind, self.year))
        if kind in (Kind.DATE, Kind.TIME):
            return None  # "monday" is no date
        if kind is Kind.LOCATION:
            return Condition(column, f"{self._name(column)} = {quoted(literal.text)}")
        if kind is Kind.FREE_TEXT:
            return Condition(literal.column, f"matches({self._name(literal.column)}, {quoted(literal.text)})")
        if literal.operator == "like" and not many:
            text = quoted(pattern(literal.text, self.question))
            cast = "" if self.schema.fields[literal.column].column.kind in WORDS else "::text"
            return Condition(literal.column, f"{self._name(literal.column)}{cast} ILIKE {text}")
        column, value = value_of(self.schema, literal.column, literal.text, literal.operator)
        unknown = value == quoted(literal.text) and folded(literal.text) not in self.schema.stored[column]
        if unknown and kind is Kind.TEXT and literal.operator in ("=", "!=") and self.schema.stored[column]:
            denied = "NOT " if literal.operator == "!=" else ""
            return Condition(column, f"{self._name(column)} {denied}ILIKE {quoted('%' + literal.text + '%')}")
        return self._holds(column, literal.operator, value)

    def _holds(self, column: int, operator: str, value: str) -> Condition:
        one, name = self.schema.fields[column], self._name(column)
        if one.column.many:
            holds = f"{value} = ANY({name})"
            return Condition(column, f"NOT {holds}" if operator == "!=" else holds)
        if one.column.kind is Kind.BOOLEAN:
            return Condition(column, f"{name} = {_denied(value) if operator == '!=' else value}")
        if one.column.kind is Kind.NUMBER and value.startswith("'"):
            return Condition(column, f"{name}::text = {value}")
        return Condition(column, f"{name} {_comparison(operator)} {value}")

    def _where(self, conditions: list[Condition]) -> str:
        """Values of one column are alternatives of each other; conditions on several columns hold together."""
        groups: dict[tuple[int, int], list[str]] = {}
        for place, one in enumerate(dict.fromkeys(conditions)):
            equated = _EQUATED.search(one.sql) is not None and "NOT " not in one.sql
            groups.setdefault((one.column, -1) if equated else (one.column, place), []).append(one.sql)
        parts = [f"({' OR '.join(texts)})" if len(texts) > 1 else texts[0] for texts in groups.values()]
        either = self.roles.either and all(len(texts) == 1 for texts in groups.values())
        return " WHERE " + (" OR " if either else " AND ").join(parts) if parts else ""

    # -- tables and names --------------------------------------------------------------------------------------------

    def _kind(self, column: int) -> Kind:
        return self.schema.fields[column].column.kind

    def _table(self, column: int) -> int:
        return self.schema.fields[column].table

    def _name(self, column: int) -> str:
        return column_name(self.schema, column)

    def _from(self, tables: set[int]) -> str:
        return from_clause(self.schema, tables, self.links, self._name)

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
            *(one.column for one in self.conditions[0]),
        ]
        used |= {self._table(column) for column in columns}
        return used or set(roles.tables[1]) or {0}

    # -- the statement -----------------------------------------------------------------------------------------------

    def _select(self, tables: set[int], conditions: list[Condition], *, inner: bool = False) -> str:
        roles, having = self.roles, self.having[inner]
        tables = tables | {self._table(one.column) for one in conditions}
        shown = [self._shown(column, aggregate) for column, aggregate in roles.select]
        bare = [self._name(column) for column, aggregate in roles.select if not aggregate and column != ROWS]
        ordered = [] if inner else self._order()
        counted = len(bare) < len(shown) or roles.order_count or any(aggregate for _, aggregate, _ in roles.order)
        aggregated = bool(having) or (not inner and bool(counted))
        group = self._group(bare, aggregated=aggregated)
        distinct = roles.distinct and len(bare) == len(shown) and not group
        if distinct and any(name not in bare for name, _ in ordered):
            group, distinct = bare, False  # what is told apart cannot be ordered by what is not shown
        text = f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(shown) or '*'}"
        text += self._from(tables) + self._where(conditions)
        if group:
            text += f" GROUP BY {', '.join(group)}" + (f" HAVING {' AND '.join(having)}" if having else "")
        if inner:
            return text
        terms = [f"{_within(name, group, direction)} {direction.upper()} NULLS LAST" for name, direction in ordered]
        text += f" ORDER BY {', '.join(terms)}" if terms else ""
        said = any(one.column == LIMIT for one in roles.literals)
        text += f" LIMIT {1 if roles.limit == 1 else self.limit}" if roles.limit and (terms or said) else ""
        return text + (f" OFFSET {roles.skip}" if roles.skip and roles.limit and terms else "")

    def _shown(self, column: int, aggregate: str) -> str:
        if column == ROWS:
            return "count(*)"
        if aggregate == "count distinct":
            return f"count(DISTINCT {self._name(column)})"
        if self._kind(column) is Kind.FREE_TEXT:
            return f"summary({self._name(column)})"
        return f"{aggregate}({self._name(column)})" if aggregate else self._name(column)

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


def _comparison(operator: str) -> str:
    return {"!=": "<>", "like": "="}.get(operator, operator)


def _denied(value: str) -> str:
    return "FALSE" if value == "TRUE" else "TRUE"


def _within(name: str, group: list[str], direction: str) -> str:
    """What orders groups: a column that they are not made by counts with its best value."""
    if not group or "(" in name or name in group:
        return name
    return f"{'max' if direction == 'desc' else 'min'}({name})"
