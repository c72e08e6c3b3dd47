"""A proposed specification: the kind of each column with its reason, keys, titles, and links between tables."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from corpora.importing import cells
from corpora.importing.cells import Refused, conventions
from corpora.importing.hours import hours
from corpora.importing.objects import is_place, is_week
from corpora.importing.source import Misread, Source, printable
from corpora.importing.specification import (
    MOST_COLUMNS,
    ColumnKind,
    ColumnSpec,
    CorpusSpec,
    LinkSpec,
    TableSpec,
    identifier,
)

LOOKED_AT = 5000  # rows
SURE = 0.9  # of the cells that are filled must be of a kind; the rest will be refused, one by one
PROSE = 60  # characters on average; what is longer is read rather than compared
SENTENCE = 3  # spaces, at least, of a cell that is a sentence
MOST_UNITS = 2  # around the numbers of a column: where more words stand there, they tell things apart ("Gate 3")
FEW = 50  # values, at most, of a vocabulary
SAMPLES = 3


@dataclass(slots=True)
class Seen:
    """One column of a source: its filled cells, as far as they were looked at."""

    name: str
    filled: list[Any] = field(default_factory=list)
    rows: int = 0

    def share(self, read: Callable[[Any], Any]) -> float:
        """How many of the filled cells can be read so, from 0 to 1."""
        return sum(_reads(read, cell) for cell in self.filled) / len(self.filled) if self.filled else 0.0

    @property
    def texts(self) -> list[str]:
        """The cells as text."""
        return [str(cell).strip() for cell in self.filled]


def _reads(read: Callable[[Any], Any], cell: Any) -> bool:
    try:
        return read(cell) is not None
    except Refused:
        return False


@dataclass(frozen=True, slots=True)
class Reason:
    """Why something was recognised as what it is: a column of a table, or, without a column, the source itself."""

    source: str
    said: str
    table: str = ""
    column: str = ""
    samples: tuple[str, ...] = ()

    def __str__(self) -> str:
        samples = f" ({'; '.join(self.samples)})" if self.samples else ""
        return f"{self.source}{', ' if self.column else ''}{self.column}: {self.said}{samples}"


def draft(name: str, sources: list[Source]) -> tuple[CorpusSpec, list[Reason]]:
    """The specification, and the reason for each kind."""
    reasons: list[Reason] = []
    tables: list[TableSpec] = []
    seen: dict[str, list[Seen]] = {}
    of: dict[str, Source] = {}
    for source in sources:
        reasons += [Reason(str(source), note) for note in source.notes]
        table = identifier(source.called or source.part or Path(source.file).stem)
        if any(table == other.name for other in tables):
            table = identifier(f"{Path(source.file).stem}_{source.part}")
        seen[table], nested = _look(source)
        of[table] = source
        tables.append(_table(table, source, seen[table], reasons))
        for path, columns in nested.items():
            child = _table(identifier(path), source, columns, reasons)
            outer = tables[-1] if not tables[-1].parent else next(one for one in tables if one.name == table)
            if len(outer.keys) == 1:
                tables.append(child.model_copy(update={"path": path, "parent": table, "key": None}))
    _link_as_declared(tables, sources)
    _link(tables, seen, of)
    _match_kinds(tables)
    noun = tables[0].noun if tables else ["row", "rows"]
    return CorpusSpec(name=identifier(name), noun=noun, tables=tables), reasons


def _look(source: Source) -> tuple[list[Seen], dict[str, list[Seen]]]:
    """The columns of the first rows, and those of lists of objects nested in them, by the list's name."""
    columns = {name: Seen(name) for name in source.columns}
    nested: dict[str, dict[str, Seen]] = {}
    for _, row in islice(source.rows(), LOOKED_AT):
        for name, cell in () if isinstance(row, Misread) else row.items():
            if isinstance(cell, list) and any(isinstance(item, dict) for item in cell):
                inside = nested.setdefault(name, {})
                for key, value in ((k, v) for item in cell if isinstance(item, dict) for k, v in item.items()):
                    _note(inside.setdefault(key, Seen(key)), value)
            elif name in columns:
                _note(columns[name], cell)
    own = [column for name, column in columns.items() if name not in nested]
    return own, {name: list(inside.values()) for name, inside in nested.items()}


def _note(column: Seen, cell: Any) -> None:
    column.rows += 1
    if not cells.missing(cell) and cell != []:
        column.filled.append(cell)


