"""Tables of documents: how the catalogue tells them, and what is asked of them, over questions with answers as drafted
from a file."""

from __future__ import annotations

import csv
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from agent.catalogue.tables import Catalogue, Column, Kind, Table
from agent.catalogue.values import ValueMemory
from agent.language import ChatKind, Conversation, PastQuery, PastTurn, Question
from agent.suql import check
from agent.understanding.documents import documents
from agent.understanding.parser import CatalogueParser
from agent.understanding.schema import read_schema
from corpora.catalogue.imported import catalogue_table
from corpora.importing.drafting import draft
from corpora.importing.sources import open_sources

FILE = Path(__file__).resolve().parents[2] / "corpora" / "importing" / "faq" / "tool_library.csv"
TITLE = "What happens if I bring something back late?"
GUIDES = Table(
    "guides",
    (
        Column("code", Kind.TEXT),
        Column("heading", Kind.TEXT),
        Column("area", Kind.ENUM),
        Column("updated", Kind.DATE),
        Column("text", Kind.FREE_TEXT, value_words=(("permit", ("papers", "licence")),)),
        Column("people_ask", Kind.FREE_TEXT, many=True, hidden=True, synonyms=("questions",)),
        Column("whom_to_ask", Kind.TEXT, synonyms=("contact", "who to ask")),
    ),
    key=("code",),
    title="heading",
    noun=("guide", "guides"),
)
GUIDE_MEMORY = ValueMemory({"guides.whom_to_ask": ["Harbour Office, 555 0101", "Lock Keepers, 555 0102"]})


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> CatalogueParser:
    drafted, _ = draft("tool_library", open_sources([FILE], tmp_path_factory.mktemp("unpacked")))
    with FILE.open() as file:
        rows = list(csv.DictReader(file))
    memory = ValueMemory({f"tool_library.{name.lower()}": [row[name] for row in rows] for name in ("Question", "Ask")})
    stored = {"view": "tool_library", "added": [], "integers": ["id"], "numbered": False}
    return CatalogueParser(Catalogue((catalogue_table(drafted.tables[0], stored),)), memory)


def talk(*past: PastTurn, table: str = "tool_library") -> Conversation:
    return Conversation(assistant="", tables=(table,), past=past, now=datetime(2026, 11, 20, 10))


def asked(parser: CatalogueParser, words: str, *past: PastTurn, **said: Any) -> str:
    parsed = parser.parse(Question(words=words, **said), talk(*past))
    check(parsed.suql, parser._catalogue)
    return parsed.suql


def after(words: str, **found: Any) -> PastTurn:
    """A turn that asked some words and found `found`."""
    query = {"suql": "SELECT 1", "table": "tool_library", "presentation": "article", "frame": {"asked": words}}
    return PastTurn(user=words, agent="", queries=(PastQuery(question=words, **{**query, **found}),))


def test_a_question_is_put_to_the_text_that_comes_nearest(parser):
    assert asked(parser, "Hi, what does it cost to join?") == (
        "SELECT question, answer(answer, 'what does it cost to join?') AS answer, ask AS contact FROM tool_library "
        "ORDER BY similar(answer, 'what does it cost to join') DESC LIMIT 1"
    )


@pytest.mark.parametrize(
    "table", [GUIDES, Table(**{f: getattr(GUIDES, f) for f in ("name", "columns", "key", "title")})]
)
def test_rows_that_are_called_documents_are_some(table):
    [found] = documents(read_schema(Catalogue((table,)), GUIDE_MEMORY), GUIDE_MEMORY)
    assert [one.name for one in (found.text, found.asked, found.contact)] == ["text", "people_ask", "whom_to_ask"]


def test_rows_with_numbers_or_other_names_are_no_documents():
    weighed = Table("guides", (*GUIDES.columns, Column("weight", Kind.NUMBER)), key=("code",), title="heading")
    boats = Table("boats", GUIDES.columns, key=("code",), title="heading", noun=("boat", "boats"))
    for table in (weighed, boats):
        assert not documents(read_schema(Catalogue((table,)), GUIDE_MEMORY), GUIDE_MEMORY)


