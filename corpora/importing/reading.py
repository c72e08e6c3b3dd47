"""Rows of a source as values of the kinds that the specification gives its columns, and every cell that is refused."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from corpora.importing import cells
from corpora.importing.cells import Conventions, Refused
from corpora.importing.hours import hours
from corpora.importing.objects import is_place
from corpora.importing.remembering import Remembered
from corpora.importing.source import Misread, Row, Source, printable
from corpora.importing.specification import ColumnKind, ColumnSpec, CorpusSpec, TableSpec, identifier

LONGEST_KEY = 100  # characters, as passages keep it
MOST_LISTED = 10_000  # refused cells of a table that are listed; the rest are counted
SHOWN = 60  # characters of a refused cell
LONGEST_TEXT = 5_000  # characters of a value that is compared
LONGEST_PROSE = 1_000_000
MOST_PARTS = 10_000  # of a list
MOST_VALUES = 5000  # of an ENUM, whose spellings are brought together


@dataclass(frozen=True, slots=True)
class RefusedCell:
    """What was refused. Where `column` is the key, or empty, the whole row is left out; else the cell is not known."""

    file: str
    line: int
    column: str
    found: str
    expected: str
    whole_row: bool = False

    def __str__(self) -> str:
        place = f"{self.file}, line {self.line}" + (f", {self.column}" if self.column else "")
        return f"{place}: {self.expected} is expected, got {self.found!r}"


@dataclass(slots=True)
class Table:
    """One table of a corpus as it is read: the columns it is stored with, and where its rows come from."""

    spec: TableSpec
    source: Source
    columns: list[ColumnSpec]
    parent_key: str = ""  # of a nested list: the column that holds the key of the row it stands in
    parent: TableSpec | None = None
    refused: list[RefusedCell] = field(default_factory=list)  # the first of them
    times_refused: int = 0
    rows_read: int = 0
    _known: dict[str, Conventions] = field(default_factory=dict)
    _spelt: dict[str, dict[str, str]] = field(default_factory=dict)
    _marks: dict[str, str] = field(default_factory=dict)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The rows, read anew from the file. What is refused is in `refused` when the last one has been given."""
        self._survey()
        self.refused, self.times_refused, self.rows_read = [], 0, 0
        seen = Remembered()
        for line, raw in self._raw():
            self.rows_read += 1
            if isinstance(raw, Misread):
                self._refuse(RefusedCell(str(self.source), line, "", raw.found, raw.expected, whole_row=True))
                continue
            row = {column.name: self._value(line, column, raw) for column in self.columns}
            keys = tuple(row[name] for name in self.spec.keys)
            if keys and any(key is None for key in keys):
                self._refuse(self._without_key(line, keys, "a key"))
                continue
            if keys and (first := seen.before(json.dumps([*map(whole, keys)], default=str), line)) is not None:
                self._refuse(self._without_key(line, keys, f"a key of its own (line {first} has it)"))
                continue
            if len(keys) == 1 and len(str(keys[0])) > LONGEST_KEY:
                said = f"a key of {LONGEST_KEY} characters at most"
                self._refuse(RefusedCell(str(self.source), line, self.spec.keys[0], str(keys[0]), said, True))
                continue
            yield row

    def _without_key(self, line: int, keys: tuple[Any, ...], wanted: str) -> RefusedCell:
        name, shown = ", ".join(self.spec.keys), ", ".join(map(str, keys))
        return RefusedCell(str(self.source), line, name, shown, wanted, whole_row=True)

    def _refuse(self, cell: RefusedCell) -> None:
        self.times_refused += 1
        if len(self.refused) < MOST_LISTED:  # memory is bounded, whatever a file holds
            self.refused.append(cell)

    # -- From the file ---------------------------------------------------------------------------------------------

    def _raw(self) -> Iterator[Row]:
        if self.parent is None:
            for line, cells_ in self.source.rows():
                yield line, cells_ if isinstance(cells_, Misread) else by_identifier(cells_)
            return
        for line, cells_ in self.source.rows():
            if isinstance(cells_, Misread):
                continue  # refused where its parent is read
            outer = by_identifier(cells_)
            inside = cells_.get(self.spec.path, outer.get(identifier(self.spec.path)))
            for item in inside if isinstance(inside, list) else ():
                own = by_identifier(item) if isinstance(item, dict) else {identifier(self.spec.path): item}
                yield line, {**own, self.parent_key: outer.get(self.parent.keys[0])}

    def _survey(self) -> None:
        """What the cells of a column say together: its decimal sign, its order of dates, its spellings."""
        open_kinds = (ColumnKind.NUMBER, ColumnKind.DATE, ColumnKind.ENUM, ColumnKind.ENUMS)
        wanted = [column for column in self.columns if column.kind in open_kinds]
        counted: dict[str, Counter[str]] = {column.name: Counter() for column in wanted}
        marks: dict[str, set[str]] = {column.name: set() for column in wanted}
        known = {column.name: Conventions() for column in wanted}
        for _, raw in self._raw():
            for column in () if isinstance(raw, Misread) else wanted:
                cell = self._cell(column, raw)
                if column.kind in (ColumnKind.NUMBER, ColumnKind.DATE):
                    found = cells.conventions([cell], column.order)
                    before = known[column.name]
                    if found != before:
                        known[column.name] = Conventions(before.decimals | found.decimals, before.orders | found.orders)
                elif isinstance(cell, str):
                    marks[column.name] |= {mark for mark in ";|" if mark in cell}
                    if len(counted[column.name]) < MOST_VALUES:
                        counted[column.name][" ".join(cell.split())] += 1
        self._known = _settled_together(known)
        self._marks = {name: next((mark for mark in ";|" if mark in found), ",") for name, found in marks.items()}
        for column in wanted:
            split: Counter[str] = Counter()
            for value, times in counted[column.name].items():
                for part in self._parts(column, value) if column.kind is ColumnKind.ENUMS else [value]:
                    split[part] += times
            usual: dict[str, str] = {}
            for value, _ in split.most_common():
                usual.setdefault(value.casefold(), value)
            self._spelt[column.name] = usual

    def _cell(self, column: ColumnSpec, raw: dict[str, Any]) -> Any:
        return raw.get(identifier(column.source) if column.source else column.name)

    def _parts(self, column: ColumnSpec, value: str) -> list[str]:
        mark = self._marks.get(column.name, ",")
        return [part for part in (" ".join(one.split()) for one in value.strip("[]").split(mark)) if part]

    # -- To values -------------------------------------------------------------------------------------------------

    def _value(self, line: int, column: ColumnSpec, raw: dict[str, Any]) -> Any:
        cell = self._cell(column, raw)
        if column.kind is ColumnKind.LOCATION and column.columns:
            cell = [raw.get(identifier(name)) for name in column.columns]
            cell = None if all(map(cells.missing, cell)) else cell
        try:
            return bounded(self._read(column, cell), column.kind)
        except Refused as reason:
            shown = printable(str(cell))
            shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}…"
            self._refuse(RefusedCell(str(self.source), line, column.name, shown, str(reason)))
            return None

    def _read(self, column: ColumnSpec, cell: Any) -> Any:
        match column.kind:
            case ColumnKind.ENUM:
                said = None if cells.missing(cell) else cells.words(cell)
                return said and self._spelt[column.name].get(said.casefold(), said)
            case ColumnKind.ENUMS:
                return self._several(column, cell)
        return read_cell(column, cell, self._known.get(column.name, Conventions()))

    def _several(self, column: ColumnSpec, cell: Any) -> list[str] | None:
        if cells.missing(cell):
            return None
        parts = cell if isinstance(cell, list) else _json_list(cell) or self._parts(column, cells.text(cell))
        said = [cells.words(part) for part in parts if part is not None]
        usual = self._spelt[column.name]
        return list(dict.fromkeys(usual.get(one.casefold(), one) for one in said if one)) or None


