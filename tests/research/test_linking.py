"""What the linker learns from: the roles of gold queries, and where a question says their values."""

from __future__ import annotations

import pytest

from agent.understanding.roles import COUNT, LIMIT, ROWS
from agent.understanding.schema import Schema, read_schema
from hybridchat.research.linking.labels import Unreadable, roles_of, spans_of
from tests.agent.understanding.conftest import CATALOGUE, MEMORY


@pytest.fixture(scope="module")
def schema() -> Schema:
    return read_schema(CATALOGUE, MEMORY)


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


def test_each_clause_gives_its_role(schema):
    roles = roles_of(
        "SELECT home_port, count(*) FROM ferries WHERE length_m > 20 GROUP BY home_port "
        "HAVING count(*) >= 2 ORDER BY count(*) DESC LIMIT 3",
        schema,
    )
    assert roles.select == [(at(schema, "home_port"), ""), (ROWS, "")]
    assert roles.where == [(at(schema, "length_m"), ">")]
    assert (roles.group, roles.having_count, roles.order_count, roles.limit) == (
        [at(schema, "home_port")],
        ">=",
        "desc",
        2,
    )
    assert {(one.text, one.column) for one in roles.literals} == {
        ("20", at(schema, "length_m")),
        ("2", COUNT),
        ("3", LIMIT),
    }


def test_an_excluding_sub_select_is_a_kind_of_its_own(schema):
    roles = roles_of("SELECT name FROM ferries WHERE code NOT IN (SELECT ferry FROM calls)", schema)
    assert (roles.kind, roles.tables) == ("not in", ({0}, {1}))


def test_a_comparison_with_an_aggregate(schema):
    roles = roles_of("SELECT name FROM ferries WHERE length_m > (SELECT avg(length_m) FROM ferries)", schema)
    assert (roles.kind, roles.compare) == ("compare", [(at(schema, "length_m"), "> avg")])


def test_what_no_role_stands_for_is_refused(schema):
    with pytest.raises(Unreadable):
        roles_of("SELECT name FROM ferries WHERE length_m > built", schema)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("ferries longer than 20 metres", "20"),
        ("ferries longer than twenty metres", None),
        ("ferries of at least 20.0 m", "20.0"),
    ],
)
def test_where_a_number_is_said(schema, question, said):
    roles = roles_of("SELECT name FROM ferries WHERE length_m > 20", schema)
    spans = spans_of(question, roles.literals)
    assert [question[one.start : one.stop] for one in spans] == ([said] if said else [])


def test_a_value_is_found_in_its_plural(schema):
    roles = roles_of("SELECT name FROM ferries WHERE takes = 'dog'", schema)
    question = "which ferries take dogs?"
    assert [question[one.start : one.stop] for one in spans_of(question, roles.literals)] == ["dogs"]
