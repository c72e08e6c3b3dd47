"""Queries that nobody wrote: the check accepts or refuses them, and never fails in any other way."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

from sqlglot import exp

from agent.errors import QueryError
from agent.suql import allowed, check, describe
from agent.suql.syntax import parse
from agent.suql.tree import write
from tests.agent.suql.world import CATALOGUE

FOLDER = Path("tests/fixtures/suql")
SOURCES = [*(FOLDER / "shapes.sql").read_text().splitlines(), *(FOLDER / "hostile.sql").read_text().splitlines()]
MUTANTS = int(os.environ.get("SUQL_FUZZ", "1500"))
_TOKEN = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|\w+|\s+|[^\w\s]")


def mutant(chance: random.Random) -> str:
    """One query with pieces of others spliced in, and pieces dropped, doubled and swapped."""
    tokens = _TOKEN.findall(chance.choice(SOURCES))
    for _ in range(chance.randrange(1, 4)):
        other = _TOKEN.findall(chance.choice(SOURCES))
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


def test_mutants_are_accepted_or_refused() -> None:
    chance = random.Random(int(os.environ.get("SUQL_FUZZ_SEED", "11")))
    accepted = 0
    for _ in range(MUTANTS):
        sql = mutant(chance)
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


def only_the_catalogue(tree: exp.Query) -> None:
    """What is left reads the catalogue's tables with allowed functions, and is still that when it is read again."""
    ctes = {cte.alias for cte in tree.find_all(exp.CTE)}
    for table in tree.find_all(exp.Table):
        assert (table.db == "kb" and table.name in CATALOGUE) or (not table.db and table.name in ctes), write(tree)
    for node in parse(write(tree)).walk():
        allowed.check(node)
