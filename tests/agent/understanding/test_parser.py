"""Messages over a catalogue that the networks have never seen, with their real weights."""

from __future__ import annotations

from datetime import datetime

import pytest

from agent.language import ChatKind, Conversation, PastQuery, PastTurn, Question
from agent.suql import check
from agent.understanding.context import with_context
from agent.understanding.parser import CatalogueParser
from tests.agent.understanding.conftest import CATALOGUE, MEMORY

NOW = datetime(2026, 11, 20, 10)


@pytest.fixture(scope="module")
def parser() -> CatalogueParser:
    return CatalogueParser(CATALOGUE, MEMORY)


def talk(*past: PastTurn) -> Conversation:
    return Conversation(assistant="ferries", tables=("ferries", "calls"), past=past, now=NOW)


def suql(parser: CatalogueParser, words: str, *past: PastTurn) -> str:
    parsed = parser.parse(Question(words=words), talk(*past))
    check(parsed.suql, CATALOGUE)
    return parsed.suql


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("How many ferries are there?", ["count(*)", "FROM ferries"]),
        ("What are the names of ferries longer than 40 m?", ["ferries.name", "ferries.length_m > 40"]),
        ("Which ferry is the longest?", ["ORDER BY ferries.length_m DESC", "LIMIT 1"]),
        ("What is the average length of ferries based in Sandwick?", ["avg(ferries.length_m)", "= 'Sandwick'"]),
        ("Show the names of ferries that call at Inishmoor", ["JOIN calls", "calls.island = 'Inishmoor'"]),
        ("How many ferries are there in each home port?", ["count(*)", "GROUP BY ferries.home_port"]),
    ],
)
def test_plain_questions(parser, message, parts):
    query = suql(parser, message)
    assert all(part in query for part in parts), query


def test_a_wish_that_no_column_holds_is_asked_of_the_prose(parser):
    query = suql(parser, "a ferry based in Sandwick where the crew is friendly")
    assert "ferries.home_port = 'Sandwick'" in query
    assert "answer(ferries.remarks," in query
    assert "friendly" in query


def test_small_talk_is_no_question(parser):
    assert parser.understand("hello there!", talk()).chat is ChatKind.GREETING


def test_a_question_that_stands_alone_is_read_alone():
    past = PastTurn(user="a", agent="b", queries=(PastQuery(question="a", suql="", frame={"messages": ["a"]}),))
    assert with_context("How many ferries are longer than 40 m?", talk(past)) == (
        "How many ferries are longer than 40 m?",
    )


def test_a_question_that_goes_on_is_read_after_those_before():
    past = PastTurn(user="a", agent="b", queries=(PastQuery(question="a", suql="", frame={"messages": ["a"]}),))
    assert with_context("which of those take dogs?", talk(past)) == ("a", "which of those take dogs?")


def test_a_catalogue_without_columns_is_said_to_have_nothing_to_ask(parser):
    parsed = parser.parse(Question(words="how many?"), Conversation(assistant="x", tables=("none",), now=NOW))
    assert not parsed.suql
    assert "no data" in parsed.problem


@pytest.mark.parametrize("message", ["x" * 10_000, "- " * 5_000, "ferry " * 2_000, "'" * 999, "\u0000 ?", "🚢" * 500])
def test_no_message_makes_it_fail(parser, message):
    parsed = parser.parse(Question(words=message), talk())
    assert parsed.suql or parsed.problem
