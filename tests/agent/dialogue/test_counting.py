"""What is asked of rows that were only counted, and questions that are of everything there is again."""

from typing import Any

import pytest

from agent.language import PastTurn
from tests.agent.dialogue.test_interpreter import Talker

INDIAN = "'indian' = ANY(cuisines) AND location = 'Palo Alto'"


def counted(number: int, message: str = "how many indian places are there in Palo Alto") -> Talker:
    """A talk in which a number was told."""
    talk = Talker()
    talk.say(message)
    last = talk.past[-1]
    rows: tuple[dict[str, Any], ...] = ({"count": number},)
    query = last.queries[0].model_copy(update={"keys": (), "titles": (), "rows": rows})
    talk.past = (PastTurn(user=last.user, agent="", queries=(query,)),)
    return talk


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ("are they expensive?", "SELECT name, price FROM restaurants"),
        ("do they have parking", "answer(reviews, 'does this restaurant have parking?') AS answer"),
        ("compare them for a date night", "answer(reviews, 'is this restaurant good for a date night?') AS answer"),
    ],
)
def test_what_is_asked_of_those_counted_is_told_of_each(message: str, told: str) -> None:
    suql = counted(2).say(message)
    assert told in suql
    assert suql.endswith(f"WHERE {INDIAN}")


@pytest.mark.parametrize("number", [0, 40])
def test_none_or_many_are_not_told_one_by_one(number: int) -> None:
    assert "SELECT name, price" not in counted(number).say("are they expensive?")


def test_what_they_are_called_is_a_list() -> None:
    talk = counted(2)
    talk.say("what are they called?")
    assert talk.past[-1].queries[0].presentation == "list"


@pytest.mark.parametrize(
    ("message", "where"),
    [
        ("how many restaurants take dogs?", "answer(reviews, 'is this restaurant dog friendly?') = 'Yes'"),
        ("who in Cupertino has a patio", "answer(reviews, 'does this restaurant have a patio?') = 'Yes'"),
        ("somewhere in Cupertino that is open right this minute", "opening_hours = 'open now'"),
    ],
)
def test_a_question_of_all_there_is_leaves_what_was_searched_for(message: str, where: str) -> None:
    talk = Talker()
    talk.say("any indian food in Sunnyvale")
    suql = talk.say(message)
    assert where in suql
    assert "indian" not in suql


@pytest.mark.parametrize(
    ("message", "kept"), [("how many are open on sunday?", "indian"), ("somewhere else in Cupertino", "indian")]
)
def test_what_goes_on_keeps_what_was_searched_for(message: str, kept: str) -> None:
    talk = Talker()
    talk.say("any indian food in Sunnyvale")
    assert kept in talk.say(message)
