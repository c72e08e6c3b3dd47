"""The catalogue as the linker reads it: numbered tables and columns in words, links between them, stored values."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice

from rapidfuzz.distance import OSA

from agent.catalogue.places import Gazetteer
from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.text import grammar
from agent.understanding.defaults import with_ends, words_for_days
from agent.understanding.value_names import value_names

LONGEST_VALUE = 8  # words of a stored value that are looked for in a question
LONGEST_QUESTION = 200  # words of a question in which stored values are looked for
LONGEST_TEXT = 80  # characters of a value that may be somebody's word for something
NUMBERS = frozenset({Kind.NUMBER, Kind.BOOLEAN})
NAMED = frozenset({Kind.TEXT, Kind.ENUM})  # kinds whose values are words
CHOICES, CHOICES_LENGTH = 6, 40  # values, at most, that are read beside a column's name, and their letters together
DESCRIBED = 6  # words of a description that are read beside a column's name
MISSPELT = 6  # letters of a noun that may be spelled wrong
UNNAMED = "rows"  # what the rows of a table are called where nobody says
_ENDS = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("lowest", "highest"),
    ("from", "to"),
    ("least", "most"),
    ("first", "last"),
)
KEY_WORDS = frozenset({"id", "code", "name", "key", "number"})
CODED, LOOKED_AT = 0.8, 200  # the share of the first values that are codes in a column of codes; how many are looked at
_CODE = re.compile(r"([a-z]{1,6}) ?(\d{1,5}[a-z]?)")
_APOSTROPHE = re.compile(r"(?<=\w)['’](?=\w)")
_WORD = re.compile(r"[a-z0-9]+(?:\.[0-9]+)?")
_QUOTED = re.compile(r"[\"'“‘]([^\"'“”‘’]{1,60})[\"'”’]")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@dataclass(frozen=True, slots=True)
class Field:
    """A column that may be shown or compared: the number of its table, its entry in the catalogue, its words."""

    table: int
    column: Column
    words: str
    primary: bool = False
    link: int | None = None  # the column that it refers to
    described: str = ""  # what its description says beyond its name
    choices: tuple[str, ...] = ()  # its values, where they are few and short
    times: tuple[str, str] | None = None  # its earliest and latest time of day

    @property
    def number(self) -> bool:
        """Whether it is compared as a number; yes and no count as 1 and 0."""
        return self.column.kind in NUMBERS


@dataclass
class Schema:
    """Tables and columns by number. `values` holds what columns store, by folded text: (column, value as stored)."""

    tables: tuple[Table, ...]
    words: tuple[str, ...]  # of the tables
    fields: tuple[Field, ...]
    links: tuple[tuple[int, int], ...]  # pairs of columns that join tables
    values: dict[str, list[tuple[int, str]]] = field(default_factory=dict)
    stored: list[dict[str, str]] = field(default_factory=list)  # by column: value as stored, by folded text
    cities: dict[str, str] = field(default_factory=dict)  # by place: the one that it lies in

    @cached_property
    def codes(self) -> list[tuple[tuple[int, ...], re.Pattern[str]]]:
        """The columns of codes ("CS 161", "B-12") of each table, and how people write them: letters, number."""
        found = []
        for table in range(len(self.tables)):
            columns = tuple(filter(self._has_codes, self.of(table)))
            every = (_CODE.fullmatch(value) for column in columns for value in self.stored[column])
            prefixes = sorted({match[1] for match in every if match}, key=len, reverse=True)
            if prefixes:
                form = rf"\b({'|'.join(prefixes)})[ -]?(\d{{1,5}}[a-z]?)\b"
                found.append((columns, re.compile(form, re.IGNORECASE)))
        return found

    @cached_property
    def titles(self) -> tuple[int, ...]:
        """The columns that people know rows by."""
        return tuple(at for at, one in enumerate(self.fields) if one.column.name == self.tables[one.table].title)

    def title_of(self, table: int) -> int | None:
        """Return the column that people know a table's rows by."""
        return next((at for at in self.titles if self.table_of(at) == table), None)

    @cached_property
    def names(self) -> tuple[tuple[str, ...], ...]:
        """What each column is called, folded: its words and its synonyms."""
        called = ((one.words, *one.column.synonyms) for one in self.fields)
        return tuple(tuple(dict.fromkeys(filter(None, map(folded, some)))) for some in called)

    @cached_property
    def nouns(self) -> tuple[frozenset[str], ...]:
        """What one and several rows of each table are called, folded."""
        called = ((words, *one.noun, *one.synonyms) for words, one in zip(self.words, self.tables, strict=True))
        return tuple(frozenset(form for noun in some for form in forms(folded(noun))) for some in called)

    def is_noun(self, text: str) -> bool:
        """Return whether a text is only what rows are called, in some spelling."""
        said = folded(text)
        nouns = (noun for some in self.nouns for noun in some if len(noun) >= MISSPELT)
        return len(said) >= MISSPELT and any(OSA.distance(said, noun) <= 2 for noun in nouns)

    def referred(self, table: int) -> list[int]:
        """Return the tables that the rows of a table refer to."""
        return [self.table_of(link) for at in self.of(table) if (link := self.fields[at].link) is not None]

    def has(self, table: int, column: Column) -> bool:
        """Return whether a column of a table is one of the fields."""
        return any(self.fields[at].column.name == column.name for at in self.of(table))

    def _has_codes(self, column: int) -> bool:
        if self.fields[column].column.kind is not Kind.TEXT or not self.stored[column]:
            return False
        first = list(islice(self.stored[column], LOOKED_AT))
        return sum(bool(_CODE.fullmatch(value)) for value in first) >= CODED * len(first)

    def spellings(self, column: int) -> Iterator[tuple[str, str]]:
        """The words, folded, for the values of a column, and what each stands for; one word may stand for several."""
        for form, value in self.stored[column].items():
            yield from ((form, other) for at, other in self.values.get(form, ((column, value),)) if at == column)

    def of(self, table: int) -> list[int]:
        """The numbers of a table's columns."""
        return [at for at, one in enumerate(self.fields) if one.table == table]

    def table_of(self, column: int) -> int:
        """Return the table of a column."""
        return self.fields[column].table

    def kind_of(self, column: int) -> Kind:
        """Return the kind of a column."""
        return self.fields[column].column.kind

    def is_list(self, column: int) -> bool:
        """Return whether a column holds several values in a row."""
        return self.fields[column].column.many

    def is_title(self, column: int) -> bool:
        """Return whether a column names the rows of its table."""
        return column in self.titles

    def is_code(self, column: int, text: str) -> bool:
        """Return whether a column has codes, and a text is one by its form."""
        homes = (form for columns, form in self.codes if column in columns)
        return any(form.fullmatch(text) for form in homes)

    def names_rows(self, column: int) -> bool:
        """Return whether people point to single rows by a column: its title, or the first of its codes."""
        return self.is_title(column) or any(column == columns[0] for columns, _ in self.codes)

    def owner(self, table: int) -> int:
        """Return the table whose rows those of a table belong to, where these have no title; else itself."""
        titled = [there for there in self.referred(table) if self.title_of(there) is not None]
        return titled[0] if titled and self.title_of(table) is None else table

    def remarks_on(self, table: int) -> list[int]:
        """Return the tables whose rows belong to those of a table, and have prose: reviews of it."""
        prose = {one.table for one in self.fields if one.column.kind is Kind.FREE_TEXT}
        return [at for at in sorted(prose) if self.title_of(at) is None and table in self.referred(at)]

    def reached(self, table: int) -> set[int]:
        """Return the tables that links connect with a table, and the table."""
        near, waiting = {table}, [table]
        pairs = [(self.fields[one].table, self.fields[other].table) for one, other in self.links]
        for here in waiting:
            for there in [b for a, b in pairs if a == here] + [a for a, b in pairs if b == here]:
                if there not in near:
                    near.add(there)
                    waiting.append(there)
        return near

    def place_of(self, column: int) -> int:
        """Return the column that places are compared with, for one that says where a row is; else the column."""
        one = self.fields[column]
        located = (at for at in self.of(one.table) if self.fields[at].column.kind is Kind.LOCATION)
        return next(located, column) if one.column.name in _areas(self.tables[one.table]) else column

    def ends_of(self, column: int) -> tuple[int, int] | None:
        """Return the columns of the least and the most, where a column is one of two: "min_units", "max_units"."""
        words = self.fields[column].words.split()
        for place, (low, high) in ((place, ends) for place in range(len(words)) for ends in _ENDS):
            if words[place] not in (low, high):
                continue
            pair = [" ".join([*words[:place], end, *words[place + 1 :]]) for end in (low, high)]
            here = {self.fields[at].words: at for at in self.of(self.fields[column].table)}
            if pair[0] in here and pair[1] in here:
                return here[pair[0]], here[pair[1]]
        return None

    def asked_of(self, question: str, *tables: int) -> int | None:
        """Return the column of some tables that a question names by most of its words: "how long is it?", else None."""
        words = folded(question).split()
        best, most = None, 0
        for at in (at for table in tables for at in self.of(table)):
            one = self.fields[at]
            if one.primary or self.is_title(at):
                continue
            names = [one.words, one.described, *one.column.synonyms, *one.column.low_words, *one.column.high_words]
            called = {name for name in folded(" ".join(names)).split() if len(name) > 3}
            shared = sum(any(name in (word, word + "s") or name + "s" == word for name in called) for word in words)
            if shared > most:
                best, most = at, shared
        return best

    def found(self, question: str) -> dict[int, list[str]]:
        """Return the stored values that the question names, by column; longer ones first, none inside another."""
        words = folded(question).split()[:LONGEST_QUESTION]
        quoted = {folded(part) for part in _QUOTED.findall(question)}
        hits: dict[int, list[str]] = defaultdict(list)
        taken: dict[int, set[int]] = defaultdict(set)
        for size in range(min(LONGEST_VALUE, len(words)), 0, -1):
            for start in range(len(words) - size + 1):
                text, places = " ".join(words[start : start + size]), set(range(start, start + size))
                if len(text) < 2 and text not in quoted:
                    continue
                for form in forms(text):
                    free = [one for one in self.values.get(form, ()) if not taken[one[0]] & places]
                    for column, value in free:  # "weekend" may be several of one column
                        taken[column] |= places
                        hits[column].append(value)
        return hits


