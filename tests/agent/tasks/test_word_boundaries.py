"""No reader finds a time, a number, a date or a person inside an ordinary word, and each value goes to its unit."""

from __future__ import annotations

import datetime
from collections.abc import Callable

import pytest

from agent.parsing.tasks.readers import dates, people, spans, words
from agent.text.frequencies import english_rank
from agent.text.readers import numbers, times
from agent.text.readers.reading import Reading
from tests.agent.tasks.speaking import Talk, Understander

TODAY = datetime.date(2026, 11, 20)
READERS: dict[str, Callable[[str], list[Reading]]] = {
    "times": times.read,
    "spans": lambda low: [*spans.proposed(low), *spans.bounds(low), *spans.parts(low)],
    "dates": lambda low: [*dates.read(low, TODAY), *dates.read(low, TODAY, past=True)],
    "numbers": numbers.read,
    "people": people.read,
    "names": words.spoken_names,
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("sentence", ["{}", "the {} is", "at {} or so", "for {} pm"])
def test_what_is_read_lies_on_word_boundaries(reader: str, sentence: str) -> None:
    inside = []
    for word in list(english_rank())[:12_000]:
        said = sentence.format(word)
        for found in READERS[reader](said):
            around = f" {said} "[found.start : found.start + 2], f" {said} "[found.stop : found.stop + 2]
            if any(pair.isalpha() for pair in around):
                inside.append((said, found))
    assert not inside


RESTAURANT = "book Quorum on Friday"


@pytest.fixture
def talk(understander: Understander) -> Talk:
    return Talk(understander, "restaurants")


def held(talk: Talk, field: str, instance: str = "book_restaurant_1") -> object:
    at = talk.state.instance(instance)
    return at.slot(field).value if at is not None else None


@pytest.mark.parametrize(
    ("said", "time", "people"),
    [
        ("7pm for two", "19:00", 2),
        ("6:30pm for four", "18:30", 4),
        ("for two at 7", "19:00", 2),
        ("for 7, 4 people", "19:00", 4),
        ("half past seven for six", "19:30", 6),
    ],
)
def test_a_value_goes_to_the_field_of_its_unit(talk: Talk, said: str, time: str, people: int) -> None:
    talk.say(RESTAURANT, said)
    assert (held(talk, "time"), held(talk, "number_of_people")) == (time, people)


@pytest.mark.parametrize("said", ["phone is better", "gluten free please", "none of them is often done"])
def test_a_number_inside_a_word_is_no_time(talk: Talk, said: str) -> None:
    talk.say("book Quorum for 2 on Friday", said)
    assert held(talk, "time") is None


@pytest.mark.parametrize(
    "said",
    [
        "what happens if I cancel the day before?",
        "what happens if we come an hour later?",
        "if I come an hour later, is that a problem?",
        "if I cancel the day before, is there a fee?",
        "can I cancel a day before?",
        "what if two more people come?",
    ],
)
def test_what_is_asked_or_supposed_changes_nothing(talk: Talk, said: str) -> None:
    talk.say("book Quorum for 2 on Friday at 7pm", "no thanks")
    before = talk.state.instance("book_restaurant_1")
    talk.say(said)
    after = talk.state.instance("book_restaurant_1")
    assert before is not None
    assert after is not None
    for field in ("date", "time", "number_of_people"):
        assert after.slot(field).value == before.slot(field).value


TICKET = ("my AP credit was never posted", "in March", "no")


@pytest.mark.parametrize("said", ["May 2026", "pls", "May", "in May", "thanks", "ok whatever", "3 May"])
def test_a_month_or_a_courtesy_is_nobodys_name(understander: Understander, said: str) -> None:
    talk = Talk(understander, "services")
    talk.say(*TICKET, said)
    assert held(talk, "full_name", "main_1") is None


@pytest.mark.parametrize("said", ["May Chen", "my name is April June Doe", "August Wilson"])
def test_who_is_called_like_a_month_has_a_name(understander: Understander, said: str) -> None:
    talk = Talk(understander, "services")
    talk.say(*TICKET, said)
    assert str(held(talk, "full_name", "main_1")) in said


def test_going_on_with_a_ticket_is_no_yes_to_dropping_it(understander: Understander) -> None:
    talk = Talk(understander, "services")
    decision = talk.say(*TICKET, "Jane Doe", "no", "no", "ok, can we go on with my ticket?")
    assert talk.state.focus == "main_1"
    assert decision.acts[-1].act.value == "CONFIRM"


BOTH = ("book_restaurant_1", "book_restaurant_2")
CARD = ("book Quorum for 2 on Friday at 7pm", "no thanks")


@pytest.mark.parametrize("said", ["actually not", "I changed my mind", "no, I changed my mind", "rather not"])
def test_second_thoughts_do_nothing_and_ask_what_should_change(talk: Talk, said: str) -> None:
    decision = talk.say(*CARD, said)
    assert not talk.done
    assert "Nothing has been done" in decision.acts[-1].text or "dropped" in decision.acts[-1].text


def test_who_is_back_in_a_bit_leaves_the_task_for_now(talk: Talk) -> None:
    talk.say(*CARD, "I'll be back in a bit")
    at = talk.state.instance("book_restaurant_1")
    assert at is not None
    assert at.status.value == "suspended"


@pytest.mark.parametrize("said", ["my train is here", "my phone is dying", "my sandwich was cold"])
def test_leftovers_are_no_special_request(talk: Talk, said: str) -> None:
    talk.say(*CARD, said)
    assert held(talk, "special_request_info") is None


@pytest.mark.parametrize(
    "said", ["take that out", "remove that again", "no high chair", "take the high chair out", "scrap the high chair"]
)
def test_what_was_put_down_can_be_taken_out(talk: Talk, said: str) -> None:
    talk.say(*CARD, "a high chair please", said)
    assert held(talk, "special_request_info") is None
    assert not talk.done


def test_what_was_not_put_down_is_taken_out_of_nothing(talk: Talk) -> None:
    talk.say(*CARD, "scrap the high chair")
    assert held(talk, "special_request_info") is None


def test_what_may_be_two_values_is_no_thing_that_cannot_be_done(talk: Talk) -> None:
    decision = talk.say(*CARD, "yes but make it 8")
    assert (decision.acts[-1].act.value, talk.reply) == ("ASK", "")


def test_one_sentence_takes_out_and_changes_the_rest(talk: Talk) -> None:
    talk.say(*CARD, "a high chair please", "without the high chair, and make it 8pm for 3 on Sunday")
    assert held(talk, "special_request_info") is None
    assert (held(talk, "time"), held(talk, "number_of_people"), held(talk, "date")) == ("20:00", 3, "2026-11-22")


def test_one_of_two_wishes_is_taken_out(talk: Talk) -> None:
    talk.say(*CARD, "a high chair and a window seat please", "no high chair")
    assert held(talk, "special_request_info") == "a window seat"


@pytest.mark.parametrize(
    "said", ["book another table for 6 on Sunday at 8", "I also need a table for Sunday at 8pm for 6 people"]
)
def test_a_second_booking_changes_nothing_of_the_first(talk: Talk, said: str) -> None:
    talk.say(*CARD, said)
    assert (held(talk, "time"), held(talk, "number_of_people")) == ("19:00", 2)
    assert held(talk, "number_of_people", "book_restaurant_2") == 6


def test_two_bookings_of_one_message_are_two(talk: Talk) -> None:
    talk.say("book Quorum tomorrow 7pm for two, and also one at Fig & Foghorn on Sunday 1pm for six")
    assert (held(talk, "time"), held(talk, "number_of_people")) == ("19:00", 2)
    assert held(talk, "number_of_people", "book_restaurant_2") == 6


@pytest.mark.parametrize("card", [CARD, CARD[:1]], ids=["confirmed", "asked"])
@pytest.mark.parametrize(
    "said",
    [
        "and a second one on Sunday for six",
        "also another one for Sunday, six of us",
        "and for my parents the same on Sunday, six people",
    ],
)
def test_one_more_that_is_not_named_changes_nothing_of_the_first(talk: Talk, card: tuple[str, ...], said: str) -> None:
    talk.say(*card, said)
    first, second = ((held(talk, "date", name), held(talk, "number_of_people", name)) for name in BOTH)
    assert (first, second) == (("2026-11-27", 2), ("2026-11-22", 6))


@pytest.mark.parametrize("said", ["make it another day, Sunday", "another time on Sunday"])
def test_another_day_is_no_other_booking(talk: Talk, said: str) -> None:
    talk.say(*CARD, said)
    assert (held(talk, "date"), held(talk, "date", BOTH[1])) == ("2026-11-22", None)


@pytest.mark.parametrize(
    ("said", "text", "unused"),
    [
        ("gluten free please, and one high chair", "gluten free", "high chair"),
    ],
)
def test_every_wish_is_put_down_or_named(talk: Talk, said: str, text: str, unused: str) -> None:
    talk.say(*CARD[:1], said)
    told = f"{held(talk, 'special_request_info')} {talk.unused}"
    assert text in told
    assert unused in told


@pytest.mark.parametrize("said", ["no, forget it", "never mind", "forget the booking"])
def test_a_task_left_for_now_can_be_given_up(talk: Talk, said: str) -> None:
    talk.say(*CARD, "I'll be back in a bit", said)
    at = talk.state.instance("book_restaurant_1")
    assert at is not None
    assert (at.status.value, talk.asked) == ("abandoned", "")


@pytest.mark.parametrize("said", ["never mind, stop", "forget it", "no, never mind", "stop"])
@pytest.mark.parametrize("app", ["restaurants", "services"])
def test_who_gives_up_where_nothing_is_done_searches_for_nothing(
    understander: Understander, app: str, said: str
) -> None:
    talk = Talk(understander, app)
    talk.say("is it open on Sunday?", said)
    assert (talk.asked, talk.reply) == ("", "All right. Anything else?")


@pytest.mark.parametrize(
    ("said", "time", "day"),
    [
        ("my flight leaves tomorrow", "19:00", "2026-11-27"),
        ("sure is hot today", "19:00", "2026-11-27"),
        ("I had a long day today, make it 8pm", "20:00", "2026-11-27"),
        ("the dinner is on Saturday", "19:00", "2026-11-21"),
        ("Saturday is better", "19:00", "2026-11-21"),
        ("cancel? no, keep it", "19:00", "2026-11-27"),
    ],
)
def test_a_day_that_is_told_of_something_else_moves_nothing(talk: Talk, said: str, time: str, day: str) -> None:
    decision = talk.say(*CARD, said)
    assert (held(talk, "time"), held(talk, "date")) == (time, day)
    assert decision.acts[-1].act.value == "CONFIRM"


@pytest.mark.parametrize("said", ["cancel? no, keep it", "don't cancel it, keep it"])
def test_who_keeps_a_ticket_drops_nothing(understander: Understander, said: str) -> None:
    talk = Talk(understander, "services")
    talk.say(*TICKET, "Jane Doe", "no", "no")
    before = [(one.name, name, slot.value) for one in talk.state.instances for name, slot in one.slots.items()]
    assert talk.say(said).acts[-1].act.value == "CONFIRM"
    after = [(one.name, name, slot.value) for one in talk.state.instances for name, slot in one.slots.items()]
    assert after == before


@pytest.mark.parametrize(
    ("said", "told", "kept"),
    [
        ("for 2 on 31 February at 7pm", "There is no such day as “31 February”.", ("19:00", None)),
        ("for 2 on Friday at 25:00", "There is no such time as “25:00”.", (None, "2026-11-27")),
        ("for 2 on 2027-02-29, 7pm", "There is no such day as “2027-02-29”.", ("19:00", None)),
        ("for 2 at 7:30 February 5", "", ("19:30", "2027-02-05")),
    ],
)
def test_a_day_or_time_that_there_is_not_is_said_and_the_rest_kept(
    talk: Talk, said: str, told: str, kept: tuple[str | None, str | None]
) -> None:
    decision = talk.say("book Quorum", said)
    assert told in " ".join(act.text for act in decision.acts)
    assert (held(talk, "time"), held(talk, "date"), held(talk, "number_of_people")) == (*kept, 2)


def test_half_a_person_comes_to_no_table(talk: Talk) -> None:
    decision = talk.say("book Quorum", "for 2.5 people on Friday at 7pm")
    assert "There is no such number of people as “2.5 people”." in [act.text for act in decision.acts]
    assert (held(talk, "number_of_people"), held(talk, "time")) == (None, "19:00")


@pytest.mark.parametrize(
    ("talked", "unused"),
    [
        ((f"{RESTAURANT} for 2 at 7pm, and find us a parking spot with a charger",), ("parking spot with a charger",)),
        ((*CARD, "make it 3 people and play some jazz"), ("play some jazz",)),
        ((*CARD, "make it 3 people please, sorry"), ()),
        (("I'd like to book a table, please. Quorum, 4 people. Friday at 7.",), ()),
    ],
)
def test_what_a_form_does_not_use_is_named(talk: Talk, talked: tuple[str, ...], unused: tuple[str, ...]) -> None:
    talk.say(*talked)
    assert talk.unused == unused
