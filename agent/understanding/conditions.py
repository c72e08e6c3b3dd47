"""What the roles of a question ask of rows: conditions on columns, as SQL."""

from __future__ import annotations

import re

from agent.catalogue.tables import Kind
from agent.suql.tree import literal as quoted
from agent.text.words import stem
from agent.understanding.denials import DENYING, compared, flag_names, is_denied, said
from agent.understanding.ends import compared_by
from agent.understanding.joins import both_ways, column_name, identifier, shared
from agent.understanding.measures import measured
from agent.understanding.mentions import (
    LISTED,
    alike_in_list,
    denied_together,
    homed,
    is_left_open,
    is_no_condition,
    is_part_of_wish,
    is_speaker,
    is_wished,
    spot,
    stand_together,
    wanted_values,
)
from agent.understanding.moments import (
    asks_when,
    clock,
    meal,
    moment,
    opening_stretch,
    opens,
    stretches_of_time,
    times_in,
    times_of_day,
)
from agent.understanding.respelling import respelled
from agent.understanding.roles import ALL, AS, COUNT, FULL, LIMIT, ONLY, OPEN, ROWS, WITHIN, Literal, Roles
from agent.understanding.scales import is_scale, on_scale
from agent.understanding.schema import Schema, folded
from agent.understanding.vacancy import places
from agent.understanding.values import implied, number_in, pattern, value_of, within
from agent.understanding.wanted import Condition, Conditions, in_lists, in_places

_NO_ROWS = re.compile(
    r"\b(?:no|without(?: any)?) (\w+) (?:(?:that|which) )?(?:(?:are|is|meet|run|go) )?(?:on|in|at|to|from) (?:the )?$",
    re.IGNORECASE,
)
_EITHER_WAY = re.compile(r"\s*,?\s*or not\b", re.IGNORECASE)
WORDS = frozenset({Kind.TEXT, Kind.ENUM})  # kinds that LIKE compares as they are
UNTOLD = frozenset({Kind.FREE_TEXT, Kind.OPENING_HOURS, Kind.DATE, Kind.TIME, Kind.LOCATION})  # said by a value alone
ASIDE = frozenset({"drop", "sort", "undo"})  # moves whose words set no condition
_THAN = re.compile(r"\b((?:(?:more|less|fewer) )?\w+) than (?:the )?$", re.IGNORECASE)
_EXACTLY = re.compile(r"\bexactly (?:\d|[a-z]+\b)", re.IGNORECASE)
_SLACK = 4  # letters of "on", "at" before a time
MOST_ROWS = 10**6


def read_conditions(roles: Roles, schema: Schema, question: str, year: int) -> Conditions:
    """Return the conditions of a question's roles; `year` is the one of a month that is named alone."""
    return _Reader(roles, schema, question, year).conditions()