def read_schema(catalogue: Catalogue, memory: ValueMemory, gazetteer: Gazetteer | None = None) -> Schema:
    """Return the catalogue as numbered tables and columns; pictures and what many people wrote are no columns of it.

    Places are values of the column that says where a row is, by the names of the gazetteer and of the rows' areas.
    """
    tables = tuple(catalogue)
    fields: list[Field] = []
    places: dict[tuple[str, str], int] = {}
    for number, table in enumerate(tables):
        for column in table.columns:
            if column.hidden or column.kind is Kind.IMAGE or _is_gathered(table, column, catalogue):
                continue
            places[table.name, column.name] = len(fields)
            called, described = _called(column)
            choices = _choices(memory.of(table.name, column.name)) if column.kind in NAMED else ()
            column = with_ends(column)
            times = memory.times(table.name, column.name)
            fields.append(Field(number, column, called, column.name in table.key, None, described, choices, times))
    links = []
    for key in catalogue.foreign_keys:
        here, there = places.get((key.table, key.column)), places.get((key.target, key.target_column))
        if here is not None and there is not None:
            links.append((here, there))
            one = fields[here]
            fields[here] = replace(one, link=there)
    words = tuple(worded(table.noun[1] if table.noun[1] != UNNAMED else table.name) for table in tables)
    links += _undeclared(fields, words, links)
    schema = Schema(tables, words, tuple(fields), tuple(links), stored=[{} for _ in fields])
    schema.cities.update((one.name, one.city) for one in (gazetteer.places() if gazetteer else ()) if one.city)
    for at, said, value in [*_values(tables, fields, memory), *_places(tables, fields, memory, gazetteer)]:
        if text := folded(said):
            known = schema.values.setdefault(text, [])
            known += [(at, value)] if (at, value) not in known else []
            schema.stored[at].setdefault(text, value)
    return schema


