"""Which row is "the best": one only where the query's order tells it from the others."""

from datetime import datetime

import pytest

from agent.deciding import first_alike, reported
from agent.language import Conversation, Parsed, PastQuery, PastTurn, Question
from agent.record import Card, Outcome, Query, TurnState
from agent.worksheets.applications import load


def outcome(suql: str, *ratings: float) -> Outcome:
    rows = tuple(
        Card(values={"name": f"n{at}", "rating": rating}, key=f"k{at}", table="restaurants", title=f"n{at}")
        for at, rating in enumerate(ratings)
    )
    query = Query(question=Question(words="the best"), parsed=Parsed(suql=suql), suql=suql)
    return Outcome(query=query, columns=("name", "rating"), rows=rows)


def turn(message: str, found: Outcome, *past: PastTurn) -> TurnState:
    talk = Conversation(assistant="restaurants", tables=("restaurants",), past=past, now=datetime(2026, 11, 20, 10))
    return TurnState(message=message, conversation=talk, outcomes=(found,))


RATED = "SELECT * FROM restaurants ORDER BY rating DESC LIMIT 3"
UNORDERED = "SELECT * FROM restaurants WHERE answer(reviews, 'is it quiet?') = 'Yes' LIMIT 3"
NEAREST = "SELECT * FROM restaurants ORDER BY similar(reviews, 'quiet') DESC LIMIT 3"


@pytest.mark.parametrize(
    ("suql", "ratings", "first"),
    [
        (RATED, (4.5, 4.4, 4.4), ["k0"]),
        (RATED, (4.5, 4.5, 4.4), ["k0", "k1"]),
        (UNORDERED, (4.5, 4.4), ["k0", "k1"]),
        (NEAREST, (4.5, 4.5), ["k0"]),
    ],
)
def test_rows_alike_in_the_order_are_all_first(suql: str, ratings: tuple[float, ...], first: list[str]) -> None:
    assert [entity.key for entity in first_alike(outcome(suql, *ratings))] == first


@pytest.mark.parametrize(
    ("changes", "pleases"),
    [({}, True), ({"relaxed": ("price cheap",)}, False), ({"rows": (Card(values={"answer": "No"}, key="k0"),)}, False)],
)
def test_only_what_was_wanted_pleases(changes: dict[str, object], pleases: bool) -> None:
    found = outcome(RATED, 4.5).model_copy(update=changes)
    assert reported(0, turn("noodles for four", found), load("restaurants")).pleases is pleases


@pytest.mark.parametrize(
    ("message", "pleases"),
    [
        ("the best rated noodles in Cupertino", False),
        ("is it noisy there?", False),
        ("noodles on Saturday evening", True),
        ("noodles for a party of five", True),
        ("can one make a reservation at the noodle place?", True),
    ],
)
def test_who_only_wants_to_know_is_offered_nothing(message: str, pleases: bool) -> None:
    assert reported(0, turn(message, outcome(RATED, 4.5)), load("restaurants")).pleases is pleases


def test_what_a_search_began_with_is_remembered_when_it_is_narrowed_down() -> None:
    earlier = PastTurn(user="noodles for five", agent="", queries=(PastQuery(question="", suql=RATED),))
    found = turn("only with a patio", outcome(RATED, 4.5), earlier)
    assert reported(0, found, load("restaurants")).pleases
