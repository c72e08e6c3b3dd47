"""What each move keeps of the query before, as the query that is composed of it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.understanding.compose import compose
from agent.understanding.context import Earlier
from agent.understanding.keeping import going_on, kept_wishes
from agent.understanding.moves import with_move
from agent.understanding.prose import Wish
from agent.understanding.roles import COUNT, LIMIT, ROWS, Literal, Mark, Roles
from agent.understanding.schema import Schema


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


def value(schema: Schema, text: str, column: str, operator: str = "=", start: int = 0) -> Literal:
    """A value that a message says at a place, or a query before it (0)."""
    return Literal(text, at(schema, column), operator, inner=False, start=start, stop=start + len(text) if start else 0)


def asked(schema: Schema, message: str, before: Roles, said: Roles, *rows: dict[str, object]) -> str:
    """The query of a message after another query."""
    past = [Earlier(before, rows=rows)]
    said = with_move(said, message, past, schema)
    return compose(going_on(said, message, past, schema), schema, message, 2026).sql


@pytest.fixture
def found(schema) -> Roles:
    """The names of Sandwick's ferries."""
    port = at(schema, "home_port")
    return Roles(
        select=[(at(schema, "name"), "")],
        where=[(port, "=")],
        tables=({0}, set()),
        literals=[value(schema, "Sandwick", "home_port")],
    )


@pytest.fixture
def grouped(schema) -> Roles:
    """How many ferries each port has."""
    port = at(schema, "home_port")
    return Roles(select=[(port, ""), (ROWS, "")], group=[port], tables=({0}, set()))


@pytest.fixture
def longest(schema) -> Roles:
    """The longest ferry."""
    order = [(at(schema, "length_m"), "", "desc")]
    return Roles(select=[(at(schema, "name"), "")], order=order, limit=1, tables=({0}, set()))


def test_a_sort_shows_what_was_shown_and_overwrites_no_condition(schema, found):
    said = Roles(
        move="sort",
        select=[(at(schema, "code"), "")],
        order=[(at(schema, "built"), "", "asc")],
        literals=[value(schema, "yuongest", "home_port", start=10)],
    )
    assert asked(schema, "oldest to yuongest", found, said) == (
        "SELECT ferries.name FROM ferries WHERE ferries.home_port = 'Sandwick' ORDER BY ferries.built ASC NULLS LAST"
    )


def test_a_word_that_is_no_value_takes_no_place_of_one(schema, found):
    said = Roles(move="replace", literals=[value(schema, "yonder", "home_port", start=6)])
    assert "home_port = 'Sandwick'" in asked(schema, "those yonder", found, said)


def test_groups_are_sorted_by_what_is_told_of_them(schema, grouped):
    said = Roles(move="sort", order=[(at(schema, "length_m"), "", "asc")])
    assert asked(schema, "smallest first", grouped, said).endswith(
        "GROUP BY ferries.home_port ORDER BY count(*) ASC NULLS LAST"
    )


def test_rows_are_sorted_by_the_number_that_is_shown(schema, found):
    shown = replace(found, select=[*found.select, (at(schema, "length_m"), "")])
    said = Roles(move="sort", order_count="desc")
    assert asked(schema, "biggest on top", shown, said).endswith("ORDER BY ferries.length_m DESC NULLS LAST")


def test_groups_that_are_bounded_stay_groups(schema, grouped):
    few = Literal("2", COUNT, ">", inner=False, start=10, stop=11)
    said = Roles(move="refine", having_count=">", literals=[few])
    assert asked(schema, "more than 2", grouped, said) == (
        "SELECT ferries.home_port, count(*) FROM ferries GROUP BY ferries.home_port HAVING count(*) > 2"
    )


def test_what_is_shown_as_well_comes_after_what_was_shown(schema, found):
    said = Roles(move="show", select=[(at(schema, "built"), "")])
    assert asked(schema, "and when they were built", found, said).startswith("SELECT ferries.name, ferries.built FROM")
    assert asked(schema, "only when they were built", found, said).startswith("SELECT ferries.built FROM")


