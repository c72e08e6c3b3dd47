"""What is right: PostgreSQL's own evaluation of a query, with answer() and summary() as plain SQL functions."""

from __future__ import annotations

from typing import Any

import psycopg
from sqlglot import exp

from agent.suql.check import check
from agent.suql.final import plain
from agent.suql.tree import raw, write
from tests.agent.suql.world import CATALOGUE

_ROWS = """(SELECT string_agg((SELECT string_agg(key || ': ' || value, '; ') FROM jsonb_each_text(to_jsonb(_r))), '; ')
    FROM {0} AS _r)"""
MEANINGS = {
    "answer": "oracle.answer({0}, {1})",
    "summary": "oracle.summary({0})",
    "answer_all": f"oracle.answer({_ROWS}, {{1}})",
    "validate": f"(oracle.answer({_ROWS}, {{1}}) = 'Yes')",
    "same": "({0} = {1})",
    "matches": "(to_tsvector('english', {0}) @@ websearch_to_tsquery('english', {1}))",
}


def right_rows(connection: psycopg.Connection[Any], sql: str) -> list[tuple[Any, ...]]:
    """The rows PostgreSQL computes row by row, in its order."""
    with connection.cursor() as cursor:
        cursor.execute(as_plain_sql(sql).encode())
        rows = [tuple(plain(value) for value in row) for row in cursor.fetchall()]
    connection.rollback()
    return rows


def as_plain_sql(sql: str) -> str:
    """The checked query, its calls as calls of the SQL functions."""
    tree = check(sql, CATALOGUE).tree
    return spell_out(tree)


def spell_out(tree: exp.Query) -> str:
    """The tree as SQL, its calls as calls of the SQL functions."""
    for call in [node for node in tree.walk() if isinstance(node, exp.Anonymous)][::-1]:
        name = str(call.this).lower()
        if name in MEANINGS:
            arguments = [write(argument) for argument in call.expressions if not isinstance(argument, exp.Kwarg)]
            call.replace(raw(MEANINGS[name].format(*arguments)))
    return write(tree)


def distinct_values(connection: psycopg.Connection[Any]) -> int:
    """How many different texts the tables hold: no query needs more values of one question."""
    row = connection.execute(
        "SELECT count(DISTINCT t) FROM (SELECT about AS t FROM kb.venues UNION ALL SELECT notes::text FROM kb.venues "
        "UNION ALL SELECT blurb FROM kb.events UNION ALL SELECT unnest(notes) FROM kb.venues) AS texts"
    ).fetchone()
    assert row is not None
    return int(row[0])
