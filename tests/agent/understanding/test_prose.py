"""Wishes on prose, from marked stretches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from agent.catalogue.tables import Catalogue
from agent.understanding.prose import asked_of, condition, texts_of, wishes
from agent.understanding.roles import Mark
from agent.understanding.schema import read_schema
from agent.understanding.unused import Account
from tests.agent.understanding.conftest import CHOIRS, FERRIES, MEMORY


def marked(message: str, *stretches: tuple[str, str]) -> list[Mark]:
    return [Mark(kind, 0, message.index(words), message.index(words) + len(words)) for kind, words in stretches]


@pytest.mark.parametrize(
    ("message", "stretches", "expected"),
    [
        ("where the crew is friendly", [("wish", "the crew is friendly")], ["Yes"]),
        ("ferries that never smell of diesel", [("wish", "smell of diesel")], ["No"]),
        ("ferries without queues", [("unwanted", "queues")], ["No"]),
        ("ferries that don't take long to board", [("wish", "take long to board")], ["No"]),
        ("good coffee and clean toilets", [("wish", "good coffee"), ("wish", "clean toilets")], ["Yes", "Yes"]),
    ],
)
def test_what_is_denied_is_wished_away(schema, message, stretches, expected):
    found = wishes(marked(message, *stretches), message, FERRIES, schema, Account())
    assert [one.expected for one in found] == expected


def test_what_nobody_says_is_not_left_out(schema):
    message = "ferries from Sandwick, but none where people say the toilets smell"
    [wish] = wishes(marked(message, ("wish", "the toilets smell")), message, FERRIES, schema, Account())
    assert (
        condition(texts_of(schema, 0), wish, FERRIES)
        == "answer(ferries.remarks, 'do the toilets smell?') IS DISTINCT FROM 'Yes'"
    )
    message, said = "long ferries but nothing that rattles", Account(named=((5, 12),))
    [wish] = wishes(marked(message, ("wish", "rattles")), message, FERRIES, schema, said)
    assert (wish.question, wish.expected) == ("does this ferry rattle?", "not Yes")


def test_pieces_of_one_wish_are_one(schema):
    message = "ferries happy to wait for late buses"
    found = wishes(
        marked(message, ("wish", "happy to wait"), ("wish", "late buses")), message, FERRIES, schema, Account()
    )
    assert len(found) == 1
    assert "late buses" in found[0].question


def test_what_a_column_holds_is_no_wish(schema):
    message = "with a heated deck"
    assert wishes(marked(message, ("wish", "a heated deck")), message, FERRIES, schema, Account()) == []


def test_what_a_value_has_claimed_is_no_wish(schema):
    message = "quiet Sandwick ones"
    assert wishes(marked(message, ("wish", "Sandwick")), message, FERRIES, schema, Account(claimed=((6, 14),))) == []


def test_remarks_in_a_table_of_their_own_are_read_before_what_describes_a_row(choirs):
    assert [text.name for text in texts_of(choirs, 0)] == ["visits.comment", "choirs.about"]
    assert [text.name for text in asked_of(texts_of(choirs, 0), topic=True)] == ["choirs.about"]
    assert texts_of(choirs, 2) == []


def test_a_topic_is_asked_in_the_words_that_texts_have_for_it(choirs):
    message = "choirs for EM where newcomers are welcome"
    found = wishes(
        marked(message, ("topic", "EM"), ("wish", "newcomers are welcome")),
        message,
        CHOIRS.tables[0],
        choirs,
        Account(),
        whole=True,
    )
    assert found[0].question == "is this choir about early music?"
    topic, wish = (condition(asked_of(texts_of(choirs, 0), topic=one.topic), one, CHOIRS.tables[0]) for one in found)
    assert (topic.count("answer("), wish.count("answer(")) == (1, 2)
    assert "choirs.name ILIKE '%early%music%'" in topic
    assert "ILIKE" not in wish


def test_a_text_that_is_read_along_is_not_asked_twice():
    about = replace(FERRIES.columns[-1], name="about", many=False)
    table = replace(FERRIES, columns=(about, replace(FERRIES.columns[-1], along="about")))
    assert [one.name for one in texts_of(read_schema(Catalogue((table,)), MEMORY), 0)] == ["ferries.remarks"]


@pytest.mark.parametrize(
    ("message", "stretches", "questions"),
    [
        (
            "a smooth hull so I don't get seasick",
            [("wish", "smooth hull"), ("unwanted", "get seasick")],
            ["does this ferry have a smooth hull?"],
        ),
        (
            "I hate standing in line, with fast boarding",
            [("unwanted", "standing in line"), ("wish", "fast boarding")],
            ["does this ferry have fast boarding?"],
        ),
        (
            "with a band for our anniversary",
            [("wish", "a band for our anniversary")],
            ["is this ferry good for anniversary?", "does this ferry have a band?"],
        ),
        (
            "my son has a nut allergy. Who takes it seriously?",
            [("wish", "my son has a nut allergy"), ("wish", "takes it seriously")],
            ["does this ferry take nut allergy seriously?"],
        ),
        (
            "where can I eat soup and bring my dog",
            [("wish", "bring my dog")],
            ["can you bring your dog?"],
        ),
    ],
)
def test_what_tells_why_is_no_wish_of_its_own(schema, message, stretches, questions):
    found = wishes(marked(message, *stretches), message, FERRIES, schema, Account(), whole=True)
    assert [one.question for one in found] == questions
