"""What people say of a thing, in sentences by several hands; and what stands on a list of names."""

import pytest

from agent.backends.builtin.reading.opinions import topic_of

from .conftest import Ask

REVIEWS = (
    "The espresso is roasted next door. We sat by the window.",
    "Parking was a nightmare. I would order the cortado again, silky coffee.",
    "My coffee came lukewarm twice. The cake made up for it.",
    "A friend works here. Closed on Mondays.",
)


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("what do people say about the coffee at this restaurant?", "coffee"),
        ("What do students complain about in this course?", ""),
        ("what do reviewers think of the service", "service"),
        ("what are the main complaints about this place?", ""),
        ("what do guests like about this restaurant?", ""),
        ("what do people complain about there?", ""),
        ("what do people complain about in that one?", ""),
        ("why do people dislike it so much?", ""),
        ("why do students hate the exams in this course", "exams"),
        ("any complaints about this restaurant?", ""),
        ("what's bad about this place?", ""),
        ("why is it closed?", None),
        ("what do they serve?", None),
        ("what is the coffee like?", "coffee"),
        ("how's the service at this restaurant?", "service"),
        ("how are the lectures in this course?", "lectures"),
        ("what's the vibe at this place", "vibe"),
        ("how is the best table booked?", "best table booked"),
        ("who says so?", None),
    ],
)
def test_what_opinions_are_asked_of(question: str, topic: str | None) -> None:
    assert topic_of(question) == topic


def test_opinions_of_a_topic_are_sentences_of_it_by_several_hands(ask: Ask) -> None:
    reply = ask("what do people say about the coffee at this restaurant?", *REVIEWS)
    assert reply.value is not None
    assert "silky coffee" in reply.value
    assert "lukewarm" in reply.value
    assert "Parking" not in reply.value
    assert "Closed on Mondays" not in reply.value
    assert len({span.passage for span in reply.spans}) == len(reply.spans)
    quoted = [REVIEWS[span.passage][span.start : span.stop] for span in reply.spans]
    assert reply.value == " ".join(quoted)


def test_how_a_thing_is_is_told_by_who_speaks_of_it_in_other_words(ask: Ask) -> None:
    texts = ("The waitress forgot us twice.", "We took the bus home.", "A tall cook waved us in and poured the tea.")
    reply = ask("how is the service at this restaurant?", *texts)
    assert reply.value is not None
    assert "waitress" in reply.value
    assert "bus" not in reply.value
    assert ask("what's the parking like?", *texts).value is None


def test_complaints_are_what_somebody_complains_of(ask: Ask) -> None:
    reply = ask("what do people complain about there?", *REVIEWS)
    assert reply.value is not None
    assert "nightmare" in reply.value or "lukewarm" in reply.value
    assert "silky" not in reply.value
    assert "next door" not in reply.value
    only = ask("what do guests complain about at this restaurant?", "Lovely soup, I was so happy.", "We adored it all.")
    assert only.value is None


def test_of_what_nobody_speaks_of_there_are_no_opinions(ask: Ask) -> None:
    assert ask("what do people say about the wheelchair ramp?", *REVIEWS).value is None


def test_opinions_of_everything_are_a_summary(ask: Ask) -> None:
    reply = ask("what do guests like about this restaurant?", *REVIEWS)
    assert reply.value is not None
    assert len(reply.spans) > 1


MENU = ("phở đặc biệt with soft tendon", "bún bò Huế", "salted lemon soda", "cà phê sữa đá")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("does this restaurant serve pho?", "Yes"),
        ("does this restaurant serve phở?", "Yes"),
        ("does this restaurant have bun bo hue?", "Yes"),
        ("does this restaurant serve good lemon soda?", "Yes"),
        ("does this restaurant serve tea?", None),
        ("is this restaurant soft?", None),
    ],
)
def test_what_is_on_the_menu_is_served(ask: Ask, question: str, answer: str | None) -> None:
    assert ask(question, *MENU).value == answer


def test_sentences_are_no_menu(ask: Ask) -> None:
    texts = ("They have no soda here.", "We had soda elsewhere.", "I never drink soda.")
    assert ask("does this restaurant serve soda?", *texts).value != "Yes"
