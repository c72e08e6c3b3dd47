"""What is asked of a row that a message names."""

from __future__ import annotations

import pytest

from agent.understanding.known_rows import asks_about, with_asked
from agent.understanding.roles import ROWS, Literal, Mark, Roles

NAME, SKIPPER = 1, 10  # of calls, by name


@pytest.mark.parametrize(
    ("message", "columns"),
    [
        ("home port and length m of Lady Moyna", ["home_port", "length_m"]),
        ("is Lady Moyna based in Sandwick?", ["home_port"]),
        ("Lady Moyna", []),
    ],
)
def test_columns_named_beside_a_row_are_asked_of_it(schema, message, columns):
    at = message.index("Lady Moyna")
    roles = Roles(select=[(NAME, "")], literals=[Literal("Lady Moyna", NAME, "=", False, at, at + 10)])
    shown = [schema.fields[column].column.name for column, _ in with_asked(roles, schema, message).select]
    assert shown == ["name", *columns]


def test_what_a_column_answers_is_not_asked_of_prose(schema):
    message = "what is the home port of Lady Moyna"
    told = [Mark("question", 8, 0, 21), Mark("wish", 8, 22, 24)]
    roles = Roles(select=[(NAME, "")], literals=[Literal("Lady Moyna", NAME, "=", False, 25, 35)], marks=told)
    assert with_asked(roles, schema, message).marks == told[1:]


def test_a_name_inside_a_wish_is_no_row(schema):
    roles = Roles(
        select=[(NAME, "")],
        literals=[Literal("Lady Moyna", NAME, "=", False, 14, 24)],
        marks=[Mark("wish", 8, 5, 24)],
    )
    assert with_asked(roles, schema, "near that is Lady Moyna home port") is roles


@pytest.mark.parametrize(
    ("message", "select"),
    [
        ("how many calls does Lady Moyna make at home port?", [(ROWS, "")]),
        ("how many length m does Lady Moyna have?", [(NAME, ""), (2, "")]),
    ],
)
def test_rows_that_belong_to_a_row_are_counted_and_numbers_of_it_told(schema, message, select):
    at = message.index("Lady Moyna")
    roles = Roles(select=[(ROWS, "")], literals=[Literal("Lady Moyna", NAME, "=", False, at, at + 10)])
    assert with_asked(roles, schema, message).select == select


def test_an_aggregate_over_a_row_stays(schema):
    roles = Roles(select=[(2, "max")], literals=[Literal("Lady Moyna", NAME, "=", False, 23, 33)])
    assert with_asked(roles, schema, "maximum length m of the Lady Moyna") == roles


@pytest.mark.parametrize(
    ("message", "asked"),
    [
        ("is captain Rua strict", True),
        ("what do people say about Rua's temper?", True),
        ("ferries of captain Rua", False),
    ],
)
def test_what_is_asked_about_a_person_is_told_apart_from_rows_with_their_name(schema, message, asked):
    at = message.index("Rua")
    assert asks_about(Literal("Rua", SKIPPER, "=", False, at, at + 3), schema, message) is asked


@pytest.mark.parametrize(
    "message", ["what is the home port of Lady Moyna", "what do people say about the crew at Lady Moyna"]
)
def test_a_title_that_is_marked_as_a_value_is_the_row_that_something_is_asked_of(schema, message):
    start = message.index("Lady Moyna")
    place = Literal("Lady Moyna", 4, "=", False, start, start + 10)
    roles = Roles(select=[(4, "")], literals=[place], marks=[Mark("column", 8, start, start + 10)])
    assert [one.column for one in with_asked(roles, schema, message).literals] == [NAME]


def test_what_numbers_count_is_asked_of_rows_that_are_compared(choirs):
    message = "which has more singers, Larkhill Voices or Saint Anne Singers"
    names = [
        Literal(name, 1, "=", False, message.index(name), message.index(name) + len(name))
        for name in ("Larkhill Voices", "Saint Anne Singers")
    ]
    shown = with_asked(Roles(select=[(1, "")], literals=names), choirs, message).select
    assert [choirs.fields[column].column.name for column, _ in shown] == ["name", "min_singers", "max_singers"]


def test_a_name_that_is_marked_as_a_value_is_a_row(schema):
    message = "how does Lady Moyna compare in home port"
    marks = [Mark("column", 8, 9, 19), Mark("question", 8, 20, 27)]
    roles = Roles(select=[(NAME, "")], literals=[Literal("Lady Moyna", NAME, "=", False, 9, 19)], marks=marks)
    found = with_asked(roles, schema, message)
    assert [schema.fields[column].column.name for column, _ in found.select] == ["name", "home_port"]
    assert found.marks == marks[:1]