def forms(text: str) -> tuple[str, ...]:
    """Return folded words as they are and with the last one in its other number, "bakery", "bakeries", or, of several,
    as the verb that it is made of: "early swimming", "early swim"."""
    other = text.removesuffix("s") if text.endswith("s") else text + "s"
    if text.endswith("ies"):
        other = text.removesuffix("ies") + "y"
    elif text.endswith("y") and text[-2:-1] not in "aeiou":  # no "mondaies"
        other = text.removesuffix("y") + "ies"
    words = text.split(" ")
    if len(words) > 1 and words[-1].endswith("ing"):
        other = " ".join([*words[:-1], grammar.base(words[-1])])
    return text, other


def folded(text: object) -> str:
    """Return lower-case words without accents, apostrophes or signs, one space between them."""
    plain = unicodedata.normalize("NFKD", _APOSTROPHE.sub("", str(text))).encode("ascii", "ignore").decode().lower()
    return " ".join(_WORD.findall(plain))


def worded(name: str) -> str:
    """Return the words of a name such as `start_stationName2`."""
    return re.sub(r"[\W_]+", " ", _CAMEL.sub(" ", name)).strip().lower() or name


def _is_gathered(table: Table, column: Column, catalogue: Catalogue) -> bool:
    """Whether a column holds texts that are read as those of the row that they are about: remarks on a ferry."""
    if column.kind is not Kind.FREE_TEXT or column.many:
        return False
    owners = (catalogue.table(key.target) for key in catalogue.foreign_keys if key.table == table.name)
    texts = [one.name for owner in owners if owner for one in owner.columns if one.kind is Kind.FREE_TEXT and one.many]
    return any(table.name.endswith(text) or text.endswith(f"_{column.name}") for text in texts)


