"""The examples of docs/suql.md do what the page says."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import psycopg
import pytest

from agent.errors import QueryError
from agent.suql import check, describe
from corpora.catalogue import catalogue
from tests.agent.suql.world import fill

PAGE = Path("docs/suql.md").read_text()
EXAMPLES = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
REFUSED = re.findall(r"```sql refused\n(.*?)```", PAGE, re.DOTALL)
PYTHON = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("sql", EXAMPLES)
def test_examples_are_allowed(sql: str) -> None:
    assert check(sql, catalogue()).calls or "matches" in sql or "price" in sql
    assert describe(sql, catalogue()).text


@pytest.mark.parametrize("sql", REFUSED)
def test_what_is_said_to_be_refused_is(sql: str) -> None:
    with pytest.raises(QueryError):
        check(sql, catalogue())


def test_the_python_example_runs(world: psycopg.Connection[Any], database_url: str, capsys: Any) -> None:
    fill(world, seed=1)
    world.execute("UPDATE kb.venues SET about = 'very quiet' WHERE id = 3")
    world.commit()
    (code,) = PYTHON
    exec(code, {"url": database_url})  # the page's own words
    assert "Row(values={'id': 3}" in capsys.readouterr().out


def test_every_function_of_the_language_has_a_row() -> None:
    from agent.suql.allowed import RANKING, READING

    for name in READING | RANKING:
        assert re.search(rf"^\| `{name}\(", PAGE, re.MULTILINE), name
