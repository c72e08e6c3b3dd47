"""What curators say of the tables of a corpus, over what the corpus came with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from agent.catalogue.tables import Column, Kind, Table
from corpora.catalogue.cards import Place

Words = list[str]


class Said(BaseModel):
    """Base: what is None was not said, and stays as the corpus came."""

    model_config = ConfigDict(extra="forbid")


class ColumnSaid(Said):
    """Of a column. `values` are other words for its values, `low` and `high` those for the ends of its scale."""

    description: str | None = None
    synonyms: Words | None = None
    unit: str | None = None
    kind: Kind | None = None
    values: dict[str, Words] | None = None
    low: Words | None = None
    high: Words | None = None
    card: Place | None = None


class TableSaid(Said):
    """Of a table. `order` names the column that rows are ordered by unasked, with a minus for the highest first."""

    description: str | None = None
    noun: Annotated[list[str], Field(min_length=2, max_length=2)] | None = None
    synonyms: Words | None = None
    title: str | None = None
    order: str | None = None
    columns: dict[str, ColumnSaid] = {}


class CorpusSaid(Said):
    """Of a corpus. `examples` are questions to begin with, `welcome` stands above them."""

    welcome: str | None = None
    examples: Words | None = None
    tables: dict[str, TableSaid] = {}


def as_said(table: Table, said: TableSaid) -> Table:
    """Return the table as its curators describe it; what is said of columns that are gone is left aside."""
    columns = tuple(
        _column(column, said.columns[column.name]) if column.name in said.columns else column
        for column in table.columns
    )
    changes: dict[str, Any] = {"columns": columns}
    if said.description is not None:
        changes["description"] = said.description
    if said.noun is not None:
        changes["noun"] = (said.noun[0], said.noun[1])
    if said.synonyms is not None:
        changes["synonyms"] = tuple(said.synonyms)
    if said.title and table.column(said.title):
        changes["title"] = said.title
    if said.order is not None and (not said.order or table.column(said.order.lstrip("-"))):
        changes["order"] = order_by(said.order)
    return replace(table, **changes)


def order_by(order: str) -> str:
    """Return an order as SQL: "-rating" is rating DESC NULLS LAST."""
    name = order.removeprefix("-")
    return f"{name} {'DESC NULLS LAST' if order.startswith('-') else 'ASC'}" if name else ""


def _column(column: Column, said: ColumnSaid) -> Column:
    changes: dict[str, Any] = {}
    for name in ("description", "unit", "kind"):
        if (value := getattr(said, name)) is not None:
            changes[name] = value
    for name, field in (("synonyms", "synonyms"), ("low", "low_words"), ("high", "high_words")):
        if (words := getattr(said, name)) is not None:
            changes[field] = tuple(words)
    if said.values is not None:
        changes["value_words"] = tuple((value, tuple(words)) for value, words in said.values.items())
    return replace(column, **changes)


def difference(base: Mapping[str, Any], told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is told and differs from what there is anyway."""
    return {name: value for name, value in told.items() if value != base.get(name)}