def test_the_words_of_the_texts_stand_beside_those_of_whoever_asks():
    parser = CatalogueParser(Catalogue((GUIDES,)), GUIDE_MEMORY)
    parsed = parser.parse(Question(words="Which papers do I need?"), talk(table="guides"))
    near = "similar(text, '{0}') + greatest(similar(text, '{0}'), similar(people_ask, '{0}'))"
    order = f"{near.format('Which papers (permit) do I need')} + 0.5 * ({near.format('permit')}) DESC LIMIT 1"
    assert parsed.suql.endswith(f"ORDER BY {order}")


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("How long may I keep a saw, and what does it cost?", ["How long may I keep a saw", "what does it cost?"]),
        ("The saw broke. Do I have to pay?", ["The saw broke. Do I have to pay?"]),
        ("Can I reserve a drill? Also, do I need training?", ["Can I reserve a drill?", "do I need training?"]),
        ("I broke a saw, will it be repaired? And if I move, can I leave?", None),
        ("how and when do I join", ["how and when do I join"]),
        ("what fee and how many photos do I bring?", ["what fee and how many photos do I bring?"]),
        ("what does it cost to join + can I pay by card", ["what does it cost to join", "can I pay by card"]),
    ],
)
def test_each_question_of_a_message_is_one(parser, message, parts):
    found = parser.understand(message, talk()).questions
    assert [one.words for one in found] == parts if parts else len(found) == 2


@pytest.mark.parametrize(
    ("message", "kind"),
    [("hello", ChatKind.GREETING), ("can you help me with something?", ChatKind.CAPABILITIES)],
)
def test_small_talk_searches_nothing(parser, message, kind):
    understood = parser.understand(message, talk())
    assert (understood.chat, understood.questions) == (kind, ())


@pytest.mark.parametrize("message", ["and until when?", "how much is that?", "what is the deadline for spring"])
def test_what_says_too_little_goes_on_from_the_question_before(parser, message):
    before = "can I bring a saw back late"
    query = asked(parser, message, after(before, keys=("4",), titles=(TITLE,)))
    assert f"similar(answer, '{TITLE} {before} " in query
    assert f"(about: {before})" in query or "deadline" in message


def test_what_says_enough_is_only_helped_by_the_talk(parser):
    message = "how many machines may a group for repairs borrow"
    query = asked(parser, message, after("late fees", nearest=TITLE))
    assert f"ORDER BY similar(answer, '{message}') + 0.5 * (similar(answer, '{TITLE}: {message}'))" in query


def test_a_second_question_of_a_message_is_read_with_the_first(parser):
    query = asked(parser, "what does it cost?", following="How do I get an induction?")
    assert "'what does it cost? (about: How do I get an induction)'" in query
    told = asked(parser, "how long may I keep a floor sander?", following="How do I join?")
    assert "similar(answer, 'how long may I keep a floor sander') + 0.5" in told


@pytest.mark.parametrize(
    ("before", "message", "instead"),
    [("do MIG sets need training?", "and what about TIG?", "do TIG sets need training?"), ("", "what about TIG?", "")],
)
def test_the_same_is_asked_of_another_abbreviation(parser, before, message, instead):
    assert (instead or "what about TIG?") in asked(parser, message, *([after(before)] if before else []))


@pytest.mark.parametrize("message", ["who can I call about it?", "whom do I ask?", "where is that office?"])
def test_whom_to_ask_is_told_of_the_document_shown(parser, message):
    query = asked(parser, message, after("late fees", keys=("4",), titles=(TITLE,)))
    assert query == "SELECT question, ask FROM tool_library WHERE id IN (4)"


def test_an_office_is_told_with_all_that_reaches_it(parser):
    assert "ask ILIKE 'Front desk%'" in asked(parser, "phone number of the front desk")
    assert "similar(" in asked(parser, "when do I have to call the front desk about a broken saw")


@pytest.mark.parametrize(
    ("message", "part"),
    [
        ("how many guides are there?", "count(*)"),
        ("which guides were updated after August 2025", "guides.updated > '2025-08-31'"),
        ("list all guides", "SELECT guides.heading FROM guides"),
    ],
)
def test_the_documents_themselves_are_asked_for_as_any_rows(message, part):
    parser = CatalogueParser(Catalogue((GUIDES,)), GUIDE_MEMORY)
    assert part in parser.parse(Question(words=message), talk(table="guides")).suql


def test_a_file_of_questions_is_drafted_as_documents(parser):
    [table] = parser._catalogue
    assert (table.title, table.column("question").kind, table.column("ask").kind) == ("question", Kind.TEXT, Kind.TEXT)
