"""Execution accuracy: whether a query finds the rows that a gold query finds (Yu et al. 2018, section 5).

Rows are compared as multisets, in their order where the gold query orders them. Values are compared by what they say:
an import reads `Y` as yes, `2018-03-01 00:00:00` as a date and an empty text as nothing, and all still equal what the
gold query returns.
"""

from __future__ import annotations

import re
import sqlite3
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from datetime import date, datetime
from datetime import time as clock_time
from decimal import Decimal
from pathlib import Path
from typing import Any

import sqlglot
from dateutil import parser as dates
from sqlglot import exp

GOLD_SECONDS = 30.0
LEVELS = ("easy", "medium", "hard", "extra")
_NUMBER = re.compile(r"[+-]?\d{1,15}(?:\.\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_YES, _NO = {"y", "yes", "t", "true", "1"}, {"n", "no", "f", "false", "0"}
_STEPS = 10_000  # of SQLite's machine between two looks at the clock

Rows = list[tuple[Any, ...]]


class GoldFailed(Exception):
    """The gold query itself cannot be run."""


def gold_rows(database: Path, query: str) -> Rows:
    """Return what the gold query finds in a SQLite file. Raises GoldFailed."""
    ends = time.monotonic() + GOLD_SECONDS
    with closing(sqlite3.connect(f"{database.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode(errors="replace")
        connection.set_progress_handler(lambda: time.monotonic() > ends, _STEPS)
        try:
            return connection.execute(query).fetchall()
        except sqlite3.Error as error:
            raise GoldFailed(str(error)) from error


def same_rows(found: Sequence[Sequence[Any]], gold: Sequence[Sequence[Any]], *, ordered: bool) -> bool:
    """Return whether two results say the same, column by column."""
    if len(found) != len(gold):
        return False
    if not gold:
        return True
    if len(found[0]) != len(gold[0]):
        return False
    kinds = [_kind(column) for column in zip(*found, strict=True)]
    ours = [tuple(_plain(value, kind) for value, kind in zip(row, kinds, strict=True)) for row in found]
    theirs = [tuple(_plain(value, kind) for value, kind in zip(row, kinds, strict=True)) for row in gold]
    return ours == theirs if ordered else Counter(ours) == Counter(theirs)


def is_ordered(query: str) -> bool:
    """Return whether the outermost query orders its rows."""
    return bool(_parsed(query).args.get("order"))


def hardness(query: str) -> str:
    """Return one of LEVELS, by Spider's rules: how many clauses, nestings and repeated parts a query has."""
    tree = _parsed(query)
    select = tree if isinstance(tree, exp.Select) else tree.find(exp.Select)
    if select is None:
        return "extra"
    conditions = _conditions(select)
    clauses = sum(bool(select.args.get(part)) for part in ("where", "group", "order", "limit"))
    clauses += len(select.args.get("joins") or ()) + sum(isinstance(one, exp.Or) for one in conditions)
    clauses += sum(isinstance(one, exp.Like) for one in conditions)
    nested = isinstance(tree, exp.SetOperation) + sum(1 for one in select.find_all(exp.Select) if one is not select)
    compared = [one for one in conditions if isinstance(one, exp.Predicate | exp.In | exp.Between)]
    group = select.args.get("group")
    others = (len([one for one in select.find_all(exp.AggFunc) if one.find_ancestor(exp.Select) is select]) > 1) + (
        len(select.expressions) > 1
    )
    others += (len(compared) > 1) + (group is not None and len(group.expressions) > 1)
    if clauses <= 1 and not others and not nested:
        return "easy"
    if not nested and ((others <= 2 and clauses <= 1) or (clauses <= 2 and others < 2)):
        return "medium"
    if (
        (others > 2 and clauses <= 2 and not nested)
        or (2 < clauses <= 3 and others <= 2 and not nested)
        or (clauses <= 1 and not others and nested <= 1)
    ):
        return "hard"
    return "extra"


def _parsed(query: str) -> exp.Expression:
    try:
        return sqlglot.parse_one(query.rstrip("; \n"), read="sqlite")
    except sqlglot.errors.ParseError as error:
        raise GoldFailed(str(error)) from error


def _conditions(select: exp.Select) -> list[exp.Expression]:
    where = select.args.get("where")
    return [one for one in where.walk() if one.find_ancestor(exp.Select) is select] if where is not None else []


def _kind(column: Sequence[Any]) -> type | None:
    """What a column of ours holds that the gold query may spell otherwise."""
    known = [value for value in column if value is not None]
    if known and all(isinstance(value, str) and _DATE.fullmatch(value) for value in known):
        return date
    kinds = {type(value) for value in known}
    return next((kind for kind in (bool, datetime, date, clock_time) if kinds == {kind}), None)


def _plain(value: Any, kind: type | None) -> Any:
    if isinstance(value, bytes):
        value = value.decode(errors="replace")
    if kind is bool:
        said = str(value).strip().lower()
        return True if said in _YES else False if said in _NO else said
    if kind in (date, datetime, clock_time) and value is not None:
        return _moment(value, kind)
    if isinstance(value, list | tuple):
        return tuple(_plain(one, None) for one in value)
    if isinstance(value, str):
        text = " ".join(value.split())
        if not text:
            return None
        return round(float(text), 4) if _NUMBER.fullmatch(text) else text.lower()
    if isinstance(value, bool | int | float | Decimal):
        return round(float(value), 4)
    return value if value is None else str(value).lower()


def _moment(value: Any, kind: type | None) -> Any:
    if isinstance(value, str):
        try:
            value = dates.parse(value, default=datetime(2000, 1, 1))
        except (ValueError, OverflowError):
            return value.lower()
    if isinstance(value, datetime) and kind is not datetime:
        return value.date() if kind is date else value.time()
    return value
