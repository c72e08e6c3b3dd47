"""A yes that takes something of itself back, two changes in one message, and a name that is not given."""

import pytest

from agent.worksheets.acts import ActKind
from tests.agent.tasks.speaking import Talk, Understander

BOOKED = ("book Quorum for 2 on Friday at 7pm", "no thanks")


@pytest.fixture
def restaurants(understander: Understander) -> Talk:
    return Talk(understander, "restaurants")


@pytest.mark.parametrize(
    "said",
    [
        "yes that sounds hard",
        "yes, it is too expensive",
        "yes, but only if they have a terrace",
        "yes if it's free",
        "yes, but do they have parking?",
        "yes, wait",
        "yep, oh wait",
        "yes... hold on",
        "make it quick",
        "make it anonymous",
        "book it with a candle",
    ],
)
def test_what_takes_a_yes_back_confirms_nothing(restaurants: Talk, said: str) -> None:
    decision = restaurants.say(*BOOKED, said)
    assert restaurants.done == []
    assert decision.acts[-1].act is ActKind.CONFIRM


@pytest.mark.parametrize(
    "said", ["yes, looks lovely", "book it please, and thank you", "yes, if possible", "sure, why not", "actually, yes"]
)
def test_a_yes_with_a_courtesy_is_one(restaurants: Talk, said: str) -> None:
    restaurants.say(*BOOKED, said)
    assert [action for action, _ in restaurants.done] == ["book"]


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("make it 8 and five people", {"time": "20:00", "number_of_people": 5}),
        ("actually move it to 9 and six of us", {"time": "21:00", "number_of_people": 6}),
        ("make it the day after, for 3", {"date": "2026-11-28", "number_of_people": 3}),
    ],
)
def test_two_changes_in_one_message(restaurants: Talk, said: str, changed: dict[str, object]) -> None:
    restaurants.say(*BOOKED, said, "yes")
    ((_, values),) = restaurants.done
    assert values.items() >= changed.items()


@pytest.mark.parametrize("said", ["make it anonymous", "I'd prefer to stay anonymous", "I'd rather not be named"])
def test_who_stays_anonymous_has_no_name(understander: Understander, said: str) -> None:
    talk = Talk(understander, "services")
    decision = talk.say("my AP credit was never posted", "in March", "no", said)
    assert "full name" in decision.acts[-1].text
    assert talk.state.instance(decision.acts[-1].instance).slot("full_name").value is None


def test_part_of_a_party_is_not_the_party(restaurants: Talk) -> None:
    restaurants.say("book Quorum on Friday at 7pm", "five, one of them a baby", "no", "yes")
    assert restaurants.done[0][1]["number_of_people"] == 5


def test_what_is_taken_from_a_search_begins_no_booking(restaurants: Talk) -> None:
    restaurants.say("tell me about Quorum", "leave out the midnight part")
    assert all(one.slot("time").value is None for one in restaurants.state.instances)


def test_a_taken_up_offer_says_what_it_is_for(restaurants: Talk) -> None:
    decision = restaurants.say("tell me about Quorum", "reserve the one with the better desserts")
    assert "Quorum" in decision.acts[-1].text


@pytest.mark.parametrize("said", ["I can't do Friday", "we cannot make it on Friday", "not Friday"])
@pytest.mark.parametrize("before", [("book Quorum for 2",), BOOKED[:1], BOOKED], ids=["asked", "later", "confirmed"])
def test_a_day_that_is_denied_is_asked_for_again(restaurants: Talk, before: tuple[str, ...], said: str) -> None:
    restaurants.say(*before)
    act = restaurants.say(said).acts[-1]
    [booking] = [one for one in restaurants.state.instances if one.worksheet == "BookRestaurant"]
    assert (booking.slot("date").value, act.act, act.field) == (None, ActKind.ASK, "date")


@pytest.mark.parametrize("said", ["why not Saturday?", "how about Saturday?"])
def test_a_day_that_is_put_forward_is_set(restaurants: Talk, said: str) -> None:
    restaurants.say("book Quorum for 2 on Friday at 7pm")
    decision = restaurants.say(said)
    [booking] = [one for one in restaurants.state.instances if one.worksheet == "BookRestaurant"]
    assert booking.slot("date").value == "2026-11-21"
    assert decision.acts[-1].act == ActKind.ASK