def _settled_together(known: dict[str, Conventions]) -> dict[str, Conventions]:
    """What a column leaves open, the others of its table settle: who writes 12,50 means a thousand by 1.000."""
    decimals = frozenset(sign for one in known.values() for sign in one.decimals)
    return {name: one if one.decimals else Conventions(decimals, one.orders) for name, one in known.items()}


def read_cell(column: ColumnSpec, cell: Any, known: Conventions) -> Any:
    """A cell as a value of its column's kind, None where it says that nothing is known. Raises Refused."""
    if cell is None:
        return None
    match column.kind:
        case ColumnKind.NUMBER:
            return cells.number(cell, known, column.unit)
        case ColumnKind.BOOLEAN:
            return cells.boolean(cell)
        case ColumnKind.DATE:
            return cells.date(cell, known)
        case ColumnKind.TIME:
            return cells.time(cell)
        case ColumnKind.FREE_TEXT:
            return (cells.text(cell).strip() or None) if not cells.missing(cell) else None
        case ColumnKind.FREE_TEXTS:
            texts = cell if isinstance(cell, list) else _json_list(cell) or [cell]
            return [said for said in (cells.text(one).strip() for one in texts if one is not None) if said] or None
        case ColumnKind.LOCATION:
            return _place(cell)
        case ColumnKind.OPENING_HOURS:
            return hours(cell)
        case ColumnKind.IMAGE | ColumnKind.LINK:
            return _address(cell, column.kind is ColumnKind.IMAGE)
    if isinstance(cell, list | dict):
        raise Refused("one text")
    return cells.words(cell)


def bounded(value: Any, kind: ColumnKind) -> Any:
    """A value that is not too long. Raises Refused."""
    prose = kind in (ColumnKind.FREE_TEXT, ColumnKind.FREE_TEXTS)
    most = LONGEST_PROSE if prose else LONGEST_TEXT
    parts = value if isinstance(value, list) else [value]
    if any(isinstance(part, str) and len(part) > most for part in parts) or len(parts) > MOST_PARTS:
        raise Refused(f"at most {most:,} characters" + ("" if prose else " (what is longer is prose)"))
    return value


