"""Messages over a catalogue that the networks have never seen, with their real weights."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.language import ChatKind, Conversation, PastQuery, PastTurn, Question
from agent.suql import check
from agent.understanding.parser import CatalogueParser
from tests.agent.understanding.conftest import CATALOGUE, CHOIR_MEMORY, CHOIRS, MEMORY

NOW = datetime(2026, 11, 20, 10)
DOCUMENTS = Path(__file__).resolve().parents[3] / "docs"


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


@pytest.mark.parametrize("message", ["ferries based in Sandwick, and there's a sauna", "ferries with 12 lifeboats"])
def test_what_was_said_is_in_the_query_or_told_as_unused(parser, message):
    parsed = parser.parse(Question(words=message), talk())
    last = message.split()[-1]
    assert last in parsed.suql or any(last in words for words in parsed.unused)


def test_small_talk_is_no_question(parser):
    assert parser.understand("hello there!", talk()).chat is ChatKind.GREETING


def asked(parser: CatalogueParser, *messages: str) -> str:
    """The query of the last of a conversation's messages."""
    past: list[PastTurn] = []
    for words in messages:
        parsed = parser.parse(Question(words=words), talk(*past))
        query = PastQuery(question=words, suql=parsed.suql, frame=parsed.frame)
        past.append(PastTurn(user=words, agent="", queries=(query,)))
    check(past[-1].queries[0].suql, CATALOGUE)
    return past[-1].queries[0].suql


def test_the_documented_message_becomes_the_documented_query(parser):
    """docs/understanding.md follows it through all steps."""
    page = " ".join((DOCUMENTS / "understanding.md").read_text().split())
    first = "Which ferries based in Sandwick are longer than 40 m and have a friendly crew?"
    assert f"> {first}" in page
    assert asked(parser, first) in page
    kept = asked(parser, first, "Only those that call at Inishmoor")
    among = page[page.index("AND ferries.code IN (") : page.index("``` Other moves")].strip()
    assert among in kept


def test_a_question_that_stands_alone_keeps_nothing(parser):
    query = asked(parser, "ferries based in Sandwick", "How many ferries are there in total?")
    assert "Sandwick" not in query
    assert "count(*)" in query


def test_a_question_that_goes_on_keeps_what_was_asked(parser):
    query = asked(parser, "ferries based in Sandwick", "only those longer than 40 m")
    assert "ferries.home_port = 'Sandwick'" in query
    assert "ferries.length_m > 40" in query


def test_another_value_takes_the_place_of_the_one_before(parser):
    query = asked(parser, "ferries based in Sandwick", "what about Port Ellery?")
    assert "Port Ellery" in query
    assert "Sandwick" not in query


def test_a_wish_holds_in_the_turns_after(parser):
    query = asked(parser, "ferries where the crew is friendly", "only those based in Sandwick")
    assert "friendly" in query
    assert "ferries.home_port = 'Sandwick'" in query


def test_there_may_be_nothing_to_go_back_to(parser):
    past = PastTurn(user="a", agent="b", queries=(PastQuery(question="a", suql="", frame={}),))
    parsed = parser.parse(Question(words="go back to the list before"), talk(past))
    assert parsed.suql or parsed.problem


def test_what_is_asked_of_a_named_row_is_told_of_it(parser):
    query = suql(parser, "is the crew of the Grey Heron friendly?")
    assert "answer(ferries.remarks, 'is the crew of the Grey Heron friendly?')" in query
    assert "ferries.name = 'Grey Heron'" in query


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        (
            "choirs in Penbury where the conductor is patient",
            ["SELECT DISTINCT choirs.*", "JOIN visits", "answer(visits.comment,", "choirs.town = 'Penbury'"],
        ),
        (
            "choirs without rehearsals on Mondays where newcomers are welcome",
            ["choirs.id IN (SELECT choirs.id", "<> 'Mon'", "answer(visits.comment,"],
        ),
        (
            "is the conductor of the Larkhill Voices patient?",
            ["DISTINCT choirs.name", "answer(visits.comment, 'is the conductor", "choirs.name = 'Larkhill Voices'"],
        ),
    ],
)
def test_remarks_in_a_table_of_their_own_are_asked(message, parts):
    parsed = CatalogueParser(CHOIRS, CHOIR_MEMORY).parse(
        Question(words=message), Conversation(assistant="choirs", tables=("choirs", "visits", "rehearsals"), now=NOW)
    )
    check(parsed.suql, CHOIRS)
    assert all(part in parsed.suql for part in parts), parsed.suql


def test_a_catalogue_without_columns_is_said_to_have_nothing_to_ask(parser):
    parsed = parser.parse(Question(words="how many?"), Conversation(assistant="x", tables=("none",), now=NOW))
    assert not parsed.suql
    assert "no data" in parsed.problem


@pytest.mark.parametrize("message", ["x" * 10_000, "- " * 5_000, "ferry " * 2_000, "'" * 999, "\u0000 ?", "🚢" * 500])
def test_no_message_makes_it_fail(parser, message):
    parsed = parser.parse(Question(words=message), talk())
    assert parsed.suql or parsed.problem


def test_of_a_message_that_is_not_understood_no_row_is_shown():
    """Every row would be an answer to nothing that was asked."""
    boats = Table("boats", (Column("name", Kind.TEXT), Column("length_m", Kind.NUMBER)), title="name")
    parser = CatalogueParser(Catalogue((boats,)), ValueMemory({}))
    about = Conversation(assistant="boats", tables=("boats",), now=NOW)
    parsed = parser.parse(Question(words="boats that smell of fish"), about)
    assert not parsed.suql
    assert "“smell of fish”" in parsed.problem
    assert parser.parse(Question(words="Show me all boats"), about).suql == "SELECT boats.name FROM boats"
