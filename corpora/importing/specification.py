"""What a curator tells of a corpus (`corpus.json`): its tables, columns and links. `--draft` proposes one."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

LONGEST_NAME = 40  # characters; PostgreSQL cuts names at 63, and a version and a corpus come before them


MOST_COLUMNS = 400  # of a table; a row of PostgreSQL holds no more texts for certain


class ColumnKind(StrEnum):
    """What the cells of a column mean."""

    TEXT = "TEXT"
    NUMBER = "NUMBER"
    BOOLEAN = "BOOLEAN"
    DATE = "DATE"
    TIME = "TIME"
    ENUM = "ENUM"
    ENUMS = "ENUM[]"
    FREE_TEXT = "FREE_TEXT"
    FREE_TEXTS = "FREE_TEXT[]"
    LOCATION = "LOCATION"
    OPENING_HOURS = "OPENING_HOURS"
    IMAGE = "IMAGE"
    LINK = "LINK"


KEY_KINDS = (ColumnKind.TEXT, ColumnKind.NUMBER, ColumnKind.ENUM, ColumnKind.DATE, ColumnKind.TIME, ColumnKind.LINK)


def identifier(name: str) -> str:
    """A name as the database and queries use it: "Home Port (2024)" is home_port_2024."""
    plain = re.sub(r"\W+", "_", name.strip().casefold()).strip("_")[:LONGEST_NAME]
    return f"c_{plain}" if not plain or plain[0].isdigit() else plain


def _identifier(name: str) -> str:
    if name != identifier(name):
        raise ValueError(f"should be a name such as {identifier(name)!r}: lower-case letters, digits and _")
    return name


Name = Annotated[str, AfterValidator(_identifier)]
Noun = Annotated[list[str], Field(min_length=2, max_length=2)]


class Part(BaseModel):
    """Base: a field that is not of the form is an error, not left unread."""

    model_config = ConfigDict(extra="forbid")


class ColumnSpec(Part):
    """One column. `columns` are the two that a LOCATION is made of; `order` settles dates such as 03/04/2024."""

    name: Name
    kind: ColumnKind
    description: str = ""
    unit: str = ""
    synonyms: list[str] = []
    columns: Annotated[list[str], Field(min_length=2, max_length=2)] | None = None
    order: Literal["DMY", "MDY"] | None = None
    source: str = ""  # the column of the file, where it is called otherwise


class LinkSpec(Part):
    """`column` holds what `table.target` holds."""

    column: Name
    table: Name
    target: Name


class TableSpec(Part):
    """One table, and where its rows are. `path` and `parent` name a list nested in the rows of another table."""

    name: Name
    file: str
    sheet: str = ""
    table: str = ""
    path: str = ""
    parent: str = ""
    database: str = ""
    key: str | list[str] | None = None
    title: str = ""
    noun: Noun = ["row", "rows"]
    description: str = ""
    columns: Annotated[list[ColumnSpec], Field(min_length=1, max_length=MOST_COLUMNS)]
    links: list[LinkSpec] = []

    @property
    def keys(self) -> list[str]:
        """The columns that tell rows apart; none where there is no key."""
        return [self.key] if isinstance(self.key, str) else list(self.key or ())

    def column(self, name: str) -> ColumnSpec | None:
        """The column of that name, or None."""
        return next((column for column in self.columns if column.name == name), None)

    @property
    def unlisted(self) -> list[str]:
        """Columns that the key, the title and the links name and that are not described: they are TEXT."""
        named = [*self.keys, *filter(None, [self.title]), *(link.column for link in self.links)]
        return [name for name in dict.fromkeys(named) if self.column(name) is None]

    @model_validator(mode="after")
    def _fits(self) -> TableSpec:
        names = [column.name for column in self.columns]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"table {self.name}: column {twice[0]!r} is listed twice")
        for column in filter(None, map(self.column, self.keys)):
            if column.kind not in KEY_KINDS:
                raise ValueError(f"table {self.name}: {column.name} is the key, and {column.kind.value} cannot be one")
        if bool(self.path) != bool(self.parent):
            raise ValueError(f"table {self.name}: path and parent go together")
        return self


class CorpusSpec(Part):
    """A corpus."""

    name: Name
    noun: Noun = ["row", "rows"]
    description: str = ""
    tables: Annotated[list[TableSpec], Field(min_length=1)]

    def table(self, name: str) -> TableSpec | None:
        """The table of that name, or None."""
        return next((table for table in self.tables if table.name == name), None)

    @model_validator(mode="after")
    def _fits(self) -> CorpusSpec:
        names = [table.name for table in self.tables]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"table {twice[0]!r} is listed twice")
        for table in self.tables:
            if table.parent and (table.parent not in names or table.parent == table.name):
                raise ValueError(f"table {table.name}: there is no parent table {table.parent!r}")
            for link in table.links:
                target = self.table(link.table)
                if target is None or link.target not in (*target.unlisted, *(one.name for one in target.columns)):
                    raise ValueError(f"table {table.name}: a link leads to {link.table}.{link.target}, which is none")
        return self


class BadSpecification(Exception):
    """The message names each place that is wrong, and why."""


def read_specification(path: Path) -> CorpusSpec:
    """The specification in a file. Raises BadSpecification."""
    try:
        return CorpusSpec.model_validate_json(path.read_bytes())
    except OSError as error:
        raise BadSpecification(f"{path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        raise BadSpecification(f"{path}:\n" + "\n".join(f"  {line}" for line in what_is_wrong(error))) from error


def what_is_wrong(error: ValidationError) -> list[str]:
    """Return each place of a specification that is wrong, and why."""
    return [f"{'.'.join(map(str, one['loc'])) or 'corpus'}: {one['msg']}" for one in error.errors()]
