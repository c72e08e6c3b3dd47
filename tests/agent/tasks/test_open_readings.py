"""What may mean several things, and what names no value: asked about, or proposed, never silently one of them."""

import pytest

from agent.parsing.tasks.readers import contact, spans
from agent.worksheets.acts import ActKind
from agent.worksheets.state import InstanceStatus
from tests.agent.tasks.speaking import Talk, Understander

BOOKED = ("book Quorum for 2 on Friday at 8", "no thanks")


@pytest.fixture
def restaurants(understander: Understander) -> Talk:
    return Talk(understander, "restaurants")


@pytest.fixture
def services(understander: Understander) -> Talk:
    return Talk(understander, "services")


def value(talk: Talk, field: str) -> object:
    return talk.state.instance("book_restaurant_1").slot(field).value


@pytest.mark.parametrize("number", ["make it 7", "actually 7 please", "7", "yes but 7", "can we do seven instead?"])
def test_a_number_for_two_fields_is_asked_about_and_confirms_nothing(restaurants: Talk, number: str) -> None:
    decision = restaurants.say(*BOOKED, number)
    assert decision.acts[-1].options == ("at 7:00 pm", "for 7 people")
    assert restaurants.done == []
    assert (value(restaurants, "time"), value(restaurants, "number_of_people")) == ("20:00", 2)


@pytest.mark.parametrize(
    ("answer", "time", "people"),
    [
        ("the time", "19:00", 2),
        ("at 7:00 pm", "19:00", 2),
        ("the number of guests", "20:00", 7),
        ("for 7 people", "20:00", 7),
        ("the latter", "20:00", 7),
        ("both", "19:00", 7),
        ("neither", "20:00", 2),
        ("never mind", "20:00", 2),
        ("yes", "20:00", 2),
    ],
)
def test_the_choice_is_told_by_its_field_its_place_or_its_value(
    restaurants: Talk, answer: str, time: str, people: int
) -> None:
    decision = restaurants.say(*BOOKED, "make it 7", answer)
    assert (value(restaurants, "time"), value(restaurants, "number_of_people")) == (time, people)
    assert decision.acts[-1].act is ActKind.CONFIRM
    assert restaurants.done == []


@pytest.mark.parametrize(
    ("said", "time", "people"),
    [
        (("book Quorum for 2 on Friday", "at 8", "hmm make that 7"), "19:00", 2),  # spoken of last
        (("book Quorum on Friday at 8", "for 4", "hmm make that 5"), "20:00", 5),
        ((*BOOKED, "no, 15"), "20:00", 15),  # nobody says fifteen for three in the afternoon
        ((*BOOKED, "change 2 to 4"), "20:00", 4),  # what it was
        ((*BOOKED, "change it from 8 to 7"), "19:00", 2),
        ((*BOOKED, "one more person"), "20:00", 3),  # by how far
        ((*BOOKED, "an hour later please"), "21:00", 2),
        ((*BOOKED, "half an hour earlier"), "19:30", 2),
        (("book Quorum for 2 in two hours",), "12:00", 2),
        (("book Quorum for 2 in 150 minutes",), "12:30", 2),
        ((*BOOKED, "cancel that, book it for 9 pm instead"), "21:00", 2),
        ((*BOOKED, "forget it, make it 9 pm"), "21:00", 2),
        ((*BOOKED, "no, make it an hour and a half from now"), "11:30", 2),
        ((*BOOKED, "actually we're 6 now"), "20:00", 6),
        ((*BOOKED, "8 not 2"), "20:00", 8),
        ((*BOOKED, "a bit later please", "the first one"), "20:30", 2),
    ],
)
def test_the_context_tells_what_a_number_changes(
    restaurants: Talk, said: tuple[str, ...], time: str, people: int
) -> None:
    restaurants.say(*said)
    assert (value(restaurants, "time"), value(restaurants, "number_of_people")) == (time, people)


@pytest.mark.parametrize(
    ("said", "options"),
    [
        ("tomorrow evening", ("6:00 pm", "7:00 pm", "8:00 pm")),
        ("on Friday after work", ("5:30 pm", "6:00 pm", "6:30 pm")),
        ("on Friday at lunchtime", ("12:00 noon", "12:30 pm", "1:00 pm")),
        ("on Friday before 8", ("7:00 pm", "7:30 pm")),
    ],
)
def test_a_part_of_the_day_is_asked_about_with_its_times(
    restaurants: Talk, said: str, options: tuple[str, ...]
) -> None:
    decision = restaurants.say(f"book Quorum for 2 {said}")
    assert value(restaurants, "time") is None
    assert decision.acts[-1].options == options


def test_a_part_of_the_day_is_remembered_until_the_time_is_asked(restaurants: Talk) -> None:
    decision = restaurants.say("book a table for tomorrow night", "Quorum")
    assert decision.acts[-1].options == ("7:00 pm", "8:00 pm", "9:00 pm")


def test_a_greeting_is_no_time_of_day(restaurants: Talk) -> None:
    restaurants.say("good morning, a table at Quorum on Friday at 8 for 2 please")
    assert value(restaurants, "time") == "20:00"


