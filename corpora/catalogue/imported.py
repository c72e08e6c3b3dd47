"""What is known of imported corpora, drawn from the registry: each active version's specification as tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from agent.catalogue.tables import Catalogue, Column, ForeignKey, Geo, Kind, Table
from corpora.catalogue import catalogue
from corpora.importing.specification import ColumnKind, ColumnSpec, CorpusSpec, TableSpec
from corpora.models import CorpusVersion

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
    return _with_versions(active_versions())


def active_versions() -> tuple[int, ...]:
    """Return the keys of the versions of imported corpora that count now; one small query."""
    return tuple(CorpusVersion.objects.filter(active=True).order_by("corpus").values_list("pk", flat=True))


@lru_cache(maxsize=2)
def _with_versions(versions: tuple[int, ...]) -> Catalogue:
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
    columns += [
        Column(one["name"], Kind.FREE_TEXT, many=True, description=one["description"])
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
