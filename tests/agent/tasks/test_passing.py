"""An offer stands beside the search, and is begun by nothing but words that take it up."""

import pytest

from agent.worksheets.acts import ActKind
from tests.agent.tasks.speaking import Talk, Understander


@pytest.fixture
def offered(understander: Understander) -> Talk:
    talk = Talk(understander, "restaurants")
    decision = talk.say("is Quorum open on Saturday?")
    assert decision.acts[-1].act is ActKind.PROPOSE
    return talk


@pytest.mark.parametrize(
    "said",
    [
        "only if it stays open beyond ten on Fridays",
        "and a terrace for warm evenings",
        "ramen that is open tomorrow at 9",
        "compare both for parking and noise",
        "somewhere with candles on Sunday at 8",
        "one with a playground for two kids",
        "ok, something less formal",
        "outdoor seating on Thursday night",
        "leave out the pricey ones",
    ],
)
def test_what_is_still_looked_for_begins_nothing(offered: Talk, said: str) -> None:
    offered.say(said)
    assert not offered.state.focus
    assert offered.asked


@pytest.mark.parametrize(
    "said",
    ["yes", "go ahead and book it", "the four of us, at 7 on Saturday", "tomorrow around 8", "for three",
     "Sunday at noon, five people, with a high chair", "sure, for two at 6"],
)  # fmt: skip
def test_what_only_a_booking_needs_takes_it_up(offered: Talk, said: str) -> None:
    offered.say(said)
    assert offered.state.focus


@pytest.mark.parametrize(
    "said", ["yes, book it", "reserve for four tomorrow", "I'd like a table for two at 7 on Sunday"]
)
def test_what_was_shown_alone_is_what_is_booked(understander: Understander, said: str) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("what is the price of Quorum?")
    talk.state = talk.state.model_copy(update={"instances": (), "pending": None})  # nothing was offered
    talk.say(said)
    booking = talk.state.instance(talk.state.focus)
    assert booking.slot("restaurant").value.key == "quorum"


def test_who_wants_to_book_somewhere_is_asked_where(understander: Understander) -> None:
    talk = Talk(understander, "restaurants")
    talk.say("what is the price of Quorum?", "no", "I want to book something")
    assert not any(one.slot("restaurant").value for one in talk.state.instances if one.status == "active")


@pytest.mark.parametrize(
    ("app", "search", "said"),
    [
        ("courses", "networks courses", "drop whatever takes above 10 hours"),
        ("courses", "networks courses", "drop the ones with a final"),
        ("courses", "networks courses", "drop the morning classes"),
        ("courses", "networks courses", "drop the evening one"),
        ("restaurants", "places in Sunnyvale", "drop the fancy spots"),
        ("restaurants", "places in Sunnyvale", "only recently moved here: tacos in Palo Alto?"),
    ],
)
def test_what_names_nothing_done_before_undoes_nothing(
    understander: Understander, app: str, search: str, said: str
) -> None:
    talk = Talk(understander, app)
    talk.say(search, said)
    assert not talk.state.instances
    assert talk.asked


@pytest.mark.parametrize(
    ("app", "said"),
    [("courses", "drop CS 140"), ("courses", "drop my seminar"), ("courses", "drop that one"),
     ("restaurants", "drop my reservation, please"),
     ("restaurants", "I need to cancel my table")],
)  # fmt: skip
def test_what_was_done_before_can_be_undone(understander: Understander, app: str, said: str) -> None:
    talk = Talk(understander, app)
    assert talk.say("what is there?", said).acts[-1].act is ActKind.CONFIRM