def _table(name: str, source: Source, columns: list[Seen], reasons: list[Reason]) -> TableSpec:
    specs = []
    if len(columns) > MOST_COLUMNS:
        said = f"{len(columns):,} columns, and {MOST_COLUMNS} at most are imported: the first are proposed"
        reasons.append(Reason(str(source), said))
    for column in columns[:MOST_COLUMNS]:
        kind, reason = recognise(column)
        if column.name in source.kinds and kind is not source.kinds[column.name]:
            kind, reason = source.kinds[column.name], "its source says so"
        samples = tuple(printable(_shown(cell)[:40]) for cell in column.filled[:SAMPLES])
        said = f"{kind.value}, since {reason}"
        reasons.append(Reason(str(source), said, name, column.name, samples))
        specs.append(ColumnSpec(name=identifier(column.name), kind=kind, description=column.name))
    specs = _with_place(specs)
    key = _declared_key(source, columns) or next((identifier(one.name) for one in columns if _is_key(one)), None)
    names = [spec for spec in specs if spec.kind is ColumnKind.TEXT and spec.name != key]
    alone = key if isinstance(key, str) else ""
    called = (one.name for one in names if re.search(r"name|title|question", one.name))
    title = next(called, names[0].name if names else alone)
    word = name.replace("_", " ")
    is_sheet = source.file.lower().endswith((".xlsx", ".xlsm"))
    return TableSpec(
        name=name, file=source.file, sheet=source.part if is_sheet else "", table="" if is_sheet else source.part,
        key=key, title=title, noun=[_singular(word), word], description=source.description, columns=specs,
    )  # fmt: skip


def _shown(cell: Any) -> str:
    """A cell as a curator would write it."""
    parts = cell.values() if is_place(cell) else cell if isinstance(cell, list) else [cell]
    return ", ".join(map(str, parts)).strip()


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return word[:-3] + "y"
    if re.search(r"(ss|x|ch|sh)es$", word):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _declared_key(source: Source, columns: list[Seen]) -> str | list[str] | None:
    """The key that a database declares, if its rows keep to it."""
    if len(source.keys) == 1:
        column = next((one for one in columns if one.name == source.keys[0]), None)
        kept = column is not None and len(set(column.texts)) == len(column.texts) == column.rows > 0
        return identifier(source.keys[0]) if kept else None
    return [identifier(name) for name in source.keys] or None


def _is_key(column: Seen) -> bool:
    """A column of short, different values in every row that is called a key, or begins the table."""
    texts = column.texts
    if not texts or len(texts) < column.rows or len(set(texts)) < len(texts) or max(map(len, texts)) > PROSE:
        return False
    return bool(re.search(r"(^|[\W_])(id|code|key|slug|no|nr|number|isbn|sku)$", column.name.casefold()))


def _with_place(columns: list[ColumnSpec]) -> list[ColumnSpec]:
    """A latitude and a longitude become one place."""
    ends = {}
    for column in columns:
        if column.kind is ColumnKind.NUMBER and (match := re.fullmatch(r"(lat|lon|lng|long)(itude)?", column.name)):
            ends["lat" if match[1] == "lat" else "lon"] = column.name
    if len(ends) < 2 or any(column.name == "location" for column in columns):
        return columns
    place = ColumnSpec(
        name="location", kind=ColumnKind.LOCATION, description="Where it is", columns=[ends["lat"], ends["lon"]]
    )
    return [column for column in columns if column.name not in ends.values()] + [place]


def recognise(column: Seen) -> tuple[ColumnKind, str]:
    """The kind that fits nearly all filled cells, and why."""
    if not column.filled:
        return ColumnKind.TEXT, "no cell is filled"
    first = column.filled[0]
    if isinstance(first, list):
        texts = [str(item) for cell in column.filled if isinstance(cell, list) for item in cell]
        long = sum(map(len, texts)) > PROSE * len(texts)
        return (ColumnKind.FREE_TEXTS, "its cells list prose") if long else (ColumnKind.ENUMS, "its cells are lists")
    if is_place(first):
        return ColumnKind.LOCATION, "its cells are a latitude and a longitude"
    if is_week(first):
        return ColumnKind.OPENING_HOURS, "its cells name days of the week"
    return _recognise_text(column)


