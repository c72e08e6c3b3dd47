"""What the linker learns from: the roles of gold queries, and where a question says their values."""

from __future__ import annotations

import pytest

from agent.understanding.roles import COUNT, LIMIT, ROWS
from agent.understanding.schema import Schema, read_schema
from hybridchat.research.linking.examples import following
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
        ("ferries longer than twenty metres", "twenty"),
        ("long ferries", None),
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


def test_what_is_asked_of_prose_is_no_condition_on_a_column(schema):
    roles = roles_of(
        "SELECT ferries.* FROM ferries WHERE home_port = 'Sandwick' "
        "AND answer(ferries.remarks, 'is it quiet?') = 'Yes' ORDER BY answer(ferries.remarks, 'new?') = 'Yes' DESC",
        schema,
    )
    assert (roles.where, roles.order, roles.everything) == ([(at(schema, "home_port"), "=")], [], True)


def test_a_flag_is_said_by_its_column_alone(schema):
    roles = roles_of("SELECT name FROM ferries WHERE heated_deck = 'N'", schema)
    assert (roles.where, roles.literals) == ([(at(schema, "heated_deck"), "!=")], [])


def test_an_empty_column_and_a_list_of_values_have_roles(schema):
    roles = roles_of("SELECT name FROM ferries WHERE built IS NULL AND home_port IN ('Sandwick', 'Lund')", schema)
    assert roles.filled == [(at(schema, "built"), "empty")]
    assert [one.text for one in roles.literals] == ["Sandwick", "Lund"]


@pytest.mark.parametrize(
    ("where", "question", "said"),
    [
        ("home_port = 'Port Ellery'", "the ones from Ellery", "Ellery"),
        ("home_port = 'Democratic'", "the democrats", "democrats"),
        ("first_trip >= '2024-03-01'", "since march 2024", "march 2024"),
        ("first_trip > '2015-12-31'", "after 2015", "2015"),
        ("first_trip LIKE '2024-03%'", "in March of 2024", "March of 2024"),
    ],
)
def test_where_part_of_a_name_or_a_date_is_said(schema, where, question, said):
    spans = spans_of(question, roles_of(f"SELECT name FROM ferries WHERE {where}", schema).literals)
    assert [question[one.start : one.stop] for one in spans] == [said]


def test_a_later_turn_keeps_the_conditions_that_still_hold(schema):
    before = roles_of("SELECT name FROM ferries WHERE home_port = 'Sandwick' AND built > 2000", schema)
    after = roles_of("SELECT name FROM ferries WHERE home_port = 'Sandwick' AND built > 2010", schema)
    told = following(after, before, "replace")
    assert told.keep == {at(schema, "home_port")}
    assert [one.text for one in told.literals] == ["2010"]
    assert following(after, before, "new").keep == set()