class _Reader:
    def __init__(self, roles: Roles, schema: Schema, question: str, year: int) -> None:
        self.roles, self.schema, self.question, self.year = roles, schema, question, year
        self._kind, self._table, self._is_list = schema.kind_of, schema.table_of, schema.is_list
        self.read = Conditions()
        weeks = any(self._kind(at) is Kind.OPENING_HOURS for at in range(len(schema.fields)))
        self.opening = opening_stretch(question) if weeks else None
        self.times = [] if roles.move in ASIDE or (weeks and opens(question)) else self._times()

    def conditions(self) -> Conditions:
        self._read_literals()
        self._read_filled()
        self._read_hours()
        self._read_times()
        if self.roles.move not in ASIDE:
            self._read_unclaimed()
        self._read_implied()
        in_places(self.read, self.schema)
        in_lists(self.read, self.schema, self.question, anew=self.roles.move == "new")
        if self.roles.move not in ASIDE:
            self._read_flags()
        return self.read

    def _read_literals(self) -> None:
        aggregated = dict(self.roles.having)
        counts = sum(one.column == COUNT for one in self.roles.literals)
        literals = [homed(self._whole(one), self.schema) for one in self.roles.literals]
        literals = [compared(measured(one, self.schema, self.question), self.question) for one in literals]
        literals = respelled([homed(one, self.schema) for one in literals], self.schema, self.question, self._spot)
        parts = [part for one in literals for part in wanted_values(one, self.roles, self.schema, self.question)]
        parts = [one._replace(operator="!=") if self._is_of_denied_rows(one) else one for one in dict.fromkeys(parts)]
        self.read.literals = denied_together(alike_in_list(parts, self.question), self.question, self.schema)
        for place, one in enumerate(self.read.literals):
            number = number_in(one.text)
            if one.column >= 0 and self._kind(one.column) is Kind.OPENING_HOURS:
                continue  # read as a whole
            if self._is_of_time(one):
                continue
            if one.column == LIMIT:
                self.read.limit = min(int(float(number)), MOST_ROWS) if number else 1
            elif one.column == COUNT:
                told = self.roles.having_count
                operator = one.operator if counts > 1 or not told else told
                self.read.having[one.inner].append(f"count(*) {comparison(operator)} {number or 1}")
            elif one.column in aggregated:
                name = f"{aggregated[one.column]}({self._name(one.column)})"
                self.read.having[one.inner].append(f"{name} {comparison(one.operator)} {number or 0}")
            elif condition := self._as_row(one) or self._against_row(one) or self._condition(one):
                self.read.sides[one.inner].append(condition)
                if self._table(condition.column) != self._table(one.column):  # another column has the value
                    self.read.literals[place] = one._replace(column=condition.column)
        if self.roles.having_count and not any(self.read.having):
            self.read.having[0].append(f"count(*) {self.roles.having_count} 1")

    def _whole(self, one: Literal) -> Literal:
        """A value as the longer one of a vocabulary that it is a part of: "sat" of "sat/no credit"."""
        told = one.column >= 0 and one.start < one.stop and one.operator in ("=", "!=")
        if not told or self._kind(one.column) not in WORDS:
            return one
        for column, values in self.schema.found(self.question).items():
            if self._kind(column) not in LISTED or self._table(column) not in self._near():
                continue
            for value in values:
                place = self._spot(column, value)
                if place and place.start() <= one.start and one.stop <= place.end() and place[0] != one.text:
                    return Literal(place[0], column, "=", one.inner, *place.span())
        return one

    def _against_row(self, one: Literal) -> Condition | None:
        """The condition that a column is above or below that of a row that the question names: "dearer than Kerrow"."""
        said = _THAN.search(self.question[: one.start]) if one.column in self.schema.titles else None
        meant = compared_by(self.schema, self._table(one.column), said[1]) if said else None
        if meant is None:
            return None
        (column, operator), table = meant, identifier(self.schema.tables[self._table(one.column)].name)
        title, value = value_of(self.schema, one.column, one.text, "=")
        row = f"SELECT {self._name(column)} FROM {table} WHERE {self._name(title)} = {value}"
        return Condition(column, f"{self._name(column)} {operator} ({row})")

    def _as_row(self, one: Literal) -> Condition | None:
        """The condition that a row has a value that one with a certain title has too."""
        if one.operator != AS:
            return None
        title = self.schema.title_of(self.schema.owner(self._table(one.column)))
        return (
            None if title is None else Condition(one.column, shared(self.schema, one.column, title, quoted(one.text)))
        )

    def _read_implied(self) -> None:
        """Conditions that the question holds without a stretch that tells their value."""
        told = {one.column for side in self.read.sides for one in side} | {one.column for one in self.roles.literals}
        aggregated = {column for column, _ in self.roles.having}
        for column, operator in dict.fromkeys(self.roles.where):
            if column in told or column in aggregated or self._kind(column) in UNTOLD:
                continue
            if self._kind(column) is Kind.NUMBER and operator not in ("=", "!="):
                continue
            places = [self._spot(column, value) for value in self.schema.found(self.question).get(column, ())]
            place = next(filter(None, places), None)
            if place is not None and self._kind(column) is Kind.TEXT and is_wished(place.span(), self.roles):
                continue
            if place is not None and is_no_condition(place.span(), column, self.roles, self.schema, self.question):
                continue
            if value := implied(self.schema, column, self.question):
                flag = self._kind(column) is Kind.BOOLEAN and operator == "=" and value == "TRUE"
                names = flag_names(self.schema.fields[column]) if flag else ()
                spots = [spot for name in names if (spot := said(name, self.question))]
                if spots and all(is_speaker(self.question, spot) for spot in spots):
                    continue
                if any(is_denied(self.question, spot.start()) for spot in spots):
                    operator = "!="
                self.read.outer.append(self._holds(column, operator, value))
                if place is not None:
                    self.read.found.append(Literal(place[0], column, operator, False, *place.span()))

    def _read_filled(self) -> None:
        for column, filled in self.roles.filled:
            known = f"{self._name(column)} IS {'NOT ' if filled == 'any' else ''}NULL"
            if self.schema.fields[column].column.many:
                known = f"cardinality({self._name(column)}) {'>' if filled == 'any' else '='} 0"
            self.read.outer.append(Condition(column, known))

    def _read_hours(self) -> None:
        """When something has to be open: the times that the question names."""
        columns = [at for at in range(len(self.schema.fields)) if self._kind(at) is Kind.OPENING_HOURS]
        said = [one for one in self.roles.literals if one.column in columns]
        told = {one.text: one.operator for one in said if one.start == one.stop}  # of a query before
        asked = said or any(column in columns for column, _ in self.roles.where) or self._times_wanted()
        dated = any(
            (self._kind(one.column) is Kind.DATE and moment(one.text))
            or (self._kind(one.column) is Kind.TIME and clock(one.text))
            for one in self.roles.literals
            if one.column >= 0
        )
        named = self.roles.move not in ASIDE and (asked or not dated) and not asks_when(self.question)
        words = times_in(self.question, opening=not asked) if named else None
        meals = self._meals() if columns and self.roles.move not in ASIDE else []
        table = {self._table(column) for column, _ in self.roles.select if column != ROWS} | self.roles.tables[0]
        own = [at for at in columns if self._table(at) in table] or columns
        if meals:
            words = f"{words or ''} {meals[0].text}".strip()
            self.read.found += [one._replace(column=own[0]) for one in meals]
        if words and self.roles.move == "replace":
            told = {}
        denied = any(is_denied(self.question, start) for start, _ in stretches_of_time(self.question))
        anew = {words: "!=" if denied else "="} if words and words not in told else {}
        self.read.literals[:] = [
            one for one in self.read.literals if one.column not in columns or one.text in told or not words
        ]
        for text, operator in (told | anew).items() if own else ():
            held = f"{self._name(own[0])} = {quoted(text)}"
            self.read.outer.append(Condition(own[0], f"NOT {held}" if operator == "!=" else held))
            self.read.found += [Literal(text, own[0], operator, False, *(self.opening or ()))] if text in anew else []

    def _meals(self) -> list[Literal]:
        """The wishes that are nothing but a meal, which no vocabulary has: something has to be open at that time."""
        found = []
        for mark in self.roles.marks:
            said = meal(self.question[mark.start : mark.stop])
            if said and said not in self.schema.values:
                found.append(Literal(said, -1, "=", False, mark.start, mark.stop))
        return found[:1]

    def _is_of_time(self, literal: Literal) -> bool:
        """Whether a stretch is read as a time of day, or as a day on which something opens."""
        spans = [(one.start, one.stop) for one in self.times] + ([self.opening] if self.opening else [])
        return any(literal.touches(*span) for span in spans)

    def _times(self) -> list[Literal]:
        """The times of day that the question compares a column with, as HH:MM."""
        near = [
            at
            for at, one in enumerate(self.schema.fields)
            if one.column.kind is Kind.TIME and one.table in self._near()
        ]
        found = []
        for told in times_of_day(self.question) if near else ():
            linked = [one.column for one in self.roles.literals if one.touches(told.start, told.stop)]
            column = next((at for at in linked if at in near), None)
            if told.ends or column is None:
                column = near[-1] if told.ends else max(near, key=self._is_named)
            time = told.among(self.schema.fields[column].times)
            found.append(Literal(time, column, told.operator, False, told.start, told.stop))
        return found

    def _is_named(self, column: int) -> bool:
        """Whether the question names a column by a word, in any of its forms: "finishing" of `finishes`."""
        one = self.schema.fields[column]
        names = {stem(word) for word in folded(" ".join([one.words, *one.column.synonyms])).split()}
        return any(stem(word) in names for word in folded(self.question).split())

    def _read_times(self) -> None:
        for one in self.times:
            self.read.outer.append(Condition(one.column, f"{self._name(one.column)} {one.operator} {quoted(one.text)}"))
        self.read.found += self.times

    def _times_wanted(self) -> bool:
        """Whether a time is no part of a story, or a wish is nothing but one: "al pastor <after midnight>"."""
        times = stretches_of_time(self.question)
        told = {at for start, stop in self.roles.story for at in range(start, stop)}
        if self.roles.tagged and any(stop - 1 not in told for _, stop in times):
            return True
        return any(
            start <= mark.start + _SLACK and mark.stop <= stop for mark in self.roles.marks for start, stop in times
        )

    def _read_unclaimed(self) -> None:
        """Values of a vocabulary that the question names and that nothing has claimed."""
        taken = [(one.start, one.stop) for one in self.roles.literals]
        taken += [self.opening] if self.opening else []
        told = {one.column for side in self.read.sides for one in side}
        ordered = {column for column, _, _ in self.roles.order}
        names = {word for field in self.schema.fields for word in field.words.split()}
        names |= {word for words in self.schema.words for word in words.split()}
        names |= {word + "s" for word in names}
        for column, values in self.schema.found(self.question).items():
            if self._kind(column) not in LISTED or column in ordered or self._table(column) not in self._near():
                continue
            spots: dict[re.Match[str], list[str]] = {}
            for value in values:
                if place := self._spot(column, value):
                    known = next((one for one in spots if one.span() == place.span()), place)
                    spots.setdefault(known, []).append(value)
            for place, named in spots.items():
                if set(folded(place[0]).split()) <= names or DENYING.fullmatch(place[0]):
                    continue
                if is_part_of_wish(place.span(), self.roles, self.question, names) and not self._is_scale(column):
                    continue
                if is_no_condition(place.span(), column, self.roles, self.schema, self.question):
                    continue
                if self._is_scale(column) and is_left_open(place.span(), self.question):
                    continue
                touched = any(start < place.end() and stop > place.start() for start, stop in taken)
                if touched or (column in told and not self._goes_with(column, place)):
                    continue
                taken.append(place.span())
                literal = compared(Literal(place[0], column, "=", False, *place.span()), self.question)
                if self._goes_with_denied(literal) or self._is_of_denied_rows(literal):
                    literal = literal._replace(operator="!=")
                for value in named:
                    self._find(literal._replace(text=value) if len(named) > 1 else literal)

    def _find(self, literal: Literal) -> None:
        if condition := self._condition(literal):
            self.read.outer.append(condition)
            self.read.found.append(literal)

    def _is_of_denied_rows(self, literal: Literal) -> bool:
        """Whether a value is said of rows that nobody wants: "no calls at <Inishmoor>"."""
        if literal.operator != "=" or literal.column < 0 or self._kind(literal.column) not in LISTED:
            return False
        said = _NO_ROWS.search(self.question[: literal.start])
        return said is not None and any(said[1].lower() in nouns for nouns in self.schema.nouns)

    def _goes_with_denied(self, literal: Literal) -> bool:
        """Whether a value ends a list that is denied."""
        others = [one for one in (*self.read.literals, *self.read.found) if one.column == literal.column]
        return denied_together([*others, literal], self.question, self.schema)[-1].operator == "!="

    def _goes_with(self, column: int, spot: re.Match[str]) -> bool:
        """Whether a value stands beside another one of its column: "cheap or <moderate>", "halal <Chinese>"."""
        others = [one for one in (*self.read.literals, *self.read.found) if one.column == column]
        return any(stand_together(self.question, one[4:6], spot.span()) for one in others)

    def _is_scale(self, column: int) -> bool:
        return is_scale(self.schema.fields[column].column)

    def _spot(self, column: int, value: str) -> re.Match[str] | None:
        return spot(self.schema, self.question, column, value)

    def _read_flags(self) -> None:
        """Yes or no of a column that the question names: "with a sauna", "not for sale"."""
        told = {one.column for side in self.read.sides for one in side} | set(self.roles.group)
        told |= {column for column, _ in self.roles.select}
        names = [one.words for one in self.schema.fields if one.column.kind is not Kind.BOOLEAN]
        for column, one in enumerate(self.schema.fields):
            if one.column.kind is not Kind.BOOLEAN or self._table(column) not in self._near():
                continue
            spots = (said(name, self.question) for name in flag_names(one) if name not in names)
            spot = next((one for one in spots if one and not is_speaker(self.question, one)), None)
            if spot is None:
                continue
            if _EITHER_WAY.match(self.question, spot.end()):
                self.read.outer[:] = [held for held in self.read.outer if held.column != column]
            elif column not in told:
                operator = "!=" if is_denied(self.question, spot.start()) else "="
                self.read.outer.append(self._holds(column, operator, "TRUE"))
                self.read.found.append(Literal("yes", column, operator, False, *spot.span()))

    def _near(self) -> set[int]:
        """The tables of the query and those one link away."""
        used = {self._table(column) for column, _ in self.roles.select if column != ROWS} | self.roles.tables[0]
        used |= {self._table(one.column) for side in self.read.sides for one in side}
        pairs = ((self._table(one), self._table(other)) for one, other in both_ways(self.schema.links))
        return used | {there for here, there in pairs if here in used}

    def _condition(self, literal: Literal) -> Condition | None:
        if literal.operator in (OPEN, FULL) and (pair := places(self.schema, self._table(literal.column))):
            taken, every = map(self._name, pair)
            return Condition(literal.column, f"{taken} {'<' if literal.operator == OPEN else '>='} {every}")
        literal = literal._replace(operator="=") if literal.operator in (ONLY, ALL, WITHIN) else literal
        column, many, kind = literal.column, self._is_list(literal.column), self._kind(literal.column)
        if kind is Kind.TIME and (time := clock(literal.text) or clock(f"{literal.text}:00")):
            return Condition(column, f"{self._name(column)} {comparison(literal.operator)} {quoted(time)}")
        dated = kind is Kind.DATE or (kind is Kind.NUMBER and number_in(literal.text) is None)
        if dated and (told := moment(literal.text)):
            if kind is Kind.DATE and literal.operator == "=" and (ends := self.schema.ends_of(column)):
                first, last = (
                    within(self._name(end), how, told, kind, self.year)
                    for end, how in zip(ends, ("<=", ">="), strict=True)
                )
                return Condition(ends[0], f"{first} AND {last}")
            return Condition(column, within(self._name(column), literal.operator, told, kind, self.year))
        if kind is Kind.NUMBER and (pair := self.schema.ends_of(column)) and (number := number_in(literal.text)):
            return self._between(*pair, literal.operator, number)
        if kind in (Kind.DATE, Kind.TIME) or (
            kind is Kind.ENUM and not _may_be_word(literal.text, self.schema, column)
        ):
            return None  # "monday" is no date, and 5 no day
        if kind is Kind.LOCATION:
            place = self.schema.stored[column].get(folded(literal.text), literal.text)
            held = f"{self._name(column)} = {quoted(place)}"
            return Condition(column, f"NOT ({held})" if literal.operator == "!=" else held)
        if kind is Kind.FREE_TEXT:
            return Condition(literal.column, f"matches({self._name(literal.column)}, {quoted(literal.text)})")
        if literal.operator == "like" and not many:
            text = quoted(pattern(literal.text, self.question))
            cast = "" if self.schema.fields[literal.column].column.kind in WORDS else "::text"
            return Condition(literal.column, f"{self._name(literal.column)}{cast} ILIKE {text}")
        if self.schema.is_code(column, literal.text):
            code = self.schema.stored[column].get(folded(literal.text), literal.text)
            return self._holds(column, literal.operator, quoted(code))  # another number is another thing
        column, value = value_of(self.schema, literal.column, literal.text, literal.operator)
        unknown = value == quoted(literal.text) and folded(literal.text) not in self.schema.stored[column]
        if unknown and kind is Kind.TEXT and literal.operator in ("=", "!=") and self.schema.stored[column]:
            denied = "NOT " if literal.operator == "!=" else ""
            return Condition(column, f"{self._name(column)} {denied}ILIKE {quoted('%' + literal.text + '%')}")
        stored = value.strip("'").replace("''", "'")
        if self._is_scale(column) and stored in self.schema.fields[column].column.values:
            values = on_scale(self.schema.fields[column].column, literal.operator, stored)
            held = " OR ".join(f"{self._name(column)} = {quoted(one)}" for one in values)
            return Condition(column, f"({held})" if len(values) > 1 else held) if values else None
        unordered = self._kind(column) is Kind.ENUM and literal.operator != "!="
        return self._holds(column, "=" if unordered else literal.operator, value)

    def _between(self, low: int, high: int, operator: str, number: str) -> Condition:
        """That some number from the lower to the higher one is as said."""
        if operator in ("<", "<=", ">", ">="):
            end = low if operator in ("<", "<=") else high
            return Condition(end, f"{self._name(end)} {operator} {number}")
        held = f"{self._name(low)} <= {number} AND {self._name(high)} >= {number}"
        if operator == "=" and _EXACTLY.search(self.question):
            held = f"{self._name(low)} = {number} AND {self._name(high)} = {number}"
        return Condition(low, f"NOT ({held})" if operator == "!=" else held)

    def _holds(self, column: int, operator: str, value: str) -> Condition:
        one, name = self.schema.fields[column], self._name(column)
        if one.column.many:
            holds = f"{value} = ANY({name})"
            return Condition(column, f"NOT {holds}" if operator == "!=" else holds)
        if one.column.kind is Kind.BOOLEAN:
            return Condition(column, f"{name} = {_denied(value) if operator == '!=' else value}")
        if one.column.kind is Kind.NUMBER and value.startswith("'"):
            return Condition(column, f"{name}::text = {value}")
        return Condition(column, f"{name} {comparison(operator)} {value}")

    def _name(self, column: int) -> str:
        return column_name(self.schema, column)


def comparison(operator: str) -> str:
    """Return an operator as SQL writes it."""
    return {"!=": "<>", "like": "="}.get(operator, operator)


def _denied(value: str) -> str:
    return "FALSE" if value == "TRUE" else "TRUE"


def _may_be_word(text: str, schema: Schema, column: int) -> bool:
    """Whether a text may be a word of a vocabulary: it has a letter, or is stored."""
    return any(letter.isalpha() for letter in text) or folded(text) in schema.stored[column]