@pytest.mark.parametrize("said", ["between 7 and 8", "7 to 8 pm", "around sevenish", "any time after 7", "7 or 8"])
def test_a_stretch_of_time_is_proposed_from_its_beginning(restaurants: Talk, said: str) -> None:
    decision = restaurants.say("book Quorum for 2 on Friday", said)
    assert value(restaurants, "time") == "19:00"
    assert "7:00 pm" in decision.acts[-1].text


def test_four_or_five_people_are_not_five(restaurants: Talk) -> None:
    decision = restaurants.say("book Quorum on Friday at 8 for 4 or 5 people")
    assert value(restaurants, "number_of_people") is None
    assert decision.acts[-1].options == ("4", "5")


@pytest.mark.parametrize(
    "said",
    [
        "let me come back to this later",
        "put the booking aside",
        "hold on, not now",
        "I'll get back to you once I know more",
        "can we pause this for a moment?",
        "let me think about it",
    ],
)
def test_a_task_is_left_for_now_and_taken_up_as_it_was(restaurants: Talk, said: str) -> None:
    restaurants.say(*BOOKED, said)
    assert restaurants.state.instance("book_restaurant_1").status is InstanceStatus.SUSPENDED
    decision = restaurants.say("ok, I'm back")
    assert decision.acts[-1].act is ActKind.CONFIRM
    assert restaurants.done == []


def test_a_courtesy_before_something_else_confirms_nothing(restaurants: Talk) -> None:
    restaurants.say(*BOOKED, "ok I'm at home by then")
    assert restaurants.done == []


def test_what_need_not_be_there_is_left_out_at_the_confirmation(restaurants: Talk) -> None:
    restaurants.say("book Quorum for 2 on Friday at 8", "jo@example.com", "no e-mail please")
    assert value(restaurants, "email") is None
    restaurants.say("yes")
    assert "email" not in restaurants.done[0][1]


def test_no_more_courses_declines_no_units(understander: Understander) -> None:
    talk = Talk(understander, "courses")
    decision = talk.say("enroll me in CS 107 for a letter grade", "no more courses")
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "course_num_units")
    decision = talk.say("4 units")
    assert decision.acts[-1].act is ActKind.CONFIRM


@pytest.mark.parametrize("said", ["my financial aid has not arrived", "I forgot to add a class before the deadline"])
def test_a_told_problem_is_looked_into_and_a_ticket_only_offered(services: Talk, said: str) -> None:
    decision = services.say(said)
    assert [act.act for act in decision.acts] == [ActKind.REPORT, ActKind.PROPOSE]
    assert services.state.instance("main_1").status is InstanceStatus.PROPOSED
    services.say("yes")
    assert services.state.instance("main_1").status is InstanceStatus.ACTIVE


@pytest.mark.parametrize(
    "asked",
    [
        "I got a D in economics, may I do it over?",
        "abitur in physics with 11 points how many units",
        "my AP scores came in July and I wonder what happens with them now",
    ],
)
def test_what_is_asked_within_a_told_matter_begins_no_ticket(services: Talk, asked: str) -> None:
    services.say(asked)
    assert all(one.status is not InstanceStatus.ACTIVE for one in services.state.instances)


@pytest.mark.parametrize(
    "said", ["open a ticket", "please file a request", "help from student services, open a ticket"]
)
def test_a_ticket_that_is_asked_for_is_begun_without_a_topic(services: Talk, said: str) -> None:
    decision = services.say(said)
    assert (decision.acts[-1].act, decision.acts[-1].field) == (ActKind.ASK, "student_task")


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("jo at example dot com", "jo@example.com"),
        ("it's j dot doe at cs dot uni dot edu", "j.doe@cs.uni.edu"),
        ("ann underscore lee at uni.edu", "ann_lee@uni.edu"),
        ("a n n at uni dot ac dot uk", "ann@uni.ac.uk"),
        ("ann lee at uni dot edu", None),  # of two words, which is the address?
        ("let's meet at the corner", None),
    ],
)
def test_an_address_is_read_as_it_is_spelled_out(said: str, address: str | None) -> None:
    assert next((one.value for one in contact.emails(said)), None) == address


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("it's 55012", "55012"),
        ("1234 5678 90", "1234567890"),
        ("my id is 0042", "0042"),
        ("double oh seven", "007"),
        ("7 7 3 1 0", "77310"),
        ("06-123-4567", "06-123-4567"),
    ],
)
def test_what_identifies_keeps_its_digits(said: str, number: str) -> None:
    assert [one.value for one in contact.identifiers(said)] == [number]


@pytest.mark.parametrize(
    ("said", "times"),
    [
        ("between 11 and 1 pm", ("11:00", "11:30", "12:00", "12:30", "13:00")),
        ("8 or 9 pm", ("20:00", "21:00")),
        ("change it from 7 to 8", ()),
        ("for 8 or 9 people", ()),
        ("2 on Friday", ()),
    ],
)
def test_a_stretch_is_its_beginning_and_what_follows(said: str, times: tuple[str, ...]) -> None:
    assert [(one.value, *one.others) for one in spans.proposed(said)] == ([times] if times else [])
