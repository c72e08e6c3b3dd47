"""Queries from roles, without the network: each role has its clause."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.understanding.compose import compose
from agent.understanding.joins import identifier
from agent.understanding.roles import COUNT, LIMIT, ROWS, Literal, Roles
from agent.understanding.schema import Schema, read_schema

YEAR = 2026


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


@pytest.fixture
def roles(schema) -> Roles:
    """Names of ferries are shown."""
    return Roles(select=[(at(schema, "name"), "")], tables=({0}, set()))


def literal(schema: Schema, text: str, column: str, operator: str = "=", *, inner: bool = False) -> Literal:
    return Literal(text, at(schema, column), operator, inner)


def test_a_value_is_compared_as_it_is_stored(schema, roles):
    roles.literals.append(literal(schema, "sandwik", "home_port"))
    assert compose(roles, schema, "ferries based in sandwik", YEAR).sql == (
        "SELECT ferries.name FROM ferries WHERE ferries.home_port = 'Sandwick'"
    )


def test_a_value_of_a_list_is_one_of_its_elements(schema, roles):
    roles.literals.append(literal(schema, "dogs", "takes"))
    assert compose(roles, schema, "", YEAR).sql.endswith("WHERE 'dogs' = ANY(ferries.takes)")


def test_what_is_excluded_from_a_list_is_no_element(schema, roles):
    roles.literals.append(literal(schema, "dogs", "takes", "!="))
    assert compose(roles, schema, "", YEAR).sql.endswith("WHERE NOT 'dogs' = ANY(ferries.takes)")


def test_a_value_under_another_column_that_stores_it_exactly_is_compared_with_that(schema, roles):
    roles.literals.append(literal(schema, "Great Skerry", "home_port"))
    assert "calls.island = 'Great Skerry'" in compose(roles, schema, "", YEAR).sql


def test_a_table_beside_is_joined_over_its_key(schema, roles):
    roles.literals.append(literal(schema, "Inishmoor", "island"))
    assert "FROM ferries JOIN calls ON ferries.code = calls.ferry WHERE" in compose(roles, schema, "", YEAR).sql


def test_two_values_of_one_column_are_alternatives(schema, roles):
    roles.literals += [literal(schema, "Sandwick", "home_port"), literal(schema, "Port Ellery", "home_port")]
    assert (
        "(ferries.home_port = 'Sandwick' OR ferries.home_port = 'Port Ellery')" in compose(roles, schema, "", YEAR).sql
    )


def test_a_range_of_one_column_holds_together(schema, roles):
    roles.literals += [literal(schema, "20", "length_m", ">="), literal(schema, "40", "length_m", "<=")]
    sql = compose(roles, schema, "", YEAR).sql
    assert sql.endswith("WHERE ferries.length_m >= 20 AND ferries.length_m <= 40")


def test_a_yes_or_no_is_implied_by_its_name(schema, roles):
    roles.where.append((at(schema, "heated_deck"), "="))
    assert compose(roles, schema, "with a heated deck", YEAR).sql.endswith("WHERE ferries.heated_deck = TRUE")


def test_a_denied_yes_is_a_no(schema, roles):
    roles.where.append((at(schema, "heated_deck"), "!="))
    assert compose(roles, schema, "without a heated deck", YEAR).sql.endswith("WHERE ferries.heated_deck = FALSE")


def test_a_date_is_compared_as_one(schema, roles):
    roles.literals.append(literal(schema, "May 3, 1999", "first_trip", ">"))
    assert compose(roles, schema, "", YEAR).sql.endswith("WHERE ferries.first_trip > '1999-05-03'")


def test_a_superlative_takes_the_first_and_unknown_values_come_last(schema, roles):
    roles.order, roles.limit = [(at(schema, "length_m"), "", "desc")], 1
    assert compose(roles, schema, "", YEAR).sql.endswith("ORDER BY ferries.length_m DESC NULLS LAST LIMIT 1")


def test_as_many_rows_as_a_number_says(schema, roles):
    roles.order, roles.limit = [(at(schema, "built"), "", "asc")], 2
    roles.literals.append(Literal("three", LIMIT, "=", False))
    assert compose(roles, schema, "", YEAR).sql.endswith("ORDER BY ferries.built ASC NULLS LAST LIMIT 3")


def test_groups_are_made_by_what_is_shown_beside_an_aggregate(schema, roles):
    roles.select = [(at(schema, "home_port"), ""), (ROWS, "")]
    assert compose(roles, schema, "", YEAR).sql == (
        "SELECT ferries.home_port, count(*) FROM ferries GROUP BY ferries.home_port"
    )


def test_a_column_that_groups_are_not_made_by_orders_them_by_its_best_value(schema, roles):
    roles.select = [(at(schema, "home_port"), ""), (ROWS, "")]
    roles.order = [(at(schema, "built"), "", "desc")]
    assert "ORDER BY max(ferries.built) DESC NULLS LAST" in compose(roles, schema, "", YEAR).sql


def test_a_condition_on_the_size_of_groups(schema, roles):
    roles.group, roles.having_count = [at(schema, "home_port")], ">"
    roles.select = [(at(schema, "home_port"), "")]
    roles.literals.append(Literal("two", COUNT, ">", False))
    assert compose(roles, schema, "", YEAR).sql.endswith("GROUP BY ferries.home_port HAVING count(*) > 2")


def test_what_has_no_row_beside_it_is_not_in_the_other_table(schema, roles):
    roles.kind = "not in"
    roles = replace(roles, tables=({0}, {1}))
    assert compose(roles, schema, "ferries that call nowhere", YEAR).sql == (
        "SELECT ferries.name FROM ferries WHERE ferries.code NOT IN "
        "(SELECT calls.ferry FROM calls WHERE calls.ferry IS NOT NULL)"
    )


def test_more_than_the_average(schema, roles):
    roles.kind, roles.compare = "compare", [(at(schema, "length_m"), "> avg")]
    assert compose(roles, schema, "", YEAR).sql.endswith(
        "WHERE ferries.length_m > (SELECT avg(ferries.length_m) FROM ferries)"
    )


def test_quotes_in_a_value_stay_inside_it(schema, roles):
    roles.literals.append(literal(schema, "x' OR '1'='1", "name"))
    assert "ferries.name ILIKE '%x'' OR ''1''=''1%'" in compose(roles, schema, "", YEAR).sql


def test_reserved_and_odd_names_are_quoted():
    assert [identifier(name) for name in ("order", "Name", "two words", 'a"b', "plain")] == [
        '"order"',
        '"Name"',
        '"two words"',
        '"a""b"',
        "plain",
    ]


def test_a_search_in_prose_keeps_what_is_asked_of_the_table_beside(schema, roles):
    roles.literals.append(literal(schema, "Inishmoor", "island"))
    query = compose(roles, schema, "", YEAR)
    assert query.searching(["answer(ferries.remarks, 'is it calm?') = 'Yes'"], 3, counted=False) == (
        "SELECT * FROM ferries WHERE ferries.code IN (SELECT ferries.code FROM ferries JOIN calls "
        "ON ferries.code = calls.ferry WHERE calls.island = 'Inishmoor') "
        "AND answer(ferries.remarks, 'is it calm?') = 'Yes' LIMIT 3"
    )


def test_sets_of_two_tables_are_made_of_the_columns_called_alike():
    inns = Table("inns", (Column("id", Kind.NUMBER), Column("town", Kind.TEXT)))
    ponds = Table("ponds", (Column("id", Kind.NUMBER), Column("town", Kind.TEXT)))
    schema = read_schema(Catalogue((inns, ponds)), ValueMemory({}))
    roles = Roles(select=[(1, "")], tables=({0}, {1}), kind="except", order=[(0, "", "asc")])  # no set has an order
    assert compose(roles, schema, "towns with an inn and no pond", YEAR).sql == (
        "SELECT inns.town FROM inns EXCEPT SELECT ponds.town FROM ponds"
    )


def test_one_total_has_no_order(schema):
    roles = Roles(select=[(2, "max")], order=[(3, "", "asc")], limit=1)
    assert compose(roles, schema, "", YEAR).sql == "SELECT max(ferries.length_m) FROM ferries"


def test_tables_are_not_joined_by_what_each_row_is_called():
    inns = Table("inns", (Column("id", Kind.NUMBER), Column("Name", Kind.TEXT)), key=("id",))
    ponds = Table("ponds", (Column("code", Kind.NUMBER), Column("Name", Kind.TEXT)), key=("code",))
    assert read_schema(Catalogue((inns, ponds)), ValueMemory({})).links == ()


def test_a_name_in_two_columns_is_compared_in_parts():
    people = Table("people", (Column("first", Kind.TEXT), Column("last", Kind.TEXT)))
    memory = ValueMemory({"people.first": ["Ada", "Grace"], "people.last": ["Byron", "Hopper"]})
    schema = read_schema(Catalogue((people,)), memory)
    roles = Roles(select=[(ROWS, "")], literals=[Literal("Ada Byron", 1, "=", False)])
    assert compose(roles, schema, "", YEAR).sql.endswith("WHERE people.first = 'Ada' AND people.last = 'Byron'")


@pytest.mark.parametrize(
    ("operator", "text", "where"),
    [
        ("=", "march 2024", "ferries.first_trip BETWEEN '2024-03-01' AND '2024-03-31'"),
        ("like", "1990s", "ferries.first_trip BETWEEN '1990-01-01' AND '1999-12-31'"),
        (">", "2015", "ferries.first_trip > '2015-12-31'"),
        ("<", "2015", "ferries.first_trip < '2015-01-01'"),
        (">=", "june", "ferries.first_trip >= '2026-06-01'"),
        ("!=", "3 july 2023", "NOT (ferries.first_trip = '2023-07-03')"),
    ],
)
def test_a_date_is_compared_with_all_of_what_is_said(schema, roles, operator, text, where):
    roles.literals.append(literal(schema, text, "first_trip", operator))
    assert compose(roles, schema, "", YEAR).sql.endswith(f"WHERE {where}")


def test_a_decade_is_a_stretch_of_years_in_numbers(schema, roles):
    roles.literals.append(literal(schema, "the 80s", "built"))
    assert compose(roles, schema, "", YEAR).sql.endswith("WHERE ferries.built BETWEEN 1980 AND 1989")


def test_what_is_no_date_is_no_condition_on_one(schema, roles):
    roles.literals.append(literal(schema, "monday", "first_trip"))
    assert "WHERE" not in compose(roles, schema, "", YEAR).sql


def test_a_column_may_have_to_be_empty_or_filled(schema, roles):
    roles.filled = [(at(schema, "built"), "empty"), (at(schema, "length_m"), "any")]
    query = compose(roles, schema, "", YEAR).sql
    assert query.endswith("WHERE ferries.built IS NULL AND ferries.length_m IS NOT NULL")


def test_a_flag_that_is_denied_is_false(schema, roles):
    roles.where.append((at(schema, "heated_deck"), "!="))
    assert compose(roles, schema, "no heating", YEAR).sql.endswith("WHERE ferries.heated_deck = FALSE")


def test_the_second_best_leaves_out_the_first(schema, roles):
    roles.order, roles.limit, roles.skip = [(at(schema, "length_m"), "", "desc")], 1, 1
    assert compose(roles, schema, "", YEAR).sql.endswith("DESC NULLS LAST LIMIT 1 OFFSET 1")


def test_so_many_rows_may_be_wanted_in_any_order(schema, roles):
    roles.limit = 2
    roles.literals.append(Literal("four", LIMIT, "=", inner=False))
    assert compose(roles, schema, "four ferries", YEAR).sql.endswith("FROM ferries LIMIT 4")


def test_a_value_that_nothing_has_claimed_is_a_condition(schema, roles):
    question = "ferries of sandwick"
    assert compose(roles, schema, question, YEAR).sql.endswith("WHERE ferries.home_port = 'Sandwick'")


def test_prose_is_summed_up_where_it_is_shown(schema, roles):
    roles.select = [(at(schema, "remarks"), "")]
    assert compose(roles, schema, "", YEAR).sql == "SELECT summary(ferries.remarks) FROM ferries"


@pytest.fixture
def clubs() -> Schema:
    table = Table(
        "clubs",
        (
            Column("name", Kind.TEXT),
            Column("meets", Kind.ENUM),
            Column("begins", Kind.TIME),
            Column("finishes", Kind.TIME),
            Column("members", Kind.NUMBER),
            Column("bar", Kind.OPENING_HOURS),
        ),
        title="name",
        noun=("club", "clubs"),
    )
    times = {"clubs.begins": ("10:15", "20:00"), "clubs.finishes": ("11:30", "22:00")}
    return read_schema(Catalogue((table,)), ValueMemory({"clubs.meets": ["Sunday", "Monday"]}, times=times))


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("clubs that start at half 7 or later", "clubs.begins >= '19:30'"),
        ("clubs finishing before quarter to twelve", "clubs.finishes < '11:45'"),
        ("after 7.15pm, please", "clubs.begins > '19:15'"),
        ("no later than eleven o'clock", "clubs.begins <= '11:00'"),
    ],
)
def test_a_time_of_day_is_compared_in_the_half_of_the_day_in_which_the_column_has_times(clubs, question, condition):
    asked = Roles(select=[(0, "")], tables=({0}, set()))
    assert compose(asked, clubs, question, YEAR).sql == f"SELECT clubs.name FROM clubs WHERE {condition}"


def test_a_figure_of_a_time_is_no_number_of_another_column(clubs):
    question = "meets on Monday from 7 pm"
    figure = Literal("7", at(clubs, "members"), ">=", False, question.index("7"), question.index("7") + 1)
    asked = Roles(select=[(0, "")], tables=({0}, set()), literals=[figure])
    written = compose(asked, clubs, question, YEAR).sql
    assert "clubs.begins >= '19:00'" in written
    assert "members" not in written


def test_the_day_on_which_something_opens_is_no_value_of_another_column(clubs):
    question = "whose bar is open on Sundays"
    day = Literal("Sundays", at(clubs, "meets"), "=", False, question.index("Sundays"), len(question))
    asked = Roles(select=[(0, "")], tables=({0}, set()), literals=[day])
    assert compose(asked, clubs, question, YEAR).sql.endswith("WHERE clubs.bar = 'on Sundays'")


def test_a_search_ordered_by_a_row_beside_takes_the_best_of_each(schema, roles):
    roles.order, roles.limit = [(at(schema, "minutes"), "", "desc")], 0
    found = compose(roles, schema, "ferries with the longest calls", YEAR).searching(["TRUE"], 3, counted=False)
    assert found == (
        "SELECT ferries.* FROM ferries JOIN calls ON ferries.code = calls.ferry WHERE TRUE "
        "GROUP BY ferries.code ORDER BY max(calls.minutes) DESC NULLS LAST LIMIT 3"
    )


def test_a_comparative_with_a_row_compares_with_its_value(schema, roles):
    message = "ferries longer than Grey Heron"
    roles.literals.append(Literal("Grey Heron", at(schema, "name"), "=", False, 20, 30))
    assert compose(roles, schema, message, YEAR).sql.endswith(
        "WHERE ferries.length_m > (SELECT ferries.length_m FROM ferries WHERE ferries.name = 'Grey Heron')"
    )


def test_a_day_is_within_the_first_and_the_last_of_a_season():
    days = Table("sites", (Column("name", Kind.TEXT), Column("first_day", Kind.DATE), Column("last_day", Kind.DATE)))
    schema = read_schema(Catalogue((days,)), ValueMemory({}))
    roles = Roles(select=[(0, "")], literals=[Literal("1 November", 2, "=", False, 8, 18)])
    assert compose(roles, schema, "open on 1 November", YEAR).sql.endswith(
        "WHERE sites.first_day <= '2026-11-01' AND sites.last_day >= '2026-11-01'"
    )


def test_the_table_whose_rows_are_shown_is_the_first_of_from(schema):
    shown = Roles(select=[(at(schema, "island"), "")], tables=({0, 1}, set()))
    shown.literals.append(literal(schema, "Sandwick", "home_port"))
    found = compose(shown, schema, "islands of ferries based in Sandwick", YEAR).sql
    assert "FROM calls JOIN ferries ON calls.ferry = ferries.code WHERE" in found


def test_two_conditions_on_a_row_are_no_intersection(schema, roles):
    roles.kind = "intersect"
    roles.literals += [literal(schema, "Sandwick", "home_port"), literal(schema, "dogs", "takes", inner=True)]
    assert compose(roles, schema, "based in Sandwick and taking dogs", YEAR).sql.endswith(
        "WHERE ferries.home_port = 'Sandwick' AND 'dogs' = ANY(ferries.takes)"
    )


def test_a_row_is_shown_once_whatever_belongs_to_it(schema, roles):
    roles.guessed = True
    roles.literals.append(literal(schema, "Inishmoor", "island"))
    query = compose(roles, schema, "", YEAR)
    assert query.repeats
    assert query.searching([], 0) == (
        "SELECT * FROM ferries WHERE ferries.code IN (SELECT ferries.code FROM ferries "
        "JOIN calls ON ferries.code = calls.ferry WHERE calls.island = 'Inishmoor')"
    )
    roles.literals.clear()
    assert not compose(roles, schema, "", YEAR).repeats
