"""What a query may see: tables, their columns, and the kind of each column.

A column's *kind* says what its values mean, and therefore what `=` means on it (`agent.suql.kinds`).
A catalogue is immutable; whoever owns the data builds a new one when the data's shape changes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType


class Kind(StrEnum):
    """What the values of a column mean."""

    TEXT = "TEXT"  # exact strings: names, addresses, links
    NUMBER = "NUMBER"
    BOOLEAN = "BOOLEAN"
    DATE = "DATE"
    TIME = "TIME"
    ENUM = "ENUM"  # a closed or slowly growing vocabulary, compared by meaning
    LOCATION = "LOCATION"  # a place: `=` holds within a distance or inside an area
    OPENING_HOURS = "OPENING_HOURS"  # `=` holds when open at the time the words name
    FREE_TEXT = "FREE_TEXT"  # prose: read only through answer() and summary()
    IMAGE = "IMAGE"


@dataclass(frozen=True, slots=True)
class Saying:
    """How one speaks of a column, beyond "the price of it is 12".

    `whole` is a sentence's end with the value in it: "is offered in {}". `none` says that a list is empty, or that a
    yes is a no: "is not offered". `brief` stands among other facts: "taught by {}". `several` is told of the least and
    the most of several numbers. `other` names a column that makes one thing with this one, and `both` how the two are
    written: "{} to {}", "{} of {} seats taken". `fills` says that it counts how many of the other are taken.
    """

    whole: str = ""
    none: str = ""
    brief: str = ""
    several: str = ""
    other: str = ""
    both: str = "{} to {}"
    fills: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """What an assistant may say of a table without a model, and propose to ask next.

    `offer` completes "I can ..."; `hints` name what a search may be for. The rest are messages: to begin with, after
    one row, after several, after none. A message may come with the column whose value answers it.
    """

    offer: str = ""
    hints: str = ""
    first: tuple[str, ...] = ()
    after_one: tuple[tuple[str, str], ...] = ()
    after_several: tuple[tuple[str, str], ...] = ()
    after_none: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table.

    `many` marks an array column (`cuisines`, `reviews`). `values` lists the vocabulary of an ENUM where it is
    closed and short; otherwise the engine reads the distinct values from the database. `synonyms` are other
    words people use for the column. `hidden` columns serve the engine and are not selected by `*`.
    `unit` is a word for the numbers ("stars", "hours a week", "$"). `value_words` gives other words people use for
    values of an ENUM, or for what texts call things: (value, words) pairs, ("cheap", ("inexpensive", "budget")).
    `low_words` and `high_words` name the ends of a scale of numbers, dates or times: ("cheap", "cheapest"), ("dear",
    "dearest"). `said` stands before a value where a sentence says it of a row: "taught by". `along` names a text column
    of the same table that answer() reads along with this list of texts: what introduces a place, with what its guests
    wrote.
    `saying` is how a sentence tells its value.
    """

    name: str
    kind: Kind
    many: bool = False
    description: str = ""
    values: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    unit: str = ""
    hidden: bool = False
    integer: bool = False  # NUMBER columns without a fraction
    value_words: tuple[tuple[str, tuple[str, ...]], ...] = ()
    said: str = ""
    along: str = ""
    low_words: tuple[str, ...] = ()
    high_words: tuple[str, ...] = ()
    saying: Saying | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One table (a view in the knowledge schema).

    `key` names the columns that identify a row; a table may have none, and then has no passages. `entity` is the
    column that names, to the outside, the thing a row is about (a restaurant's slug; the main code of the course an
    offering belongs to). `title` is the column a person knows it by. `noun` is (singular, plural): ("restaurant",
    "restaurants").

    LOCATION columns are resolved with the companion columns named in `geo`: latitude, longitude, and the area
    columns (city, neighbourhood) a place's name is first compared with. OPENING_HOURS columns are resolved with
    `hours`: the int4multirange column of open minutes of the week (Monday 00:00 is 0; 10,080 a week; a stretch that
    runs past Sunday midnight is split and wraps to 0).

    `order` is the default order of rows when the user asks for none, as SQL ("rating DESC, num_reviews DESC").
    """

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...] = ("id",)
    entity: str = ""
    title: str = ""
    noun: tuple[str, str] = ("row", "rows")
    description: str = ""
    synonyms: tuple[str, ...] = ()
    geo: Geo | None = None
    hours: str = ""
    order: str = ""
    talk: Talk = Talk()

    def column(self, name: str) -> Column | None:
        """Return the column of that name, or None."""
        return next((column for column in self.columns if column.name == name), None)


@dataclass(frozen=True, slots=True)
class Geo:
    """The companion columns of a LOCATION column."""

    latitude: str = "latitude"
    longitude: str = "longitude"
    areas: tuple[str, ...] = ("city",)


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """`table.column` refers to `target.target_column`; parsers join along these."""

    table: str
    column: str
    target: str
    target_column: str


@dataclass(frozen=True)
class Catalogue:
    """The tables a query may see, all in one PostgreSQL schema.

    `passages` names the table in the same schema that holds the passages of every FREE_TEXT column (see
    `agent.suql.passages`), or is empty where there are none: texts are then cut and embedded as they are read.
    """

    tables: tuple[Table, ...]
    foreign_keys: tuple[ForeignKey, ...] = ()
    schema: str = "kb"
    passages: str = ""
    _by_name: Mapping[str, Table] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", MappingProxyType({table.name: table for table in self.tables}))

    def __iter__(self) -> Iterator[Table]:
        return iter(self.tables)

    def __contains__(self, name: object) -> bool:
        return name in self._by_name

    def table(self, name: str) -> Table | None:
        """Return the table of that name, or None."""
        return self._by_name.get(name)

    def only(self, *names: str) -> Catalogue:
        """Return the same catalogue, narrowed to some of its tables (one assistant's corpora)."""
        tables = tuple(table for table in self.tables if table.name in names)
        keys = tuple(key for key in self.foreign_keys if key.table in names and key.target in names)
        return Catalogue(tables, keys, self.schema, self.passages)
