"""What was recognised of files and what a curator made of it, as one document that a form can edit.

It has the form of a specification; each table and column also says whether it is used, and each column why it was taken
for what it is, with samples of its cells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError

from corpora.importing.drafting import Reason, draft
from corpora.importing.sources import Source
from corpora.importing.specification import (
    BadSpecification,
    ColumnSpec,
    CorpusSpec,
    TableSpec,
    identifier,
    what_is_wrong,
)
from corpora.loading.sources import Unreadable

Described = dict[str, Any]
ONLY_DESCRIBED = ("use", "reason", "samples")  # what a specification does not have


def describe(name: str, sources: list[Source], known: CorpusSpec | None, left_out: frozenset[str]) -> Described:
    """Return what the sources hold; where the corpus is known already, as it was described before.

    `left_out` names the tables ("TABLE") and columns ("TABLE.COLUMN") that were not used then. Raises Unreadable.
    """
    if not sources:
        raise Unreadable("The files hold no table: no header, no sheet, no object.")
    drafted, reasons = draft(name, sources)
    notes = [str(reason) for reason in reasons if not reason.column]
    tables = []
    for table in drafted.tables:
        before = _same(table, known)
        if before is not None:
            table, missing = _as_before(table, before)
            notes += [f"{table.name}: the column {one} is in no file any more, and would be dropped" for one in missing]
        tables.append(_table(table, reasons, left_out))
    first = known or drafted
    return {"noun": first.noun, "description": first.description, "notes": notes, "tables": tables}


def _table(table: TableSpec, reasons: Sequence[Reason], left_out: frozenset[str]) -> dict[str, Any]:
    why = {identifier(one.column): one for one in reasons if one.column and one.source in _names(table)}
    columns = []
    for column in table.columns:
        reason = why.get(identifier(column.source or column.name)) or _of_parts(column, why)
        columns.append(
            column.model_dump(mode="json")
            | {"use": f"{table.name}.{column.name}" not in left_out}
            | {"reason": reason.said.partition(", since ")[2], "samples": list(reason.samples)}
        )
    return table.model_dump(mode="json") | {"use": table.name not in left_out, "columns": columns}


def _names(table: TableSpec) -> tuple[str, str]:
    part = table.sheet or table.table
    return table.file, f"{table.file} ({part})"


def _of_parts(column: ColumnSpec, why: dict[str, Reason]) -> Reason:
    """Of a column made of two: their first samples together."""
    parts = [why[name] for name in map(identifier, column.columns or ()) if name in why]
    samples = [", ".join(pair) for pair in zip(*(one.samples for one in parts), strict=False)]
    return Reason("", ", since its cells are a latitude and a longitude", samples=tuple(samples) if parts else ())


def _same(table: TableSpec, known: CorpusSpec | None) -> TableSpec | None:
    """The table of the corpus that a drafted one is: of its name, or with most of its columns."""
    if known is None:
        return None
    if found := known.table(table.name):
        return found
    names = {one.name for one in table.columns}
    for other in known.tables:
        if bool(other.path) == bool(table.path):
            others = {identifier(one.source or one.name) for one in other.columns}
            if len(names & others) * 2 > len(names | others):
                return other
    return None


def _as_before(table: TableSpec, before: TableSpec) -> tuple[TableSpec, list[str]]:
    """A drafted table as it was described before, with the columns that are new; and those that are gone."""
    present = {column.name: column for column in table.columns}
    parts = {identifier(part) for column in table.columns for part in column.columns or ()}
    kept, gone, taken = [], [], set()
    for column in before.columns:
        needed = {identifier(name) for name in column.columns or [column.source or column.name]}
        if needed <= present.keys() | parts:
            kept.append(column)
            taken |= needed
        else:
            gone.append(column.name)
    for column in table.columns:
        if column.name not in taken and not {identifier(part) for part in column.columns or ()} & taken:
            kept.append(column)
    where = {name: getattr(table, name) for name in ("file", "sheet", "table", "path", "parent")}
    return before.model_copy(update={**where, "columns": kept}), gone


def left_out_of(described: Described) -> frozenset[str]:
    """Return the tables and columns that are not used, as `describe` wants them."""
    found = {table["name"] for table in described.get("tables", ()) if not table["use"]}
    for table in described.get("tables", ()):
        found |= {f"{table['name']}.{column['name']}" for column in table["columns"] if not column["use"]}
    return frozenset(found)


def specification(name: str, described: Described) -> CorpusSpec:
    """Return the specification of what is used. Raises BadSpecification."""
    used = {table["name"]: table for table in described["tables"] if table["use"]}
    tables = [_used(table, used) for table in used.values()]
    try:
        return CorpusSpec.model_validate(
            {"name": name, "noun": described["noun"], "description": described["description"], "tables": tables}
        )
    except ValidationError as error:
        raise BadSpecification("\n".join(what_is_wrong(error))) from error


def _used(table: dict[str, Any], tables: dict[str, dict[str, Any]]) -> dict[str, Any]:
    names = {column["name"] for column in table["columns"] if column["use"]}
    columns = [_plain(column) for column in table["columns"] if column["use"]]
    links = [link for link in table["links"] if link["table"] in tables and link["column"] in names]
    return _plain(table) | {"columns": columns, "links": links}


def _plain(part: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name not in ONLY_DESCRIBED}
