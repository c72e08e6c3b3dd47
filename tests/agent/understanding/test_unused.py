"""What a message says and its query does not use, with roles as the linker may tell them."""

from __future__ import annotations

import pytest

from agent.understanding.compose import compose
from agent.understanding.roles import Literal, Roles
from agent.understanding.schema import Schema
from agent.understanding.unused import account, unused


def left(
    message: str, schema: Schema, *told: tuple[str, str, str], asked: str = "", order: str = ""
) -> tuple[str, ...]:
    """What is left of a message of which these values are told: (words, column, operator)."""
    at = {one.column.name: number for number, one in enumerate(schema.fields)}
    literals = [
        Literal(words, at[column], how, False, message.index(words), message.index(words) + len(words))
        for words, column, how in told
    ]
    roles = Roles(select=[(at["name"], "")], literals=literals, where=[(at[one[1]], one[2]) for one in told])
    roles.order = [(at[order], "", "desc")] if order else []
    sql = compose(roles, schema, message, 2026).sql
    spans = [(message.index(asked), message.index(asked) + len(asked))] if asked else []
    return unused(message, schema, roles, sql, spans)


@pytest.mark.parametrize(
    ("message", "told", "expected"),
    [
        ("ferries based in Sandwick, and there's a sauna", [("Sandwick", "home_port", "=")], ("there's a sauna",)),
        ("ferries built after 1990 that run in winter", [("1990", "built", ">")], ("run", "winter")),
        ("Sandwick ferries for four people", [("Sandwick", "home_port", "=")], ("for four",)),
        ("quiet Sandwick ferries", [("Sandwick", "home_port", "=")], ("quiet",)),
        ("where can we swim", [], ("swim",)),
        ("a good sauna at the top, under 40 m", [("40", "length_m", "<")], ("sauna",)),
        ("ferries that take dogs, with room for at least 100 lorries", [("dogs", "takes", "=")], ("100 lorries",)),
    ],
)
def test_what_no_part_of_the_query_uses_is_told(schema, message, told, expected):
    found = left(message, schema, *told)
    assert all(any(words in one for one in found) for words in expected), found


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("Show me all ferries based in Sandwick, please", [("Sandwick", "home_port", "=")]),
        ("I'm looking for ferries built after 1990", [("1990", "built", ">")]),
        ("hi, which ferries are longer than 40 m?", [("40", "length_m", ">")]),
        ("my mum is afraid of water. Which ferries take dogs?", [("dogs", "takes", "=")]),
        ("which ferrys take dogs, actualy?", [("dogs", "takes", "=")]),
        ("vessel under 40 metres", [("40", "length_m", "<")]),
        ("the description of the ferry Lady Moyna", [("Lady Moyna", "name", "=")]),
    ],
)
def test_of_what_is_used_as_a_whole_nothing_is_told(schema, message, told):
    assert left(message, schema, *told) == ()


def test_what_prose_is_asked_is_used(schema):
    message = "ferries based in Sandwick where the crew is friendly"
    told = ("Sandwick", "home_port", "=")
    assert left(message, schema, told, asked="the crew is friendly") == ()
    assert left(message, schema, told) != ()


def test_a_superlative_is_used_by_an_order_alone(schema):
    assert left("the longest ferry", schema, order="length_m") == ()
    assert left("the longest ferry", schema) != ()


def test_a_long_message_is_not_gone_through_word_by_word(schema):
    assert left("a sauna " * 1_000, schema) == ()


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("walks with a view", ["walks"]),
        ("vessels that people complain about", ["vessels"]),
        ("where do passengers complain about queues", []),
    ],
)
def test_who_says_something_is_not_what_is_searched_for(schema, message, named):
    told = account(message, schema, Roles(select=[(1, "")]), "SELECT ferries.name FROM ferries")
    assert [message[start:stop] for start, stop in told.named] == named
