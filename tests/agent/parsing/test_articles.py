"""Questions to tables of texts: what they are looked for with, and what a follow-up leans on."""

from __future__ import annotations

import pytest

from agent.catalogue.values import ValueMemory
from agent.parsing.frame import Frame, Order
from agent.parsing.generate import to_suql
from agent.parsing.parser import BuiltinParser
from agent.parsing.semantics.articles import Articles
from corpora.catalogue import catalogue


def test_misspelt_words_are_put_right_by_what_the_texts_say() -> None:
    table = catalogue().table("articles")
    assert table
    read = Articles(table, ValueMemory({}, spoken={"articles": ("abitur", "waitlist", "planner")})).read
    assert read("does my abitr count for the waitlst?").order[0].words == "does my abitur count for the waitlist"
    assert read("is an abitr enough?").words == "is an abitur enough?"  # for what goes on from it
    assert read("is Planer down, plannr@alder.example says").order[0].words == (
        "is Planer down, plannr@alder.example says"  # neither names nor addresses
    )


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("That's reassuring. How often may I come?", "How often may I come"),
        ("ok. that is very good news! how do I pay?", "how do I pay"),
        ("That's not my form. Which one is?", "That's not my form. Which one is"),
        ("It is stuck. What now?", "It is stuck. What now"),
        ("That's a shame.", "That's a shame"),
    ],
)
def test_what_is_remarked_on_an_answer_is_not_looked_for(parser: BuiltinParser, said: str, asked: str) -> None:
    assert parser.frame(said, ("articles",)).order[0].words == asked


def test_what_was_talked_about_counts_half() -> None:
    order = Order(table="articles", column="body", words="and in winter", context="Dropping: and in winter")
    suql = to_suql(Frame(tables=("articles",), order=(order,), limit=1), catalogue())
    assert "similar(body, 'and in winter') + 0.5 * similar(body, 'Dropping: and in winter') DESC" in suql


def test_a_page_of_something_else_asks_for_no_list(parser: BuiltinParser) -> None:
    frame = parser.frame("do I have to page through my records to find the latest transcript?", ("articles",))
    assert frame.presentation == "article"


@pytest.mark.parametrize(
    "words",
    [
        "which courses count towards the security degree?",
        "what classes are on the list of the security program",
        "what is required for the security major?",
        "what do I still need for the security degree after CS 101 and CS 102?",
    ],
)
def test_what_a_degree_consists_of_is_all_that_its_sheet_says(parser: BuiltinParser, words: str) -> None:
    selected = parser.parse(words, ("programs",)).suql.partition(" FROM ")[0]
    assert selected == "SELECT specialization, program_id, sheet_requirements AS answer"


@pytest.mark.parametrize(
    "words",
    [
        "how many units does the security degree take?",
        "which math courses does the security degree require?",
        "does CS 101 count for the security degree?",
    ],
)
def test_a_part_of_what_a_degree_requires_is_looked_for(parser: BuiltinParser, words: str) -> None:
    assert "answer(sheet_requirements, " in parser.parse(words, ("programs",)).suql