def whole(value: Any) -> Any:
    """Return a number without a fraction as such: 1.0 is the key 1."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def by_identifier(raw: dict[str, Any]) -> dict[str, Any]:
    """Cells by the names that specifications and queries use for the columns."""
    return {identifier(name): cell for name, cell in raw.items()}


def _json_list(cell: Any) -> list[Any] | None:
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return None
    try:
        found = json.loads(cell)
    except ValueError:
        return None
    return found if isinstance(found, list) else None


def _place(cell: Any) -> tuple[str, float | None, float | None] | None:
    """A place's name, latitude and longitude; of a name alone, no coordinates."""
    if is_place(cell):
        cell = [cell.get("lat", cell.get("latitude")), cell.get("lon", cell.get("lng", cell.get("longitude")))]
    if isinstance(cell, str):
        if cells.missing(cell):
            return None
        match = re.fullmatch(r"\s*\(?\s*([+-]?\d+(?:\.\d+)?)°?\s*[,; ]\s*([+-]?\d+(?:\.\d+)?)°?\s*\)?\s*", cell)
        if match is None:
            return (cells.words(cell) or "", None, None)
        cell = [match[1], match[2]]
    if not isinstance(cell, list | tuple) or len(cell) != 2:
        raise Refused("a place: lat, lon, or its name")
    latitude, longitude = (cells.number(one, Conventions(frozenset("."))) for one in cell)
    if latitude is None or longitude is None or not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise Refused("a latitude from -90 to 90 and a longitude from -180 to 180")
    if (latitude, longitude) == (0, 0):
        raise Refused("where the place is (0, 0 lies in the sea)")
    return (f"{latitude:g}, {longitude:g}", float(latitude), float(longitude))


def _address(cell: Any, picture: bool) -> str | None:
    said = cells.words(cell)
    if said is None or cells.missing(said):
        return None
    if re.fullmatch(r"https?://[^\s<>\"']+", said) or (picture and re.fullmatch(r"[\w./-]+", said)):
        return said
    if re.fullmatch(r"(www\.)?[\w-]+(\.[\w-]+)+(/\S*)?", said):
        return f"https://{said}"
    raise Refused("an address that begins with http:// or https://")


class NoSource(Exception):
    """The files do not have what the specification names; the message says which."""


def tables_of(spec: CorpusSpec, sources: list[Source]) -> list[Table]:
    """Each table of the specification with its source. Raises NoSource."""
    return [_table(spec, table, sources) for table in spec.tables]


def _table(spec: CorpusSpec, table: TableSpec, sources: list[Source]) -> Table:
    wanted = table.file.rsplit("/", 1)[-1]
    parent = spec.table(table.parent) if table.parent else None
    part = table.sheet or table.table
    found = [source for source in sources if source.file == wanted and (not part or source.part == part)]
    if len(found) != 1:
        listed = "; ".join(map(str, sources)) or "none"
        said = "comes more than once" if found else "is not there"
        raise NoSource(f"table {table.name}: {wanted}{f' ({part})' if part else ''} {said}. The files have: {listed}")
    if parent is not None:
        return _nested(table, parent, found[0])
    headers = Counter(identifier(name) for name in found[0].columns)
    if twice := [name for name, times in headers.items() if times > 1]:
        raise NoSource(f"table {table.name}: {found[0]} has two columns that would both be called {twice[0]!r}")
    unlisted = [name for name in table.unlisted if name != table.title or name in headers]
    columns = [*table.columns, *(ColumnSpec(name=name, kind=ColumnKind.TEXT) for name in unlisted)]
    for column in columns:
        needed = column.columns or [column.source or column.name]
        if missing := [name for name in needed if identifier(name) not in headers]:
            raise NoSource(
                f"table {table.name}: {found[0]} has no column {missing[0]!r}; "
                f"it has {', '.join(found[0].columns)[:300]}"
            )
    return Table(table, found[0], columns)


def _nested(table: TableSpec, parent: TableSpec, source: Source) -> Table:
    """A list nested in the rows of its parent, whose key each of its rows gets."""
    if len(parent.keys) != 1:
        raise NoSource(f"table {table.name}: its parent {parent.name} needs one key column")
    key = next((link.column for link in table.links if link.table == parent.name), "")
    key = key or (f"{parent.name}_{parent.keys[0]}"[:40] if table.column(parent.keys[0]) else parent.keys[0])
    outer = parent.column(parent.keys[0]) or ColumnSpec(name=parent.keys[0], kind=ColumnKind.TEXT)
    columns = list(table.columns)
    if table.column(key) is None:
        columns.append(ColumnSpec(name=key, kind=outer.kind, description=f"The {parent.noun[0]} it belongs to"))
    return Table(table, source, columns, key, parent)
