"""Wishes on prose, from marked stretches."""

from __future__ import annotations

import pytest

from agent.understanding.prose import condition, wishes
from agent.understanding.roles import Mark
from agent.understanding.unused import Account
from tests.agent.understanding.conftest import FERRIES


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
    assert condition(FERRIES, wish) == "answer(ferries.remarks, 'do the toilets smell?') IS DISTINCT FROM 'Yes'"
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
