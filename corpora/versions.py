"""Which state of the corpora a question is answered from, as short names that can be compared."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from typing import Any

from django.db import connection
from psycopg import sql

from corpora.catalogue import catalogue
from corpora.models import (
    Article,
    CorpusVersion,
    Course,
    FewShotPair,
    Offering,
    Place,
    Program,
    Rating,
    Restaurant,
    Review,
    WorksheetEdition,
)

SAMPLED = (Restaurant, Review, Course, Offering, Rating, Program, Article, Place)
FEW_SHOT = ("corpus", "message", "suql", "presentation")
DIGITS = 16


def corpus_versions() -> dict[str, str]:
    """The version of each corpus: the number of an imported one, a hash of what the rows of a sample table hold.

    Costs a few milliseconds; hashes are computed again only after a row has changed.
    """
    imported = CorpusVersion.objects.filter(active=True).values_list("corpus", "number")
    return {**dict(_hashes(_state())), **{corpus: str(number) for corpus, number in imported}}


def active_editions() -> dict[str, int]:
    """The edition of each assistant's worksheets that new conversations begin with."""
    return dict(WorksheetEdition.objects.filter(active=True).values_list("assistant__slug", "version"))


def few_shot_version(named: str = "") -> str:
    """A hash of the few-shot pairs in use, or of those of a set; "" where there are none."""
    pairs = list(FewShotPair.objects.in_use(named).order_by("corpus", "message").values_list(*FEW_SHOT))
    return hashlib.sha256(json.dumps(pairs).encode()).hexdigest()[:DIGITS] if pairs else ""


def _state() -> tuple[tuple[int, int], ...]:
    """How many rows the sample tables have, and which transaction wrote them last: different after every change."""
    counted = sql.SQL("SELECT count(*), coalesce(max(xmin::text::bigint), 0) FROM {}")
    tables = [counted.format(sql.Identifier(model._meta.db_table)) for model in SAMPLED]
    return tuple((count, last) for count, last in _rows(sql.SQL(" UNION ALL ").join(tables)))


@lru_cache(maxsize=4)
def _hashes(state: tuple[tuple[int, int], ...]) -> tuple[tuple[str, str], ...]:
    """The hash of each table that a query may see, whatever order its rows come in, while the tables are in a state."""
    hashed = sql.SQL(
        "SELECT {name}, md5(coalesce(string_agg(hash, '' ORDER BY hash), ''))"
        " FROM (SELECT md5(shown::text) AS hash FROM {view} AS shown) AS hashes"
    )
    tables = [
        hashed.format(name=sql.Literal(table.name), view=sql.Identifier(catalogue().schema, table.name))
        for table in catalogue().tables
    ]
    return tuple((name, digest[:DIGITS]) for name, digest in _rows(sql.SQL(" UNION ALL ").join(tables)))


def _rows(query: sql.Composable) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return cursor.fetchall()
