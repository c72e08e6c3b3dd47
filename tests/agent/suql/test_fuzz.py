"""Queries that nobody wrote: accepted or refused, and harmless either way, with our checks and without.

`SUQL_FUZZ=100000 pytest tests/agent/suql/test_fuzz.py -s --timeout 0` is the full run; by default a sample is made.
`SUQL_FUZZ_SEED` chooses another one.
"""

from __future__ import annotations

import contextlib
import os
import random
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from agent.protocols.errors import AgentError, QueryError
from agent.suql import Budget, Engine, allowed, check, describe
from agent.suql.blend import translate
from agent.suql.syntax import parse
from agent.suql.tree import write
from tests.agent.suql.hardening import SECRET, hardened, hardened_url, snapshot
from tests.agent.suql.world import CATALOGUE, PairReader

__all__ = ["hardened", "hardened_url"]  # fixtures

FOLDER = Path("tests/fixtures/suql")
SOURCES = [
    line
    for name in ("shapes.sql", "positions.sql", "hostile.sql", "bombs.sql")
    for line in (FOLDER / name).read_text().split("\n")
    if line
]
BLENDED = [pair.split("\n=> ")[0] for pair in (FOLDER / "blend.txt").read_text().split("\n\n") if pair]
MUTANTS = int(os.environ.get("SUQL_FUZZ", "1500"))
SEED = int(os.environ.get("SUQL_FUZZ_SEED", "11"))
LIMIT = 0.2  # seconds of one statement
_KINDS = (exp.Query, exp.Table, exp.Identifier, exp.Join, exp.Order, exp.DataType, exp.Condition)
_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\{\{|\}\}|\w+|\s+|[^\w\s]")


def mutant(chance: random.Random, sources: list[str]) -> str:
    """One query with pieces of others spliced in, and pieces dropped, doubled and swapped."""
    tokens = _TOKEN.findall(chance.choice(sources))
    for _ in range(chance.randrange(1, 4)):
        other = _TOKEN.findall(chance.choice(sources))
        place, start = chance.randrange(len(tokens) + 1), chance.randrange(len(other))
        piece = other[start : start + chance.randrange(1, 12)]
        match chance.randrange(4):
            case 0:
                tokens[place:place] = piece
            case 1:
                tokens[place : place + len(piece)] = piece
            case 2:
                del tokens[place : place + chance.randrange(1, 6)]
            case 3:
                tokens = tokens[:place] + other[start:]
        tokens = tokens or ["SELECT"]
    return "".join(tokens)


def mutants(count: int, sources: list[str] = SOURCES, seed: int = SEED) -> Iterator[str]:
    """Every other one grafted from trees, so that more of them are queries."""
    chance = random.Random(seed)
    stocks = trees(sources)
    return (mutant(chance, sources) if number % 2 else grafted(chance, stocks) for number in range(count))


def trees(sources: list[str]) -> list[exp.Expr]:
    """Those of the queries that parse, whether they are allowed or not."""
    found = []
    for sql in sources:
        with contextlib.suppress(SqlglotError, RecursionError, AttributeError, TypeError, ValueError):
            found += [tree for tree in sqlglot.parse(sql, dialect="postgres") if isinstance(tree, exp.Query)]
    return found


def grafted(chance: random.Random, stocks: list[exp.Expr]) -> str:
    """One query with a few of its parts replaced by parts of others that could stand there."""
    tree = chance.choice(stocks).copy()
    for _ in range(chance.randrange(1, 4)):
        place = chance.choice([node for node in tree.walk() if node.parent is not None] or [tree])
        kind = next((kind for kind in _KINDS if isinstance(place, kind)), None)
        if kind is None or place is tree:
            continue
        scions = [node for node in chance.choice(stocks).walk() if isinstance(node, kind) and node.parent is not None]
        if scions:
            place.replace(chance.choice(scions).copy())
    # sqlglot cannot write every tree there can be
    with contextlib.suppress(SqlglotError, AttributeError, TypeError, ValueError):
        return tree.sql(dialect="postgres")
    return "SELECT"