def test_the_exact_figure_is_that_of_the_condition(schema, found):
    long = replace(found, literals=[value(schema, "40", "length_m", ">")], where=[(at(schema, "length_m"), ">")])
    said = Roles(move="show", select=long.select)
    assert asked(schema, "give the exact figure as well", long, said).startswith(
        "SELECT ferries.name, ferries.length_m FROM"
    )


def test_a_number_of_rows_keeps_an_exclusion(schema):
    missing = Roles(
        select=[(at(schema, "name"), "")], kind="not in", tables=({0}, {1}), order=[(at(schema, "built"), "", "asc")]
    )
    said = Roles(move="aggregate", select=[(at(schema, "name"), ""), (ROWS, "")])
    query = asked(schema, "just tell me how many", missing, said)
    assert query.startswith("SELECT count(*) FROM ferries WHERE ferries.code NOT IN (SELECT calls.ferry FROM calls")
    assert "ORDER BY" not in query


def test_every_port_means_not_only_the_one_that_was_asked_for(schema, found):
    port, length = at(schema, "home_port"), at(schema, "length_m")
    average = replace(found, select=[(length, "avg")])
    said = Roles(move="group", select=[(port, "")], group=[port], where=[(port, "=")])
    assert asked(schema, "do it for every port", average, said) == (
        "SELECT ferries.home_port, avg(ferries.length_m) FROM ferries GROUP BY ferries.home_port"
    )


def test_a_question_about_a_row_shows_what_it_asks(schema, longest):
    said = Roles(move="row", select=[(at(schema, "name"), ""), (at(schema, "built"), "")])
    assert asked(schema, "when was it built?", longest, said) == (
        "SELECT ferries.built FROM ferries ORDER BY ferries.length_m DESC NULLS LAST LIMIT 1"
    )


def test_the_runner_up_is_the_row_after_the_one_that_was_shown(schema, longest):
    said = Roles(move="compare", select=[(at(schema, "length_m"), "")])
    assert asked(schema, "and the runner-up?", longest, said) == (
        "SELECT ferries.name FROM ferries ORDER BY ferries.length_m DESC NULLS LAST LIMIT 1 OFFSET 1"
    )


def test_the_others_are_those_that_the_condition_left_out(schema, found):
    query = asked(schema, "and the other ones?", found, Roles(move="show"))
    assert query == "SELECT ferries.name FROM ferries WHERE ferries.home_port <> 'Sandwick'"


def test_the_second_one_is_the_second_row_that_was_shown(schema, found):
    said = Roles(move="show", select=[(at(schema, "built"), "")])
    rows = ({"name": "Grey Heron"}, {"name": "Storm Petrel"})
    assert "ferries.name = 'Storm Petrel'" in asked(schema, "when was the second one built?", found, said, *rows)


def test_of_several_rows_each_is_told_with_its_name(schema, found):
    said = Roles(move="row", select=[(at(schema, "built"), "")])
    rows = ({"name": "Grey Heron"}, {"name": "Storm Petrel"})
    assert asked(schema, "when were they built?", found, said, *rows).startswith("SELECT ferries.name, ferries.built")


def test_a_bound_from_the_other_side_joins_the_first(schema, found):
    long = replace(found, literals=[value(schema, "40", "length_m", ">")])
    said = Roles(move="refine", literals=[value(schema, "60", "length_m", "<", start=6)])
    query = asked(schema, "under 60", long, said)
    assert "length_m > 40" in query
    assert "length_m < 60" in query
    said = Roles(move="refine", literals=[value(schema, "30", "length_m", "<", start=6)])
    query = asked(schema, "under 30", long, said)  # none is both
    assert "length_m > 40" not in query
    assert "length_m < 30" in query


def test_a_dropped_value_is_not_read_again(schema, found):
    said = Roles(move="drop", literals=[value(schema, "Sandwick", "home_port", start=18)])
    assert asked(schema, "not necessarily in Sandwick", found, said) == "SELECT ferries.name FROM ferries"


def test_both_are_compared_where_one_more_is_named(schema):
    heron = Roles(
        select=[(at(schema, "name"), ""), (at(schema, "built"), "")],
        tables=({0}, set()),
        literals=[value(schema, "Grey Heron", "name")],
    )
    said = Roles(move="compare", select=heron.select, literals=[value(schema, "Storm Petrel", "name", start=7)])
    assert "(ferries.name = 'Grey Heron' OR ferries.name = 'Storm Petrel')" in asked(
        schema, "versus Storm Petrel", heron, said
    )