def _called(column: Column) -> tuple[str, str]:
    """The words of a column's name, and what its description adds. Names lose their capitals when they are imported;
    a description that only spells the name has them still."""
    spelled = column.description if _spells(column.description, column.name) else column.name
    words = worded(spelled)
    added = [word for word in folded(column.description).split() if word not in words.split()]
    return words, "" if spelled == column.description else " ".join(added[:DESCRIBED])


def _spells(text: str, name: str) -> bool:
    return re.sub(r"\W|_", "", text).casefold() == re.sub(r"\W|_", "", name).casefold() != ""


def _choices(values: Sequence[str]) -> tuple[str, ...]:
    few = len(values) <= CHOICES and sum(map(len, values)) <= CHOICES_LENGTH
    return tuple(values) if few else ()


def _values(tables: Sequence[Table], fields: Sequence[Field], memory: ValueMemory) -> Iterator[tuple[int, str, str]]:
    """Column, words, and the value that is stored for them."""
    for at, one in enumerate(fields):
        if one.column.name in _areas(tables[one.table]):
            continue  # places
        values = memory.of(tables[one.table].name, one.column.name) or one.column.values
        yield from ((at, said, value) for said, value in words_for_days(values))
        for value in values:
            if 0 < len(value) < LONGEST_TEXT:
                yield at, value, value
        for value, others in one.column.value_words if one.column.kind is not Kind.FREE_TEXT else ():
            yield from ((at, other, value) for other in (value, *others))
        if one.column.kind in NAMED:
            noun = tables[one.table].noun[0]
            for words, value in value_names(one.column.description, values):
                bare = words.removesuffix(noun).strip()  # "trekking" of "trekking bike"
                yield from ((at, said, value) for said in (words, bare) if said)


def _places(
    tables: Sequence[Table], fields: Sequence[Field], memory: ValueMemory, gazetteer: Gazetteer | None
) -> Iterator[tuple[int, str, str]]:
    """Columns of places, the names of places, and those that a query is written with."""
    for at, one in enumerate(fields):
        if one.column.kind is not Kind.LOCATION:
            continue
        for place in gazetteer.places() if gazetteer else ():
            yield from ((at, name, place.name) for name in (place.name, *place.aliases))
        for area in _areas(tables[one.table]):
            yield from ((at, value, value) for value in memory.of(tables[one.table].name, area))


def _areas(table: Table) -> tuple[str, ...]:
    """The columns that say where a row is besides the one that is compared with places."""
    located = any(column.kind is Kind.LOCATION and not column.hidden for column in table.columns)
    return table.geo.areas if table.geo and located else ()


def _undeclared(
    fields: Sequence[Field], words: Sequence[str], declared: Iterable[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Joins that no key declares: columns of one name of which one is a key, and `..._station_id` for station.id."""
    joined = {frozenset(fields[at].table for at in pair) for pair in declared}
    reached = {fields[at].table for pair in declared for at in pair}
    found = []
    for here, one in enumerate(fields):
        for there, other in enumerate(fields):
            pair = frozenset((one.table, other.table))
            if one.table == other.table or pair in joined:
                continue
            alike = one.words == other.words and one.words not in KEY_WORDS
            keyed = other.primary or (here < there and not pair <= reached)
            named = other.words in KEY_WORDS and one.words.endswith(f"{words[other.table]} {other.words}")
            if (alike and keyed) or named:
                found.append((here, there))
    return found
