"""What is known of imported corpora, drawn from the registry: each active version's specification as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Geo, Kind, Table
from corpora.catalogue import catalogue
from corpora.catalogue.said import CorpusSaid, TableSaid, as_said
from corpora.importing.specification import ColumnKind, ColumnSpec, CorpusSpec, TableSpec
from corpora.models import CorpusDescription, CorpusVersion

ROW_NUMBER = "row_number"  # tells rows apart where no single column does

KINDS = {
    ColumnKind.ENUMS: (Kind.ENUM, True),
    ColumnKind.FREE_TEXTS: (Kind.FREE_TEXT, True),
    ColumnKind.LINK: (Kind.TEXT, False),
}


def whole_catalogue() -> Catalogue:
    """Return all tables a query may see: of the samples, and of the imported corpora as they are now.

    Costs one small query where nothing has changed, so that a new corpus counts at once in every process. Not for the
    thread of an event loop.
    """
    return catalogue_of(state_of_corpora())


class State(NamedTuple):
    """Which versions count: of the rows of imported corpora, and of what curators say of any corpus."""

    versions: tuple[int, ...]
    descriptions: tuple[int, ...]


def state_of_corpora() -> State:
    """Return the keys of the versions that count now; two small queries."""
    of_rows, of_words = (
        tuple(model._default_manager.filter(active=True).order_by("corpus").values_list("pk", flat=True))
        for model in (CorpusVersion, CorpusDescription)
    )
    return State(of_rows, of_words)


@lru_cache(maxsize=2)
def catalogue_of(state: State) -> Catalogue:
    """Return the catalogue in a state of the corpora."""
    tables = as_they_came(state.versions)
    said = tables_said(state)
    return replace(tables, tables=tuple(as_said(one, said[one.name]) if one.name in said else one for one in tables))


def said_of(corpus: str) -> CorpusSaid:
    """Return what curators say of a corpus now."""
    found = CorpusDescription.objects.filter(corpus=corpus, active=True).first()
    return CorpusSaid.model_validate(found.document) if found else CorpusSaid()


def tables_said(state: State) -> dict[str, TableSaid]:
    """Return what curators say of tables in a state of the corpora, by the table's name."""
    said = _descriptions(state.descriptions).values()
    return {name: table for one in said for name, table in one.tables.items()}


@lru_cache(maxsize=2)
def _descriptions(keys: tuple[int, ...]) -> dict[str, CorpusSaid]:
    return {
        one.corpus: CorpusSaid.model_validate(one.document) for one in CorpusDescription.objects.filter(pk__in=keys)
    }


@lru_cache(maxsize=2)
def as_they_came(versions: tuple[int, ...]) -> Catalogue:
    """Return the catalogue as the samples and the imports define it, without what curators say."""
    samples = catalogue()
    tables, links = list(samples.tables), list(samples.foreign_keys)
    for version in CorpusVersion.objects.filter(pk__in=versions).order_by("corpus"):
        spec = CorpusSpec.model_validate(version.specification)
        tables += [catalogue_table(table, version.stored[table.name]) for table in spec.tables]
        links += foreign_keys(spec, version.stored)
    return Catalogue(tuple(tables), tuple(links), samples.schema, samples.passages)


def catalogue_table(table: TableSpec, stored: Mapping[str, Any]) -> Table:
    """One table as the engine knows it."""
    specs = [*table.columns, *(ColumnSpec.model_validate(column) for column in stored["added"])]
    place, week = (first(specs, kind) for kind in (ColumnKind.LOCATION, ColumnKind.OPENING_HOURS))
    columns = [_column(column, column.name in stored["integers"], column in (place, week)) for column in specs]
    if place:
        columns += [
            Column(f"{place.name}_{end}", Kind.NUMBER, unit="degrees", hidden=True, description=end.capitalize())
            for end in ("latitude", "longitude")
        ]
    if week:
        columns.append(Column(f"{week.name}_minutes", Kind.TEXT, hidden=True, description="Open minutes of the week"))
    own = first(specs, ColumnKind.FREE_TEXT)
    columns += [
        Column(one["name"], Kind.FREE_TEXT, many=True, description=one["description"], along=own.name if own else "")
        for one in stored.get("gathered", ())
    ]
    if stored["numbered"]:
        columns.append(Column(ROW_NUMBER, Kind.NUMBER, integer=True, hidden=True, description="Number of the row"))
    title = next((column for column in specs if column.name == table.title), None)
    return Table(
        name=stored["view"],
        columns=tuple(columns),
        key=(ROW_NUMBER,) if stored["numbered"] else (table.keys[0],),
        entity="" if stored["numbered"] else table.keys[0],
        title=title.name if title and title.kind in (ColumnKind.TEXT, ColumnKind.ENUM) else "",
        noun=(table.noun[0], table.noun[1]),
        description=table.description,
        geo=Geo(f"{place.name}_latitude", f"{place.name}_longitude", ()) if place else None,
        hours=f"{week.name}_minutes" if week else "",
    )


def first(columns: list[ColumnSpec], kind: ColumnKind) -> ColumnSpec | None:
    """Return the first column of a kind: the engine resolves places and hours of one column a table."""
    return next((column for column in columns if column.kind is kind), None)


def _column(column: ColumnSpec, integer: bool, resolved: bool) -> Column:
    kind, many = KINDS.get(column.kind) or (Kind(column.kind.value), False)
    if kind in (Kind.LOCATION, Kind.OPENING_HOURS) and not resolved:
        kind = Kind.TEXT
    return Column(
        column.name,
        kind,
        many=many,
        description=column.description,
        synonyms=tuple(column.synonyms),
        unit=column.unit,
        integer=integer,
    )


def foreign_keys(spec: CorpusSpec, stored: Mapping[str, Any]) -> list[ForeignKey]:
    """Return the links between the tables, those of nested lists to their parents included."""
    found = []
    for table in spec.tables:
        links = [(link.column, link.table, link.target) for link in table.links]
        if parent := spec.table(table.parent):
            links.append((stored[table.name]["parent_key"], parent.name, parent.keys[0]))
        for column, target, target_column in dict.fromkeys(links):
            found.append(ForeignKey(stored[table.name]["view"], column, stored[target]["view"], target_column))
    return found
