"""Comparisons become conditions that PostgreSQL runs: vocabularies by meaning, places by distance, hours by minutes."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from sqlglot import exp

from agent.catalogue.places import Gazetteer, Place, with_bound
from agent.catalogue.tables import Column, Kind, Table
from agent.protocols.reading import MatchRequest
from agent.suql.kinds.comparisons import Comparison, comparisons
from agent.suql.kinds.hours import condition as hours_condition
from agent.suql.names import Names
from agent.suql.tree import literal, quoted, raw, write
from agent.text.values import read_date, read_number, read_time, read_yes_no

if TYPE_CHECKING:
    from agent.suql.asking import Asking

Vocabulary = Callable[[Table, Column], Awaitable[tuple[str, ...]]]
_EARTH = 6371.0  # kilometres


class Matching:
    """Gives each comparison of a query the meaning its column's kind asks for."""

    def __init__(
        self, names: Names, asking: Asking, vocabulary: Vocabulary, gazetteer: Gazetteer | None, now: datetime
    ) -> None:
        self._names = names
        self._asking = asking
        self._vocabulary = vocabulary
        self._gazetteer = gazetteer
        self._now = now
        self.notes: list[str] = []
        self._waiting: list[tuple[exp.Expr, Comparison]] = []
        self._may_ask = False
        self._unmatched = False

    async def apply(self) -> None:
        """Replace the comparisons in the tree, as far as that goes without the model; `finish` does the rest."""
        for found in list(comparisons(self._names)):
            self._unmatched = False
            sql = await self._sql(found)
            if sql is None:
                continue
            condition = raw(sql)
            found.node.replace(condition)
            if self._unmatched:
                self._waiting.append((condition, found))

    async def finish(self) -> None:
        """Ask the model which values mean the words that are no values themselves."""
        self._may_ask = True
        for condition, found in self._waiting:
            condition.set("this", await self._sql(found))

    async def _sql(self, found: Comparison) -> str | None:
        sql = await self._condition(found)
        if sql is None:
            return None
        return f"(NOT ({sql}))" if found.negated else f"({sql})"

    async def _condition(self, found: Comparison) -> str | None:
        """The condition as SQL; None if it stays as it is written."""
        kind = found.column.kind
        if kind is Kind.ENUM:
            return await self._enum(found)
        if kind is Kind.LOCATION:
            return " OR ".join(f"({self._place(found, word)})" for word in found.words)
        if kind is Kind.OPENING_HOURS:
            return self._hours(found)
        if kind in (Kind.NUMBER, Kind.DATE, Kind.TIME, Kind.BOOLEAN) and not found.pattern:
            return self._written(found)
        return _array(found) if found.many else None

    # -- ENUM --------------------------------------------------------------------------------------------------------

    async def _enum(self, found: Comparison) -> str:
        values = await self._vocabulary(found.table, found.column)
        groups = [await self._matches(found, word, values) for word in found.words]
        column = f"{write(found.reference)}::text{'[]' if found.many else ''}"  # it may be of an enum type
        if found.op != "=":
            chosen = _on_one_side(values, groups, found.op)
            return f"{column} = ANY ({_texts(chosen)})"
        if found.every and found.many:
            return " AND ".join(f"{column} && {_texts(group)}" for group in groups)
        together = tuple(dict.fromkeys(value for group in groups for value in group))
        return f"{column} && {_texts(together)}" if found.many else f"{column} = ANY ({_texts(together)})"

    async def _matches(self, found: Comparison, word: str, values: tuple[str, ...]) -> tuple[str, ...]:
        """The values that mean the word: itself where it is one of them, with its kin, else those the reader finds.

        Kin of "tapas" are values that have the word, such as "tapas bars", as far as the reader takes them to mean it.
        """
        plain = word.strip().casefold()
        exact = tuple(value for value in values if value.strip().casefold() == plain)
        said = tuple(
            value
            for value, words in found.column.value_words
            if value in values and plain in (other.casefold() for other in words)
        )
        inside = tuple(value for value in values if plain in value.casefold()) if found.pattern else ()
        known = inside or exact or said
        kin = () if found.pattern or found.column.values else _kin(plain, values, known)
        if not values or (known and not kin):
            return known
        if not self._may_ask:
            self._unmatched = True
            return known
        request = MatchRequest(
            wanted=word,
            values=kin if known else values,
            column=found.column.name,
            description=found.column.description,
            known=known,
            many=found.many,
        )
        matched = await self._asking.match(request)
        if not matched and not known:
            self.notes.append(f"Nothing in {found.column.name.replace('_', ' ')} means “{word}”.")
        return (*known, *matched)

    # -- LOCATION ----------------------------------------------------------------------------------------------------

    def _place(self, found: Comparison, words: str) -> str:
        words, bound = with_bound(words)
        places = self._gazetteer.resolve(words) if self._gazetteer is not None else []
        source = self._names.sources[found.reference.table]
        geo = found.table.geo
        if not places or geo is None or source.table is None:
            if self._gazetteer is not None and not places:
                self.notes.append(f"I do not know where “{words}” is; I looked for the name in the addresses.")
            if bound is not None:
                self.notes.append(f"I could not measure how far it is from “{words}”.")
            return self._by_name(found, words)
        place = places[0] if bound is None else replace(places[0], radius=bound, areas=())
        return _inside(place, found.table, found.reference.table)

    def _by_name(self, found: Comparison, words: str) -> str:
        pattern = literal(f"%{words.replace('%', '').replace('_', ' ')}%")
        return f"{write(found.reference)} ILIKE {pattern}"

    # -- OPENING_HOURS, written values, arrays -------------------------------------------------------------------------

    def _hours(self, found: Comparison) -> str | None:
        source = self._names.sources[found.reference.table]
        if source.table is None or not found.table.hours:
            return None
        minutes = f"{quoted(source.alias)}.{quoted(found.table.hours)}"
        return " OR ".join(f"({hours_condition(minutes, word, self._now)})" for word in found.words)

    def _written(self, found: Comparison) -> str:
        """A number, date or time in words, as the value it names."""
        values = [self._value(found.column.kind, word) for word in found.words]
        column = write(found.reference)
        if found.many:
            return f"{column} {'@>' if found.every else '&&'} ARRAY[{', '.join(values)}]"
        if len(values) > 1:
            return f"{column} IN ({', '.join(values)})"
        return f"{column} {found.op} {values[0]}"

    def _value(self, kind: Kind, word: str) -> str:
        if kind is Kind.NUMBER:
            return str(read_number(word))
        if kind is Kind.BOOLEAN:
            return "TRUE" if read_yes_no(word) == "Yes" or word.lower() == "t" else "FALSE"
        read = read_date(word, self._now.date()) if kind is Kind.DATE else read_time(word)
        return f"'{read.isoformat() if read else ''}'::{'date' if kind is Kind.DATE else 'time'}"