def _recognise_text(column: Seen) -> tuple[ColumnKind, str]:
    texts = column.texts
    known = conventions(column.filled)
    different = {text.casefold() for text in texts}
    if column.share(_url) >= SURE:
        pictures = sum(bool(re.search(r"(?i)\.(png|jpe?g|gif|webp|svg)(\?|$)", text)) for text in texts)
        if pictures >= SURE * len(texts):
            return ColumnKind.IMAGE, "its cells are addresses of pictures"
        return ColumnKind.LINK, "its cells are addresses"
    if sum(bool(re.fullmatch(r"-?\d{1,2}\.\d+\s*,\s*-?\d{1,3}\.\d+", text)) for text in texts) >= SURE * len(texts):
        return ColumnKind.LOCATION, "its cells are a latitude and a longitude"
    if len(different) <= 4 and different <= cells.YES | cells.NO and not different <= {"0", "1"}:
        return ColumnKind.BOOLEAN, "its cells say yes or no"
    if column.share(lambda cell: cells.date(cell, cells.Conventions(orders=frozenset(("DMY",))))) >= SURE:
        return ColumnKind.DATE, "its cells are dates"
    if column.share(_clock) >= SURE:
        return ColumnKind.TIME, "its cells are times of day"
    codes = sum(bool(re.fullmatch(r"0\d+|\+\d[\d ()-]+|[A-Za-z]+[-_]?\d[\w-]*", text)) for text in texts)
    numbers = column.share(lambda cell: cells.number(cell, known))
    units = {cells.words_around(text) for text in texts} - {""}
    if numbers >= SURE and not codes and max(map(len, texts)) < 30 and len(units) <= MOST_UNITS:
        return ColumnKind.NUMBER, f"{numbers:.0%} of its cells are numbers"
    if column.share(hours) >= 0.5 and any(re.search(r"(?i)mon|daily|fri", text) for text in texts):
        return ColumnKind.OPENING_HOURS, "its cells name days and times"
    sentences = sum(text.count(" ") >= SENTENCE and text.rstrip("\"')”’")[-1:] in (*".!…",) for text in texts)
    if sum(map(len, texts)) > PROSE * len(texts) or sentences > len(texts) / 2:
        return ColumnKind.FREE_TEXT, "its cells are prose"
    if sum("@" in text and " " in text for text in texts) > len(texts) / 2:
        return ColumnKind.TEXT, "its cells tell how somebody is reached"
    listed = sum(bool(re.search(r"[;|]", text)) for text in texts)
    if listed > 0.2 * len(texts) or (sum("," in text for text in texts) > 0.3 * len(texts) and _repeats(texts)):
        return ColumnKind.ENUMS, "its cells list values that come again"
    if len(different) <= FEW and len(different) <= len(texts) / 2:
        return ColumnKind.ENUM, f"it has {len(different)} different values in {len(texts)} cells"
    return ColumnKind.TEXT, "its cells are short and mostly different"


def _repeats(texts: list[str]) -> bool:
    parts = [part.strip().casefold() for text in texts for part in text.split(",")]
    return len(set(parts)) <= len(parts) / 2


def _clock(cell: Any) -> Any:
    """A time of day that is no number: 9.50 is a price."""
    return None if isinstance(cell, str) and re.fullmatch(r"[\d.\s]+", cell) else cells.time(cell)


def _url(cell: Any) -> str | None:
    return str(cell) if re.fullmatch(r"(https?://|www\.)[^\s]+", str(cell).strip()) else None


def _link_as_declared(tables: list[TableSpec], sources: list[Source]) -> None:
    """The links that a database declares between its tables."""
    of = {(source.file, source.part): source for source in sources if source.links}
    for table in tables:
        source = of.get((table.file, table.table))
        for column, other, target in source.links if source else ():
            found = next((one for one in tables if one.file == table.file and one.table.lower() == other.lower()), None)
            link = LinkSpec(column=identifier(column), table=found.name, target=identifier(target)) if found else None
            if link and table.column(link.column) and found and found.column(link.target) and link not in table.links:
                table.links.append(link)


def _match_kinds(tables: list[TableSpec]) -> None:
    """A column that refers to another is of its kind: a number beside a text would equal nothing."""
    named = {table.name: table for table in tables}
    for table in tables:
        for link in table.links:
            own, other = table.column(link.column), named[link.table].column(link.target)
            if own and other and own.kind is not other.kind:
                own.kind = other.kind = ColumnKind.TEXT


def _link(tables: list[TableSpec], seen: dict[str, list[Seen]], sources: dict[str, Source]) -> None:
    """A column whose values are all keys of another table, and that is called after it, leads there."""
    for place, target in enumerate(tables):
        if len(target.keys) != 1 or target.parent:
            continue
        (key,) = target.keys
        named = {target.name, identifier(target.noun[0])}
        for other, table in enumerate(tables):
            for column in seen.get(table.name, ()) if table is not target and not table.parent else ():
                name = identifier(column.name)
                plain = re.sub(r"_?(id|code|key|no)$", "", name)
                if any(link.column == name for link in table.links):
                    continue
                if [name] == table.keys and not (plain in named and name == key and other > place):
                    continue  # its own key leads to another table only where it is called after that one
                called = {name, plain} & {*named, key}
                if called and column.filled and _are_keys(column, sources[target.name], key):
                    table.links.append(LinkSpec(column=name, table=target.name, target=key))


def _are_keys(column: Seen, target: Source, key: str) -> bool:
    """Whether all values of a column that were looked at are keys of a table, wherever in it they stand."""
    wanted = set(column.texts)
    for _, row in target.rows():
        if not isinstance(row, Misread):
            wanted -= {str(cell).strip() for name, cell in row.items() if identifier(name) == key}
        if not wanted:
            return True
    return False