def test_mutants_are_accepted_or_refused() -> None:
    accepted = 0
    for sql in mutants(MUTANTS):
        try:
            checked = check(sql, CATALOGUE)
            describe(sql, CATALOGUE)
        except QueryError:
            continue
        except Exception as error:
            raise AssertionError(sql) from error
        accepted += 1
        only_the_catalogue(checked.tree)
    assert accepted > MUTANTS / 50


def test_mutants_of_blendsql_are_translated_or_refused() -> None:
    accepted = 0
    for query in mutants(MUTANTS // 5, [*BLENDED, *BLENDED, *SOURCES]):
        try:
            only_the_catalogue(check(translate(query, CATALOGUE), CATALOGUE).tree)
        except QueryError:
            continue
        except Exception as error:
            raise AssertionError(query) from error
        accepted += 1
    assert accepted > MUTANTS / 500


async def test_accepted_mutants_change_nothing_and_end(
    world: psycopg.Connection[Any], hardened: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("agent.suql.database.STATEMENT_SECONDS", LIMIT)
    before, outcomes = snapshot(world), Counter[str]()
    engine = Engine(hardened, CATALOGUE, PairReader())
    for sql in mutants(MUTANTS // 5 if MUTANTS < 10_000 else MUTANTS):
        started, outcome = time.monotonic(), "ran"
        try:
            result = await engine.run(sql, budget=Budget(calls=30, seconds=2, rows=50))
            assert SECRET not in str(result.rows), sql
        except AgentError as error:
            outcome = type(error).__name__
        except Exception as error:
            raise AssertionError(sql) from error
        assert time.monotonic() - started < 10, sql
        outcomes[outcome] += 1
    print("\nwith the checks:", dict(outcomes.most_common()))
    assert snapshot(world) == before
    assert outcomes["ran"] > 0


def test_with_the_check_bypassed_mutants_change_nothing(world: psycopg.Connection[Any], hardened_url: str) -> None:
    """Straight to PostgreSQL, as the reader role, prepared, in a READ ONLY transaction."""
    before, outcomes = snapshot(world), Counter[str]()
    connection: psycopg.Connection[Any] | None = None
    for number, sql in enumerate(mutants(MUTANTS)):
        if connection is None or connection.closed or number % 200 == 0:
            connection = psycopg.connect(hardened_url, autocommit=True, prepare_threshold=0)
        outcomes[unchecked(connection, sql)] += 1
    print("\nwithout:", dict(outcomes.most_common(8)))
    assert snapshot(world) == before
    assert outcomes["ran"] > 0


def unchecked(connection: psycopg.Connection[Any], sql: str) -> str:
    """Runs anything at all, as the engine's session would, and says how that went."""
    outcome = "ran"
    try:
        connection.execute("BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        connection.execute(f"SET LOCAL statement_timeout = {int(LIMIT * 1000)}")
        connection.execute("SET LOCAL search_path = kb")
        with psycopg.RawCursor(connection) as cursor:
            cursor.execute(sql.encode("utf-8", "ignore"), [], prepare=True)
            rows = cursor.fetchmany(50) if cursor.description else []
            assert SECRET not in str(rows), sql
    except psycopg.Error as error:
        outcome = type(error).__name__
    finally:
        with contextlib.suppress(psycopg.Error):
            connection.execute("ROLLBACK")
    return outcome


def only_the_catalogue(tree: exp.Query) -> None:
    """What is left reads the catalogue's tables with allowed functions, and is still that when it is read again."""
    ctes = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        assert (table.db == "kb" and table.name in CATALOGUE) or (not table.db and table.name in ctes), write(tree)
    for node in parse(write(tree)).walk():
        allowed.check(node)
