"""Whose turn it is: people and addresses are served in turn."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

from hybridchat.chat import leases, line, services
from hybridchat.chat.line import InLine, in_turn
from hybridchat.chat.owners import Owner, key_of

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


def waiting(*persons: str, begun: bool = False) -> list[InLine]:
    """Turns in the order of their arrival: "ann@home" is of Ann, from home; "ann" from an address of her own."""
    found = []
    for number, name in enumerate(persons):
        person, _, address = name.partition("@")
        found.append(InLine(uuid4(), person, address or person, NOON + timedelta(seconds=number), begun))
    return found


def order(turns: list[InLine], served: list[InLine] | None = None) -> str:
    return " ".join(one.person for one in in_turn(turns, served or []))


def test_who_sends_ten_messages_waits_behind_who_sends_one() -> None:
    assert order(waiting("ann", "ann", "ann", "bob", "cid")) == "ann bob cid ann ann"


def test_strangers_are_served_in_the_order_of_their_arrival() -> None:
    assert order(waiting("ann", "bob", "cid", "dan")) == "ann bob cid dan"


def test_who_was_served_lately_comes_after_who_was_not() -> None:
    assert order(waiting("ann", "bob"), served=waiting("ann")) == "bob ann"


def test_an_address_with_many_people_does_not_come_before_one_with_few() -> None:
    turns = waiting("ann@campus", "bob@campus", "cid@campus", "dan@home")
    assert order(turns) == "ann dan bob cid"


def test_within_an_address_people_are_served_in_turn() -> None:
    turns = waiting("ann@campus", "ann@campus", "bob@campus", "dan@home", "dan@home")
    assert order(turns) == "ann dan bob dan ann"


def test_new_names_from_one_address_do_not_push_others_back() -> None:
    flood = waiting(*(f"robot {number}@bots" for number in range(50)), "ann")
    assert order(flood).split().index("ann") == 2  # "robot", "0", then Ann


def test_what_was_begun_comes_first() -> None:
    assert order([*waiting("ann", "bob"), *waiting("cid", begun=True)]) == "cid ann bob"


def test_the_order_of_the_line_is_that_in_which_turns_are_taken(transactional_db: None) -> None:
    sent = []
    for person in ("ann", "ann", "ann", "bob"):
        conversation = services.new_conversation(Owner(key_of(person)), "restaurants")
        sent.append(services.receive(conversation, uuid4(), f"from {person}")[0])
    places = line.places()
    assert [places[turn.pk] for turn in sent] == [1, 3, 4, 2]
    taken = [leases.take_next(f"worker {number}") for number in range(5)]
    assert [turn and turn.pk for turn in taken] == [sent[0].pk, sent[3].pk, sent[1].pk, sent[2].pk, None]
    assert not line.places()
