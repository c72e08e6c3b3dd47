"""What a later message keeps of the query before."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from agent.language import Conversation, PastQuery, PastTurn
from agent.understanding.context import Earlier, begun, earlier, goes_on, is_of_others, recalled, remembered
from agent.understanding.keeping import going_on, kept_wishes
from agent.understanding.moves import with_move
from agent.understanding.prose import Wish
from agent.understanding.roles import LIMIT, Literal, Mark, Roles
from agent.understanding.schema import Schema

NOW = datetime(2026, 11, 20, 10)


def at(schema: Schema, name: str) -> int:
    return next(n for n, one in enumerate(schema.fields) if one.column.name == name)


def before(schema: Schema) -> Roles:
    """The three longest ferries of Sandwick with a heated deck."""
    return Roles(
        select=[(at(schema, "name"), "")],
        where=[(at(schema, "home_port"), "="), (at(schema, "heated_deck"), "=")],
        order=[(at(schema, "length_m"), "", "desc")],
        tables=({0}, set()),
        literals=[
            Literal("Sandwick", at(schema, "home_port"), "=", inner=False),
            Literal("three", LIMIT, "=", inner=False),
        ],
        limit=2,
    )


def test_a_query_comes_back_as_it_was_kept(schema):
    asked = Earlier(before(schema), (Wish("is the crew friendly?", "Yes", soft=True),))
    kept = remembered([asked], schema)
    assert recalled(kept["queries"][0], schema) == asked


def test_a_query_over_a_column_that_has_gone_does_not_come_back(schema):
    kept = remembered([Earlier(before(schema))], schema)["queries"][0]
    kept["where"][0][0] = "ferries.berth"
    assert recalled(kept, schema) is None


def test_nothing_comes_before_a_turn_that_asked_nothing(schema):
    frame = remembered([Earlier(before(schema))], schema)
    asked = PastTurn(user="a", agent="b", queries=(PastQuery(question="a", suql="", frame=frame),))
    thanked = PastTurn(user="thanks", agent="b")

    def talk(*past: PastTurn) -> Conversation:
        return Conversation(assistant="ferries", tables=("ferries",), past=past, now=NOW)

    assert [one.roles for one in earlier(talk(asked), schema)] == [before(schema)]
    assert earlier(talk(asked, thanked), schema) == []


def test_conditions_that_are_kept_hold_beside_new_ones(schema):
    built, port, deck = (at(schema, name) for name in ("built", "home_port", "heated_deck"))
    new = Literal("2000", built, ">", inner=False, start=6, stop=10)
    roles = Roles(move="refine", keep={port, deck}, where=[(built, ">")], literals=[new])
    held = going_on(roles, "built after 2000", [Earlier(before(schema))], schema)
    assert [one.text for one in held.literals] == ["Sandwick", "three", "2000"]
    assert (deck, "=") in held.where


def test_conditions_that_are_not_kept_are_gone(schema):
    port = at(schema, "home_port")
    new = Literal("Port Ellery", port, "=", inner=False, start=0, stop=11)
    roles = Roles(move="replace", where=[(port, "=")], literals=[new])
    assert [one.text for one in going_on(roles, "Port Ellery", [Earlier(before(schema))], schema).literals] == [
        "three",
        "Port Ellery",
    ]


def test_a_message_that_stands_alone_keeps_nothing(schema):
    roles = Roles(move="new", keep={at(schema, "home_port")})
    assert going_on(roles, "how many?", [Earlier(before(schema))], schema) is roles
    assert kept_wishes(roles, "how many?", Earlier(before(schema), (Wish("is it quiet?"),))) == []


def test_so_many_rows_stay_so_many(schema):
    held = going_on(Roles(move="show"), "with their length", [Earlier(before(schema))], schema)
    assert (held.limit, held.order) == (2, before(schema).order)
    assert LIMIT in [one.column for one in held.literals]


def test_what_a_message_drops_is_the_condition_that_it_names(schema):
    held = going_on(Roles(move="drop"), "the port does not matter", [Earlier(before(schema))], schema)
    assert [one.text for one in held.literals] == ["three"]
    assert (at(schema, "heated_deck"), "=") in held.where


@pytest.mark.parametrize(
    ("message", "alone"),
    [
        ("only the heated ones", False),
        ("with a heated deck", False),
        ("do they take dogs?", False),
        ("Sandwick?", False),
        ("hmm, what about the ones at Port Ellery", False),
        ("anything that's not based in Sandwick", False),
        ("How many ferries are longer than 40 m?", True),
        ("Which ferries are based in Sandwick?", True),
    ],
)
def test_whether_a_message_stands_alone(message, alone):
    assert goes_on(message) is not alone


def test_a_wish_stays_until_it_is_dropped(schema):
    asked = Earlier(before(schema), (Wish("is the crew friendly?"), Wish("is it quiet?")))
    assert kept_wishes(Roles(move="refine"), "in Sandwick", asked) == list(asked.wishes)
    dropped = kept_wishes(Roles(move="drop"), "never mind whether the crew is friendly", asked)
    assert dropped == [Wish("is it quiet?")]


def test_a_wish_that_is_left_aside_again_is_dropped_and_no_new_one(schema):
    asked, mark = Earlier(before(schema), (Wish("does this ferry have shade?"),)), Mark("wish", 0, 6, 21)
    for message, move in (
        ("leave the shade aside again", "drop"),
        ("forget the shade", "drop"),
        ("leave out those with shade", "refine"),
        ("and shady decks", "refine"),
    ):
        said = with_move(replace(before(schema), move="refine", marks=[mark]), message, [asked], schema)
        assert said.move == move
        assert going_on(said, message, [asked], schema).marks == ([] if move == "drop" else [mark])


def test_the_rows_of_a_query_come_back_with_their_names(schema):
    asked = Roles(select=[(at(schema, "built"), "")], tables=({0}, set()))
    first, second = (Earlier(replace(asked, limit=limit)) for limit in (0, 1))
    turns = [
        PastTurn(user="", agent="", queries=(PastQuery(question="", suql="", frame=remembered(kept, schema), **known),))
        for kept, known in (
            ([first], {"table": "ferries", "titles": ("Grey Heron",), "rows": ({"built": 1990},)}),
            ([second, first], {"rows": ({"built": 2001}, {"built": 2002})}),
        )
    ]
    talk = Conversation(assistant="ferries", tables=("ferries",), past=tuple(turns), now=datetime(2026, 11, 20, 10))
    assert [one.rows for one in earlier(talk, schema)] == [
        ({"built": 2001}, {"built": 2002}),
        ({"name": "Grey Heron", "built": 1990},),
    ]


@pytest.mark.parametrize(
    ("message", "rest"),
    [
        ("ok scrap all that. heated ones in Sandwick", "heated ones in Sandwick"),
        ("start over: heated ones", "heated ones"),
        ("forget all that, heated ones", "heated ones"),
        ("forget all the prices", None),
        ("forget the price", None),
    ],
)
def test_what_a_message_asks_that_begins_anew(message, rest):
    assert begun(message) == rest


def test_who_declines_and_asks_for_something_begins_anew():
    assert begun("no thanks. a ferry from Sandwick") == "a ferry from Sandwick"
    assert begun("no thanks.") is None


@pytest.mark.parametrize(
    ("message", "anew"),
    [
        ("ferries to Inishmoor", True),
        ("which ferries take dogs", True),
        ("which other ferries take dogs", False),
        ("and ferries that take dogs", False),
        ("does it take dogs", False),
    ],
)
def test_rows_of_its_kind_are_no_question_about_the_one_that_was_named(schema, message, anew):
    name = at(schema, "name")
    named = Earlier(Roles(select=[(name, "")], literals=[Literal("Lady Moyna", name, "=", inner=False)]))
    assert is_of_others(message, named, schema) is anew
    assert not is_of_others(message, Earlier(before(schema)), schema)