def test_so_many_of_them_are_the_first_ones(schema, found):
    three = Literal("three", LIMIT, "=", inner=False, start=4, stop=9)
    said = Roles(move="sort", order=[(at(schema, "built"), "", "desc")], limit=2, literals=[three])
    assert asked(schema, "the three newest", found, said).endswith("ORDER BY ferries.built DESC NULLS LAST LIMIT 3")


def test_what_was_counted_is_listed_by_its_names(schema, found):
    counted = replace(found, select=[(ROWS, "")])
    sql = asked(schema, "which ones are they?", counted, Roles(move="show", guessed=True, select=[(ROWS, "")]))
    assert sql.startswith("SELECT ferries.name FROM ferries WHERE")


def test_groups_are_told_what_the_whole_was(schema, found):
    port, built = at(schema, "home_port"), at(schema, "built")
    whole = replace(found, select=[(built, "avg")], literals=[], where=[])
    said = Roles(move="group", select=[(port, ""), (ROWS, ""), (built, "avg")], group=[port], tables=({0}, set()))
    assert asked(schema, "per port", whole, said).startswith("SELECT ferries.home_port, avg(ferries.built) FROM")


def test_the_column_that_is_named_is_dropped_and_the_value_that_is_named_stays(schema, found):
    both = replace(found, literals=[*found.literals, value(schema, "40", "length_m", ">")])
    sql = asked(schema, "never mind the length, all of Sandwick", both, Roles(move="drop"))
    assert "home_port = 'Sandwick'" in sql
    assert "length_m" not in sql.partition("WHERE")[2]


def test_a_value_that_is_wanted_too_is_an_alternative(schema, found):
    message = "Port Ellery as well"
    said = Roles(move="replace", literals=[value(schema, "Port Ellery", "home_port", start=1)])
    assert "(ferries.home_port = 'Sandwick' OR ferries.home_port = 'Port Ellery')" in asked(
        schema, message, found, said
    )


def test_groups_by_a_key_are_told_by_its_name_and_leave_the_one_that_was_named(schema, found):
    ferry = at(schema, "ferry")
    one = replace(
        found, select=[(ROWS, "")], literals=[value(schema, "Grey Heron", "name")], where=[], tables=({0, 1}, set())
    )
    said = Roles(move="group", select=[(ferry, ""), (ROWS, "")], group=[ferry], tables=({0, 1}, set()))
    sql = asked(schema, "the same count for every ferry", one, said)
    assert sql.startswith("SELECT ferries.name, count(*) FROM")
    assert "Grey Heron" not in sql


def test_groups_are_split_further_where_a_message_adds_to_them(schema, grouped):
    built = at(schema, "built")
    said = Roles(move="group", select=[(built, ""), (ROWS, "")], group=[built], tables=({0}, set()))
    sql = asked(schema, "and by year too", grouped, said)
    assert sql.startswith("SELECT ferries.built, ferries.home_port, count(*) FROM")
    assert asked(schema, "by year rather", grouped, said).startswith("SELECT ferries.built, count(*) FROM")


def test_how_many_in_each_counts_by_what_was_shown(schema, found):
    ports = replace(found, select=[(at(schema, "home_port"), "")], literals=[], where=[])
    sql = asked(schema, "how many in each?", ports, Roles(move="group", select=[(ROWS, "")], tables=({0}, set())))
    assert sql == "SELECT ferries.home_port, count(*) FROM ferries GROUP BY ferries.home_port"


def test_a_new_topic_takes_the_place_of_the_one_before():
    maps, quiet = Wish("is this about maps?", topic=True), Wish("is it quiet?")
    said = Roles(move="refine", marks=[Mark("topic", 0, 0, 5)])
    rows = ({"name": "Grey Heron"},)
    assert kept_wishes(said, "music then", Earlier(Roles(), (maps, quiet), rows)) == [quiet]
    assert kept_wishes(said, "music then", Earlier(Roles(), (maps, quiet))) == []
    assert kept_wishes(said, "music as well", Earlier(Roles(), (maps, quiet), rows)) == [maps, quiet]
