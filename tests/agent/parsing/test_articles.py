"""Questions to articles: students' words beside the office's, and what a follow-up leans on."""

from __future__ import annotations

import pytest

from agent.catalogue.values import ValueMemory
from agent.parsing.frame import Frame, Order
from agent.parsing.generate import to_suql
from agent.parsing.parser import BuiltinParser
from agent.parsing.semantics.articles import Articles, in_office_words
from corpora.catalogue import catalogue
from tests.agent.parsing.world import GAZETTEER, MEMORY


@pytest.mark.parametrize(
    ("said", "read", "office"),
    [
        ("can I see a therapist", "can I see a therapist (counsellor)", "counsellor"),
        ("my GPA", "my GPA (grade average)", "grade average"),
        ("is the counsellor a therapist", "is the counsellor a therapist", ""),
        ("how do I drop a class", "how do I drop a class", ""),
        (
            "does a therapist see my GPA",
            "does a therapist (counsellor) see my GPA (grade average)",
            "counsellor, grade average",
        ),
    ],
)
def test_the_offices_word_stands_beside_the_students(said: str, read: str, office: str) -> None:
    assert in_office_words(said) == (read, office)


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


@pytest.mark.parametrize(
    ("said", "office"),
    [
        ("how do I get back into my studies?", ""),
        ("can I get back on campus?", ""),
        ("how much do I get back?", "refund"),
        ("can I get it back?", "refund"),
    ],
)
def test_money_comes_back_but_not_whoever_comes_back_in(said: str, office: str) -> None:
    assert in_office_words(said)[1] == office


def nearness(words: str) -> str:
    """How near an article is, by its text and by what people ask of it, where it has any of that."""
    body, asked = f"similar(body, '{words}')", f"similar(questions, '{words}')"
    return f"{body} + greatest({body}, {asked})"


def test_the_offices_words_alone_count_half() -> None:
    suql = BuiltinParser(catalogue(), MEMORY, GAZETTEER).parse("can I see a therapist?", ("articles",)).suql
    assert f"{nearness('can I see a therapist (counsellor)')} + 0.5 * ({nearness('counsellor')}) DESC" in suql


def test_what_was_talked_about_counts_half() -> None:
    order = Order(table="articles", column="body", words="and in winter", context="Dropping: and in winter")
    suql = to_suql(Frame(tables=("articles",), order=(order,), limit=1), catalogue())
    assert "similar(body, 'and in winter') + 0.5 * similar(body, 'Dropping: and in winter') DESC" in suql


@pytest.mark.parametrize(
    ("question", "suql"),
    [
        ("how many articles are about housing", "SELECT COUNT(*) AS count FROM articles WHERE category = 'Housing'"),
        ("show me all articles", "SELECT title, slug FROM articles"),
        ("how many help pages do you have", "SELECT COUNT(*) AS count FROM articles"),
        (
            "which article was updated last?",
            "SELECT title, slug, updated FROM articles ORDER BY updated DESC NULLS LAST LIMIT 1",
        ),
        (
            "the 2 latest pages in the enrollment category",
            "SELECT title, slug, updated FROM articles WHERE category = 'Enrollment' "
            "ORDER BY updated DESC NULLS LAST LIMIT 2",
        ),
        (
            "list articles on enrollment for people abroad",
            "SELECT title, slug FROM articles WHERE category = 'Enrollment' "
            "AND answer(body, 'is this article about people abroad?') = 'Yes'",
        ),
        ("articles changed since March 2025", "SELECT title, slug FROM articles WHERE updated >= 'march 2025'"),
        (
            "newest article about parking",
            "SELECT title, slug, updated FROM articles WHERE answer(body, 'is this article about parking?') = 'Yes' "
            "ORDER BY updated DESC NULLS LAST LIMIT 1",
        ),
    ],
)
def test_questions_about_the_articles_themselves(parser: BuiltinParser, question: str, suql: str) -> None:
    assert parser.parse(question, ("articles",)).suql == suql


def test_articles_on_a_topic_are_ordered_by_its_words(parser: BuiltinParser) -> None:
    frame = parser.frame("articles on parking", ("articles",))
    assert [order.words for order in frame.order] == ["parking"]
    assert frame.presentation == "list"


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


@pytest.mark.parametrize(
    ("question", "office"),
    [
        ("phone number of the Card Office", "Card Office"),
        ("where is the card office?", "Card Office"),
        ("I need the e-mail of the fees and refund team please", "Fees and Refunds team"),
        ("when do I have to call the card office about a broken card", ""),
        ("who do I call about my lost card", ""),
    ],
)
def test_an_office_is_told_with_all_that_reaches_it(parser: BuiltinParser, question: str, office: str) -> None:
    suql = parser.parse(question, ("articles",)).suql
    told = f"SELECT DISTINCT contact FROM articles WHERE contact ILIKE '{office}%'"
    assert (suql == told) == bool(office)


@pytest.mark.parametrize(
    "question", ["how many of your help pages are only for undergrads?", "which guides are meant for undergraduates"]
)
def test_whom_articles_are_for_is_said_in_short(parser: BuiltinParser, question: str) -> None:
    assert "WHERE audience = 'undergraduate'" in parser.parse(question, ("articles",)).suql


@pytest.mark.parametrize(
    ("when", "bound"),
    [
        ("after August 2025", "> '2025-08-31'"),
        ("since August 2025", ">= 'august 2025'"),
        ("after August 15, 2025", "> 'august 15 2025'"),
    ],
)
def test_after_a_month_is_after_its_last_day(parser: BuiltinParser, when: str, bound: str) -> None:
    suql = parser.parse(f"which articles were updated {when}", ("articles",)).suql
    assert suql.endswith(f"WHERE updated {bound}")
