"""The examples of docs/suql.md do what the page says, and its lists and figures are those of the code."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent.protocols.errors import QueryError
from agent.suql import (
    Cascade,
    Kind,
    allowed,
    asking,
    blocking,
    cascade,
    check,
    database,
    describe,
    nearest,
    options,
    passages,
    similarity,
    syntax,
    thresholds,
)
from agent.suql.blend import translate
from agent.suql.result import Budget
from agent.text import values
from corpora.catalogue import catalogue
from hybridchat.research.management.commands.suql import Command
from tests.agent.suql.test_safety import HOSTILE
from tests.agent.suql.world import fill

PAGE = Path("docs/suql.md").read_text()
EXAMPLES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
REFUSED = re.findall(r"```sql refused\n(.*?)```", PAGE, re.DOTALL)
BLENDED = re.findall(r"```sql blendsql\n(.*?)```", PAGE, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
FUNCTIONS = re.findall(r"`(\w+)`", PAGE.partition("\nFunctions: ")[2].partition("Casts:")[0])
CASTS = re.findall(r"`([a-z ]+)`", PAGE.partition("\nCasts: ")[2].partition("lists of them")[0])


@pytest.mark.parametrize("sql", EXAMPLES)
def test_examples_are_allowed(sql: str) -> None:
    assert check(sql, catalogue()).calls or "matches" in sql or "price" in sql
    assert describe(sql, catalogue()).text


@pytest.mark.parametrize("sql", REFUSED)
def test_what_is_said_to_be_refused_is(sql: str) -> None:
    with pytest.raises(QueryError):
        check(sql, catalogue())


@pytest.mark.parametrize("query", BLENDED)
def test_blendsql_examples_are_translated(query: str) -> None:
    assert check(translate(query, catalogue()), catalogue()).calls


def test_the_python_example_runs_without_django_in_ten_lines(world: psycopg.Connection[Any], database_url: str) -> None:
    fill(world, seed=1)
    world.execute("UPDATE kb.venues SET about = 'very quiet' WHERE id = 3")
    world.commit()
    (code,) = PYTHON
    assert len([line for line in code.splitlines() if line.strip()]) <= 10
    shown = "\nimport sys\nprint([row.values['id'] for row in result.rows], 'django' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-c", f"url = {database_url!r}\n{code}{shown}"], capture_output=True, text=True, check=False
    )
    assert re.match(r"\[.*\b3\b.*\] False", run.stdout), run.stderr


def test_every_function_of_the_language_has_a_row() -> None:
    for name in allowed.READING | allowed.RANKING:
        assert re.search(rf"^\| `{name}\(", PAGE, re.MULTILINE), name


def test_every_kind_has_a_row() -> None:
    rows = " ".join(re.findall(r"^\| ([A-Z_, ]+) \|", PAGE, re.MULTILINE))
    assert {kind for kind in Kind if kind.value not in re.split(r"[ ,]+", rows)} == set()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_listed_is_there(name: str) -> None:
    forms = ("(name)", "(name, name)", "(name, name, name)", "()", "", "(year FROM now())", "('a' IN name)")
    refusals = [refusal(f"SELECT {name}{form} FROM restaurants") for form in forms]
    assert "" in refusals, refusals


def refusal(sql: str) -> str:
    """The sentence with which a query is refused, or nothing."""
    try:
        check(sql, catalogue())
    except QueryError as error:
        return error.sentence
    return ""


@pytest.mark.parametrize("name", CASTS)
def test_every_cast_listed_is_there(name: str) -> None:
    check(f"SELECT '1'::{name}, '{{}}'::{name}[]", catalogue())


def test_the_limits_are_those_of_the_code() -> None:
    limits = PAGE.partition("| limit | |")[2].partition("##")[0]
    for figure in (
        f"{syntax.LONGEST:,} characters, {syntax.LARGEST:,} parts, {syntax.DEEPEST} levels",
        f"{options.MOST} values",
        f"{database.STATEMENT_SECONDS:g} seconds, {database.LARGEST_RESULT // 2**20} MB",
        f"{Budget().rows:,} rows",
        f"{passages.MOST} passages nearest the question, {passages.LONGEST:,} characters",
        f"{values.LONGEST_VALUE:,} characters",
    ):
        assert figure in limits
    assert int(re.findall(r"(\d+)\s+hostile\s+queries", PAGE)[0]) <= len(HOSTILE)


def test_the_figures_of_ranking_and_comparing_are_those_of_the_code() -> None:
    section = " ".join(PAGE.partition("## Ranking and searching")[2].partition("\n## ")[0].split())
    for figure in (
        f"up to {nearest.WORDS_SHARE:g} for the words",
        f"| up to {nearest.SCORED:,}, about |",
        f"of more than {similarity.RANKED:,} rows",
        f"up to {asking.CHOICES} in a call",
        f"more than {blocking.EMBEDDED:,} texts",
    ):
        assert figure in section


def test_the_example_of_a_cascade_asks_for_what_the_page_says() -> None:
    section = PAGE.partition("### Cascades")[2].partition("\n## ")[0]
    (line,) = re.findall(r"```sh\n\./manage\.py suql (.*?)\n```", section)
    given = Command().create_parser("manage.py", "suql").parse_args(shlex.split(line))
    wanted = Cascade(given.cascade_recall, given.cascade_precision)
    section = " ".join(section.split())
    assert check(given.query, catalogue()).calls
    for figure in (
        f"{wanted.recall:.0%} of the texts that match",
        f"{wanted.precision:.0%} of those found",
        f"{wanted.confidence:.0%} confidence",
        f"fewer than {cascade.FEW} texts",
    ):
        assert figure in section
    assert thresholds.WORTHWHILE == 0.1


def test_numbers_dates_and_times_are_read_as_the_page_says() -> None:
    for kind, read in (("number", values.read_number), ("date", values.read_date), ("time", values.read_time)):
        (row,) = re.findall(rf"^\| {kind} \| (.*) \|$", PAGE, re.MULTILINE)
        for words in re.findall(r'"([^"]+)"', row.partition("in a query also")[0]):
            assert read(words) is not None, (kind, words)
