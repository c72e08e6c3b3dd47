"""What a card shows of a row besides the values a query selected, read fresh from the corpora.

Where it shows what is the catalogue's to say (`corpora.catalogue.cards`): the same for every corpus.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import connection
from django.utils import timezone

from agent.catalogue.tables import Catalogue, Kind, Table
from corpora.catalogue import brought_parts
from corpora.catalogue.cards import Place, owner_of, parts_of
from corpora.catalogue.imported import catalogue_of, state_of_corpora, tables_said
from corpora.catalogue.said import TableSaid
from corpora.kept_pictures import kept
from hybridchat.chat.faces import Face, Row, Shown

Displays = Mapping[tuple[str, str], Mapping[str, Any]]


def displays(wanted: Iterable[tuple[str, str]]) -> Displays:
    """Return the display fields of entities by (table, key), without unknown tables and keys."""
    keys: dict[str, set[str]] = {}
    for table, key in wanted:
        keys.setdefault(table, set()).add(key)
    state = state_of_corpora()
    catalogue, said = catalogue_of(state), tables_said(state)
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    cards: dict[str, dict[str, dict[str, Any]]] = {}
    owners = {name: owner_of(table, catalogue) for name in keys if (table := catalogue.table(name)) and table.entity}
    for owner in {owner.name: owner for owner in owners.values()}.values():
        every = set().union(*(keys[name] for name, one in owners.items() if one is owner))
        cards[owner.name] = _cards(owner, said.get(owner.name, TableSaid()), every, catalogue)
    for name, owner in owners.items():
        table = catalogue.table(name)
        every_column = frozenset(column.name for column in table.columns if not column.hidden) if table else frozenset()
        for key in keys[name] & cards[owner.name].keys():
            found[name, key] = cards[owner.name][key] | {"every": every_column}
    return found


def _cards(table: Table, said: TableSaid, keys: set[str], catalogue: Catalogue) -> dict[str, dict[str, Any]]:
    told = {name: column.card for name, column in said.columns.items() if column.card}
    shown = Shown(table, parts_of(table, brought_parts(table.name), told), catalogue)
    rows = _rows(shown, keys)
    linked = {name: _linked(shown, name, keys) for name in {part.of for part in shown.parts if part.of}}
    pictures = [part.columns[0] for part in shown.parts if part.place is Place.PICTURE]
    here = kept(str(row[column]) for row in rows.values() for column in pictures if row[column])
    now = timezone.localtime()
    return {
        key: Face(shown, row, {name: found.get(key, []) for name, found in linked.items()}, here, now).fields()
        for key, row in rows.items()
    }


def _rows(shown: Shown, keys: set[str]) -> dict[str, Row]:
    """The rows by key, with what links need of them: where they are."""
    table, quote = shown.table, connection.ops.quote_name
    names = {name for part in shown.parts if not part.of for name in part.columns if table.column(name)}
    names |= {table.title or table.entity} | ({table.geo.latitude, table.geo.longitude} if table.geo else set())
    listed = ", ".join(map(quote, sorted(names)))
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {quote(table.entity)}::text, {listed} FROM kb.{quote(table.name)} "
            f"WHERE {quote(table.entity)}::text = ANY(%s)",
            [list(keys)],
        )
        rows = {row[0]: dict(zip(sorted(names), row[1:], strict=True)) for row in cursor.fetchall()}
    weeks = names & {column.name for column in table.columns if column.kind is Kind.OPENING_HOURS}
    return {key: row | {name: json.loads(row[name]) for name in weeks if row[name]} for key, row in rows.items()}


def _linked(shown: Shown, name: str, keys: set[str]) -> dict[str, list[Row]]:
    """The rows of a linked table, by the key of the row they belong to."""
    table, quote = shown.table, connection.ops.quote_name
    other = shown.catalogue.table(name)
    link = next((one for one in shown.catalogue.foreign_keys if (one.table, one.target) == (name, table.name)), None)
    if other is None or link is None:
        return {}
    names = list(dict.fromkeys(n for part in shown.parts if part.of == name for n in part.columns if other.column(n)))
    found: dict[str, list[Row]] = {}
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT a.{quote(table.entity)}::text, {', '.join(f'b.{quote(one)}' for one in names)} "
            f"FROM kb.{quote(table.name)} a JOIN kb.{quote(name)} b "
            f"ON b.{quote(link.column)} = a.{quote(link.target_column)} "
            f"WHERE a.{quote(table.entity)}::text = ANY(%s) "
            f"ORDER BY {', '.join(f'b.{quote(one)}' for one in other.key) or '1'}",
            [list(keys)],
        )
        for key, *values in cursor.fetchall():
            found.setdefault(key, []).append(dict(zip(names, values, strict=True)))
    return found