def _kin(word: str, values: tuple[str, ...], known: tuple[str, ...]) -> tuple[str, ...]:
    """The values beside those known that have all the words of one."""
    wanted = _words(word)
    return tuple(value for value in values if value not in known and wanted and wanted <= _words(value))


def _words(text: str) -> set[str]:
    return {word.removesuffix("s") for word in re.findall(r"[^\W_]+", text.casefold())}


def _array(found: Comparison) -> str | None:
    """`instructor_names ILIKE '%ng%'` and `course_codes = 'CS 101'`: some element does."""
    column = write(found.reference)
    if found.pattern:
        if found.reference.find_ancestor(exp.Any) is not None:
            return None
        pattern = literal(f"%{found.words[0]}%")
        return f"EXISTS (SELECT FROM unnest({column}) AS one(element) WHERE one.element ILIKE {pattern})"
    if isinstance(found.node, exp.ArrayContainsAll | exp.ArrayOverlaps) or found.op != "=":
        return None
    return f"{column} && {_texts(found.words)}"


def _on_one_side(values: tuple[str, ...], groups: list[tuple[str, ...]], op: str) -> tuple[str, ...]:
    """The values before or after the named one in the vocabulary's order; with several named, the widest reading."""
    places = [values.index(value) for group in groups for value in group]
    if not places:
        return ()
    if op in ("<", "<="):
        return values[: max(places) + (op == "<=")]
    return values[min(places) + (op == ">") :]


def _inside(place: Place, table: Table, alias: str) -> str:
    """Inside one of the place's areas, or within its radius."""
    geo = table.geo
    assert geo is not None
    tests = [
        f"lower({quoted(alias)}.{quoted(column)}) = {literal(value.lower())}"
        for column, value in place.areas
        if column in geo.areas
    ]
    if place.radius > 0:
        latitude, longitude = (f"{quoted(alias)}.{quoted(column)}" for column in (geo.latitude, geo.longitude))
        tests.append(f"{_distance(place, latitude, longitude)} <= {place.radius}")
    return " OR ".join(tests) or "FALSE"


def _distance(place: Place, latitude: str, longitude: str) -> str:
    """Kilometres over the sphere (haversine)."""
    half_lat = f"sin(radians({latitude} - {place.latitude}) / 2)"
    half_lon = f"sin(radians({longitude} - {place.longitude}) / 2)"
    chord = f"{half_lat} ^ 2 + cos(radians({place.latitude})) * cos(radians({latitude})) * {half_lon} ^ 2"
    return f"{2 * _EARTH} * asin(sqrt(least(1, {chord})))"


def _texts(values: tuple[str, ...]) -> str:
    return f"ARRAY[{', '.join(literal(value) for value in values)}]::text[]"
